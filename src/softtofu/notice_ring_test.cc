/* SPDX-License-Identifier: BSD-3-Clause */
extern "C" {
#include "softtofu/notice_ring.h"
}

#include <gtest/gtest.h>

namespace
{

class NoticeRing : public testing::TestWithParam<uint32_t>
{
protected:
    void SetUp() override
    {
        ASSERT_EQ(softtofu_notice_ring_init(&ring, GetParam()), 0);
    }

    void TearDown() override
    {
        softtofu_notice_ring_cleanup(&ring);
    }

    bool push()
    {
        if (!softtofu_notice_ring_room(&ring))
            return false;
        softtofu_notice_ring_push(&ring)->rmt_value = pushed++;
        return true;
    }

    /* Oldest first, none twice, none lost. */
    bool pop()
    {
        const softtofu_notice *notice = softtofu_notice_ring_pop(&ring);
        if (notice != nullptr) {
            EXPECT_EQ(notice->rmt_value, popped++);
        }
        return notice != nullptr;
    }

    softtofu_notice_ring ring;
    uint64_t pushed = 0, popped = 0;
};

INSTANTIATE_TEST_SUITE_P(, NoticeRing, testing::Values(16, 32, 2048, 131072),
                         testing::PrintToStringParamName());

TEST_P(NoticeRing, HoldsItsDepthAndNoMore)
{
    for (uint32_t i = 0; i < GetParam(); i++) {
        EXPECT_EQ(softtofu_notice_ring_count(&ring), i);
        ASSERT_TRUE(push()) << i;
    }
    EXPECT_FALSE(push());
    EXPECT_TRUE(pop());
    EXPECT_TRUE(push());
    EXPECT_FALSE(push());
    while (pop()) {
    }
    EXPECT_EQ(popped, GetParam() + 1);
    EXPECT_EQ(softtofu_notice_ring_count(&ring), 0u);
}

TEST_P(NoticeRing, GrowsOnlyWhenItMust)
{
    for (int i = 0; i < 1000; i++) {
        ASSERT_TRUE(push());
        ASSERT_TRUE(pop());
    }
    EXPECT_EQ(ring.mask, 15u);
}

/* It grows with its head anywhere. */
TEST_P(NoticeRing, KeepsOrderWhileItGrows)
{
    for (int start = 0; start < 16; start++) {
        for (int i = 0; i < start; i++) {
            push();
            pop();
        }
        for (int i = 0; i < 3 * start && push(); i++) {
        }
        while (pop()) {
        }
    }
    EXPECT_EQ(popped, pushed);
}

TEST_P(NoticeRing, CountsPastTheEndOfItsIndices)
{
    ring.head = ring.tail = UINT32_MAX - 5;
    for (int i = 0; i < 12; i++)
        ASSERT_TRUE(push());
    EXPECT_EQ(softtofu_notice_ring_count(&ring), 12u);
    while (pop()) {
    }
    EXPECT_EQ(popped, 12u);
}

} // namespace
