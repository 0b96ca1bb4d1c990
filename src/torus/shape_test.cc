/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace
{

std::string text_of(const torus_shape &shape)
{
    char text[TORUS_SHAPE_TEXT_MAX];
    return torus_shape_format(&shape, text);
}

std::string default_of(uint32_t nodes)
{
    torus_shape shape;
    return torus_shape_default(nodes, &shape) == 0 ? text_of(shape) : "none";
}

TEST(torus_shape_parse, reads_what_format_writes)
{
    for (const char *text : {"1x1x1x1x1x1", "24x23x24x2x3x2", "32x32x32x2x3x2", "2x1x3x1x2x1"}) {
        torus_shape shape;
        ASSERT_EQ(torus_shape_parse(text, &shape), 0) << text;
        EXPECT_EQ(text_of(shape), text);
    }
}

TEST(torus_shape_parse, puts_each_number_on_its_axis)
{
    torus_shape shape;
    ASSERT_EQ(torus_shape_parse("7x8x9x1x3x2", &shape), 0);
    EXPECT_EQ(shape.size[TORUS_X], 7);
    EXPECT_EQ(shape.size[TORUS_Y], 8);
    EXPECT_EQ(shape.size[TORUS_Z], 9);
    EXPECT_EQ(shape.size[TORUS_A], 1);
    EXPECT_EQ(shape.size[TORUS_B], 3);
    EXPECT_EQ(shape.size[TORUS_C], 2);
}

TEST(torus_shape_parse, refuses_other_text_and_leaves_the_shape_alone)
{
    static const char *const wrong[] = {
            "",
            "x",
            "1",
            "1x1x1x1x1",
            "1x1x1x1x1x",
            "1x1x1x1x1x1x",
            "1x1x1x1x1x1x1",
            "x1x1x1x1x1x1",
            "1xx1x1x1x1x1",
            "1X1X1X1X1X1",
            "1*1*1*1*1*1",
            " 1x1x1x1x1x1",
            "1x1x1x1x1x1 ",
            "1x 1x1x1x1x1",
            "1x-1x1x1x1x1",
            "1x+1x1x1x1x1",
            "1x1.0x1x1x1x1",
            "0001x1x1x1x1x1",
            "4294967297x1x1x1x1x1",
    };
    for (const char *text : wrong) {
        torus_shape shape = {{9, 9, 9, 9, 9, 9}};
        EXPECT_EQ(torus_shape_parse(text, &shape), -1) << '"' << text << '"';
        EXPECT_EQ(text_of(shape), "9x9x9x9x9x9");
    }
}

TEST(torus_shape_parse, refuses_sizes_out_of_range)
{
    const unsigned max[TORUS_AXES] = {32, 32, 32, 2, 3, 2};
    for (int axis = 0; axis < TORUS_AXES; ++axis) {
        for (unsigned size = 0; size <= 40; ++size) {
            std::string text;
            for (int i = 0; i < TORUS_AXES; ++i)
                text += (i ? "x" : "") + std::to_string(i == axis ? size : 1);
            torus_shape shape;
            EXPECT_EQ(torus_shape_parse(text.c_str(), &shape) == 0, size >= 1 && size <= max[axis])
                    << text;
        }
    }
}

TEST(torus_shape_format, fits_its_buffer_at_three_digits)
{
    const torus_shape shape = {{999, 999, 999, 999, 999, 999}};
    EXPECT_EQ(text_of(shape), "999x999x999x999x999x999");
    EXPECT_EQ(text_of(shape).size() + 1, size_t(TORUS_SHAPE_TEXT_MAX));
}

TEST(torus_shape_nodes, is_the_product)
{
    const torus_shape unit = {{1, 1, 1, 2, 3, 2}};
    const torus_shape fugaku = {{24, 23, 24, 2, 3, 2}};
    EXPECT_EQ(torus_shape_nodes(&unit), 12u);
    EXPECT_EQ(torus_shape_nodes(&fugaku), 158976u);
}

TEST(torus_shape_default, takes_the_smallest_box_of_a_unit)
{
    static const char *const expected[] = {"1x1x1x1x1x1", "1x1x1x2x1x1", "1x1x1x1x3x1",
                                           "1x1x1x2x2x1", "1x1x1x2x3x1", "1x1x1x2x3x1",
                                           "1x1x1x2x2x2", "1x1x1x2x2x2", "1x1x1x2x3x2",
                                           "1x1x1x2x3x2", "1x1x1x2x3x2", "1x1x1x2x3x2"};
    for (uint32_t nodes = 1; nodes <= 12; ++nodes)
        EXPECT_EQ(default_of(nodes), expected[nodes - 1]) << nodes;
}

TEST(torus_shape_default, stacks_units_like_a_cube)
{
    EXPECT_EQ(default_of(13), "2x1x1x2x3x2");
    EXPECT_EQ(default_of(48), "2x1x2x2x3x2");
    EXPECT_EQ(default_of(7 * 12), "2x2x2x2x3x2");
    EXPECT_EQ(default_of(96), "2x2x2x2x3x2");
    EXPECT_EQ(default_of(97), "3x1x3x2x3x2");
    EXPECT_EQ(default_of(158976), "24x23x24x2x3x2");
    EXPECT_EQ(default_of(32 * 32 * 32 * 12), "32x32x32x2x3x2");
}

TEST(torus_shape_default, refuses_none_and_too_many)
{
    EXPECT_EQ(default_of(0), "none");
    EXPECT_EQ(default_of(32 * 32 * 32 * 12 + 1), "none");
    EXPECT_EQ(default_of(UINT32_MAX), "none");
}

/* Of all boxes with the shortest longest side, none has fewer units: by trying them all. */
TEST(torus_shape_default, wastes_no_more_than_its_longest_side_asks)
{
    for (uint32_t units = 2; units <= 1000; ++units) {
        torus_shape shape;
        ASSERT_EQ(torus_shape_default(units * 12, &shape), 0);
        const uint32_t x = shape.size[TORUS_X], y = shape.size[TORUS_Y], z = shape.size[TORUS_Z];
        ASSERT_GE(x * y * z, units);
        ASSERT_TRUE(x >= z && z >= y) << text_of(shape);
        ASSERT_LT((x - 1) * (x - 1) * (x - 1), units) << "a smaller cube holds " << units;
        uint32_t fewest = UINT32_MAX;
        for (uint32_t i = 1; i <= x; ++i)
            for (uint32_t j = 1; j <= x; ++j)
                for (uint32_t k = 1; k <= x; ++k)
                    if (i * j * k >= units)
                        fewest = std::min(fewest, i * j * k);
        ASSERT_EQ(x * y * z, fewest) << units << " units: " << text_of(shape);
    }
}

TEST(torus_shape_default, always_fits_and_parses)
{
    for (uint32_t nodes = 1; nodes <= 32 * 32 * 32 * 12; nodes += nodes < 5000 ? 1 : 997) {
        torus_shape shape, again;
        ASSERT_EQ(torus_shape_default(nodes, &shape), 0);
        ASSERT_GE(torus_shape_nodes(&shape), nodes);
        ASSERT_EQ(torus_shape_parse(text_of(shape).c_str(), &again), 0) << text_of(shape);
    }
}

} // namespace
