/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file reduce.h
 * What travels between gates, and how two of them become one.
 *
 * A signal has a *kind*, one byte that tells operation and number of elements, so that a barrier needs no more than
 * it; and its elements, as uint64 one by one, as double in the form of exact_sum.h one behind the other.
 */
#ifndef SOFTTOFU_REDUCE_H
#define SOFTTOFU_REDUCE_H

#include "softtofu/exact_sum.h"
#include "softtofu/limits.h"

#include <stddef.h>
#include <stdint.h>
#include <utofu.h>

#ifdef __cplusplus
extern "C" {
#endif

/** 3..0 operation (utofu_reduce_op) | 6..4 elements | 7 left to the gates. Never 0. */
typedef uint8_t softtofu_kind_t;

#define SOFTTOFU_KIND_MASK     0x7f
#define SOFTTOFU_KIND_MISMATCH 0x0f /**< Two different kinds have met; meets nothing that undoes it. */

static inline softtofu_kind_t softtofu_kind(enum utofu_reduce_op op, size_t elements)
{
    return (softtofu_kind_t)(op | elements << 4);
}

static inline unsigned softtofu_kind_elements(softtofu_kind_t kind)
{
    return kind >> 4 & 7;
}

/** Words of a signal at most: three sums. */
enum { SOFTTOFU_SIGNAL_WORDS = SOFTTOFU_BARRIER_DOUBLES * SOFTTOFU_EXACT_SUM_MAX };

/** Combine two signals into @a out, which lies elsewhere. @return Kind of the result. */
softtofu_kind_t softtofu_reduce(softtofu_kind_t kind_a, const uint64_t *a, softtofu_kind_t kind_b, const uint64_t *b,
                                uint64_t *out);

/** Copy a signal. */
void softtofu_signal_copy(softtofu_kind_t kind, const uint64_t *from, uint64_t *to);

/** Make the signal of @a count doubles; and the doubles of such a signal. */
void softtofu_signal_of_doubles(const double *data, size_t count, uint64_t *signal);
void softtofu_signal_to_doubles(const uint64_t *signal, size_t count, double *data);

#ifdef __cplusplus
}
#endif

#endif
