/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/exact_sum.h"

#include <stdbool.h>
#include <string.h>

#define FLAG_NAN      (UINT64_C(1) << 32)
#define FLAG_PLUS     (UINT64_C(1) << 33) /* +infinity. */
#define FLAG_MINUS    (UINT64_C(1) << 34) /* -infinity. */
#define FLAG_POSITIVE (UINT64_C(1) << 35) /* A summand was not -0.0. */
#define FLAGS         (FLAG_NAN | FLAG_PLUS | FLAG_MINUS | FLAG_POSITIVE)

#define MANTISSA_BITS 52
#define EXPONENT_MAX  2047u /* Of infinities and NaNs. */
#define HIDDEN_BIT    (UINT64_C(1) << MANTISSA_BITS)
#define INFINITY_BITS ((uint64_t)EXPONENT_MAX << MANTISSA_BITS)
#define NAN_BITS      (INFINITY_BITS | HIDDEN_BIT >> 1)
#define SIGN_BIT      (UINT64_C(1) << 63)

/** A sum taken apart, with first and count in range whatever the header says. */
struct view {
    unsigned first, count;
    uint64_t flags;
    const uint64_t *word;
};

static struct view view_of(const uint64_t *sum)
{
    struct view view = {.flags = sum[0] & FLAGS, .word = sum + 1};

    view.first = sum[0] & 0xffff;
    view.count = sum[0] >> 16 & 0xffff;
    if (view.first >= SOFTTOFU_EXACT_WORDS)
        view.first = view.count = 0;
    if (view.count > SOFTTOFU_EXACT_WORDS - view.first)
        view.count = SOFTTOFU_EXACT_WORDS - view.first;
    return view;
}

static uint64_t header(unsigned first, unsigned count, uint64_t flags)
{
    return first | (uint64_t)count << 16 | flags;
}

/* All ones or all zeros: what continues a number upwards. */
static uint64_t sign_of(uint64_t word)
{
    return word & SIGN_BIT ? UINT64_MAX : 0;
}

/* Word @a at of the whole number. */
static uint64_t word_at(const struct view *view, unsigned at)
{
    if (at < view->first || view->count == 0)
        return 0;
    if (at - view->first < view->count)
        return view->word[at - view->first];
    return sign_of(view->word[view->count - 1]);
}

unsigned softtofu_exact_sum_of(uint64_t *sum, double summand)
{
    uint64_t bits, exponent, mantissa, flags = FLAG_POSITIVE;
    unsigned __int128 value;
    unsigned position;

    memcpy(&bits, &summand, sizeof(bits));
    exponent = bits >> MANTISSA_BITS & EXPONENT_MAX;
    mantissa = bits & (HIDDEN_BIT - 1);
    if (exponent == EXPONENT_MAX) {
        flags |= mantissa != 0 ? FLAG_NAN : bits & SIGN_BIT ? FLAG_MINUS : FLAG_PLUS;
        sum[0] = header(0, 0, flags);
        return 1;
    }
    if (bits == SIGN_BIT)
        flags = 0;
    mantissa |= exponent != 0 ? HIDDEN_BIT : 0;
    position = exponent != 0 ? (unsigned)exponent - 1 : 0; /* Of the lowest bit, above 2^-1074. */
    /* 53 bits moved by up to 63 and a sign: two words always do. */
    value = (unsigned __int128)mantissa << position % 64;
    if (bits & SIGN_BIT)
        value = -value;
    sum[0] = header(position / 64, 2, flags);
    sum[1] = (uint64_t)value;
    sum[2] = (uint64_t)(value >> 64);
    return 3;
}

/* Drop high words that say nothing but the sign. */
static unsigned trim(const uint64_t *word, unsigned count)
{
    while (count > 1 && word[count - 1] == sign_of(word[count - 2]))
        count--;
    return count;
}

unsigned softtofu_exact_sum_add(uint64_t *sum, const uint64_t *a, const uint64_t *b)
{
    const struct view va = view_of(a), vb = view_of(b);
    unsigned first       = va.first < vb.first ? va.first : vb.first;
    unsigned end_a       = va.first + va.count, end_b = vb.first + vb.count;
    unsigned end         = (end_a > end_b ? end_a : end_b) + 1; /* One more for the carry. */
    uint64_t flags       = va.flags | vb.flags;
    unsigned char carry  = 0;
    unsigned count;

    for (unsigned at = first; at < end; at++) {
        uint64_t x = word_at(&va, at), y = word_at(&vb, at), z = x + y + carry;
        carry = z < x || (carry && z == x);
        if (at == SOFTTOFU_EXACT_WORDS) {
            /* No room for it. If it is more than the sign, the sum has outgrown the number. */
            if (z != sign_of(sum[at - first]))
                flags |= z & SIGN_BIT ? FLAG_MINUS : FLAG_PLUS;
            end--;
            break;
        }
        sum[1 + at - first] = z;
    }
    count  = trim(sum + 1, end - first);
    sum[0] = header(first, count, flags);
    return 1 + count;
}

unsigned softtofu_exact_sum_words(const uint64_t *sum)
{
    return 1 + view_of(sum).count;
}

/* @return The magnitude of the number in @a word, all of it; whether it is negative. */
static bool magnitude_of(const struct view *view, uint64_t word[SOFTTOFU_EXACT_WORDS])
{
    bool negative = word_at(view, SOFTTOFU_EXACT_WORDS - 1) & SIGN_BIT;
    bool carry    = negative;

    for (unsigned at = 0; at < SOFTTOFU_EXACT_WORDS; at++) {
        word[at] = word_at(view, at);
        if (negative) {
            word[at] = ~word[at] + carry;
            carry    = carry && word[at] == 0;
        }
    }
    return negative;
}

/* The 64 bits from bit @a from on. */
static uint64_t bits_from(const uint64_t *word, unsigned from)
{
    uint64_t low  = word[from / 64] >> from % 64;
    uint64_t high = from % 64 != 0 && from / 64 + 1 < SOFTTOFU_EXACT_WORDS ? word[from / 64 + 1] << (64 - from % 64) : 0;

    return low | high;
}

/* Whether a bit below bit @a end is set. */
static bool any_below(const uint64_t *word, unsigned end)
{
    for (unsigned at = 0; at < end / 64; at++) {
        if (word[at] != 0)
            return true;
    }
    return end % 64 != 0 && word[end / 64] << (64 - end % 64) != 0;
}

/*
 * The bits of the double next to a magnitude. As exponents count up from where the lowest bit is 2^-1074, the number's
 * top 53 bits and how far they were moved are, added up, the double: subnormals, carries into the exponent and the
 * step to infinity need no case of their own.
 */
static uint64_t round_magnitude(const uint64_t *word)
{
    unsigned top = SOFTTOFU_EXACT_WORDS - 1, highest, shift;
    uint64_t bits;

    while (top > 0 && word[top] == 0)
        top--;
    if (word[top] == 0)
        return 0;
    highest = top * 64 + 63 - (unsigned)__builtin_clzll(word[top]);
    if (highest <= MANTISSA_BITS)
        return word[0];
    shift = highest - MANTISSA_BITS;
    if (shift >= EXPONENT_MAX)
        return INFINITY_BITS;
    bits = ((uint64_t)shift << MANTISSA_BITS) + (bits_from(word, shift) & (2 * HIDDEN_BIT - 1));
    if ((bits_from(word, shift - 1) & 1) && ((bits & 1) || any_below(word, shift - 1)))
        bits++;
    return bits < INFINITY_BITS ? bits : INFINITY_BITS;
}

double softtofu_exact_sum_round(const uint64_t *sum)
{
    struct view view = view_of(sum);
    uint64_t word[SOFTTOFU_EXACT_WORDS], bits;
    bool negative;
    double result;

    if ((view.flags & FLAG_NAN) || (view.flags & (FLAG_PLUS | FLAG_MINUS)) == (FLAG_PLUS | FLAG_MINUS)) {
        bits = NAN_BITS;
    } else if (view.flags & (FLAG_PLUS | FLAG_MINUS)) {
        bits = INFINITY_BITS | (view.flags & FLAG_MINUS ? SIGN_BIT : 0);
    } else {
        negative = magnitude_of(&view, word);
        bits     = round_magnitude(word);
        if (negative || !(view.flags & FLAG_POSITIVE))
            bits |= SIGN_BIT;
    }
    memcpy(&result, &bits, sizeof(result));
    return result;
}
