/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file fault.h
 * SOFTTOFU_FAULT at work: decides, by a seeded generator, which calls and commands are to fail, so that programs can
 * test their own error paths. Each VCQ has a generator of its own for its commands, and the process one for
 * registrations and creations, so what befalls a VCQ depends on the seed, the rank, the VCQ's id and the calls on it alone.
 *
 * The generator is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
 *
 * A VCQ with faults leads all commands through its TOQ, as one in session mode does; without faults nothing here is
 * called.
 */
#ifndef SOFTTOFU_FAULT_H
#define SOFTTOFU_FAULT_H

#include "softtofu/fault_plan.h"

#include <stddef.h>

/** Where one generator is. All zeros: no faults. */
struct softtofu_fault {
    const struct softtofu_fault_plan *plan; /**< NULL: no faults. */
    uint64_t state;
    uint64_t calls; /**< That could have failed so far. */
    uint64_t done;  /**< Faults so far. */
};

static inline bool softtofu_fault_on(const struct softtofu_fault *fault)
{
    return __builtin_expect(fault->plan != NULL, 0);
}

/** Start a generator. @param rank  Own. @param id  Of the VCQ; 0 for the process. */
void softtofu_fault_begin(struct softtofu_fault *fault, const struct softtofu_fault_plan *plan,
                          unsigned rank, uint64_t id);

/** A call posts commands, the first of them of kind @a kind. @return Whether it is to return UTOFU_ERR_BUSY. */
bool softtofu_fault_refuses(struct softtofu_fault *fault, unsigned kind);

/**
 * The fate of a command that the last call posts.
 * @param[out] status    To tell instead of executing it; UTOFU_SUCCESS: execute.
 * @param[out] delay_ns  Time to hold it back; 0: none.
 */
void softtofu_fault_fate(struct softtofu_fault *fault, unsigned kind, int *status, uint64_t *delay_ns);

/** A registration or creation. @return UTOFU_SUCCESS, or what it is to return. */
int softtofu_fault_resource(struct softtofu_fault *fault, enum softtofu_fault_kind kind);

/** Nanoseconds of the clock that delays are measured by. */
uint64_t softtofu_fault_clock(void);

#endif
