/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that wait: for DELAY_START to end, and in session mode for puts that release them. */
#include "conform/world.h"

#include <unistd.h>

namespace
{

using namespace conform;

class Delay : public World
{
};
CONFORM_EVERY_WAY(Delay);

TEST_P(Delay, HoldsCommandsUntilOneWithoutIt)
{
    Region remote = far->region(Memory::Memfd, 4096);
    Command c     = command(Kind::Piggyback8, remote, 8, UTOFU_ONESIDED_FLAG_DELAY_START);
    for (int i = 0; i < 3; i++) {
        c.value = uint64_t(i) + 1;
        c.stadd = remote.stadd + uint64_t(i) * 8;
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    }
    EXPECT_EQ(far->run(support::load8, remote.address), 0u);
    c.flags = 0;
    c.stadd = remote.stadd + 24;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    EXPECT_EQ(far->run(support::load8, remote.address), 1u);
    EXPECT_EQ(far->run(support::load8, remote.address + 16), 3u);
    EXPECT_EQ(far->run(support::load8, remote.address + 24), 3u);
}

TEST_P(Delay, PollsStartWhatWaits)
{
    Region remote = far->region(Memory::Memfd, 4096);
    for (bool mrq : {false, true}) {
        Command c = command(Kind::Piggyback8, remote, 8, UTOFU_ONESIDED_FLAG_DELAY_START);
        c.value   = mrq ? 8 : 7;
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
        if (mrq)
            near->run(support::mrq_poll, near->hdl);
        else
            near->run(support::tcq_poll, near->hdl);
        EXPECT_EQ(far->run(support::load8, remote.address), c.value);
    }
}

TEST_P(Delay, FullQueueIsBusyAndFreeingDropsWhatWaits)
{
    Region remote = far->region(Memory::Memfd, 4096);
    Command c     = command(Kind::Armw8, remote, 8, UTOFU_ONESIDED_FLAG_DELAY_START);
    c.value       = 1;
    int posted    = near->run(
            [](Command each) {
                int count = 0;
                while (count < 5000 && support::post(each) == UTOFU_SUCCESS)
                    count++;
                return count;
            },
            c);
    EXPECT_EQ(posted, 2048);
    EXPECT_EQ(near->post(c), UTOFU_ERR_BUSY);
    ASSERT_EQ(near->run(support::vcq_free, near->hdl), UTOFU_SUCCESS);
    EXPECT_EQ(far->run(support::load8, remote.address), 0u);
}

class Session : public World
{
protected:
    void SetUp() override
    {
        World::SetUp();
        waiting = std::make_unique<End>(*far);
        waiting->open(2, UTOFU_VCQ_FLAG_SESSION_MODE);
        source      = waiting->region(Memory::Memfd, 4096);
        destination = near->region(Memory::Memfd, 4096);
    }

    /* A command of the far end's session VCQ to the near end. */
    Command held(Kind kind, uint64_t value, unsigned i)
    {
        Command c = command(kind, destination, 8);
        c.hdl     = waiting->hdl;
        c.rmt     = near->id;
        c.stadd   = destination.stadd + i * 8;
        c.lcl     = source.stadd + i * 8;
        c.value   = value;
        return c;
    }

    /* A put of the near end that releases. */
    Command release(unsigned n, unsigned long flags = 0)
    {
        Command c = command(Kind::Piggyback8, source, 8, flags | UTOFU_ONESIDED_FLAG_SPS(n));
        c.rmt     = waiting->id;
        c.stadd   = source.stadd + 2048;
        return c;
    }

    /* Wait without a call of the far end. @return Whether word @a i of the destination became @a value. */
    bool becomes(unsigned i, uint64_t value)
    {
        for (int ms = 0; ms < patience; ms++) {
            if (near->run(support::load8, destination.address + i * 8) == value)
                return true;
            usleep(1000);
        }
        return false;
    }

    std::unique_ptr<End> waiting;
    Region source, destination;
};
CONFORM_EVERY_WAY(Session);

TEST_P(Session, CommandsWaitForTheirRelease)
{
    for (unsigned i = 0; i < 6; i++)
        ASSERT_EQ(waiting->post(held(Kind::Piggyback8, i + 1, i)), UTOFU_SUCCESS);
    for (int i = 0; i < 100; i++)
        waiting->run(support::tcq_poll, waiting->hdl);
    EXPECT_EQ(near->run(support::load8, destination.address), 0u) << "no poll releases";
    ASSERT_EQ(near->post(release(0)), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(release(2)), UTOFU_SUCCESS);
    EXPECT_TRUE(becomes(1, 2));
    usleep(20000);
    EXPECT_EQ(near->run(support::load8, destination.address + 16), 0u) << "two were released";
    ASSERT_EQ(near->post(release(3)), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(release(15)), UTOFU_SUCCESS);
    EXPECT_TRUE(becomes(5, 6));
}

/* As hardware does it: the target's program need not call the library. */
TEST_P(Session, ReleaseNeedsNoCallOfTheOwner)
{
    Command c = held(Kind::Put, 0, 0);
    ASSERT_EQ(waiting->post(c), UTOFU_SUCCESS);
    Command data = release(1);
    data.stadd   = source.stadd;
    data.value   = 0x4711;
    ASSERT_EQ(near->post(data), UTOFU_SUCCESS);
    EXPECT_TRUE(becomes(0, 0x4711)) << "what the releasing put brought is what is sent on";
}

TEST_P(Session, CreditsThatComeEarlyAreKept)
{
    ASSERT_EQ(near->post(release(2)), UTOFU_SUCCESS);
    settle();
    for (unsigned i = 0; i < 3; i++)
        ASSERT_EQ(waiting->post(held(Kind::Piggyback8, i + 1, i)), UTOFU_SUCCESS);
    EXPECT_TRUE(becomes(1, 2));
    usleep(20000);
    EXPECT_EQ(near->run(support::load8, destination.address + 16), 0u);
}

TEST_P(Session, BlocksOfAStrideAreCommands)
{
    waiting->run(support::pattern_fill, source.address, size_t(64), 3u);
    Command c = held(Kind::Put, 0, 0);
    c.strided = true;
    c.stride  = 8;
    c.blocks  = 8;
    ASSERT_EQ(waiting->post(c), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(release(5)), UTOFU_SUCCESS);
    uint64_t fifth = waiting->run(support::load8, source.address + 32);
    EXPECT_TRUE(becomes(4, fifth));
    usleep(20000);
    EXPECT_EQ(near->run(support::load8, destination.address + 40), 0u);
    ASSERT_EQ(near->post(release(3)), UTOFU_SUCCESS);
    EXPECT_TRUE(becomes(7, waiting->run(support::load8, source.address + 56)));
}

TEST_P(Session, ReceivesAndTellsLikeAnyOther)
{
    Command in = release(1, remote_notice | local_notice | tcq_notice);
    Command c  = held(Kind::Piggyback8, 5, 0);
    c.flags    = tcq_notice | local_notice | remote_notice;
    c.cbdata   = 31;
    ASSERT_EQ(waiting->post(c), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(in), UTOFU_SUCCESS);
    EXPECT_EQ(waiting->tcq().cbdata, 31u);
    bool own = false, peers = false;
    for (int i = 0; i < 2; i++) {
        MrqNotice told = waiting->mrq();
        own |= told.notice.notice_type == UTOFU_MRQ_TYPE_LCL_PUT;
        peers |= told.notice.notice_type == UTOFU_MRQ_TYPE_RMT_PUT;
    }
    EXPECT_TRUE(own && peers);
}

TEST_P(Session, ReleasesMeanNothingToOtherQueues)
{
    Command c = command(Kind::Piggyback8, far->region(Memory::Memfd, 64), 8, UTOFU_ONESIDED_FLAG_SPS(7) | local_notice);
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    EXPECT_EQ(near->mrq().status, UTOFU_SUCCESS);
}

TEST_P(Session, HasItsCqAloneAndCanBeFreedWithCommandsWaiting)
{
    ASSERT_EQ(waiting->post(held(Kind::Piggyback8, 1, 0)), UTOFU_SUCCESS);
    ASSERT_EQ(waiting->run(support::vcq_free, waiting->hdl), UTOFU_SUCCESS);
    Command late = release(1, local_notice);
    ASSERT_EQ(near->post(late), UTOFU_SUCCESS);
    EXPECT_EQ(near->mrq().status, UTOFU_ERR_MRQ_PEER);
    int made = 0;
    while (waiting->run(support::vcq_create, 4u, UTOFU_VCQ_FLAG_SESSION_MODE, -1).status == UTOFU_SUCCESS)
        made++;
    EXPECT_EQ(made, 9) << "one for each CQ of the TNI";
}

/*
 * A ring broadcast that runs by itself: the middle has posted, before anything arrives, a forward for each block, and
 * each block that arrives releases one.
 */
TEST_P(Session, ForwardsABroadcastBlockByBlock)
{
    constexpr unsigned blocks = 12, size = 128;
    Command forward = held(Kind::Put, 0, 0);
    forward.length  = size;
    forward.strided = true;
    forward.stride  = size;
    forward.blocks  = blocks;
    forward.flags   = UTOFU_ONESIDED_FLAG_STRONG_ORDER | remote_notice;
    ASSERT_EQ(waiting->post(forward), UTOFU_SUCCESS);
    Region root = near->region(Memory::Memfd, 4096);
    near->run(support::pattern_fill, root.address, size_t(blocks * size), 9u);
    Command send = command(Kind::Put, root, source, size, UTOFU_ONESIDED_FLAG_SPS(1) | UTOFU_ONESIDED_FLAG_STRONG_ORDER);
    send.rmt     = waiting->id;
    send.strided = true;
    send.stride  = size;
    send.blocks  = blocks;
    ASSERT_EQ(near->post(send), UTOFU_SUCCESS);
    for (unsigned i = 0; i < blocks; i++) {
        MrqNotice told = near->mrq();
        ASSERT_EQ(told.status, UTOFU_SUCCESS);
        EXPECT_EQ(told.notice.rmt_stadd, destination.stadd + (i + 1) * size);
    }
    EXPECT_EQ(near->run(support::pattern_wrong, destination.address, size_t(blocks * size), 9u), 0u);
}

} // namespace
