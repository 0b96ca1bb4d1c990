/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file tlb.h
 * Remembers, per VCQ, where a (VCQ id, STADD) pair leads, so that a put costs one look-up instead of a walk through
 * coordinates, queue, STag table and file mapping. Each pair has two places, next to each other: fast paths look
 * at the first, which holds the pair used last.
 *
 * An entry is good as long as the generation of the STag that it was made from has not changed. Deregistration,
 * freeing of the VCQ and death of its process all change it, so one load tells all of them.
 */
#ifndef SOFTTOFU_TLB_H
#define SOFTTOFU_TLB_H

#include "softtofu/fabric.h"
#include "softtofu/target.h"

#include <stdbool.h>

struct softtofu_vcq;

#define SOFTTOFU_TLB_BITS 8

/** A STag of a VCQ, ready for use. */
struct softtofu_tlb_entry {
    /** As the program gives it, path bits and all; inverted where fast paths must not go: other than plain stores, or
     *  less than a descriptor's payload. */
    uint64_t vcq_id;
    uint64_t first;  /**< Lowest valid STADD. */
    uint64_t size;   /**< Number of valid ones. */
    uintptr_t bias;  /**< Add to a STADD for the address: here, or in the owner if it is attached memory. */
    const _Atomic uint32_t *generation;
    struct softtofu_traffic *traffic; /**< Counters for the target's node. */
    struct softtofu_target *target;
    uint32_t valid; /**< Value of *generation. */
    bool attached; /**< Reached through the kernel. */
    bool locked;   /**< Some reach it through the kernel: its atomics need the fabric's lock. */
    bool read_only;
};

struct softtofu_tlb {
    struct softtofu_tlb_entry entry[1 << SOFTTOFU_TLB_BITS];
    struct softtofu_targets targets;
};

/**
 * Index of the first place of a pair; the second is that with the lowest bit inverted. The STag is what differs between
 * registrations of one VCQ.
 */
static inline unsigned softtofu_tlb_index(uint64_t vcq_id, uint64_t stadd)
{
    uint64_t key = vcq_id + (stadd >> SOFTTOFU_STADD_STAG_SHIFT);
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SOFTTOFU_TLB_BITS));
}

/**
 * Whether @a entry covers [@a stadd, @a stadd + @a length) of @a vcq_id now, for any @a stadd: no sum goes round.
 * The generation is read relaxed: what the entry holds this thread read when it filled it. Against a deregistration at
 * this moment no order would help; mappings stay valid (peer.c).
 */
static inline bool softtofu_tlb_hit(const struct softtofu_tlb_entry *entry, uint64_t vcq_id,
                                    uint64_t stadd, uint64_t length)
{
    uint64_t at = stadd - entry->first;

    return entry->vcq_id == vcq_id && at < entry->size && at + length <= entry->size &&
           atomic_load_explicit(entry->generation, memory_order_relaxed) == entry->valid;
}

void softtofu_tlb_init(struct softtofu_tlb *tlb);
void softtofu_tlb_cleanup(struct softtofu_vcq *vcq);

/** Forget an entry. */
void softtofu_tlb_clear(struct softtofu_tlb_entry *entry);

/**
 * Forget the entries that lead to memory that was lost (guard.h). Short puts do not look what becomes of them, so for
 * each entry that they could use an MRQ notice of UTOFU_ERR_MRQ_RMT_MEMORY is given, with the STADD that the
 * registration begins at. What finds no room in the MRQ is left to the next call.
 */
void softtofu_tlb_drop_lost(struct softtofu_vcq *vcq);

/** A table that never hits, for VCQs that must not take shortcuts. */
extern struct softtofu_tlb_entry softtofu_tlb_empty[1 << SOFTTOFU_TLB_BITS];

/**
 * Find the way to @a length bytes at @a stadd of @a vcq_id, by the table or by the fabric.
 * @param[out] entry  Valid until the next call with this VCQ.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_INVALID_VCQ_ID  - the id is ill-formed or outside the job's shape
 *   UTOFU_ERR_MRQ_PEER        - no live VCQ has the id
 *   UTOFU_ERR_MRQ_RMT_STADD   - the STADD's STag is not registered
 *   UTOFU_ERR_MRQ_RMT_LENGTH  - the range is not within the registration
 *   UTOFU_ERR_MRQ_RMT_MEMORY  - the memory cannot be mapped any more
 *   UTOFU_ERR_OUT_OF_MEMORY   - this process has no memory left
 */
int softtofu_tlb_find(struct softtofu_vcq *vcq, uint64_t vcq_id, uint64_t stadd, uint64_t length,
                      struct softtofu_tlb_entry **entry);

#endif
