/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file target.h
 * A VCQ that commands are aimed at, as the issuing VCQ sees it: its slot, and its MRQ once a notice is due there.
 */
#ifndef SOFTTOFU_TARGET_H
#define SOFTTOFU_TARGET_H

#include "softtofu/fabric.h"

#include <stdbool.h>

struct softtofu_vcq;

struct softtofu_target {
    uint64_t vcq_id; /**< Without path bits. */
    unsigned node, rank;
    struct softtofu_vcq_slot *slot;
    struct softtofu_cq *shared_cq;
    uint32_t generation; /**< Of the slot, when it was looked up. */
    uint64_t mrq_tail;   /**< Behind the entry of its MRQ that was claimed last from here; 0: none of this generation. */
    size_t index;        /**< Of its queue area. */
    struct softtofu_queue queue; /**< ring is NULL until the first notice. */
};

/** All targets of a VCQ, found by id: open addressing, grown at half full. */
struct softtofu_targets {
    struct softtofu_target **slot;
    unsigned count, mask;
};

void softtofu_targets_cleanup(struct softtofu_vcq *vcq);

/**
 * Find the VCQ with @a vcq_id, path bits ignored.
 * @return UTOFU_SUCCESS; UTOFU_ERR_INVALID_VCQ_ID - ill-formed, or outside the shape; UTOFU_ERR_MRQ_PEER - it does
 *         not exist or its process died; UTOFU_ERR_OUT_OF_MEMORY.
 */
int softtofu_target_find(struct softtofu_vcq *vcq, uint64_t vcq_id, struct softtofu_target **target);

/** @return Whether @a vcq_id, path bits ignored, is well-formed and inside the job's shape. Threads: any. */
bool softtofu_target_valid(const struct softtofu_fabric *fabric, uint64_t vcq_id);

/** Map the target's MRQ. @return Whether it is mapped. */
bool softtofu_target_map_queue(struct softtofu_vcq *vcq, struct softtofu_target *target);

/**
 * Whether the VCQ was freed since it was found: the next one in its place must not get what was meant for it. A long
 * transfer lies between the two looks; what is left is the moment between this one and the store that follows.
 */
static inline bool softtofu_target_gone(const struct softtofu_target *target)
{
    return atomic_load_explicit(&target->slot->generation, memory_order_relaxed) != target->generation;
}

#endif
