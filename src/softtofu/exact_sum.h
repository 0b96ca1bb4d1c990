/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file exact_sum.h
 * Sums of doubles without any rounding until the end, so that neither order nor association changes a bit.
 *
 * A sum is a fixed-point number in units of 2^-1074, the smallest double, in two's complement. Of its 34 words only
 * those that are in use are stored: a few for summands of like size, so that sums are short to send.
 *
 *     word 0: 15..0 first = number of the lowest stored word | 31..16 count of stored words | flags
 *     word 1 + i: word first + i of the number; the highest one has the sign
 *
 * What comes out, once, by softtofu_exact_sum_round(): the double next to the true sum, of two equally near ones the
 * even one. Overflow is an infinity of the sum's sign, and only if the whole sum is that large. A NaN among the
 * summands, or infinities of both signs, give the quiet NaN 0x7ff8000000000000; infinities of one sign give that
 * infinity. A sum of zero is +0.0, and -0.0 only if every summand was -0.0.
 *
 * Up to 2^77 summands fit whatever they are; beyond, a sum that no longer fits turns into an infinity.
 *
 * Pure: no state, any thread. Words come from memory that others write: a damaged sum gives a wrong double, no crash.
 */
#ifndef SOFTTOFU_EXACT_SUM_H
#define SOFTTOFU_EXACT_SUM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SOFTTOFU_EXACT_WORDS   = 34, /**< Of the number: 2098 bits of doubles, the sign, 77 for carries. */
    SOFTTOFU_EXACT_SUM_MAX = 1 + SOFTTOFU_EXACT_WORDS /**< Words of a sum at most. */
};

/** Make @a sum of one summand. @return Words of @a sum. */
unsigned softtofu_exact_sum_of(uint64_t *sum, double summand);

/** Make @a sum of the sums @a a and @a b, which lie elsewhere. @return Words of @a sum. */
unsigned softtofu_exact_sum_add(uint64_t *sum, const uint64_t *a, const uint64_t *b);

/** @return Words of @a sum, 1..SOFTTOFU_EXACT_SUM_MAX. */
unsigned softtofu_exact_sum_words(const uint64_t *sum);

double softtofu_exact_sum_round(const uint64_t *sum);

#ifdef __cplusplus
}
#endif

#endif
