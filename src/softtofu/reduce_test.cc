/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/reduce.h"

#include <gtest/gtest.h>

#include <array>

namespace
{

using Elements = std::array<uint64_t, 6>;

Elements reduce(enum utofu_reduce_op op, const Elements &a, const Elements &b)
{
    Elements out = {};
    softtofu_kind_t kind = softtofu_kind(op, 6);
    EXPECT_EQ(softtofu_reduce(kind, a.data(), kind | 0x80, b.data(), out.data()), kind);
    return out;
}

const Elements a = {0, 5, ~uint64_t(0), 7, 7, 1};
const Elements b = {1, 3, 2, 7, 7, 9};

TEST(Reduce, EachOperationElementByElement)
{
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_BAND, a, b), (Elements{0, 1, 2, 7, 7, 1}));
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_BOR, a, b), (Elements{1, 7, ~uint64_t(0), 7, 7, 9}));
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_BXOR, a, b), (Elements{1, 6, ~uint64_t(2), 0, 0, 8}));
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_MAX, a, b), (Elements{1, 5, ~uint64_t(0), 7, 7, 9})) << "unsigned";
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_SUM, a, b), (Elements{1, 8, 1, 14, 14, 10})) << "modulo 2^64";
}

TEST(Reduce, MaxlocTakesTheSmallerIndexOfEqualValues)
{
    Elements expected = {1, 3, ~uint64_t(0), 7, 7, 1};
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_MAXLOC, a, b), expected);
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_MAXLOC, b, a), expected);
}

TEST(Reduce, DifferentKindsAreAMismatchThatStays)
{
    uint64_t out[6];
    const softtofu_kind_t sum = softtofu_kind(UTOFU_REDUCE_OP_SUM, 6), shorter = softtofu_kind(UTOFU_REDUCE_OP_SUM, 5),
                          barrier = softtofu_kind(UTOFU_REDUCE_OP_BARRIER, 0);
    EXPECT_EQ(softtofu_reduce(sum, a.data(), shorter, b.data(), out), SOFTTOFU_KIND_MISMATCH);
    EXPECT_EQ(softtofu_reduce(barrier, a.data(), sum, b.data(), out), SOFTTOFU_KIND_MISMATCH);
    EXPECT_EQ(softtofu_reduce(SOFTTOFU_KIND_MISMATCH, a.data(), sum, b.data(), out), SOFTTOFU_KIND_MISMATCH);
    EXPECT_EQ(softtofu_reduce(SOFTTOFU_KIND_MISMATCH, a.data(), SOFTTOFU_KIND_MISMATCH, b.data(), out),
              SOFTTOFU_KIND_MISMATCH);
}

TEST(Reduce, DoublesTravelTogether)
{
    const double x[] = {1e300, 1.0, -2.5}, y[] = {-1e300, 0x1p-60, 1e-300};
    uint64_t a[SOFTTOFU_SIGNAL_WORDS], b[SOFTTOFU_SIGNAL_WORDS], sum[SOFTTOFU_SIGNAL_WORDS],
            copy[SOFTTOFU_SIGNAL_WORDS];
    const softtofu_kind_t kind = softtofu_kind(UTOFU_REDUCE_OP_BFPSUM, 3);
    double result[3];

    softtofu_signal_of_doubles(x, 3, a);
    softtofu_signal_of_doubles(y, 3, b);
    EXPECT_EQ(softtofu_reduce(kind, a, kind, b, sum), kind);
    softtofu_signal_copy(kind, sum, copy);
    softtofu_signal_to_doubles(copy, 3, result);
    for (int i = 0; i < 3; i++)
        EXPECT_EQ(result[i], x[i] + y[i]);
}

} // namespace
