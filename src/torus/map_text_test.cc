/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/map_text.h"
#include "torus/rank_map.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace
{

using coords_t = std::array<uint8_t, TORUS_AXES>;

class MapText : public testing::Test
{
protected:
    int parse(const std::string &text)
    {
        numbers.assign(job.ranks, ~0u);
        return torus_map_parse(&job, text.c_str(), numbers.data(), message);
    }

    /* One line, starting with where it is, with all of @a words in it. */
    void expect_refused(const std::string &text, const std::vector<std::string> &words)
    {
        EXPECT_EQ(parse(text), -1) << text;
        for (const std::string &word : words)
            EXPECT_NE(std::string(message).find(word), std::string::npos) << message << "\nlacks " << word;
    }

    uint32_t number(const coords_t &coords) const
    {
        uint32_t node = ~0u;
        EXPECT_EQ(torus_coords_node(&job.shape, coords.data(), &node), 0);
        return node;
    }

    torus_map_spec job = {{{1, 1, 1, 2, 3, 2}}, TORUS_WRAP_TOFUD, {3, {2, 3, 2}, 0}, 4, 2};
    std::vector<uint32_t> numbers;
    char message[TORUS_MAP_MESSAGE_MAX] = "";
};

TEST_F(MapText, one_line_a_rank)
{
    ASSERT_EQ(parse("(0,0,0)\n(1,2,1)\n(0,0,0,0,1,1)\n(1,2,1)"), 0) << message;
    EXPECT_EQ(numbers, (std::vector<uint32_t>{number({0, 0, 0, 0, 0, 0}), number({0, 0, 0, 1, 2, 1}),
                                              number({0, 0, 0, 0, 1, 1}), number({0, 0, 0, 1, 2, 1})}));
}

TEST_F(MapText, one_line_a_node)
{
    ASSERT_EQ(parse("(1,2,1)\n(0,0,0)\n"), 0) << message;
    EXPECT_EQ(numbers, (std::vector<uint32_t>{11, 11, 0, 0}));
    job.ranks = 3;
    ASSERT_EQ(parse("(1,2,1)\n(0,0,0)\n"), 0) << message;
    EXPECT_EQ(numbers, (std::vector<uint32_t>{11, 11, 0})) << "the last node is not full";
}

TEST_F(MapText, comments_and_blanks)
{
    ASSERT_EQ(parse("# head\r\n\n  ( 1 , 2 ,\t1 )  # tail\r\n\t\n(0,0,0)#\n# end"), 0) << message;
    EXPECT_EQ(numbers, (std::vector<uint32_t>{11, 11, 0, 0}));
}

TEST_F(MapText, views_of_one_and_two_dimensions)
{
    job.view = {2, {2, 6, 1}, 0};
    ASSERT_EQ(parse("(1,0)\n(0,5)"), 0) << message;
    EXPECT_EQ(numbers[0], number({0, 0, 0, 1, 0, 0}));
    job.view = {1, {12, 1, 1}, 1};
    ASSERT_EQ(parse("(7)\n(3)"), 0) << message;
    EXPECT_EQ(numbers, (std::vector<uint32_t>{7, 7, 3, 3}));
}

TEST_F(MapText, bad_lines_are_named)
{
    expect_refused("(0,0,0)\nhello\n", {"line 2", "'hello'", "(x,y,z)"});
    expect_refused("(0,0,0) 1\n(0,0,1)\n", {"line 1", "no coordinates"});
    expect_refused("(0,0,\n", {"line 1"});
    expect_refused("()\n", {"line 1"});
    expect_refused("(-1,0,0)\n", {"line 1"});
    expect_refused("(1 2,0)\n", {"line 1"});
    expect_refused("(0,0,0,0,0,0,0)\n", {"line 1"});
    expect_refused("\n(0,0)\n", {"line 2", "2 coordinates", "2x3x2", "3 logical or 6 physical"});
    expect_refused("(0,0,0,0,0)\n", {"line 1", "5 coordinates"});
    expect_refused("(0,3,0)\n", {"line 1", "outside", "2x3x2"});
    expect_refused("(0,4294967296,0)\n", {"line 1", "outside"});
    expect_refused("(0,0,0,2,0,0)\n", {"line 1", "outside the shape 1x1x1x2x3x2"});
    expect_refused("(0,0,0,256,0,0)\n", {"line 1", "outside"});
}

TEST_F(MapText, full_nodes_are_named)
{
    expect_refused("(0,0,0)\n(1,0,0)\n(0,0,0)\n\n(0,0,0,0,0,0)\n", {"line 5", "on 2 lines before", "room for 2"});
    expect_refused("(0,0,0)\n(0,0,0)\n", {"line 2", "on 1 line before"});
}

TEST_F(MapText, number_of_lines)
{
    expect_refused("", {"line 1", "ends with 0 coordinates", "4 ranks at 2 a node", "need 4, or 2"});
    expect_refused("(0,0,0)\n(0,0,1)\n(0,1,0)\n", {"line 4", "ends with 3 coordinates"});
    expect_refused("(0,0,0)\n(0,0,1)\n(0,1,0)\n(1,0,0)\n(1,1,0)\n", {"line 5", "more lines than the 4 ranks"});
}

} // namespace
