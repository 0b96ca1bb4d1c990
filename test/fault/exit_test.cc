/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that leave, in order or not, ranks that come back, and jobs side by side. */
#include "fault/job.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

using namespace fault;

TEST(Leaving, ExitWithoutFreeingAnythingIsTold)
{
    for (Memory kind : {Memory::Memfd, Memory::Heap}) {
        Job job(2);
        auto stayer = job.rank(0), leaver = job.rank(1);
        Station here  = stayer->run(station_open, Memory::Memfd, size_t(4096));
        Station there = leaver->run(station_open, kind, size_t(4096));
        Command c     = word_to(here, there, 1, 0);
        ASSERT_EQ(stayer->run(post_and_wait, c), UTOFU_SUCCESS);
        EXPECT_EQ(leaver->finish(), 0);
        EXPECT_EQ(stayer->run(post_and_wait, c), UTOFU_ERR_MRQ_PEER) << "at once: it said good-bye";
    }
}

TEST(Leaving, DeathIsTold)
{
    for (Memory kind : {Memory::Memfd, Memory::Heap}) {
        Job job(2);
        auto stayer = job.rank(0), leaver = job.rank(1);
        Station here  = stayer->run(station_open, Memory::Memfd, size_t(4096));
        Station there = leaver->run(station_open, kind, size_t(4096));
        for (Kind command : {Kind::Piggyback8, Kind::Armw8}) {
            Command c = word_to(here, there, 1, 0);
            c.kind    = command;
            ASSERT_EQ(stayer->run(post_and_wait, c), UTOFU_SUCCESS);
        }
        leaver->kill();
        EXPECT_EQ(stayer->run(repeat_until_peer_error, word_to(here, there, 1, 0)), UTOFU_ERR_MRQ_PEER);
        Command c = word_to(here, there, 1, 0);
        c.kind    = Kind::Armw8;
        EXPECT_EQ(stayer->run(post_and_wait, c), UTOFU_ERR_MRQ_PEER);
    }
}

TEST(Leaving, DeathOfAPeerThatNobodyWaitedForIsTold)
{
    Job job(2);
    auto stayer = job.rank(0), leaver = job.rank(1);
    Station here  = stayer->run(station_open, Memory::Memfd, size_t(4096));
    Station there = leaver->run(station_open, Memory::Memfd, size_t(4096));
    kill(leaver->pid(), SIGKILL); /* Stays a zombie for now. */
    EXPECT_EQ(stayer->run(repeat_until_peer_error, word_to(here, there, 1, 0)), UTOFU_ERR_MRQ_PEER);
    leaver->wait();
}

/* A rank that comes back has new queues, and is reached by the same ids. */
void come_back(bool killed)
{
    Job job(2);
    auto stayer  = job.rank(0);
    Station here = stayer->run(station_open, Memory::Memfd, size_t(4096));
    for (uint64_t life = 1; life <= 20; life++) {
        auto guest    = job.rank(1);
        Memory kind   = life % 2 == 0 ? Memory::Heap : Memory::Memfd;
        Station there = guest->run(station_open, kind, size_t(4096));
        ASSERT_EQ(there.status, UTOFU_SUCCESS) << guest->errors();
        Command c = word_to(here, there, life, remote_notice);
        ASSERT_EQ(stayer->run(post_and_wait, c), UTOFU_SUCCESS);
        EXPECT_EQ(guest->run(support::mrq_wait, there.hdl, patience).notice.vcq_id, here.id);
        EXPECT_EQ(guest->run(support::mrq_poll, there.hdl).status, UTOFU_ERR_NOT_FOUND);
        EXPECT_EQ(guest->run(support::load8, there.address), life);
        EXPECT_EQ(guest->run(post_and_wait, word_to(there, here, life, 0)), UTOFU_SUCCESS);
        EXPECT_EQ(stayer->run(support::load8, here.address), life);
        if (killed)
            guest->kill();
        else
            EXPECT_EQ(guest->finish(), 0);
    }
}

TEST(Leaving, RankThatExitedMayComeBack)
{
    come_back(false);
}

TEST(Leaving, RankThatWasKilledMayComeBack)
{
    come_back(true);
}

TEST(Leaving, LivingRankIsNotGivenAway)
{
    Job job(2);
    auto first = job.rank(0), second = job.rank(0);
    ASSERT_EQ(first->run(station_open, Memory::Memfd, size_t(4096)).status, UTOFU_SUCCESS);
    EXPECT_EQ(second->run(station_open, Memory::Memfd, size_t(4096)).status, UTOFU_ERR_NOT_AVAILABLE);
    EXPECT_NE(second->errors().find("rank 0 of job '" + job.name() + "' is process " +
                                    std::to_string(first->pid())),
              std::string::npos)
            << second->errors();
}

TEST(Leaving, ChildOfARankIsNoRankAndTakesNothingAway)
{
    Job job(2);
    auto parent = job.rank(0), other = job.rank(1);
    Station here  = parent->run(station_open, Memory::Memfd, size_t(4096));
    Station there = other->run(station_open, Memory::Memfd, size_t(4096));
    int status    = parent->run([] {
        pid_t child = fork();
        int result  = 0;
        if (child == 0) {
            utofu_vcq_hdl_t hdl;
            /* Its first call looks for a place in the job, and the parent has it. Then an orderly end. */
            exit(utofu_create_vcq(0, 0, &hdl) == UTOFU_ERR_NOT_AVAILABLE ? 0 : 1);
        }
        waitpid(child, &result, 0);
        return result;
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(other->run(post_and_wait, word_to(there, here, 1, 0)), UTOFU_SUCCESS);
    EXPECT_EQ(parent->run(post_and_wait, word_to(here, there, 1, 0)), UTOFU_SUCCESS);
}

TEST(Jobs, SideBySideDoNotMeet)
{
    Job jobs[2] = {Job(2), Job(2)};
    std::unique_ptr<Agent> ranks[2][2];
    Station stations[2][2];
    for (int j = 0; j < 2; j++) {
        for (unsigned r = 0; r < 2; r++) {
            ranks[j][r]    = jobs[j].rank(r);
            stations[j][r] = ranks[j][r]->run(station_open, Memory::Memfd, size_t(4096));
            ASSERT_EQ(stations[j][r].status, UTOFU_SUCCESS);
        }
    }
    ASSERT_EQ(stations[0][1].id, stations[1][1].id) << "nothing but the job tells them apart";
    for (unsigned j = 0; j < 2; j++) {
        Command c = word_to(stations[j][0], stations[j][1], 100 + j, remote_notice);
        ASSERT_EQ(ranks[j][0]->run(post_and_wait, c), UTOFU_SUCCESS);
    }
    for (unsigned j = 0; j < 2; j++) {
        EXPECT_EQ(ranks[j][1]->run(support::load8, stations[j][1].address), 100 + j);
        EXPECT_EQ(ranks[j][1]->run(support::mrq_unread, stations[j][1].hdl), 1);
    }
    ranks[0][0]->kill();
    ranks[0][1]->kill();
    EXPECT_EQ(ranks[1][0]->run(post_and_wait, word_to(stations[1][0], stations[1][1], 7, 0)),
              UTOFU_SUCCESS);
}

} // namespace
