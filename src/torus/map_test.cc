/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/map.h"
#include "torus/rank_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

namespace
{

using coords_t = std::array<uint8_t, TORUS_AXES>;
using Map      = std::unique_ptr<torus_map, decltype(&std::free)>;

const torus_shape fugaku = {{24, 23, 24, 2, 3, 2}};

torus_map_spec spec(torus_shape shape, uint32_t ranks, uint32_t ppn)
{
    return {shape, TORUS_WRAP_TOFUD, {1, {torus_shape_nodes(&shape), 1, 1}, 1}, ranks, ppn};
}

Map build(const torus_map_spec &job, const std::vector<uint32_t> &numbers)
{
    return Map(torus_map_create(&job, numbers.data()), &std::free);
}

TEST(torus_map, places_ranks_where_they_were_put)
{
    const torus_map_spec job              = spec({{2, 1, 1, 2, 3, 2}}, 7, 3);
    const std::vector<uint32_t> numbers   = {23, 4, 23, 0, 4, 23, 11};
    const std::vector<torus_place> places = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}, {3, 0}};
    const Map map                         = build(job, numbers);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->nodes, 4u);
    for (uint32_t rank = 0; rank < 7; ++rank) {
        const torus_place place = torus_map_place(map.get(), rank);
        coords_t coords, expected;
        EXPECT_EQ(place.node, places[rank].node);
        EXPECT_EQ(place.slot, places[rank].slot);
        torus_node_coords(&job.shape, numbers[rank], expected.data());
        torus_map_coords(map.get(), place.node, coords.data());
        EXPECT_EQ(coords, expected);
        EXPECT_EQ(torus_map_find(map.get(), coords.data()), int32_t(place.node));
        uint32_t count        = 0;
        const uint16_t *ranks = torus_map_ranks(map.get(), place.node, &count);
        ASSERT_LT(place.slot, count);
        EXPECT_EQ(ranks[place.slot], rank);
        EXPECT_TRUE(std::is_sorted(ranks, ranks + count));
    }
}

TEST(torus_map, tells_empty_from_outside)
{
    const torus_map_spec job = spec({{2, 1, 1, 1, 1, 1}}, 1, 1);
    const Map map            = build(job, {1});
    EXPECT_EQ(torus_map_find(map.get(), coords_t{1}.data()), 0);
    EXPECT_EQ(torus_map_find(map.get(), coords_t{0}.data()), TORUS_MAP_EMPTY);
    EXPECT_EQ(torus_map_find(map.get(), coords_t{2}.data()), TORUS_MAP_OUTSIDE);
}

/* The map is as long as its ranks need, though the shape has 158,976 nodes. */
TEST(torus_map, scattered_over_fugaku)
{
    const torus_map_spec job = spec(fugaku, 4096, 48);
    std::vector<uint32_t> numbers(4096);
    for (uint32_t rank = 0; rank < 4096; ++rank)
        numbers[rank] = uint32_t(rank * UINT64_C(2654435761) % 158976);
    const Map map = build(job, numbers);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->nodes, std::set<uint32_t>(numbers.begin(), numbers.end()).size());
    EXPECT_LT(map->bytes, 160u * 1024);
    uint32_t found = 0;
    for (uint32_t n = 0; n < 158976; ++n) {
        coords_t coords;
        torus_node_coords(&fugaku, n, coords.data());
        found += torus_map_find(map.get(), coords.data()) >= 0;
    }
    EXPECT_EQ(found, map->nodes);
    for (uint32_t rank = 0; rank < 4096; ++rank) {
        coords_t coords;
        torus_node_coords(&fugaku, numbers[rank], coords.data());
        ASSERT_EQ(torus_map_find(map.get(), coords.data()), torus_map_place(map.get(), rank).node);
    }
}

TEST(torus_map_in_order, plain_fills_nodes_row_major)
{
    const torus_map_spec job = spec({{1, 1, 1, 2, 3, 2}}, 10, 4);
    std::vector<uint32_t> numbers(10);
    torus_map_in_order(&job, numbers.data());
    EXPECT_EQ(numbers, (std::vector<uint32_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2}));
    const Map map = build(job, numbers);
    EXPECT_EQ(map->nodes, 3u);
    for (uint32_t rank = 0; rank < 10; ++rank) {
        EXPECT_EQ(torus_map_place(map.get(), rank).node, rank / 4);
        EXPECT_EQ(torus_map_place(map.get(), rank).slot, rank % 4);
    }
}

TEST(torus_map_in_order, follows_the_view_x_fastest)
{
    const torus_map_spec job = {{{2, 1, 2, 2, 3, 2}}, TORUS_WRAP_TOFUD, {3, {4, 3, 4}, 0}, 96, 2};
    std::vector<uint32_t> numbers(96);
    torus_map_in_order(&job, numbers.data());
    const Map map = build(job, numbers);
    for (uint32_t rank = 0; rank < 96; ++rank) {
        uint32_t at[3];
        ASSERT_EQ(torus_map_logical(map.get(), torus_map_place(map.get(), rank).node, at), 0);
        EXPECT_EQ(at[0] + 4 * (at[1] + 3 * at[2]), rank / 2);
    }
}

TEST(torus_map_known, its_own_only)
{
    const Map map = build(spec({{1, 1, 1, 1, 1, 2}}, 2, 1), {0, 1});
    EXPECT_TRUE(torus_map_known(map->magic));
    EXPECT_FALSE(torus_map_known(map->magic + 1));
    EXPECT_FALSE(torus_map_known(0));
}

} // namespace
