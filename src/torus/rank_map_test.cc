/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/rank_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace
{

using coords_t = std::array<uint8_t, TORUS_AXES>;

const std::vector<torus_shape> shapes = {
        {{1, 1, 1, 1, 1, 1}}, {{1, 1, 1, 2, 3, 2}},    {{3, 1, 2, 1, 2, 2}},
        {{2, 3, 4, 2, 3, 2}}, {{24, 23, 24, 2, 3, 2}}, {{32, 1, 32, 1, 3, 1}},
};

coords_t coords_of(const torus_shape &shape, uint32_t node)
{
    coords_t coords;
    torus_node_coords(&shape, node, coords.data());
    return coords;
}

TEST(torus_node_coords, counts_c_fastest_and_x_slowest)
{
    const torus_shape shape = {{2, 3, 4, 2, 3, 2}};
    EXPECT_EQ(coords_of(shape, 0), (coords_t{0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(coords_of(shape, 1), (coords_t{0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(coords_of(shape, 2), (coords_t{0, 0, 0, 0, 1, 0}));
    EXPECT_EQ(coords_of(shape, 6), (coords_t{0, 0, 0, 1, 0, 0}));
    EXPECT_EQ(coords_of(shape, 12), (coords_t{0, 0, 1, 0, 0, 0}));
    EXPECT_EQ(coords_of(shape, 48), (coords_t{0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(coords_of(shape, 144), (coords_t{1, 0, 0, 0, 0, 0}));
    EXPECT_EQ(coords_of(shape, 287), (coords_t{1, 2, 3, 1, 2, 1}));
}

/* Row-major order is the dictionary order of the coordinates, so each node's must be the next in
 * it. */
TEST(torus_node_coords, ascends_and_returns)
{
    for (const torus_shape &shape : shapes) {
        coords_t last = coords_of(shape, 0);
        for (uint32_t node = 0; node < torus_shape_nodes(&shape); ++node) {
            const coords_t coords = coords_of(shape, node);
            uint32_t back = UINT32_MAX;
            ASSERT_EQ(torus_coords_node(&shape, coords.data(), &back), 0);
            ASSERT_EQ(back, node);
            ASSERT_TRUE(node == 0 || last < coords);
            last = coords;
        }
    }
}

TEST(torus_coords_node, refuses_each_coordinate_outside)
{
    for (const torus_shape &shape : shapes) {
        for (int axis = 0; axis < TORUS_AXES; ++axis) {
            for (unsigned at : {unsigned(shape.size[axis]), 255u}) {
                coords_t coords = {};
                uint32_t node = 42;
                coords[axis] = uint8_t(at);
                EXPECT_EQ(torus_coords_node(&shape, coords.data(), &node), -1);
                EXPECT_EQ(node, 42u) << "stored in spite of the error";
            }
        }
    }
}

} // namespace
