/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/wrap.h"

#include <gtest/gtest.h>

namespace
{

TEST(torus_wrap, round_trip_of_every_set)
{
    for (unsigned wrap = 0; wrap < 64; ++wrap) {
        char text[TORUS_WRAP_TEXT_MAX];
        unsigned back = ~0u;
        ASSERT_EQ(torus_wrap_parse(torus_wrap_format(wrap, text), &back), 0) << text;
        ASSERT_EQ(back, wrap) << text;
    }
}

TEST(torus_wrap, text)
{
    char text[TORUS_WRAP_TEXT_MAX];
    unsigned wrap = 0;
    EXPECT_STREQ(torus_wrap_format(TORUS_WRAP_TOFUD, text), "xzb");
    EXPECT_STREQ(torus_wrap_format(0, text), "none");
    EXPECT_EQ(torus_wrap_parse("bzx", &wrap), 0) << "in any order";
    EXPECT_EQ(wrap, TORUS_WRAP_TOFUD);
}

TEST(torus_wrap, refuses)
{
    for (const char *text : {"", "xx", "w", "x,z", "X", "nonex", "xyzabcx"}) {
        unsigned wrap = 42;
        EXPECT_EQ(torus_wrap_parse(text, &wrap), -1) << text;
        EXPECT_EQ(wrap, 42u);
    }
}

} // namespace
