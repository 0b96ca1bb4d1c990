/* SPDX-License-Identifier: BSD-3-Clause */
#include <gtest/gtest.h>

#include <vector>

extern "C" unsigned softtofu_cq_default(unsigned ppn, unsigned rank_in_node);

namespace
{

/* The CQ of each process of a node, as the vendor's library gives them out. */
std::vector<unsigned> cqs_of(unsigned ppn)
{
    std::vector<unsigned> cqs;

    for (unsigned n = 0; n < ppn; n++)
        cqs.push_back(softtofu_cq_default(ppn, n));
    return cqs;
}

TEST(VcqSlot, FewProcessesAsOnHardware)
{
    EXPECT_EQ(cqs_of(1), (std::vector<unsigned>{0}));
    EXPECT_EQ(cqs_of(2), (std::vector<unsigned>{0, 6}));
    EXPECT_EQ(cqs_of(3), (std::vector<unsigned>{0, 4, 8}));
    EXPECT_EQ(cqs_of(4), (std::vector<unsigned>{0, 2, 5, 8}));
    EXPECT_EQ(cqs_of(8), (std::vector<unsigned>{0, 0, 2, 2, 5, 5, 8, 8}));
    EXPECT_EQ(cqs_of(12), (std::vector<unsigned>{0, 0, 0, 2, 2, 2, 5, 5, 5, 8, 8, 8}));
    EXPECT_EQ(cqs_of(5), (std::vector<unsigned>{0, 0, 2, 2, 5}));
}

/* From 13 processes on six of them, one a TNI, share a number; how the last of each range fill up differs. */
void expect_by_six(unsigned ppn, const std::vector<unsigned> &table)
{
    for (unsigned n = 0; n < ppn; n++)
        EXPECT_EQ(softtofu_cq_default(ppn, n), table[n / 6]) << ppn << " processes, number " << n;
}

TEST(VcqSlot, ManyProcessesAsOnHardware)
{
    for (unsigned ppn = 13; ppn <= 24; ppn++)
        expect_by_six(ppn, {0, 2, 5, 8});
    for (unsigned ppn = 25; ppn <= 30; ppn++)
        expect_by_six(ppn, {0, 2, 5, 8, 10});
    for (unsigned ppn = 31; ppn <= 36; ppn++)
        expect_by_six(ppn, {0, 2, 5, 8, 9, 10});
    for (unsigned ppn = 37; ppn <= 42; ppn++)
        expect_by_six(ppn, {0, 2, 5, 6, 8, 9, 10});
    for (unsigned ppn = 43; ppn <= 48; ppn++)
        expect_by_six(ppn, {0, 2, 4, 5, 6, 8, 9, 10});
}

} // namespace
