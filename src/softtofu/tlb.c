/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/tlb.h"

#include "softtofu/guard.h"
#include "softtofu/peer.h"
#include "softtofu/vcq.h"

#include <string.h>
#include <utofu.h>

/* A generation that no entry is valid for: entries that hold nothing point here. */
static const _Atomic uint32_t never;

struct softtofu_tlb_entry softtofu_tlb_empty[1 << SOFTTOFU_TLB_BITS] = {
        [0 ... (1 << SOFTTOFU_TLB_BITS) - 1] = {.generation = &never, .valid = 1}};

/** A STag's fields, read together. */
struct stag_copy {
    uint32_t generation;
    uint16_t owner, segment;
    uint64_t address, size, offset;
};

void softtofu_tlb_clear(struct softtofu_tlb_entry *entry)
{
    *entry = (struct softtofu_tlb_entry){.generation = &never, .valid = 1};
}

void softtofu_tlb_init(struct softtofu_tlb *tlb)
{
    memset(&tlb->targets, 0, sizeof(tlb->targets));
    for (unsigned i = 0; i < 1u << SOFTTOFU_TLB_BITS; i++)
        softtofu_tlb_clear(&tlb->entry[i]);
}

/* @return Whether the STag is registered, with @a copy as it was at one time. */
static bool read_stag(const struct softtofu_stag *stag, struct stag_copy *copy)
{
    /* Acquire, for publish()'s last release: the fields are not older than the generation. */
    copy->generation = atomic_load_explicit(&stag->generation, memory_order_acquire);
    copy->owner      = atomic_load_explicit(&stag->owner, memory_order_relaxed);
    copy->segment    = atomic_load_explicit(&stag->segment, memory_order_relaxed);
    copy->address    = atomic_load_explicit(&stag->address, memory_order_relaxed);
    copy->size       = atomic_load_explicit(&stag->size, memory_order_relaxed);
    copy->offset     = atomic_load_explicit(&stag->offset, memory_order_relaxed);
    /* Acquire, for publish()'s fence: if a field is newer, the second look shows another generation. */
    atomic_thread_fence(memory_order_acquire);
    return (copy->generation & 1) != 0 &&
           atomic_load_explicit(&stag->generation, memory_order_relaxed) == copy->generation;
}

static int set_way(struct softtofu_vcq *vcq, const struct softtofu_target *target,
                   const struct stag_copy *stag, uint64_t size, struct softtofu_tlb_entry *entry)
{
    struct softtofu_device *device = vcq->device;
    const char *memory;

    entry->locked = stag->segment == SOFTTOFU_SEGMENT_NONE;
    if (target->rank == device->rank) {
        entry->bias = stag->address - entry->first;
    } else if (entry->locked) {
        entry->bias     = stag->address - entry->first;
        entry->attached = true;
    } else {
        memory = softtofu_peer_memory(device->peers, target->rank, stag->segment, stag->offset, size);
        if (memory == NULL) {
            int alive = softtofu_peer_watch(device->peers, target->rank);
            return alive == UTOFU_SUCCESS ? UTOFU_ERR_MRQ_RMT_MEMORY : alive;
        }
        entry->bias = (uintptr_t)memory - entry->first;
    }
    return UTOFU_SUCCESS;
}

static int fill(struct softtofu_vcq *vcq, uint64_t vcq_id, uint64_t stadd, uint64_t length,
                struct softtofu_tlb_entry *entry)
{
    unsigned number = softtofu_stadd_stag(stadd);
    struct softtofu_target *target;
    const struct softtofu_stag *shared;
    struct stag_copy stag;
    uint64_t size;
    int result = softtofu_target_find(vcq, vcq_id, &target);

    if (result != UTOFU_SUCCESS)
        return result;
    if (softtofu_stadd_cq(stadd) != (vcq_id & 0xff) || number >= SOFTTOFU_STAGS)
        return UTOFU_ERR_MRQ_RMT_STADD;
    shared = &target->shared_cq->stag[number];
    if (!read_stag(shared, &stag) || softtofu_stag_owner_rank(stag.owner) != target->rank)
        return UTOFU_ERR_MRQ_RMT_STADD;
    size             = stag.size & ~SOFTTOFU_STAG_READ_ONLY;
    entry->vcq_id    = vcq_id;
    entry->first     = softtofu_stadd_encode(softtofu_stadd_cq(stadd), number,
                                             softtofu_stadd_offset(number, (void *)stag.address));
    entry->size      = size;
    entry->read_only = (stag.size & SOFTTOFU_STAG_READ_ONLY) != 0;
    entry->target    = target;
    entry->traffic   = &vcq->queue.traffic[target->node];
    if (stadd - entry->first >= size || stadd - entry->first + length > size)
        return UTOFU_ERR_MRQ_RMT_LENGTH;
    result = set_way(vcq, target, &stag, size, entry);
    /* A segment shows the same file as long as this is registered; what was found after its end may be of another. */
    if (atomic_load(&shared->generation) != stag.generation)
        return UTOFU_ERR_MRQ_RMT_STADD;
    if (result == UTOFU_SUCCESS) {
        entry->generation = &shared->generation;
        entry->valid      = stag.generation;
        if (entry->attached || entry->read_only || size < SOFTTOFU_PIGGYBACK_MAX)
            entry->vcq_id = ~vcq_id;
    }
    return result;
}

static bool holds(const struct softtofu_tlb_entry *entry, uint64_t vcq_id, uint64_t stadd,
                  uint64_t length)
{
    return softtofu_tlb_hit(entry, vcq_id, stadd, length) ||
           softtofu_tlb_hit(entry, ~vcq_id, stadd, length);
}

int softtofu_tlb_find(struct softtofu_vcq *vcq, uint64_t vcq_id, uint64_t stadd, uint64_t length,
                      struct softtofu_tlb_entry **found)
{
    unsigned index                    = softtofu_tlb_index(vcq_id, stadd);
    struct softtofu_tlb_entry *first  = &vcq->tlb.entry[index];
    struct softtofu_tlb_entry *second = &vcq->tlb.entry[index ^ 1];
    struct softtofu_tlb_entry used;
    int result;

    *found = first;
    if (holds(first, vcq_id, stadd, length))
        return UTOFU_SUCCESS;
    used    = *second;
    *second = *first;
    *first  = used;
    if (holds(first, vcq_id, stadd, length))
        return UTOFU_SUCCESS;
    softtofu_tlb_clear(first);
    result = fill(vcq, vcq_id, stadd, length, first);
    if (result != UTOFU_SUCCESS)
        softtofu_tlb_clear(first);
    return result;
}

static void tell_lost(struct softtofu_vcq *vcq, const struct softtofu_tlb_entry *entry)
{
    struct softtofu_notice *notice = softtofu_notice_ring_push(&vcq->notices);

    *notice = (struct softtofu_notice){.status    = UTOFU_ERR_MRQ_RMT_MEMORY,
                                       .type      = UTOFU_MRQ_TYPE_LCL_PUT,
                                       .vcq_id    = entry->vcq_id & ~SOFTTOFU_ID_PATH_MASK,
                                       .rmt_stadd = entry->first};
}

void softtofu_tlb_drop_lost(struct softtofu_vcq *vcq)
{
    uint32_t losses = atomic_load(&softtofu_guard_losses);

    for (unsigned i = 0; i < 1u << SOFTTOFU_TLB_BITS; i++) {
        struct softtofu_tlb_entry *entry = &vcq->tlb.entry[i];
        if (entry->generation == &never || entry->attached ||
            !softtofu_guard_lost((uintptr_t)(entry->first + entry->bias)))
            continue;
        /* Entries that short puts do not use have an inverted id. */
        if ((entry->target->vcq_id & ~SOFTTOFU_ID_PATH_MASK) == (entry->vcq_id & ~SOFTTOFU_ID_PATH_MASK)) {
            if (!softtofu_notice_ring_room(&vcq->notices))
                return;
            tell_lost(vcq, entry);
        }
        softtofu_tlb_clear(entry);
    }
    vcq->losses_seen = losses;
}
