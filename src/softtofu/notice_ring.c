/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/notice_ring.h"

#include <stdlib.h>

#define FIRST_ENTRIES 16u /* 1 KiB; the least depth that a user may set */

int softtofu_notice_ring_init(struct softtofu_notice_ring *ring, uint32_t depth)
{
    *ring = (struct softtofu_notice_ring){.mask = FIRST_ENTRIES - 1, .depth = depth};
    ring->entry = malloc(FIRST_ENTRIES * sizeof(*ring->entry));
    return ring->entry != NULL ? 0 : -1;
}

void softtofu_notice_ring_cleanup(struct softtofu_notice_ring *ring)
{
    free(ring->entry);
}

bool softtofu_notice_ring_grow(struct softtofu_notice_ring *ring)
{
    uint32_t size = ring->mask + 1;
    struct softtofu_notice *more;

    if (size >= ring->depth)
        return false;
    more = malloc(2 * (size_t)size * sizeof(*more));
    if (more == NULL)
        return false;
    for (uint32_t i = 0; i < size; i++)
        more[i] = ring->entry[(ring->head + i) & ring->mask];
    free(ring->entry);
    ring->entry = more;
    ring->head  = 0;
    ring->tail  = size;
    ring->mask  = 2 * size - 1;
    return true;
}
