/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that die in the middle of barriers. Whoever waits for one of them is told so, sooner or later; those who
 * need it no more complete. Nobody waits for ever, and a successor can take the place.
 */
#include "support/gates.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <random>
#include <unistd.h>

namespace
{

using namespace support;

constexpr int patience = 30000;

Rounds barriers(int ranks, unsigned rounds)
{
    Rounds r       = {};
    r.op           = UTOFU_REDUCE_OP_BARRIER;
    r.rounds       = rounds;
    r.contributors = ranks;
    r.ms           = patience;
    return r;
}

/* Survivors are told, all of them: each needs all others by and by. */
void expect_told(std::vector<std::pair<int, Pending<RoundsDone>>> &survivors)
{
    for (auto &[rank, pending] : survivors) {
        RoundsDone done = pending.get();
        EXPECT_EQ(done.status, UTOFU_ERR_BARRIER_OTHER) << "rank " << rank << ", round " << done.round;
    }
}

void expect_complete(GateJob &job, unsigned rounds)
{
    Rounds r = barriers(job.ranks(), rounds);
    r.op     = UTOFU_REDUCE_OP_SUM;
    r.count  = 6;
    for (const RoundsDone &done : job.run(r)) {
        EXPECT_EQ(done.status, UTOFU_SUCCESS);
        EXPECT_EQ(done.wrong, 0u);
    }
}

/* A free place, gates of its own, and all wire theirs anew: also where others had them in hand when they failed. */
void mend(GateJob &job, int victim)
{
    job.replace(victim);
    int status = UTOFU_ERR_BUSY;
    for (int turn = 0; turn < 1000 && status == UTOFU_ERR_BUSY; turn++)
        status = job.wire();
    ASSERT_EQ(status, UTOFU_SUCCESS);
}

TEST(DyingAtGates, BeforeItStarts)
{
    GateJob job(butterfly(4), 0, 2);
    expect_complete(job, 5);
    std::vector<std::pair<int, Pending<RoundsDone>>> survivors;
    for (int rank : {0, 1, 3}) {
        Rounds r = barriers(4, 1);
        r.id     = job.id(rank);
        survivors.emplace_back(rank, job.agent(rank).start(run_rounds, r));
    }
    usleep(50000);
    job.agent(2).kill();
    expect_told(survivors);
    mend(job, 2);
    expect_complete(job, 20);
}

TEST(DyingAtGates, AsAZombie)
{
    GateJob job(tree(3), 0, 1);
    std::vector<std::pair<int, Pending<RoundsDone>>> survivors;
    kill(job.agent(1).pid(), SIGKILL);
    for (int rank : {0, 2}) {
        Rounds r = barriers(3, 2);
        r.id     = job.id(rank);
        survivors.emplace_back(rank, job.agent(rank).start(run_rounds, r));
    }
    expect_told(survivors);
    job.agent(1).wait();
}

TEST(DyingAtGates, LeavingInOrderIsToldToThoseWhoGoOn)
{
    GateJob job(double_ring(3), 0, 1);
    expect_complete(job, 7);
    EXPECT_EQ(job.agent(1).finish(), 0);
    EXPECT_EQ(job.agent(0).run(barrier_start, job.id(0)), UTOFU_SUCCESS);
    EXPECT_EQ(job.agent(0).run(barrier_wait, job.id(0), patience), UTOFU_ERR_BARRIER_OTHER);
    EXPECT_EQ(job.agent(0).run(barrier_start, job.id(0)), UTOFU_SUCCESS);
    EXPECT_EQ(job.agent(0).run(barrier_wait, job.id(0), patience), UTOFU_ERR_BARRIER_OTHER) << "until it is set again";
}

/* A process that has its result may leave at once: what it has sent still goes where it belongs. */
TEST(DyingAtGates, LeavingAfterTheLastOneHarmsNobody)
{
    for (auto *wiring : {butterfly, double_ring, prefix_ring, tree}) {
        for (unsigned turn = 0; turn < 15; turn++) {
            GateJob job(wiring(5), turn % 6, 2);
            std::vector<Pending<RoundsDone>> pending;
            for (int rank = 0; rank < 5; rank++) {
                Rounds r = barriers(5, 3);
                r.id     = job.id(rank);
                r.rank   = rank;
                r.skew   = turn + 1;
                pending.push_back(job.agent(rank).start(
                        [](Rounds own) {
                            RoundsDone done = run_rounds(own);
                            if (done.status == UTOFU_SUCCESS)
                                exit(0); /* In the middle of a call that the test waits for. */
                            return done;
                        },
                        r));
            }
            for (int rank = 0; rank < 5; rank++)
                EXPECT_EQ(job.agent(rank).wait(), 0) << "rank " << rank << " was told of a failure";
        }
    }
}

/* kill -9 at any instant, with any wiring; then a successor, and all is well again. */
TEST(DyingAtGates, AtAnyInstant)
{
    const char *seed_text = getenv("TOFUKIT_TEST_SEED");
    const char *kills     = getenv("TOFUKIT_TEST_KILLS");
    const unsigned seed   = seed_text != nullptr ? unsigned(atol(seed_text)) : std::random_device()();
    const unsigned cycles = kills != nullptr ? unsigned(atol(kills)) / 5 : 100;
    std::mt19937 random(seed);

    printf("TOFUKIT_TEST_SEED=%u\n", seed);
    Wiring (*const wirings[])(int) = {butterfly, double_ring, tree, dissemination};
    for (unsigned part = 0; part < 4; part++) {
        GateJob job(wirings[part](5), part, 2);
        for (unsigned cycle = 0; cycle < cycles / 4 && !testing::Test::HasFailure(); cycle++) {
            SCOPED_TRACE(testing::Message() << "wiring " << part << ", cycle " << cycle << ", seed " << seed);
            const int victim = int(random() % 5);
            std::vector<std::pair<int, Pending<RoundsDone>>> survivors;
            for (int rank = 0; rank < 5; rank++) {
                Rounds r = barriers(5, 1000000000);
                r.id     = job.id(rank);
                if (rank == victim)
                    job.agent(rank).start(run_rounds, r);
                else
                    survivors.emplace_back(rank, job.agent(rank).start(run_rounds, r));
            }
            usleep(unsigned(random() % 3000));
            job.agent(victim).kill();
            expect_told(survivors);
            ASSERT_NO_FATAL_FAILURE(mend(job, victim));
            if (part != 3)
                expect_complete(job, 10);
        }
    }
}

} // namespace
