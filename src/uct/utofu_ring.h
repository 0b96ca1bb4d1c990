/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_ring.h
 * The ring into which any peer writes active messages, one for each interface, whatever the number of peers.
 *
 *     0     ticket counter: senders fetch-and-add it for a position
 *     256   flush word: what flushes write, and nobody reads
 *     512   slot 0 | slot 1 | ...      each: payload, right-aligned, then one word
 *
 * A slot's word says whose the slot is. For position p the lap is p / length of the ring:
 *
 *     63..32 lap | 31..7 message length | 6..2 active message id | 1..0 READY
 *     63..32 lap | 31..2 sender                                  | 1..0 CLAIMED
 *     63..32 lap | 0                                             | 1..0 FREE
 *
 * A sender exchanges FREE for CLAIMED with itself in it, by a compare-and-swap, and then writes payload and READY
 * word by one strongly ordered put, whose last bytes arrive last. The receiver takes READY and stores FREE of the
 * next lap. A ring of zeros is empty.
 *
 * Because a claim names its sender, a sender that dies cannot block the ring: the receiver asks the network whether it
 * is still there. A position whose ticket was taken but not claimed is freed after a while; if its sender lives after
 * all, its compare-and-swap fails and it takes another ticket. Both by compare-and-swap through the network, because
 * on hardware CPU and network atomics need not exclude each other.
 */
#ifndef UCT_UTOFU_RING_H
#define UCT_UTOFU_RING_H

#include "utofu_def.h"
#include "utofu_op.h"

#define UCT_UTOFU_RING_TICKET_OFFSET 0
#define UCT_UTOFU_RING_FLUSH_OFFSET  UCT_UTOFU_LINE
#define UCT_UTOFU_RING_SLOTS_OFFSET  (2 * UCT_UTOFU_LINE)

enum {
    UCT_UTOFU_SLOT_FREE,
    UCT_UTOFU_SLOT_CLAIMED,
    UCT_UTOFU_SLOT_READY,
    UCT_UTOFU_SLOT_STATE_MASK = 3
};

typedef struct uct_utofu_ring {
    char *memory;
    uct_mem_h memh;
    utofu_stadd_t stadd; /**< Of memory, on the interface's target. */
    uint64_t head;       /**< Next position to take... */
    uint64_t *word;      /**< ...the word of its slot... */
    uint64_t lap;        /**< ...and its lap, in place. */
    uint32_t length;     /**< Slots, a power of two. */
    uint32_t seg_size;   /**< Largest payload. */
    uint32_t stuck;      /**< Times that the head was found taken but not READY. */
    int repairing;       /**< A probe or a compare-and-swap of ours is under way. */
} uct_utofu_ring_t;

/** Bytes from one slot to the next. */
static inline size_t uct_utofu_slot_size(uint32_t seg_size)
{
    return ucs_align_up(seg_size + sizeof(uint64_t), UCT_UTOFU_LINE);
}

/** Offset of the word of @a position's slot. */
static inline size_t uct_utofu_slot_word_offset(uint64_t position, uint32_t length, uint32_t seg_size)
{
    return UCT_UTOFU_RING_SLOTS_OFFSET + ((position & (length - 1)) + 1) * uct_utofu_slot_size(seg_size) -
           sizeof(uint64_t);
}

static inline uint64_t uct_utofu_slot_lap(uint64_t position, uint32_t length)
{
    return (position / length) << 32;
}

static inline uint64_t uct_utofu_slot_ready(uint64_t lap, uint8_t am_id, size_t length)
{
    return lap | (length << 7) | ((uint64_t)am_id << 2) | UCT_UTOFU_SLOT_READY;
}

ucs_status_t uct_utofu_ring_init(uct_utofu_iface_t *iface, uint32_t length, uint32_t seg_size);
void uct_utofu_ring_cleanup(uct_utofu_iface_t *iface);

/** Whether a message has arrived at the head. */
static inline int uct_utofu_ring_is_ready(const uct_utofu_ring_t *ring)
{
    uint64_t word = __atomic_load_n(ring->word, __ATOMIC_ACQUIRE);

    return ((word >> 32) == (ring->lap >> 32)) && ((word & UCT_UTOFU_SLOT_STATE_MASK) == UCT_UTOFU_SLOT_READY);
}

/** Hand arrived messages to their handlers. @return Their number. */
unsigned uct_utofu_ring_take(uct_utofu_iface_t *iface);

/** The head is not READY. If others have waited behind it for long, find out why and mend it. */
void uct_utofu_ring_examine(uct_utofu_iface_t *iface);

#endif
