/* SPDX-License-Identifier: BSD-3-Clause */
/* Every node to every node by every path, on small shapes, for every set of rings. */
#include "torus/rank_map.h"
#include "torus/route.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace
{

using coords_t = std::array<uint8_t, TORUS_AXES>;

constexpr unsigned all_wraps = 1u << TORUS_AXES;

coords_t coords_of(const torus_shape &shape, uint32_t node)
{
    coords_t coords;
    torus_node_coords(&shape, node, coords.data());
    return coords;
}

std::string name_of(const torus_shape &shape)
{
    char text[TORUS_SHAPE_TEXT_MAX];
    return torus_shape_format(&shape, text);
}

std::vector<torus_path> paths_of(const torus_shape &shape)
{
    std::vector<torus_path> paths;
    for (uint8_t a = 0; a < shape.size[TORUS_A]; ++a)
        for (uint8_t b = 0; b < shape.size[TORUS_B]; ++b)
            for (uint8_t c = 0; c < shape.size[TORUS_C]; ++c)
                paths.push_back({a, b, c});
    return paths;
}

/* The way along one axis, found by walking both ways: what the route must do on a leg. */
std::vector<int> steps_of_leg(unsigned size, bool ring, unsigned at, unsigned end)
{
    unsigned up = 0, down = 0;
    for (unsigned i = at; i != end; i = (i + 1) % size)
        ++up;
    for (unsigned i = at; i != end; i = (i + size - 1) % size)
        ++down;
    if (!ring)
        return end >= at ? std::vector<int>(up, 1) : std::vector<int>(down, -1);
    return up <= down ? std::vector<int>(up, 1) : std::vector<int>(down, -1);
}

struct step {
    int axis, direction;
    bool operator==(const step &other) const
    {
        return axis == other.axis && direction == other.direction;
    }
};

std::vector<step> expected_steps(const torus_shape &shape, unsigned wrap, coords_t at,
                                 const coords_t &to, const torus_path &path)
{
    const int axes[9] = {TORUS_A, TORUS_B, TORUS_C, TORUS_X, TORUS_Y,
                         TORUS_Z, TORUS_A, TORUS_B, TORUS_C};
    const uint8_t turns[3] = {path.a, path.b, path.c};
    std::vector<step> steps;
    for (int leg = 0; leg < 9; ++leg) {
        const int axis = axes[leg];
        const uint8_t end = leg < 3 ? turns[leg] : to[axis];
        for (int direction : steps_of_leg(shape.size[axis], wrap >> axis & 1, at[axis], end))
            steps.push_back({axis, direction});
        at[axis] = end;
    }
    return steps;
}

/* Walk a route to its end; each hop must join neighbours and leave where the last one arrived. */
std::vector<step> walk(const torus_shape &shape, unsigned wrap, torus_route route, coords_t at)
{
    const coords_t to = [&] {
        coords_t c;
        std::copy(std::begin(route.to), std::end(route.to), c.begin());
        return c;
    }();
    std::vector<step> steps;
    torus_hop hop;
    unsigned left = torus_route_hops(&route);
    while (torus_route_next(&route, &hop) == 1) {
        const int size = shape.size[hop.axis];
        EXPECT_TRUE(std::equal(at.begin(), at.end(), hop.from));
        const int next = at[hop.axis] + hop.direction;
        EXPECT_TRUE((wrap >> hop.axis & 1) || (next >= 0 && next < size)) << "over a mesh's end";
        at[hop.axis] = uint8_t((next + size) % size);
        EXPECT_TRUE(std::equal(at.begin(), at.end(), hop.to));
        EXPECT_EQ(torus_route_hops(&route), --left);
        steps.push_back({hop.axis, hop.direction});
    }
    EXPECT_EQ(left, 0u);
    EXPECT_EQ(at, to);
    EXPECT_EQ(torus_route_next(&route, &hop), 0) << "the end must stay the end";
    return steps;
}

void check_all_pairs(const torus_shape &shape, unsigned wrap)
{
    const uint32_t nodes = torus_shape_nodes(&shape);
    for (uint32_t i = 0; i < nodes; ++i) {
        for (uint32_t j = 0; j < nodes; ++j) {
            const coords_t from = coords_of(shape, i), to = coords_of(shape, j);
            unsigned fewest = UINT32_MAX;
            torus_route route;
            for (const torus_path &path : paths_of(shape)) {
                ASSERT_EQ(torus_route_begin(&route, &shape, wrap, from.data(), to.data(), &path),
                          0);
                const std::vector<step> steps = walk(shape, wrap, route, from);
                ASSERT_EQ(steps, expected_steps(shape, wrap, from, to, path)) << i << " to " << j;
                fewest = std::min(fewest, unsigned(steps.size()));
            }
            ASSERT_EQ(torus_route_begin(&route, &shape, wrap, from.data(), to.data(), nullptr), 0);
            ASSERT_EQ(torus_route_hops(&route), fewest) << "the default path is not shortest";
            ASSERT_EQ(walk(shape, wrap, route, from).size(), fewest);
        }
    }
}

TEST(torus_route, is_dimension_order_with_every_set_of_rings)
{
    const std::vector<torus_shape> shapes = {
            {{1, 1, 1, 1, 1, 1}}, {{1, 1, 1, 2, 3, 2}}, {{2, 1, 3, 1, 2, 1}}, {{4, 1, 1, 1, 3, 1}}};
    for (const torus_shape &shape : shapes) {
        SCOPED_TRACE(name_of(shape));
        for (unsigned wrap = 0; wrap < all_wraps && !HasFatalFailure(); ++wrap)
            check_all_pairs(shape, wrap);
    }
}

TEST(torus_route, is_dimension_order_on_larger_shapes)
{
    const std::vector<torus_shape> shapes = {
            {{3, 2, 2, 2, 1, 1}}, {{2, 2, 2, 1, 3, 1}}, {{5, 1, 4, 1, 1, 2}}};
    for (const torus_shape &shape : shapes) {
        SCOPED_TRACE(name_of(shape));
        for (unsigned wrap : {0u, unsigned(TORUS_WRAP_TOFUD), all_wraps - 1})
            check_all_pairs(shape, wrap);
    }
}

TEST(torus_route, goes_up_when_both_ways_are_equal)
{
    const torus_shape shape = {{4, 1, 1, 1, 1, 1}};
    for (uint8_t from = 0; from < 4; ++from) {
        const coords_t a = {from}, b = {uint8_t((from + 2) % 4)};
        torus_route route;
        torus_hop hop;
        ASSERT_EQ(torus_route_begin(&route, &shape, TORUS_WRAP_TOFUD, a.data(), b.data(), nullptr),
                  0);
        while (torus_route_next(&route, &hop))
            EXPECT_EQ(hop.direction, 1);
    }
}

TEST(torus_route, takes_a_path_even_inside_a_unit)
{
    const torus_shape shape = {{1, 1, 1, 2, 3, 2}};
    const coords_t from = {0, 0, 0, 0, 0, 0}, to = {0, 0, 0, 0, 0, 1};
    const torus_path path = {1, 0, 0};
    torus_route route;
    ASSERT_EQ(torus_route_begin(&route, &shape, TORUS_WRAP_TOFUD, from.data(), to.data(), &path),
              0);
    EXPECT_EQ(torus_route_hops(&route), 3u);
}

/* Half way round x and z, all along y, and one hop each in a, b and c: 12 + 12 + 22 + 3. */
TEST(torus_route, has_49_hops_at_most_on_fugaku)
{
    const torus_shape shape = {{24, 23, 24, 2, 3, 2}};
    const coords_t from = {};
    unsigned most = 0;
    for (uint32_t node = 0; node < torus_shape_nodes(&shape); ++node) {
        const coords_t to = coords_of(shape, node);
        torus_route route;
        ASSERT_EQ(torus_route_begin(&route, &shape, TORUS_WRAP_TOFUD, from.data(), to.data(),
                                    nullptr),
                  0);
        most = std::max(most, torus_route_hops(&route));
    }
    EXPECT_EQ(most, 49u);
}

TEST(torus_route_begin, refuses_what_lies_outside)
{
    const torus_shape shape = {{2, 2, 2, 2, 3, 2}};
    const coords_t inside = {};
    torus_route route;
    for (int axis = 0; axis < TORUS_AXES; ++axis) {
        coords_t outside = {};
        outside[axis] = uint8_t(shape.size[axis]);
        EXPECT_EQ(torus_route_begin(&route, &shape, 0, outside.data(), inside.data(), nullptr), -1);
        EXPECT_EQ(torus_route_begin(&route, &shape, 0, inside.data(), outside.data(), nullptr), -1);
    }
    for (const torus_path &path : {torus_path{2, 0, 0}, torus_path{0, 3, 0}, torus_path{0, 0, 2}})
        EXPECT_EQ(torus_route_begin(&route, &shape, 0, inside.data(), inside.data(), &path), -1);
}

} // namespace
