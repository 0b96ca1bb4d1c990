/* SPDX-License-Identifier: BSD-3-Clause */
/* Gates and threads: many that share one start gate, and each with one of its own, on a TNI of its own. */
#include "support/gates.h"

#include <gtest/gtest.h>

#include <atomic>
#include <sched.h>
#include <thread>

namespace
{

using namespace support;

constexpr int patience         = 40000;
constexpr unsigned tnis        = 6;
constexpr unsigned elements    = 6;
constexpr unsigned all_threads = 8;
constexpr unsigned operations  = 1000; /* Few enough that a call ends in time where processors are few. */
constexpr unsigned rounds_each = 300;

/** What the threads of a process do with a start gate, and with it how often. */
struct Shared {
    utofu_vbg_id_t id;
    int rank, ranks;
    unsigned operations;
};

struct SharedDone {
    unsigned started, completed, wrong;
    int unexpected; /**< A status that must not be; 0 if there was none. */
};

/** What one process has done by now. */
struct Tally {
    std::atomic<unsigned> taken{0}, started{0}, completed{0}, wrong{0};
    std::atomic<int> unexpected{0};
};

/* Other threads have operations under way, end them, and take results: all that may be told to this one. */
bool expected_of_start(int status)
{
    return status == UTOFU_SUCCESS || status == UTOFU_ERR_BUSY;
}

bool expected_of_poll(int status)
{
    return status == UTOFU_SUCCESS || status == UTOFU_ERR_NOT_COMPLETED || status == UTOFU_ERR_NOT_FOUND;
}

int try_start(const Shared &shared, Tally &tally)
{
    uint64_t data[elements];

    for (unsigned e = 0; e < elements; e++)
        data[e] = uint64_t(shared.rank + 1) << 8 * e;
    int status = utofu_reduce_uint64(shared.id, UTOFU_REDUCE_OP_SUM, data, elements, 0);
    tally.started += status == UTOFU_SUCCESS;
    if (!expected_of_start(status))
        tally.unexpected = status;
    return status;
}

void try_poll(const Shared &shared, Tally &tally)
{
    const uint64_t sum = uint64_t(shared.ranks * (shared.ranks + 1) / 2);
    uint64_t data[elements];
    int status = utofu_poll_reduce_uint64(shared.id, 0, data);

    if (!expected_of_poll(status))
        tally.unexpected = status;
    for (unsigned e = 0; e < elements && status == UTOFU_SUCCESS; e++)
        tally.wrong += data[e] != sum << 8 * e;
    tally.completed += status == UTOFU_SUCCESS;
}

/* One thread: start an operation if there is one left, whoever ends it. */
void contend(const Shared &shared, Tally &tally)
{
    while (tally.unexpected == 0 && tally.taken++ < shared.operations) {
        while (tally.unexpected == 0 && try_start(shared, tally) != UTOFU_SUCCESS) {
            try_poll(shared, tally);
            sched_yield();
        }
    }
    while (tally.unexpected == 0 && tally.completed < shared.operations) {
        try_poll(shared, tally);
        sched_yield();
    }
}

SharedDone contend_all(Shared shared)
{
    Tally tally;
    std::vector<std::thread> threads;

    for (unsigned i = 0; i < all_threads; i++)
        threads.emplace_back(contend, std::cref(shared), std::ref(tally));
    for (std::thread &thread : threads)
        thread.join();
    return {tally.started, tally.completed, tally.wrong, tally.unexpected};
}

/** Number of processes; each with the same number a node. */
struct Size {
    int ranks, ppn;
};

class GateThreads : public testing::TestWithParam<Size>
{
};

TEST_P(GateThreads, EightOnOneStartGate)
{
    const int ranks = GetParam().ranks;
    GateJob job(butterfly(ranks), 1, GetParam().ppn, UTOFU_VBG_FLAG_THREAD_SAFE);
    std::vector<Pending<SharedDone>> pending;
    for (int rank = 0; rank < ranks; rank++)
        pending.push_back(job.agent(rank).start(contend_all, Shared{job.id(rank), rank, ranks, operations}));
    for (int rank = 0; rank < ranks; rank++) {
        SharedDone done = pending[size_t(rank)].get();
        EXPECT_EQ(done.unexpected, 0) << "rank " << rank;
        EXPECT_EQ(done.started, operations);
        EXPECT_EQ(done.completed, operations) << "each is told to one thread";
        EXPECT_EQ(done.wrong, 0u);
        EXPECT_EQ(job.agent(rank).run(barrier_poll, job.id(rank)), UTOFU_ERR_NOT_FOUND);
    }
}

/** A thread's operations for each TNI. */
struct PerTni {
    Rounds rounds[tnis];
};

struct PerTniDone {
    RoundsDone done[tnis];
};

PerTniDone run_per_tni(PerTni work)
{
    PerTniDone result;
    std::vector<std::thread> threads;

    for (unsigned tni = 0; tni < tnis; tni++)
        threads.emplace_back([&, tni] { result.done[tni] = run_rounds(work.rounds[tni]); });
    for (std::thread &thread : threads)
        thread.join();
    return result;
}

/* Thread t works on TNI t: another operation on each, over another wiring. */
Rounds rounds_of(unsigned tni, utofu_vbg_id_t id, int rank, int ranks, const std::vector<unsigned *> &progress)
{
    static const int ops[tnis] = {UTOFU_REDUCE_OP_BARRIER, UTOFU_REDUCE_OP_SUM,     UTOFU_REDUCE_OP_BFPSUM,
                                  UTOFU_REDUCE_OP_MAXLOC,  UTOFU_REDUCE_OP_BARRIER, UTOFU_REDUCE_OP_BXOR};
    Rounds r = {};

    r.id           = id;
    r.op           = ops[tni];
    r.count        = r.op == UTOFU_REDUCE_OP_BFPSUM ? 3 : elements;
    r.rounds       = rounds_each;
    r.rank         = rank;
    r.contributors = ranks;
    r.skew         = tni;
    r.ms           = patience;
    r.progress     = r.op == UTOFU_REDUCE_OP_BARRIER ? progress[tni] : nullptr;
    return r;
}

/* Gates of the first TNI come with the job; here are those of the others. @return Start gates by TNI and rank. */
std::vector<std::vector<utofu_vbg_id_t>> wire_all_tnis(GateJob &job, Wiring (*const wirings[])(int))
{
    std::vector<std::vector<utofu_vbg_id_t>> ids(tnis);

    for (unsigned tni = 0; tni < tnis; tni++) {
        const Wiring wiring    = wirings[tni](job.ranks());
        std::vector<Vbgs> vbgs = job.vbgs;
        for (int rank = 0; tni > 0 && rank < job.ranks(); rank++)
            vbgs[size_t(rank)] = job.agent(rank).run(vbg_alloc, tni, unsigned(wiring.of(rank).size()), 0ul);
        for (int rank = 0; rank < job.ranks(); rank++) {
            EXPECT_EQ(job.agent(rank).run(vbg_set, vbg_settings(wiring, rank, vbgs)), UTOFU_SUCCESS);
            ids[tni].push_back(vbgs[size_t(rank)].id[0]);
        }
    }
    return ids;
}

TEST_P(GateThreads, EachOnATniOfItsOwn)
{
    const int ranks = GetParam().ranks;
    Wiring (*const wirings[tnis])(int) = {butterfly, tree, double_ring, dissemination, tree, butterfly};
    std::vector<unsigned *> progress;
    for (unsigned tni = 0; tni < tnis; tni++)
        progress.push_back(shared_words(size_t(ranks)));
    GateJob job(wirings[0](ranks), 0, GetParam().ppn);
    const auto ids = wire_all_tnis(job, wirings);
    std::vector<Pending<PerTniDone>> pending;
    for (int rank = 0; rank < ranks; rank++) {
        PerTni work;
        for (unsigned tni = 0; tni < tnis; tni++)
            work.rounds[tni] = rounds_of(tni, ids[tni][size_t(rank)], rank, ranks, progress);
        pending.push_back(job.agent(rank).start(run_per_tni, work));
    }
    for (int rank = 0; rank < ranks; rank++) {
        PerTniDone result = pending[size_t(rank)].get();
        for (unsigned tni = 0; tni < tnis; tni++) {
            EXPECT_EQ(result.done[tni].status, UTOFU_SUCCESS) << "rank " << rank << ", TNI " << tni;
            EXPECT_EQ(result.done[tni].round, rounds_each);
            EXPECT_EQ(result.done[tni].wrong, 0u) << "rank " << rank << ", TNI " << tni;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, GateThreads, testing::Values(Size{2, 1}, Size{2, 2}, Size{3, 2}, Size{4, 4}),
                         [](const testing::TestParamInfo<Size> &info) {
                             return std::to_string(info.param.ranks) + "_ranks_" + std::to_string(info.param.ppn) +
                                    "_a_node";
                         });

} // namespace
