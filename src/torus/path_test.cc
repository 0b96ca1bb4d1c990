/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/path.h"
#include "torus/rank_map.h"

#include <gtest/gtest.h>

#include <array>
#include <queue>
#include <set>
#include <vector>

namespace
{

using coords_t = std::array<uint8_t, TORUS_AXES>;

coords_t coords_of(const torus_shape &shape, uint32_t node)
{
    coords_t coords;
    torus_node_coords(&shape, node, coords.data());
    return coords;
}

uint32_t node_of(const torus_shape &shape, const coords_t &coords)
{
    uint32_t node = 0;
    EXPECT_EQ(torus_coords_node(&shape, coords.data(), &node), 0);
    return node;
}

std::vector<uint32_t> neighbours(const torus_shape &shape, unsigned wrap, uint32_t node)
{
    std::vector<uint32_t> found;
    for (int axis = 0; axis < TORUS_AXES; ++axis) {
        for (int step : {-1, 1}) {
            coords_t next = coords_of(shape, node);
            int at        = next[axis] + step;
            if (wrap & TORUS_WRAP(axis))
                at = (at + shape.size[axis]) % shape.size[axis];
            if (at < 0 || at >= shape.size[axis])
                continue;
            next[axis] = uint8_t(at);
            found.push_back(node_of(shape, next));
        }
    }
    return found;
}

/* Distances from a node by breadth-first search over the links. */
std::vector<int> distances(const torus_shape &shape, unsigned wrap, uint32_t from)
{
    std::vector<int> hops(torus_shape_nodes(&shape), -1);
    std::queue<uint32_t> queue;
    hops[from] = 0;
    for (queue.push(from); !queue.empty(); queue.pop()) {
        for (uint32_t next : neighbours(shape, wrap, queue.front())) {
            if (hops[next] < 0) {
                hops[next] = hops[queue.front()] + 1;
                queue.push(next);
            }
        }
    }
    return hops;
}

unsigned hops_by(const torus_shape &shape, unsigned wrap, const coords_t &from, const coords_t &to,
                 const torus_path &path)
{
    torus_route route;
    EXPECT_EQ(torus_route_begin(&route, &shape, wrap, from.data(), to.data(), &path), 0);
    return torus_route_hops(&route);
}

void check_paths(const torus_shape &shape, unsigned wrap, const coords_t &from, const coords_t &to)
{
    torus_path path[TORUS_PATHS_MAX];
    std::set<std::array<uint8_t, 3>> seen;
    unsigned last        = 0;
    const unsigned count = torus_paths(&shape, wrap, from.data(), to.data(), path);

    ASSERT_EQ(count, unsigned(shape.size[3] * shape.size[4] * shape.size[5]));
    for (unsigned i = 0; i < count; ++i) {
        const unsigned hops = hops_by(shape, wrap, from, to, path[i]);
        ASSERT_TRUE(seen.insert({path[i].a, path[i].b, path[i].c}).second);
        ASSERT_GE(hops, last);
        last = hops;
    }
    EXPECT_TRUE(path[0].a == from[3] && path[0].b == from[4] && path[0].c == from[5])
            << "nothing is shorter than the default";
    EXPECT_EQ(int(hops_by(shape, wrap, from, to, path[0])),
              torus_hops(&shape, wrap, from.data(), to.data()));
}

const std::vector<torus_shape> shapes = {{{1, 1, 1, 2, 3, 2}}, {{3, 2, 4, 1, 3, 2}}, {{5, 4, 1, 2, 1, 1}},
                                         {{2, 2, 2, 2, 3, 2}}};

TEST(torus_hops, as_few_as_a_search_finds)
{
    for (const torus_shape &shape : shapes) {
        for (unsigned wrap : {0u, unsigned(TORUS_WRAP_TOFUD), 63u}) {
            for (uint32_t from = 0; from < torus_shape_nodes(&shape); ++from) {
                const std::vector<int> expected = distances(shape, wrap, from);
                for (uint32_t to = 0; to < expected.size(); ++to)
                    ASSERT_EQ(torus_hops(&shape, wrap, coords_of(shape, from).data(),
                                         coords_of(shape, to).data()),
                              expected[to]);
            }
        }
    }
}

TEST(torus_paths, all_and_in_order)
{
    for (const torus_shape &shape : shapes) {
        for (uint32_t from = 0; from < torus_shape_nodes(&shape); from += 5) {
            for (uint32_t to = 0; to < torus_shape_nodes(&shape); ++to)
                ASSERT_NO_FATAL_FAILURE(
                        check_paths(shape, TORUS_WRAP_TOFUD, coords_of(shape, from), coords_of(shape, to)));
        }
    }
}

/* From corner to corner: half of each ring, all of the mesh. */
TEST(torus_paths, fugaku)
{
    const torus_shape shape = {{24, 23, 24, 2, 3, 2}};
    const coords_t from = {0, 0, 0, 0, 0, 0}, to = {12, 22, 12, 1, 1, 1};
    ASSERT_NO_FATAL_FAILURE(check_paths(shape, TORUS_WRAP_TOFUD, from, to));
    EXPECT_EQ(torus_hops(&shape, TORUS_WRAP_TOFUD, from.data(), to.data()), 12 + 22 + 12 + 3);
    const coords_t near = {23, 1, 23, 0, 2, 0};
    EXPECT_EQ(torus_hops(&shape, TORUS_WRAP_TOFUD, from.data(), near.data()), 4);
}

TEST(torus_paths, outside)
{
    const torus_shape shape = {{1, 1, 1, 2, 3, 1}};
    const coords_t in = {}, out = {0, 0, 0, 0, 0, 1};
    torus_path path[TORUS_PATHS_MAX];
    EXPECT_EQ(torus_paths(&shape, 0, in.data(), out.data(), path), 0u);
    EXPECT_EQ(torus_paths(&shape, 0, out.data(), in.data(), path), 0u);
    EXPECT_EQ(torus_hops(&shape, 0, in.data(), out.data()), -1);
}

} // namespace
