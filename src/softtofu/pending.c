/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/pending.h"

struct softtofu_pending softtofu_pending_make(const struct softtofu_command *command, uint64_t arrivals)
{
    unsigned own_path = command->flags >> 28 & 0xf;

    return (struct softtofu_pending){
            .kind      = command->kind,
            .flags     = command->flags,
            .vcq_id    = command->rmt_vcq_id & ~SOFTTOFU_ID_PATH_MASK,
            .path      = own_path != 0 ? own_path : command->rmt_vcq_id >> SOFTTOFU_ID_PATH_SHIFT & 0xf,
            .rmt_stadd = command->rmt_stadd,
            .lcl_stadd = command->lcl_stadd,
            .length    = command->length,
            .cbdata    = command->cbdata,
            .arrivals  = arrivals};
}

void softtofu_pending_add(struct softtofu_pending_ring *ring, const struct softtofu_pending *pending)
{
    ring->entry[ring->count++ % SOFTTOFU_PENDING_MAX] = *pending;
}

static uint64_t oldest(const struct softtofu_pending_ring *ring)
{
    return ring->count > SOFTTOFU_PENDING_MAX ? ring->count - SOFTTOFU_PENDING_MAX : 0;
}

static struct softtofu_pending *at(struct softtofu_pending_ring *ring, uint64_t i)
{
    return &ring->entry[i % SOFTTOFU_PENDING_MAX];
}

void softtofu_pending_sent(struct softtofu_pending_ring *ring, const void *cbdata)
{
    uint64_t i = oldest(ring);

    while (i < ring->count && ((at(ring, i)->flags & UTOFU_ONESIDED_FLAG_TCQ_NOTICE) == 0 ||
                               at(ring, i)->told || at(ring, i)->cbdata != cbdata))
        i++;
    if (i == ring->count)
        return; /* A failure of a command that asked for none, or fallen out. */
    at(ring, i)->told = true;
    for (uint64_t j = oldest(ring); j <= i; j++)
        at(ring, j)->sent = true;
}

static bool is_of(const struct softtofu_pending *pending, const struct utofu_mrq_notice *notice)
{
    static const uint8_t type[] = {[SOFTTOFU_COMMAND_NOP]       = 0xff,
                                   [SOFTTOFU_COMMAND_PUT]       = UTOFU_MRQ_TYPE_LCL_PUT,
                                   [SOFTTOFU_COMMAND_PIGGYBACK] = UTOFU_MRQ_TYPE_LCL_PUT,
                                   [SOFTTOFU_COMMAND_GET]       = UTOFU_MRQ_TYPE_LCL_GET,
                                   [SOFTTOFU_COMMAND_ATOMIC]    = UTOFU_MRQ_TYPE_LCL_ARMW};
    uint64_t end = pending->rmt_stadd + (pending->kind == SOFTTOFU_COMMAND_ATOMIC ? 0 : pending->length);

    return !pending->done && type[pending->kind] == notice->notice_type &&
           pending->vcq_id == notice->vcq_id && end == notice->rmt_stadd;
}

void softtofu_pending_done(struct softtofu_pending_ring *ring, const struct utofu_mrq_notice *notice)
{
    uint64_t i = oldest(ring);

    while (i < ring->count && !is_of(at(ring, i), notice))
        i++;
    if (i == ring->count)
        return;
    at(ring, i)->done = true;
    at(ring, i)->sent = true;
    for (uint64_t j = oldest(ring); j < i; j++) {
        if (softtofu_pending_ordered(at(ring, j), at(ring, i))) {
            at(ring, j)->sent = true;
            /* What a get fetched need not have been stored when a later command is done. */
            at(ring, j)->done |= at(ring, j)->kind != SOFTTOFU_COMMAND_GET;
        }
    }
}

bool softtofu_pending_ordered(const struct softtofu_pending *first, const struct softtofu_pending *second)
{
    return (first->flags & second->flags & UTOFU_ONESIDED_FLAG_STRONG_ORDER) != 0 &&
           first->vcq_id == second->vcq_id && first->path == second->path;
}

const struct softtofu_pending *softtofu_pending_next(const struct softtofu_pending_ring *ring, unsigned *i)
{
    uint64_t age = (*i)++;

    return age < SOFTTOFU_PENDING_MAX && age < ring->count
                   ? &ring->entry[(ring->count - 1 - age) % SOFTTOFU_PENDING_MAX]
                   : NULL;
}
