/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace
{

using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
        2560, 2560, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked, void>>;
using Limits  = std::numeric_limits<double>;
using Sum     = std::vector<uint64_t>;

constexpr double inf = Limits::infinity();

uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

Sum sum_of(double x)
{
    Sum sum(SOFTTOFU_EXACT_SUM_MAX, 0xdeadbeef);
    unsigned words = softtofu_exact_sum_of(sum.data(), x);
    EXPECT_EQ(words, softtofu_exact_sum_words(sum.data()));
    sum.resize(words);
    return sum;
}

Sum add(const Sum &a, const Sum &b)
{
    Sum sum(SOFTTOFU_EXACT_SUM_MAX, 0xdeadbeef);
    unsigned words = softtofu_exact_sum_add(sum.data(), a.data(), b.data());
    EXPECT_EQ(words, softtofu_exact_sum_words(sum.data()));
    EXPECT_LE(words, unsigned(SOFTTOFU_EXACT_SUM_MAX));
    sum.resize(words);
    return sum;
}

double in_a_row(const std::vector<double> &summands)
{
    Sum sum = sum_of(summands[0]);
    for (size_t i = 1; i < summands.size(); i++)
        sum = add(sum, sum_of(summands[i]));
    return softtofu_exact_sum_round(sum.data());
}

/* By any tree: two random ones of what is there are added until one is left. */
double by_a_tree(const std::vector<double> &summands, std::mt19937_64 &random)
{
    std::vector<Sum> sums;
    for (double x : summands)
        sums.push_back(sum_of(x));
    while (sums.size() > 1) {
        std::swap(sums[random() % sums.size()], sums.back());
        Sum one = sums.back();
        sums.pop_back();
        Sum &other = sums[random() % sums.size()];
        other      = random() % 2 ? add(other, one) : add(one, other);
    }
    return softtofu_exact_sum_round(sums[0].data());
}

/* A finite double in units of 2^-1074. */
Integer exact(double x)
{
    int exponent;
    double mantissa = std::frexp(std::fabs(x), &exponent);
    if (x == 0)
        return 0;
    Integer value = Integer(uint64_t(std::ldexp(mantissa, 53)));
    int shift     = exponent - 53 + 1074;
    value         = shift >= 0 ? Integer(value << shift) : Integer(value >> -shift);
    return x < 0 ? Integer(-value) : value;
}

/* Whether @a result is what the true sum rounds to: nothing is nearer, and of two that are as near it is even. */
bool is_nearest(const Integer &sum, double result)
{
    const Integer beyond = Integer(1) << (1024 + 1074);
    auto value           = [&](double x) {
        return std::isinf(x) ? Integer(x < 0 ? Integer(-beyond) : beyond) : exact(x);
    };
    Integer error = abs(Integer(sum - value(result)));

    for (double neighbour : {std::nextafter(result, inf), std::nextafter(result, -inf)}) {
        if (neighbour == result)
            continue;
        Integer other = abs(Integer(sum - value(neighbour)));
        if (other < error || (other == error && bits_of(result) % 2 != 0))
            return std::isinf(result) && std::signbit(neighbour) == std::signbit(result) && abs(sum) >= beyond;
    }
    return true;
}

Integer exact_sum(const std::vector<double> &summands)
{
    Integer sum = 0;
    for (double x : summands)
        sum += exact(x);
    return sum;
}

double random_double(std::mt19937_64 &random, unsigned kind)
{
    uint64_t bits = random();

    switch (kind % 5) {
    case 0: /* Any exponent. */
        break;
    case 1: /* Like size. */
        bits = (bits & ~(uint64_t(2047) << 52)) | uint64_t(1000 + random() % 20) << 52;
        break;
    case 2: /* Subnormal, or just above. */
        bits = (bits & ~(uint64_t(2047) << 52)) | (random() % 3) << 52;
        break;
    case 3: /* Near overflow. */
        bits = (bits & ~(uint64_t(2047) << 52)) | uint64_t(2040 + random() % 7) << 52;
        break;
    case 4: /* Few bits, so that halves are met. */
        bits = (bits & (uint64_t(0xf00000000000000f) | uint64_t(0x3ff) << 52)) | (random() % 2) << 51;
        break;
    }
    double x = of_bits(bits);
    return std::isfinite(x) ? x : 1.0;
}

TEST(ExactSum, OneSummandComesOutAsItWentIn)
{
    for (double x : {0.0, -0.0, 1.0, -1.0, Limits::denorm_min(), -Limits::denorm_min(), Limits::min(),
                     std::nextafter(Limits::min(), 0), Limits::max(), -Limits::max(), inf, -inf, 0.1, -M_PI})
        EXPECT_EQ(bits_of(in_a_row({x})), bits_of(x)) << x;
    std::mt19937_64 random(1);
    for (unsigned i = 0; i < 200000; i++) {
        double x = random_double(random, i);
        ASSERT_EQ(bits_of(in_a_row({x})), bits_of(x));
    }
    for (unsigned exponent = 0; exponent < 2047; exponent++) {
        for (uint64_t mantissa : {uint64_t(0), uint64_t(1), (uint64_t(1) << 52) - 1}) {
            uint64_t bits = uint64_t(exponent) << 52 | mantissa;
            ASSERT_EQ(bits_of(in_a_row({of_bits(bits)})), bits);
            ASSERT_EQ(bits_of(in_a_row({-of_bits(bits)})), bits | uint64_t(1) << 63);
        }
    }
}

TEST(ExactSum, OfTwoIsThatOfTheProcessor)
{
    std::mt19937_64 random(2);
    for (unsigned i = 0; i < 500000; i++) {
        double x = random_double(random, i), y = random_double(random, i / 5);
        ASSERT_EQ(bits_of(in_a_row({x, y})), bits_of(x + y)) << x << " + " << y;
        ASSERT_EQ(bits_of(in_a_row({x, -x})), 0u);
    }
}

TEST(ExactSum, IsTheNearestToTheTrueSumInEveryOrder)
{
    std::mt19937_64 random(3);
    for (unsigned i = 0; i < 4000; i++) {
        std::vector<double> summands;
        for (unsigned n = 2 + unsigned(random() % 12); n > 0; n--)
            summands.push_back(random_double(random, random() % 3 == 0 ? unsigned(random()) : i));
        if (random() % 2) /* What cancels leaves the small ones. */
            summands.push_back(-summands[0]);
        double sum = in_a_row(summands);
        ASSERT_TRUE(is_nearest(exact_sum(summands), sum)) << sum;
        for (unsigned turn = 0; turn < 6; turn++) {
            std::shuffle(summands.begin(), summands.end(), random);
            ASSERT_EQ(bits_of(by_a_tree(summands, random)), bits_of(sum));
        }
    }
}

TEST(ExactSum, EveryPermutationOfSpecialValues)
{
    const double values[] = {0.0, -0.0, 1.0, -1.0, Limits::max(), -Limits::max(), Limits::denorm_min(), inf, -inf,
                             Limits::quiet_NaN()};
    for (double a : values) {
        for (double b : values) {
            for (double c : values) {
                std::vector<double> summands = {a, b, c};
                auto has = [&](double x) { return a == x || b == x || c == x; };
                uint64_t expected = bits_of(in_a_row(summands));
                if (std::isnan(a) || std::isnan(b) || std::isnan(c) || (has(inf) && has(-inf)))
                    ASSERT_EQ(expected, uint64_t(0x7ff8) << 48);
                else if (has(inf) || has(-inf))
                    ASSERT_EQ(expected, bits_of(has(inf) ? inf : -inf));
                else
                    ASSERT_TRUE(is_nearest(exact_sum(summands), of_bits(expected)));
                ASSERT_EQ(bits_of(in_a_row({c, a, b})), expected);
                ASSERT_EQ(bits_of(in_a_row({b, c, a})), expected);
                ASSERT_EQ(bits_of(in_a_row({c, b, a})), expected);
            }
        }
    }
}

TEST(ExactSum, ZeroIsNegativeOnlyIfAllWere)
{
    EXPECT_TRUE(std::signbit(in_a_row({-0.0, -0.0, -0.0})));
    EXPECT_FALSE(std::signbit(in_a_row({-0.0, 0.0, -0.0})));
    EXPECT_FALSE(std::signbit(in_a_row({-1.0, 1.0, -0.0})));
}

TEST(ExactSum, OnlyTheWholeSumOverflows)
{
    const double max = Limits::max();
    EXPECT_EQ(in_a_row({max, max, -max}), max);
    EXPECT_EQ(in_a_row({max, max}), inf);
    EXPECT_EQ(in_a_row({-max, -max}), -inf);
    /* Half a last place more is the first sum that is not the greatest double any more. */
    double half = std::ldexp(1.0, 970);
    EXPECT_EQ(in_a_row({max, half}), inf);
    EXPECT_EQ(in_a_row({max, std::nextafter(half, 0)}), max);
    EXPECT_EQ(in_a_row({max, half, -Limits::denorm_min()}), max);
}

TEST(ExactSum, BitsFarApartAreNotLost)
{
    EXPECT_EQ(in_a_row({1e308, Limits::denorm_min(), -1e308}), Limits::denorm_min());
    /* Halfway, and a trace beyond. */
    EXPECT_EQ(in_a_row({1.0, std::ldexp(1.0, -53)}), 1.0);
    EXPECT_EQ(in_a_row({1.0, std::ldexp(1.0, -53), Limits::denorm_min()}), std::nextafter(1.0, 2));
    EXPECT_EQ(in_a_row({1.0, std::ldexp(1.0, -53), -Limits::denorm_min()}), 1.0);
}

TEST(ExactSum, DoublingRunsIntoInfinityAtLast)
{
    for (double sign : {1.0, -1.0}) {
        Sum sum = sum_of(sign * Limits::max());
        for (unsigned i = 0; i < 100; i++)
            sum = add(sum, sum);
        EXPECT_EQ(softtofu_exact_sum_round(sum.data()), sign * inf);
    }
    Sum sum = sum_of(Limits::denorm_min());
    for (unsigned i = 0; i < 2000; i++)
        sum = add(sum, sum);
    EXPECT_EQ(softtofu_exact_sum_round(sum.data()), std::ldexp(1.0, 2000 - 1074));
}

TEST(ExactSum, DamagedOnesDoNoHarm)
{
    std::mt19937_64 random(5);
    for (unsigned i = 0; i < 100000; i++) {
        Sum a(SOFTTOFU_EXACT_SUM_MAX), b(SOFTTOFU_EXACT_SUM_MAX), out(SOFTTOFU_EXACT_SUM_MAX);
        for (auto *sum : {&a, &b}) {
            for (uint64_t &word : *sum)
                word = random();
            if (random() % 2)
                (*sum)[0] = random() % 64 | (random() % 64) << 16;
        }
        unsigned words = softtofu_exact_sum_add(out.data(), a.data(), b.data());
        ASSERT_LE(words, unsigned(SOFTTOFU_EXACT_SUM_MAX));
        softtofu_exact_sum_round(out.data());
    }
}

} // namespace
