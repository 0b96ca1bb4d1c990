/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <vector>

std::ostream &operator<<(std::ostream &out, const torus_line &line)
{
    return out << line.size << (line.ring ? " ring" : " mesh");
}

namespace
{

/* As axes are: a ring in any case up to two. */
std::vector<torus_line> lines_up_to(uint32_t size)
{
    std::vector<torus_line> lines;
    for (uint32_t n = 1; n <= size; ++n) {
        lines.push_back({n, true});
        if (n > 2)
            lines.push_back({n, false});
    }
    return lines;
}

bool beside(torus_line line, uint32_t a, uint32_t b)
{
    const uint32_t apart = a > b ? a - b : b - a;
    return apart == 1 || (line.ring && line.size > 1 && apart == line.size - 1);
}

bool one_hop(torus_line p, torus_line q, uint32_t a, uint32_t b)
{
    uint32_t pa, qa, pb, qb;
    torus_fold_split(p, q, a, &pa, &qa);
    torus_fold_split(p, q, b, &pb, &qb);
    return (pa == pb && beside(q, qa, qb)) || (qa == qb && beside(p, pa, pb));
}

TEST(torus_fold, reaches_every_place_once_and_returns)
{
    for (torus_line p : lines_up_to(9)) {
        for (torus_line q : lines_up_to(9)) {
            const torus_line line = torus_fold(p, q);
            std::set<std::pair<uint32_t, uint32_t>> seen;
            ASSERT_EQ(line.size, p.size * q.size);
            for (uint32_t at = 0; at < line.size; ++at) {
                uint32_t on_p = ~0u, on_q = ~0u;
                torus_fold_split(p, q, at, &on_p, &on_q);
                ASSERT_LT(on_p, p.size);
                ASSERT_LT(on_q, q.size);
                ASSERT_TRUE(seen.emplace(on_p, on_q).second) << p << ", " << q << " at " << at;
                ASSERT_EQ(torus_fold_join(p, q, on_p, on_q), at) << p << ", " << q;
            }
        }
    }
}

TEST(torus_fold, steps_are_single_hops)
{
    for (torus_line p : lines_up_to(9)) {
        for (torus_line q : lines_up_to(9)) {
            const torus_line line = torus_fold(p, q);
            for (uint32_t at = 1; at < line.size; ++at)
                ASSERT_TRUE(one_hop(p, q, at - 1, at)) << p << ", " << q << " at " << at;
            if (line.ring && line.size > 1) {
                ASSERT_TRUE(one_hop(p, q, line.size - 1, 0)) << p << ", " << q;
            }
        }
    }
}

/* Looks for a closed tour by trying everything. */
class Tour
{
public:
    Tour(torus_line p, torus_line q) : p_(p), q_(q), seen_(p.size * q.size)
    {
        seen_[0] = true;
    }

    bool exists(uint32_t at = 0, uint32_t left = ~0u)
    {
        if (left == ~0u)
            left = uint32_t(seen_.size()) - 1;
        if (left == 0)
            return seen_.size() <= 2 || near(at, 0);
        for (uint32_t next = 1; next < seen_.size(); ++next) {
            if (seen_[next] || !near(at, next))
                continue;
            seen_[next]      = true;
            const bool found = exists(next, left - 1);
            seen_[next]      = false;
            if (found)
                return true;
        }
        return false;
    }

private:
    bool near(uint32_t a, uint32_t b) const
    {
        const uint32_t pa = a / q_.size, qa = a % q_.size, pb = b / q_.size, qb = b % q_.size;
        return (pa == pb && beside(q_, qa, qb)) || (qa == qb && beside(p_, pa, pb));
    }

    torus_line p_, q_;
    std::vector<bool> seen_;
};

TEST(torus_fold, closes_whenever_anything_can)
{
    for (torus_line p : lines_up_to(5)) {
        for (torus_line q : lines_up_to(3))
            EXPECT_EQ(torus_fold(p, q).ring, Tour(p, q).exists()) << p << ", " << q;
    }
}

TEST(torus_axis_line, small_axes_are_rings)
{
    const torus_shape shape = {{1, 2, 3, 1, 3, 2}};
    EXPECT_TRUE(torus_axis_line(&shape, 0, TORUS_X).ring);
    EXPECT_TRUE(torus_axis_line(&shape, 0, TORUS_Y).ring);
    EXPECT_FALSE(torus_axis_line(&shape, 0, TORUS_Z).ring);
    EXPECT_TRUE(torus_axis_line(&shape, TORUS_WRAP_TOFUD, TORUS_Z).ring);
    EXPECT_EQ(torus_axis_line(&shape, 0, TORUS_Z).size, 3u);
}

} // namespace
