/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file notice_ring.h
 * A private queue of completions. It starts small, so that it stays in the first-level cache, and grows up to the
 * depth that the hardware's queue would have.
 */
#ifndef SOFTTOFU_NOTICE_RING_H
#define SOFTTOFU_NOTICE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A completion of one of the own operations: for the TCQ cbdata and status, for the MRQ everything else. */
struct softtofu_notice {
    int status; /**< utofu_return_code. */
    uint8_t type;
    uint8_t edata;
    void *cbdata;
    uint64_t vcq_id;
    uint64_t lcl_stadd, rmt_stadd, rmt_value;
};

struct softtofu_notice_ring {
    struct softtofu_notice *entry;
    uint32_t head, tail; /**< Free-running; the number of entries is their difference. */
    uint32_t mask;       /**< Entries allocated - 1. */
    uint32_t depth;      /**< Entries allowed. */
};

/** @param[in] depth  A power of two. @return 0, or -1 if no memory is left. */
int softtofu_notice_ring_init(struct softtofu_notice_ring *ring, uint32_t depth);
void softtofu_notice_ring_cleanup(struct softtofu_notice_ring *ring);

/** Double the ring. @return Whether there is room now: it is not at its depth, and there was memory. */
bool softtofu_notice_ring_grow(struct softtofu_notice_ring *ring);

static inline uint32_t softtofu_notice_ring_count(const struct softtofu_notice_ring *ring)
{
    return ring->tail - ring->head;
}

/** @return Whether one more notice fits. */
static inline bool softtofu_notice_ring_room(struct softtofu_notice_ring *ring)
{
    return __builtin_expect(softtofu_notice_ring_count(ring) <= ring->mask, 1) ||
           softtofu_notice_ring_grow(ring);
}

/** @return The entry to fill. Assumes that there is room. */
static inline struct softtofu_notice *softtofu_notice_ring_push(struct softtofu_notice_ring *ring)
{
    return &ring->entry[ring->tail++ & ring->mask];
}

/** @return The oldest entry, valid until the next push, or NULL. */
static inline struct softtofu_notice *softtofu_notice_ring_pop(struct softtofu_notice_ring *ring)
{
    return ring->head == ring->tail ? NULL : &ring->entry[ring->head++ & ring->mask];
}

#endif
