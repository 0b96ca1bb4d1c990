/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues that are full: nothing is lost, and polling makes room. */
#include "conform/world.h"

#include <csignal>
#include <sys/wait.h>

namespace
{

using namespace conform;

constexpr int depth = 16;

class Depth : public World
{
protected:
    support::Environment settings() const override
    {
        return {{"SOFTTOFU_MRQ_DEPTH", "16"}, {"SOFTTOFU_TOQ_DEPTH", "16"}};
    }
};
CONFORM_EVERY_WAY(Depth);

/* @return Number of commands that were accepted before the first that was not. */
int post_until_refused(Command c, int limit)
{
    int posted = 0;

    while (posted < limit && support::post(c) == UTOFU_SUCCESS) {
        c.cbdata++;
        c.edata = (c.edata + 1) & 0xff;
        posted++;
    }
    return posted;
}

TEST_P(Depth, TcqFullIsBusyUntilPolled)
{
    Region remote = far->region(Memory::Memfd, 256);
    Command c     = command(Kind::Piggyback8, remote, 8, tcq_notice);
    for (int lap = 0; lap < 5; lap++) {
        c.cbdata = 0;
        EXPECT_EQ(near->run(post_until_refused, c, 1000), depth);
        EXPECT_EQ(near->post(c), UTOFU_ERR_BUSY);
        for (uint64_t i = 0; i < depth; i++)
            EXPECT_EQ(near->tcq().cbdata, i);
        EXPECT_TRUE(near->quiet()) << "what was refused was not done";
    }
}

TEST_P(Depth, SilentCommandsNeedNoPollingBeyondMakingRoom)
{
    Region local = near->region(Memory::Memfd, 4096), remote = far->region(Memory::Memfd, 4096);
    for (Kind kind : {Kind::Put, Kind::Piggyback, Kind::Get, Kind::Armw8, Kind::Nop}) {
        Command c  = command(kind, local, remote, 8);
        int posted = near->run(
                [](Command command) {
                    int count = 0;
                    while (count < 1000 && support::post_patiently(command) == UTOFU_SUCCESS)
                        count++;
                    return count;
                },
                c);
        EXPECT_EQ(posted, 1000);
    }
    EXPECT_TRUE(near->quiet());
}

TEST_P(Depth, TargetsMrqFullIsBusyAndNothingIsLost)
{
    Region remote = far->region(Memory::Memfd, 256);
    for (int lap = 0; lap < 20; lap++) {
        Command c = command(Kind::Piggyback8, remote, 8, remote_notice);
        c.value   = uint64_t(lap);
        c.edata   = uint64_t(lap);
        EXPECT_EQ(near->run(post_until_refused, c, 1000), depth);
        Command refused = c;
        refused.value   = 0xbad;
        EXPECT_EQ(near->post(refused), UTOFU_ERR_BUSY);
        EXPECT_NE(far->run(support::load8, remote.address), 0xbadu) << "refused means not done";
        for (int i = 0; i < depth; i++) {
            MrqNotice told = far->mrq();
            ASSERT_EQ(told.status, UTOFU_SUCCESS);
            EXPECT_EQ(told.notice.edata, unsigned(lap + i));
        }
        EXPECT_TRUE(far->quiet());
        c.flags = 0;
        EXPECT_EQ(near->post(c), UTOFU_SUCCESS) << "what needs no notice is not held up";
    }
}

TEST_P(Depth, FullMrqTakesCommandsWithoutNotice)
{
    Region remote = far->region(Memory::Memfd, 256);
    Command c     = command(Kind::Piggyback8, remote, 8, remote_notice);
    ASSERT_EQ(near->run(post_until_refused, c, 1000), depth);
    c.flags = 0;
    c.value = 99;
    EXPECT_EQ(near->post(c), UTOFU_SUCCESS);
    EXPECT_EQ(far->run(support::load8, remote.address), 99u);
}

TEST_P(Depth, OwnMrqFullIsBusyUntilPolled)
{
    Region remote = far->region(Memory::Memfd, 256);
    Command c     = command(Kind::Armw8, remote, 8, local_notice);
    for (int lap = 0; lap < 5; lap++) {
        c.value = 1;
        EXPECT_EQ(near->run(post_until_refused, c, 1000), depth);
        for (int i = 0; i < depth; i++)
            EXPECT_EQ(near->mrq().notice.rmt_value, unsigned(lap * depth + i));
        EXPECT_TRUE(near->quiet());
    }
}

struct Numbers {
    int good;
    uint64_t first_wrong;
};

/* Each command's edata is its number; each must come once, in order. */
Numbers receive_numbers(utofu_vcq_hdl_t hdl, int count)
{
    Numbers n = {0, 0};

    for (int i = 0; i < count; i++) {
        MrqNotice told = support::mrq_wait(hdl, patience);
        if (told.status != UTOFU_SUCCESS || told.notice.edata != (unsigned(i) & 0xff)) {
            n.first_wrong = told.notice.edata;
            break;
        }
        n.good++;
    }
    return n;
}

int send_numbers(Command c, int count)
{
    for (int i = 0; i < count; i++) {
        c.edata    = unsigned(i) & 0xff;
        int status = support::post_patiently(c);
        if (status != UTOFU_SUCCESS)
            return status;
    }
    return UTOFU_SUCCESS;
}

TEST_P(Depth, ManyLapsOfASmallQueueLoseNothing)
{
    const int count = 20000;
    for (Memory kind : {Memory::Memfd, Memory::Heap}) {
        Region remote = far->region(kind, 256);
        auto received = far->agent().start(receive_numbers, far->hdl, count);
        EXPECT_EQ(near->run(send_numbers, command(Kind::Piggyback8, remote, 8, remote_notice), count),
                  UTOFU_SUCCESS);
        Numbers numbers = received.get();
        EXPECT_EQ(numbers.good, count) << "edata " << numbers.first_wrong;
        EXPECT_TRUE(far->quiet());
    }
}

class StrictDepth : public World
{
protected:
    support::Environment settings() const override
    {
        return {{"SOFTTOFU_MRQ_DEPTH", "16"}, {"SOFTTOFU_MRQ_OVERFLOW", "abort"}};
    }
};
CONFORM_EVERY_WAY(StrictDepth);

TEST_P(StrictDepth, OverflowEndsTheProgramLoudly)
{
    Region remote = far->region(Memory::Memfd, 256);
    Command c     = command(Kind::Piggyback8, remote, 8, remote_notice);
    EXPECT_EQ(near->run(post_until_refused, c, depth), depth);
    EXPECT_THROW(near->post(c), support::AgentGone);
    int status = near->agent().wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << status;
    std::string said = near->agent().errors();
    EXPECT_NE(said.find("softtofu: fatal: "), std::string::npos) << said;
    EXPECT_NE(said.find("SOFTTOFU_MRQ_DEPTH"), std::string::npos) << said;
}

} // namespace
