/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/vcq_slot.h"

#include <utofu.h>

/* The 9 CQs of a TNI that users get: all that softtofu_cq_default() names, and one more. */
static const uint8_t usable[SOFTTOFU_CQS] = {0, 2, 5, 8, 10, 9, 6, 4, 1};

unsigned softtofu_cq_default(unsigned ppn, unsigned n)
{
    static const uint8_t quarter[] = {0, 2, 5, 8};
    static const uint8_t by_six[3][7] = {
            {0, 2, 5, 8, 10, 10, 10}, {0, 2, 5, 8, 9, 10, 10}, {0, 2, 5, 6, 8, 9, 10}};

    if (ppn == 1)
        return 0;
    if (ppn == 2)
        return 6 * n;
    if (ppn == 3)
        return 4 * n;
    if (ppn == 4)
        return quarter[n];
    if (ppn <= 8)
        return quarter[n / 2];
    if (ppn <= 12)
        return quarter[n / 3];
    if (ppn <= 24)
        return quarter[n / 6];
    if (ppn <= 42)
        return by_six[(ppn - 25) / 6][n / 6];
    if (n <= 11)
        return n <= 5 ? 0 : 2;
    return n <= 29 ? n / 6 + 2 : n / 6 + 3;
}

static unsigned count_live(const struct softtofu_cq *cq, bool *exclusive)
{
    unsigned live = 0;

    *exclusive = false;
    for (unsigned cmp = 0; cmp < SOFTTOFU_CMP_IDS; cmp++) {
        if ((atomic_load(&cq->vcq[cmp].generation) & 1) != 0) {
            live++;
            *exclusive |= atomic_load(&cq->vcq[cmp].exclusive) != 0;
        }
    }
    return live;
}

static bool has_room(const struct softtofu_cq *cq)
{
    bool exclusive;
    unsigned live = count_live(cq, &exclusive);

    return !exclusive && live < SOFTTOFU_CMP_IDS;
}

/* What to say when no CQ suits: are VCQs of another kind left? */
static int refusal(const struct softtofu_cq *cqs)
{
    for (unsigned i = 0; i < SOFTTOFU_CQS; i++) {
        if (has_room(&cqs[usable[i]]))
            return UTOFU_ERR_NOT_AVAILABLE;
    }
    return UTOFU_ERR_FULL;
}

/* A plain VCQ goes where the process belongs, else to the fullest CQ with room. @return -1: none. */
static int choose_shared(struct softtofu_cq *cqs, unsigned preferred)
{
    int best       = -1;
    unsigned fullest = 0;

    if (has_room(&cqs[preferred]))
        return (int)preferred;
    for (unsigned i = 0; i < SOFTTOFU_CQS; i++) {
        bool exclusive;
        unsigned live = count_live(&cqs[usable[i]], &exclusive);
        if (!exclusive && live < SOFTTOFU_CMP_IDS && (best < 0 || live > fullest)) {
            best    = usable[i];
            fullest = live;
        }
    }
    return best;
}

/* An exclusive VCQ takes an unused CQ that plain ones would take last. @return -1: none. */
static int choose_exclusive(struct softtofu_cq *cqs, unsigned preferred)
{
    bool exclusive;

    for (unsigned i = SOFTTOFU_CQS; i-- > 0;) {
        if (usable[i] != preferred && count_live(&cqs[usable[i]], &exclusive) == 0)
            return usable[i];
    }
    return count_live(&cqs[preferred], &exclusive) == 0 ? (int)preferred : -1;
}

/* Plain VCQs take components from the top, so that programs which name theirs find low ones free. */
static unsigned choose_component(const struct softtofu_cq *cq)
{
    unsigned cmp = SOFTTOFU_CMP_IDS - 1;

    while (cmp > 0 && (atomic_load(&cq->vcq[cmp].generation) & 1) != 0)
        cmp--;
    return cmp;
}

static int take_locked(struct softtofu_device *device, unsigned tni, bool exclusive, unsigned *cmp,
                       unsigned *cq)
{
    struct softtofu_cq *cqs = softtofu_fabric_node(&device->fabric, device->node)->cq[tni];
    unsigned preferred = softtofu_cq_default(softtofu_fabric_map(&device->fabric)->job.ppn, device->rank_in_node);
    struct softtofu_vcq_slot *slot;
    int chosen;

    /* Who names a component relies on the CQ too: peers rebuild the id. */
    if (exclusive)
        chosen = choose_exclusive(cqs, preferred);
    else if (*cmp != SOFTTOFU_CMP_ANY)
        chosen = (int)preferred;
    else
        chosen = choose_shared(cqs, preferred);
    if (chosen < 0)
        return refusal(cqs);
    if (*cmp == SOFTTOFU_CMP_ANY)
        *cmp = choose_component(&cqs[chosen]);
    slot = &cqs[chosen].vcq[*cmp];
    if ((atomic_load(&slot->generation) & 1) != 0)
        return UTOFU_ERR_USED;
    /* The CQ of the process is somebody's alone. */
    if (!exclusive && !has_room(&cqs[chosen]))
        return refusal(cqs);
    *cq = (unsigned)chosen;
    /* What the last VCQ there left unread is not the new one's. */
    if (softtofu_fabric_clear_ring(&device->fabric, softtofu_vcq_index(device->node, tni, *cq, *cmp)) != 0)
        return UTOFU_ERR_OUT_OF_MEMORY;
    atomic_store(&slot->process, device->rank);
    atomic_store(&slot->exclusive, exclusive);
    atomic_store(&slot->session, 0);
    atomic_store(&slot->session_released, 0);
    atomic_store(&slot->session_waiting, 0);
    atomic_store(&slot->mrq_tail, 0);
    atomic_store(&slot->mrq_head, 0);
    atomic_fetch_add(&slot->generation, 1);
    return UTOFU_SUCCESS;
}

int softtofu_vcq_slot_take(struct softtofu_device *device, unsigned tni, bool exclusive, unsigned *cmp,
                           unsigned *cq)
{
    int result;

    softtofu_lock(&device->fabric.head->mutex);
    result = take_locked(device, tni, exclusive, cmp, cq);
    softtofu_unlock(&device->fabric.head->mutex);
    return result;
}

static void free_stags(struct softtofu_cq *cq, uint16_t owner, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        struct softtofu_stag *stag = &cq->stag[i];
        uint32_t generation        = atomic_load(&stag->generation);
        if ((generation & 1) != 0 && atomic_load(&stag->owner) == owner)
            atomic_store(&stag->generation, generation + 1);
    }
}

void softtofu_vcq_slot_free(struct softtofu_cq *cq, unsigned cmp, unsigned rank)
{
    struct softtofu_vcq_slot *slot = &cq->vcq[cmp];
    uint16_t owner                 = softtofu_stag_owner(rank, cmp);
    unsigned reserved              = softtofu_stag_reserved(cmp, 0);

    free_stags(cq, owner, SOFTTOFU_STAG_DYNAMIC, atomic_load(&cq->stag_limit));
    free_stags(cq, owner, reserved, reserved + SOFTTOFU_STAGS_RESERVED);
    atomic_store(&slot->exclusive, 0);
    atomic_fetch_add(&slot->generation, 1);
}
