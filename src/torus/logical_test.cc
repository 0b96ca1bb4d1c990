/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/logical.h"
#include "torus/path.h"
#include "torus/rank_map.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace
{

using coords_t  = std::array<uint8_t, TORUS_AXES>;
using logical_t = std::array<uint32_t, TORUS_LOGICAL_AXES>;

std::string text_of(const torus_shape &shape)
{
    char text[TORUS_SHAPE_TEXT_MAX];
    return torus_shape_format(&shape, text);
}

/* Every shape of at most two along x, y and z. */
std::vector<torus_shape> small_shapes()
{
    std::vector<torus_shape> shapes;
    for (unsigned n = 0; n < 8 * 12; ++n)
        shapes.push_back({{uint16_t(1 + n % 2), uint16_t(1 + n / 2 % 2), uint16_t(1 + n / 4 % 2),
                           uint16_t(1 + n / 8 % 2), uint16_t(1 + n / 16 % 3), uint16_t(1 + n / 48)}});
    return shapes;
}

const torus_shape fugaku = {{24, 23, 24, 2, 3, 2}};

/* Whether the last along an axis of the whole view must be beside the first. */
bool closes(const torus_shape &shape, unsigned wrap, unsigned dims, int axis)
{
    const auto pair = [&](int outer) {
        return torus_fold(torus_axis_line(&shape, wrap, outer), torus_axis_line(&shape, wrap, outer + 3));
    };
    const torus_line yz = torus_fold(pair(1), pair(2));
    if (dims == 1)
        return torus_fold(pair(0), yz).ring;
    if (dims == 2)
        return axis == 0 ? pair(0).ring : yz.ring;
    return pair(axis).ring;
}

void expect_one_hop(const torus_logical &view, const torus_shape &shape, unsigned wrap,
                    const logical_t &a, const logical_t &b)
{
    coords_t from, to;
    ASSERT_EQ(torus_logical_to_coords(&view, &shape, wrap, a.data(), from.data()), 0);
    ASSERT_EQ(torus_logical_to_coords(&view, &shape, wrap, b.data(), to.data()), 0);
    ASSERT_EQ(torus_hops(&shape, wrap, from.data(), to.data()), 1)
            << text_of(shape) << " wrap " << wrap << " dims " << view.dims << " at " << a[0] << ','
            << a[1] << ',' << a[2];
}

/* Every node of the whole view: reached once, found again, one hop from its neighbours. */
void check_whole(const torus_shape &shape, unsigned wrap, unsigned dims)
{
    const torus_logical view = torus_logical_whole(&shape, dims);
    const uint32_t nodes     = torus_shape_nodes(&shape);
    std::vector<bool> seen(nodes);

    ASSERT_EQ(torus_logical_nodes(&view), nodes);
    for (uint32_t n = 0; n < nodes; ++n) {
        logical_t at, back;
        coords_t coords;
        uint32_t number;
        torus_logical_nth(&view, n, at.data());
        ASSERT_EQ(torus_logical_to_coords(&view, &shape, wrap, at.data(), coords.data()), 0);
        ASSERT_EQ(torus_coords_node(&shape, coords.data(), &number), 0);
        ASSERT_FALSE(seen[number]) << text_of(shape);
        seen[number] = true;
        ASSERT_EQ(torus_logical_from_coords(&view, &shape, wrap, coords.data(), back.data()), 0);
        ASSERT_EQ(back, at) << text_of(shape);
        for (unsigned axis = 0; axis < dims; ++axis) {
            logical_t next = at;
            const bool end = ++next[axis] == view.size[axis];
            if (end)
                next[axis] = 0;
            if (view.size[axis] > 1 && (!end || closes(shape, wrap, dims, int(axis))))
                expect_one_hop(view, shape, wrap, at, next);
        }
    }
}

TEST(torus_logical, small_shapes_with_any_rings)
{
    for (const torus_shape &shape : small_shapes()) {
        for (unsigned wrap = 0; wrap < 64; ++wrap) {
            for (unsigned dims = 1; dims <= 3; ++dims)
                ASSERT_NO_FATAL_FAILURE(check_whole(shape, wrap, dims));
        }
    }
}

TEST(torus_logical, longer_shapes)
{
    for (const torus_shape &shape : {torus_shape{{3, 5, 4, 2, 3, 2}}, torus_shape{{5, 3, 7, 1, 3, 1}},
                                     torus_shape{{1, 3, 3, 1, 1, 2}}, torus_shape{{4, 1, 3, 2, 1, 1}}}) {
        for (unsigned wrap = 0; wrap < 64; ++wrap) {
            for (unsigned dims = 1; dims <= 3; ++dims)
                ASSERT_NO_FATAL_FAILURE(check_whole(shape, wrap, dims));
        }
    }
}

TEST(torus_logical, fugaku)
{
    for (unsigned dims = 1; dims <= 3; ++dims) {
        ASSERT_NO_FATAL_FAILURE(check_whole(fugaku, TORUS_WRAP_TOFUD, dims));
        for (unsigned axis = 0; axis < dims; ++axis)
            EXPECT_TRUE(closes(fugaku, TORUS_WRAP_TOFUD, dims, int(axis))) << dims << ' ' << axis;
    }
    const torus_logical view = torus_logical_whole(&fugaku, 3);
    EXPECT_EQ(view.size[0], 48u);
    EXPECT_EQ(view.size[1], 69u);
    EXPECT_EQ(view.size[2], 48u);
}

/* The pairing that is documented: along X goes x, and back with the other a. */
TEST(torus_logical, pairs)
{
    const torus_shape shape  = {{2, 1, 2, 2, 3, 2}};
    const torus_logical view = torus_logical_whole(&shape, 3);
    const coords_t along_x[] = {{0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 0, 0}, {0, 0, 0, 1, 0, 0}};
    const coords_t along_y[] = {{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 2, 0}};
    for (uint32_t x = 0; x < 4; ++x) {
        const logical_t at = {x, 0, 0};
        coords_t coords;
        ASSERT_EQ(torus_logical_to_coords(&view, &shape, TORUS_WRAP_TOFUD, at.data(), coords.data()), 0);
        EXPECT_EQ(coords, along_x[x]);
    }
    for (uint32_t y = 0; y < 3; ++y) {
        const logical_t at = {0, y, 0};
        coords_t coords;
        ASSERT_EQ(torus_logical_to_coords(&view, &shape, TORUS_WRAP_TOFUD, at.data(), coords.data()), 0);
        EXPECT_EQ(coords, along_y[y]);
    }
}

TEST(torus_logical, plain_is_row_major)
{
    const torus_shape shape  = {{2, 1, 1, 2, 3, 2}};
    const torus_logical view = {1, {20, 1, 1}, 1};
    for (uint32_t n = 0; n < 24; ++n) {
        const logical_t at = {n, 0, 0};
        coords_t coords, expected;
        logical_t back = {};
        torus_node_coords(&shape, n, expected.data());
        EXPECT_EQ(torus_logical_to_coords(&view, &shape, 0, at.data(), coords.data()), n < 20 ? 0 : -1);
        EXPECT_EQ(torus_logical_from_coords(&view, &shape, 0, expected.data(), back.data()), n < 20 ? 0 : -1);
        if (n < 20) {
            EXPECT_EQ(coords, expected);
            EXPECT_EQ(back, at);
        }
    }
}

TEST(torus_logical, outside)
{
    const torus_shape shape  = {{2, 2, 2, 2, 3, 2}};
    const torus_logical view = {2, {3, 20, 1}, 0};
    coords_t coords;
    logical_t at = {3, 0, 0};
    EXPECT_EQ(torus_logical_to_coords(&view, &shape, 0, at.data(), coords.data()), -1);
    at = {0, 20, 0};
    EXPECT_EQ(torus_logical_to_coords(&view, &shape, 0, at.data(), coords.data()), -1);
    at = {0, 0, 1};
    EXPECT_EQ(torus_logical_to_coords(&view, &shape, 0, at.data(), coords.data()), -1);
    coords = {0, 0, 0, 1, 0, 0};
    EXPECT_EQ(torus_logical_from_coords(&view, &shape, 0, coords.data(), at.data()), -1) << "X 3 of 4";
    coords = {2, 0, 0, 0, 0, 0};
    EXPECT_EQ(torus_logical_from_coords(&view, &shape, 0, coords.data(), at.data()), -1) << "no such x";
}

/* A shape for every view, with no node more than it must have. */
TEST(torus_logical_shape, fits_and_wastes_little)
{
    for (uint32_t x : {1u, 2u, 3u, 4u, 5u, 8u, 31u, 32u, 63u, 64u}) {
        for (uint32_t y : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 12u, 69u, 96u}) {
            for (uint32_t z : {1u, 2u, 3u, 6u, 48u, 64u}) {
                const torus_logical three = {3, {x, y, z}, 0}, two = {2, {x, y * z, 1}, 0};
                torus_shape shape;
                ASSERT_EQ(torus_logical_shape(&three, &shape), 0);
                EXPECT_TRUE(torus_logical_fits(&three, &shape)) << text_of(shape);
                EXPECT_LE(shape.size[0] * shape.size[3], x + (x > 32));
                EXPECT_LE(shape.size[1] * shape.size[4], y + 2);
                EXPECT_LE(shape.size[2] * shape.size[5], z + (z > 32));
                ASSERT_EQ(torus_logical_shape(&two, &shape), 0);
                EXPECT_TRUE(torus_logical_fits(&two, &shape)) << text_of(shape);
            }
        }
    }
}

TEST(torus_logical_shape, examples)
{
    const struct {
        const char *view, *shape;
    } cases[] = {
            {"4x6x4", "2x2x2x2x3x2"},  {"48x69x48", "24x23x24x2x3x2"}, {"1x2x1", "1x1x1x1x2x1"},
            {"3x3x3", "3x1x3x1x3x1"},  {"4x6", "2x1x1x2x3x2"},         {"12", "1x1x1x2x3x2"},
    };
    for (const auto &c : cases) {
        torus_logical view;
        torus_shape shape;
        ASSERT_EQ(torus_logical_parse(c.view, &view), 0);
        ASSERT_EQ(torus_logical_shape(&view, &shape), 0);
        EXPECT_EQ(text_of(shape), c.shape) << c.view;
    }
}

TEST(torus_logical_shape, too_long)
{
    for (const char *text : {"65x1x1", "1x97x1", "1x1x65", "65x1", "1x6145"}) {
        torus_logical view;
        torus_shape shape;
        ASSERT_EQ(torus_logical_parse(text, &view), 0);
        EXPECT_EQ(torus_logical_shape(&view, &shape), -1) << text;
    }
}

TEST(torus_logical_parse, texts)
{
    torus_logical view = {};
    char text[TORUS_LOGICAL_TEXT_MAX];
    for (const char *good : {"1", "393216", "4x6", "4x6x4", "393216x393216x393216"}) {
        ASSERT_EQ(torus_logical_parse(good, &view), 0) << good;
        EXPECT_STREQ(torus_logical_format(&view, text), good);
        EXPECT_EQ(view.plain, 0u);
    }
    EXPECT_EQ(torus_logical_parse("5", &view), 0);
    EXPECT_EQ(view.size[1] * view.size[2], 1u);
    for (const char *bad : {"", "x", "4x", "4x6x4x1", "0", "4x0", "393217", "-1", "+1", " 4", "4X6", "4x6 ",
                            "99999999999999999999999"})
        EXPECT_EQ(torus_logical_parse(bad, &view), -1) << bad;
}

} // namespace
