/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file mrq.h
 * The shared part of a message reception queue: a ring that any process writes and its owner reads.
 *
 * Each entry has one word that says everything about its state:
 *
 *     63..32 lap | 31..16 producer | 15..8 edata | 7..2 notice type | 1..0 FREE, CLAIMED, READY or VOID
 *
 * A producer claims the entry for lap L by exchanging FREE(L) for CLAIMED(L, itself), moves its data, fills the
 * entry and stores READY(L) (or VOID(L) if there is nothing to tell). The owner reads READY(L) and stores
 * FREE(L+1). No other word decides anything: the tail is a hint, and the head is the owner's.
 *
 * Because a claim names its producer, the owner can tell that the producer died and take the entry back: no death
 * at any instruction leaves the ring stuck. A ring of zeros is empty.
 */
#ifndef SOFTTOFU_MRQ_H
#define SOFTTOFU_MRQ_H

#include "softtofu/target.h"
#include "softtofu/vcq.h"

#include <utofu.h>

/** The claim of @a vcq's process on an entry of @a target's MRQ. */
struct softtofu_mrq_claim {
    struct softtofu_mrq_entry *entry; /**< NULL: nothing claimed. */
    uint64_t lap;                     /**< In place: bits 63..32. */
};

/** Claim an entry. @return Whether one was free. */
bool softtofu_mrq_claim(const struct softtofu_vcq *vcq, struct softtofu_target *target,
                        struct softtofu_mrq_claim *claim);

/** Fill a claimed entry and hand it to the owner. Everything that the caller stored before is visible to it. */
void softtofu_mrq_publish(const struct softtofu_mrq_claim *claim, uint64_t vcq_id, unsigned type,
                          uint64_t edata, uint64_t stadd);

/** Give a claim up. */
void softtofu_mrq_void(const struct softtofu_mrq_claim *claim);

/** Take the oldest notice of peers. @return Whether there was one. */
bool softtofu_mrq_take(struct softtofu_vcq *vcq, struct utofu_mrq_notice *notice);

/** Number of notices of peers that can be taken now. */
size_t softtofu_mrq_count(const struct softtofu_mrq_entry *ring, uint32_t depth, uint64_t head);

#endif
