/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/reduce.h"

#include <string.h>

static unsigned op_of(softtofu_kind_t kind)
{
    return kind & 0xf;
}

/* One loop for each operation, so that none has a branch in it. */
#define EACH(expression)                                                                           \
    for (unsigned i = 0; i < count; i++) {                                                         \
        uint64_t x = a[i], y = b[i];                                                               \
        out[i] = (expression);                                                                     \
    }

static void max_with_place(unsigned count, const uint64_t *a, const uint64_t *b, uint64_t *out)
{
    for (unsigned i = 0; i + 1 < count; i += 2) {
        const uint64_t *taken = a[i] > b[i] || (a[i] == b[i] && a[i + 1] <= b[i + 1]) ? &a[i] : &b[i];
        out[i]     = taken[0];
        out[i + 1] = taken[1];
    }
}

static void add_doubles(unsigned count, const uint64_t *a, const uint64_t *b, uint64_t *out)
{
    for (unsigned i = 0; i < count; i++) {
        out += softtofu_exact_sum_add(out, a, b);
        a += softtofu_exact_sum_words(a);
        b += softtofu_exact_sum_words(b);
    }
}

softtofu_kind_t softtofu_reduce(softtofu_kind_t kind_a, const uint64_t *a, softtofu_kind_t kind_b, const uint64_t *b,
                                uint64_t *out)
{
    unsigned count = softtofu_kind_elements(kind_a);

    if (((kind_a ^ kind_b) & SOFTTOFU_KIND_MASK) != 0)
        return SOFTTOFU_KIND_MISMATCH;
    switch (op_of(kind_a)) {
    case UTOFU_REDUCE_OP_BAND:
        EACH(x & y)
        break;
    case UTOFU_REDUCE_OP_BOR:
        EACH(x | y)
        break;
    case UTOFU_REDUCE_OP_BXOR:
        EACH(x ^ y)
        break;
    case UTOFU_REDUCE_OP_MAX:
        EACH(x > y ? x : y)
        break;
    case UTOFU_REDUCE_OP_SUM:
        EACH(x + y)
        break;
    case UTOFU_REDUCE_OP_MAXLOC:
        max_with_place(count, a, b, out);
        break;
    case UTOFU_REDUCE_OP_BFPSUM:
        add_doubles(count, a, b, out);
        break;
    default: /* A barrier, or a mismatch. */
        break;
    }
    return kind_a & SOFTTOFU_KIND_MASK;
}

void softtofu_signal_copy(softtofu_kind_t kind, const uint64_t *from, uint64_t *to)
{
    unsigned words = softtofu_kind_elements(kind);

    if (op_of(kind) == UTOFU_REDUCE_OP_BFPSUM) {
        unsigned elements = words;
        words             = 0;
        for (unsigned i = 0; i < elements && i < SOFTTOFU_BARRIER_DOUBLES; i++)
            words += softtofu_exact_sum_words(from + words);
    }
    memcpy(to, from, words * sizeof(*to));
}

void softtofu_signal_of_doubles(const double *data, size_t count, uint64_t *signal)
{
    for (size_t i = 0; i < count; i++)
        signal += softtofu_exact_sum_of(signal, data[i]);
}

void softtofu_signal_to_doubles(const uint64_t *signal, size_t count, double *data)
{
    for (size_t i = 0; i < count; i++) {
        data[i] = softtofu_exact_sum_round(signal);
        signal += softtofu_exact_sum_words(signal);
    }
}
