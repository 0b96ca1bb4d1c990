/* SPDX-License-Identifier: BSD-3-Clause */
#include "utofu_ring.h"

#include "utofu_am.h"
#include "utofu_iface.h"
#include "utofu_mem.h"

#include <ucs/arch/cpu.h>

/** Messages taken in one progress call, so that sending gets its turn. */
#define UCT_UTOFU_RING_BATCH 16

/** Examinations that the head may stand still before the receiver looks for the reason: some milliseconds. */
#define UCT_UTOFU_RING_PATIENCE 2000

static void uct_utofu_ring_set_head(uct_utofu_ring_t *ring, uint64_t head)
{
    ring->head  = head;
    ring->lap   = uct_utofu_slot_lap(head, ring->length);
    ring->word  = (uint64_t *)(ring->memory + uct_utofu_slot_word_offset(head, ring->length, ring->seg_size));
    ring->stuck = 0;
}

ucs_status_t uct_utofu_ring_init(uct_utofu_iface_t *iface, uint32_t length, uint32_t seg_size)
{
    uct_utofu_md_t *md     = uct_utofu_iface_md(iface);
    uct_utofu_ring_t *ring = &iface->ring;
    size_t bytes           = UCT_UTOFU_RING_SLOTS_OFFSET + length * uct_utofu_slot_size(seg_size);
    ucs_status_t status;

    status = uct_utofu_mem_alloc(&md->super, &bytes, (void **)&ring->memory, UCS_MEMORY_TYPE_HOST, 0,
                                 "utofu_ring", &ring->memh);
    if (status != UCS_OK) {
        return status;
    }
    status = uct_utofu_mem_target_stadd(md, ring->memh, iface->target_index, &ring->stadd);
    if (status != UCS_OK) {
        uct_utofu_mem_free(&md->super, ring->memh);
        return status;
    }
    ring->length    = length;
    ring->seg_size  = seg_size;
    ring->repairing = 0;
    uct_utofu_ring_set_head(ring, 0);
    return UCS_OK;
}

void uct_utofu_ring_cleanup(uct_utofu_iface_t *iface)
{
    uct_utofu_mem_free(iface->super.md, iface->ring.memh);
}

static void uct_utofu_ring_repaired(uct_utofu_op_t *op)
{
    uct_utofu_iface_t *iface = op->fetch.result;

    /* Whether the exchange worked shows in the slot's word. */
    iface->ring.repairing = 0;
    ucs_mpool_put_inline(op);
}

/* An operation of the ring's own, on the interface's own target. */
static uct_utofu_op_t *uct_utofu_ring_op(uct_utofu_iface_t *iface, uct_utofu_op_complete_t complete)
{
    uct_utofu_op_t *op = uct_utofu_op_get(iface);

    if (op == NULL) {
        return NULL;
    }
    if (!uct_utofu_op_take_tag(&iface->ops, op)) {
        ucs_mpool_put_inline(op);
        return NULL;
    }
    op->ep           = NULL;
    op->comp         = NULL;
    op->complete     = complete;
    op->fetch.result = iface;
    return op;
}

static void uct_utofu_ring_start(uct_utofu_iface_t *iface, uct_utofu_op_t *op, int ret)
{
    if (ret == UTOFU_SUCCESS) {
        iface->ring.repairing = 1;
        uct_utofu_op_posted(iface, op);
    } else {
        uct_utofu_op_drop_tag(&iface->ops, op);
        ucs_mpool_put_inline(op);
    }
}

/* Free the head's slot for the next lap, if it still holds @a word. */
static void uct_utofu_ring_skip(uct_utofu_iface_t *iface, uint64_t word)
{
    uct_utofu_ring_t *ring = &iface->ring;
    uct_utofu_op_t *op     = uct_utofu_ring_op(iface, uct_utofu_ring_repaired);
    uint64_t next          = uct_utofu_slot_lap(ring->head + ring->length, ring->length);
    size_t offset          = uct_utofu_slot_word_offset(ring->head, ring->length, ring->seg_size);

    if (op != NULL) {
        uct_utofu_ring_start(iface, op,
                             utofu_cswap8(iface->vcq, uct_utofu_iface_md(iface)->target[iface->target_index].id, word,
                                          next, ring->stadd + offset, op->tag,
                                          UCT_UTOFU_ORDER | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE, op));
    }
}

/* The answer to a probe of the sender that claimed the head. */
static void uct_utofu_ring_probed(uct_utofu_op_t *op)
{
    uct_utofu_iface_t *iface = op->fetch.result;
    int gone                 = (op->status == UCS_ERR_ENDPOINT_TIMEOUT);
    uint64_t word            = __atomic_load_n(iface->ring.word, __ATOMIC_RELAXED);

    uct_utofu_ring_repaired(op);
    if (gone && ((word & UCT_UTOFU_SLOT_STATE_MASK) == UCT_UTOFU_SLOT_CLAIMED)) {
        ucs_debug("utofu: a sender died with a slot of ring %p claimed", iface->ring.memory);
        uct_utofu_ring_skip(iface, word);
    }
}

/*
 * Ask the network whether the sender's VCQ is there: an atomic on an address that it never registers ends in one
 * error if it is, in another if it is not, and touches nothing.
 */
static void uct_utofu_ring_probe(uct_utofu_iface_t *iface, uint64_t word)
{
    utofu_vcq_id_t sender = uct_utofu_am_sender_decode((uint32_t)word >> 2);
    uct_utofu_op_t *op    = uct_utofu_ring_op(iface, uct_utofu_ring_probed);

    if (op != NULL) {
        uct_utofu_ring_start(iface, op,
                             utofu_armw8(iface->vcq, sender, UTOFU_ARMW_OP_OR, 0, 0, op->tag,
                                         UCT_UTOFU_ORDER | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE, op));
    }
}

void uct_utofu_ring_examine(uct_utofu_iface_t *iface)
{
    uct_utofu_ring_t *ring = &iface->ring;
    uint64_t word          = __atomic_load_n(ring->word, __ATOMIC_ACQUIRE);
    uint64_t tickets       = __atomic_load_n((uint64_t *)(ring->memory + UCT_UTOFU_RING_TICKET_OFFSET),
                                             __ATOMIC_RELAXED);

    if ((word >> 32) != (ring->lap >> 32)) {
        uct_utofu_ring_set_head(ring, ring->head + 1); /* Skipped: already free for the next lap. */
        return;
    }
    if ((tickets == ring->head) || ring->repairing || (++ring->stuck < UCT_UTOFU_RING_PATIENCE)) {
        return;
    }
    ring->stuck = 0;
    if ((word & UCT_UTOFU_SLOT_STATE_MASK) == UCT_UTOFU_SLOT_CLAIMED) {
        uct_utofu_ring_probe(iface, word);
    } else if ((word & UCT_UTOFU_SLOT_STATE_MASK) == UCT_UTOFU_SLOT_FREE) {
        uct_utofu_ring_skip(iface, word);
    }
}

static void uct_utofu_ring_take_one(uct_utofu_iface_t *iface)
{
    uct_utofu_ring_t *ring = &iface->ring;
    uint64_t *slot_word    = ring->word;
    uint64_t word          = *slot_word;
    size_t length          = (uint32_t)word >> 7;
    uint8_t am_id          = (word >> 2) & 0x1f;
    char *data             = (char *)slot_word - ucs_align_up_pow2(length, sizeof(uint64_t));
    uint64_t next_lap      = uct_utofu_slot_lap(ring->head + ring->length, ring->length);

    uct_utofu_ring_set_head(ring, ring->head + 1);
    uct_iface_trace_am(&iface->super, UCT_AM_TRACE_TYPE_RECV, am_id, data, length, "RX: AM");
    uct_iface_invoke_am(&iface->super, am_id, data, length, 0);
    /* Release: the sender that finds the slot free finds it read. */
    __atomic_store_n(slot_word, next_lap, __ATOMIC_RELEASE);
}

unsigned uct_utofu_ring_take(uct_utofu_iface_t *iface)
{
    unsigned count = 0;

    do {
        uct_utofu_ring_take_one(iface);
        ++count;
    } while ((count < UCT_UTOFU_RING_BATCH) && uct_utofu_ring_is_ready(&iface->ring));
    return count;
}
