/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets in blocks, and with packets of a chosen size: by calls and by images. */
#include "conform/world.h"

#include <csignal>
#include <sys/wait.h>

namespace
{

using namespace conform;

class Stride : public World
{
protected:
    Command strided(Kind kind, const Region &local, const Region &remote, size_t length, size_t stride, size_t blocks,
                    unsigned long flags = 0)
    {
        Command c = command(kind, local, remote, length, flags);
        c.strided = true;
        c.stride  = stride;
        c.blocks  = blocks;
        return c;
    }
};
CONFORM_EVERY_WAY(Stride);

TEST_P(Stride, MovesBlocksAndLeavesWhatLiesBetween)
{
    struct Case {
        size_t length, stride, blocks;
    };
    for (Case each : {Case{8, 16, 10}, Case{1, 2, 16}, Case{100, 100, 7}, Case{33, 1000, 3}, Case{5, 8, 1}}) {
        for (Kind kind : {Kind::Put, Kind::Get}) {
            for (bool paced : {false, true}) {
                for (Memory memory : {Memory::Memfd, Memory::Heap}) {
                    Region local = near->region(memory, 4096), remote = far->region(memory, 4096);
                    End &writer = kind == Kind::Put ? *far : *near, &reader = kind == Kind::Put ? *near : *far;
                    char *from  = kind == Kind::Put ? local.address : remote.address;
                    char *to    = kind == Kind::Put ? remote.address : local.address;
                    reader.run(support::pattern_fill, from, size_t(4096), 5u);
                    writer.run(support::byte_fill, to, size_t(4096), 0x11);
                    Command c = strided(kind, local, remote, each.length, each.stride, each.blocks);
                    c.paced   = paced;
                    c.mtu     = 1920;
                    c.gap     = 255;
                    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
                    settle();
                    size_t wrong = 0;
                    for (size_t i = 0; i < each.blocks; i++) {
                        std::string got(each.length, '\0');
                        for (size_t k = 0; k < each.length; k++)
                            wrong += writer.run([](char *p) { return *p; }, to + i * each.stride + k) !=
                                     char(support::pattern(5, i * each.stride + k));
                        if (each.stride > each.length)
                            wrong += writer.run([](char *p) { return *p; }, to + i * each.stride + each.length) != 0x11;
                    }
                    EXPECT_EQ(wrong, 0u) << each.length << " by " << each.stride << " kind " << int(kind);
                    EXPECT_TRUE(near->quiet());
                }
            }
        }
    }
}

TEST_P(Stride, EachBlockHasItsMrqNoticesAndAllTogetherOneTcqNotice)
{
    Region local = near->region(Memory::Memfd, 4096), remote = far->region(Memory::Memfd, 4096);
    for (Kind kind : {Kind::Put, Kind::Get}) {
        Command c = strided(kind, local, remote, 24, 64, 9, local_notice | remote_notice | tcq_notice);
        c.edata   = 7;
        c.cbdata  = 99;
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
        EXPECT_EQ(near->tcq().cbdata, 99u);
        EXPECT_EQ(near->run(support::tcq_poll, near->hdl).status, UTOFU_ERR_NOT_FOUND);
        for (unsigned i = 0; i < 2 * 9; i++) {
            /* With both ends in one VCQ's process they still are two VCQs. */
            bool at_target = i >= 9;
            MrqNotice told = at_target ? far->mrq() : near->mrq();
            ASSERT_EQ(told.status, UTOFU_SUCCESS) << i;
            EXPECT_EQ(told.notice.edata, 7u);
            EXPECT_EQ(told.notice.vcq_id, at_target ? near->id : far->id);
            EXPECT_EQ(told.notice.rmt_stadd, c.stadd + i % 9 * 64 + 24) << "in order, a block each";
        }
        EXPECT_TRUE(near->quiet());
        EXPECT_TRUE(far->quiet());
    }
}

TEST_P(Stride, BadNumbersAndPacketsAreRefused)
{
    Region local = near->region(Memory::Memfd, 4096), remote = far->region(Memory::Memfd, 4096);
    for (Kind kind : {Kind::Put, Kind::Get}) {
        Command c = strided(kind, local, remote, 8, 8, 0, tcq_notice);
        EXPECT_EQ(near->post(c), UTOFU_ERR_INVALID_NUMBER);
        c.blocks = 2049;
        EXPECT_EQ(near->post(c), UTOFU_ERR_INVALID_NUMBER) << "an empty TOQ has room for 2048";
        c.blocks = SIZE_MAX;
        EXPECT_EQ(near->post(c), UTOFU_ERR_INVALID_NUMBER);
        for (bool with_stride : {false, true}) {
            Command paced = strided(kind, local, remote, 8, 8, 2, tcq_notice);
            paced.strided = with_stride;
            paced.paced   = true;
            paced.mtu     = 1921;
            EXPECT_EQ(near->post(paced), UTOFU_ERR_INVALID_SIZE);
            paced.mtu = 0;
            paced.gap = 256;
            EXPECT_EQ(near->post(paced), UTOFU_ERR_INVALID_SIZE);
            paced.gap = 0;
            paced.rmt = 0;
            EXPECT_EQ(near->post(paced), UTOFU_ERR_INVALID_VCQ_ID);
        }
    }
    EXPECT_TRUE(near->quiet());
    EXPECT_TRUE(far->quiet());
}

TEST_P(Stride, BlocksPastTheEndFailEachForItself)
{
    Region local = near->region(Memory::Memfd, 4096), remote = far->region(Memory::Memfd, 128);
    Command c = strided(Kind::Put, local, remote, 64, 64, 4);
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    for (int i = 2; i < 4; i++) {
        MrqNotice told = near->mrq();
        EXPECT_EQ(told.status, UTOFU_ERR_MRQ_RMT_LENGTH);
        EXPECT_EQ(told.notice.rmt_stadd, remote.stadd + uint64_t(i) * 64 + 64);
    }
    EXPECT_TRUE(near->quiet());
    c            = strided(Kind::Put, remote, local, 64, 64, 4, tcq_notice);
    Region small = near->region(Memory::Memfd, 128), large = far->region(Memory::Memfd, 4096);
    c = strided(Kind::Put, small, large, 64, 64, 4, tcq_notice);
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    EXPECT_EQ(near->tcq().status, UTOFU_ERR_TCQ_LENGTH);
    EXPECT_EQ(near->tcq().status, UTOFU_ERR_TCQ_LENGTH);
    EXPECT_TRUE(near->quiet());
}

class ShallowStride : public World
{
protected:
    support::Environment settings() const override
    {
        return {{"SOFTTOFU_MRQ_DEPTH", "16"}, {"SOFTTOFU_TOQ_DEPTH", "16"}};
    }
};
CONFORM_EVERY_WAY(ShallowStride);

/* What a full MRQ stops in the middle of a train waits, with all that is posted behind it, and polls let it go on. */
TEST_P(ShallowStride, WaitsForTheTargetsQueueAndKeepsOrder)
{
    Region local = near->region(Memory::Memfd, 4096), remote = far->region(Memory::Memfd, 4096);
    Command c = command(Kind::Put, local, remote, 8, remote_notice);
    c.strided = true;
    c.stride  = 8;
    c.blocks  = 10;
    c.edata   = 1;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    c.edata = 2;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS) << "6 of its 10 blocks find room in the target's MRQ";
    near->run(support::store8, local.address, uint64_t(0x77));
    Command behind = command(Kind::Piggyback8, remote, 8);
    behind.value   = 0x1234;
    behind.stadd += 2048;
    ASSERT_EQ(near->post(behind), UTOFU_SUCCESS);
    EXPECT_EQ(far->run(support::load8, remote.address + 2048), 0u) << "not before what is in front of it";
    for (int i = 0; i < 20; i++) {
        MrqNotice told = far->mrq();
        ASSERT_EQ(told.status, UTOFU_SUCCESS) << i;
        EXPECT_EQ(told.notice.edata, i < 10 ? 1u : 2u);
        EXPECT_EQ(told.notice.rmt_stadd, remote.stadd + uint64_t(i % 10) * 8 + 8);
        near->run(support::tcq_poll, near->hdl);
    }
    EXPECT_EQ(far->run(support::load8, remote.address + 2048), 0x1234u);
    EXPECT_TRUE(far->quiet());
}

TEST_P(ShallowStride, IsPostedWholeOrNotAtAll)
{
    Region local = near->region(Memory::Memfd, 4096), remote = far->region(Memory::Memfd, 4096);
    Command c = command(Kind::Put, local, remote, 8, remote_notice);
    c.strided = true;
    c.stride  = 8;
    c.blocks  = 16;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    EXPECT_EQ(near->post(c), UTOFU_ERR_BUSY) << "the first block finds the MRQ full";
    EXPECT_EQ(near->post(c), UTOFU_ERR_BUSY);
    for (int i = 0; i < 8; i++)
        ASSERT_EQ(far->mrq().status, UTOFU_SUCCESS);
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    EXPECT_EQ(near->post(c), UTOFU_ERR_BUSY) << "8 wait, 16 do not fit behind them";
    for (int i = 0; i < 24; i++) {
        ASSERT_EQ(far->mrq().status, UTOFU_SUCCESS) << i;
        near->run(support::tcq_poll, near->hdl);
    }
    EXPECT_TRUE(far->quiet());
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
}

class StrictStride : public World
{
protected:
    support::Environment settings() const override
    {
        return {{"SOFTTOFU_MRQ_DEPTH", "16"}, {"SOFTTOFU_MRQ_OVERFLOW", "abort"}};
    }
};
CONFORM_EVERY_WAY(StrictStride);

TEST_P(StrictStride, OverflowInTheMiddleEndsTheProgram)
{
    Region local = near->region(Memory::Memfd, 4096), remote = far->region(Memory::Memfd, 4096);
    Command c = command(Kind::Put, local, remote, 8, remote_notice);
    c.strided = true;
    c.stride  = 8;
    c.blocks  = 16;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    for (int i = 0; i < 12; i++)
        ASSERT_EQ(far->mrq().status, UTOFU_SUCCESS);
    EXPECT_THROW(near->post(c), support::AgentGone) << "12 blocks have room";
    int status = near->agent().wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << status;
    EXPECT_NE(near->agent().errors().find("softtofu: fatal: "), std::string::npos) << near->agent().errors();
}

} // namespace
