/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers and reductions over the wirings that programs use, between real processes. */
#include "support/gates.h"

#include <gtest/gtest.h>

namespace
{

using namespace support;

constexpr int patience = 30000;

struct Shape {
    const char *name;
    Wiring (*wiring)(int ranks);
    bool counts_once; /**< Each contribution: sums make sense. */
    bool prefix;      /**< Rank r has the result of ranks 0..r. */
};

const Shape shapes[] = {{"butterfly", butterfly, true, false},
                        {"prefix_ring", prefix_ring, true, true},
                        {"double_ring", double_ring, true, false},
                        {"tree", tree, true, false},
                        {"dissemination", dissemination, false, false}};

struct Case {
    Shape shape;
    int ranks, ppn;
};

class Barriers : public testing::TestWithParam<Case>
{
protected:
    Rounds rounds(int op, unsigned count, unsigned number) const
    {
        Rounds r       = {};
        r.op           = op;
        r.count        = count;
        r.rounds       = number;
        r.contributors = GetParam().shape.prefix ? -1 : GetParam().ranks;
        r.ms           = patience;
        return r;
    }

    static void check(const std::vector<RoundsDone> &done, unsigned number)
    {
        for (size_t rank = 0; rank < done.size(); rank++) {
            EXPECT_EQ(done[rank].status, UTOFU_SUCCESS) << "rank " << rank << ", round " << done[rank].round;
            EXPECT_EQ(done[rank].round, number) << "rank " << rank;
            EXPECT_EQ(done[rank].wrong, 0u) << "rank " << rank;
        }
    }

    unsigned *progress = shared_words(64);
};

TEST_P(Barriers, NobodyLeavesBeforeAllHaveEntered)
{
    const unsigned tni = unsigned(GetParam().ranks) % 6;
    GateJob job(GetParam().shape.wiring(GetParam().ranks), tni, GetParam().ppn);
    Rounds r   = rounds(UTOFU_REDUCE_OP_BARRIER, 0, 1500);
    r.progress = progress;
    check(job.run(r), 1500);
    r.rounds   = 300;
    r.skew     = 7;
    r.progress = nullptr;
    check(job.run(r), 300);
}

TEST_P(Barriers, EveryOperationOnEveryNumberOfElements)
{
    GateJob job(GetParam().shape.wiring(GetParam().ranks), 5, GetParam().ppn);
    for (int op : {UTOFU_REDUCE_OP_BAND, UTOFU_REDUCE_OP_BOR, UTOFU_REDUCE_OP_BXOR, UTOFU_REDUCE_OP_MAX,
                   UTOFU_REDUCE_OP_SUM, UTOFU_REDUCE_OP_MAXLOC}) {
        if (!GetParam().shape.counts_once && (op == UTOFU_REDUCE_OP_BXOR || op == UTOFU_REDUCE_OP_SUM))
            continue;
        for (unsigned count = op == UTOFU_REDUCE_OP_MAXLOC ? 2 : 1; count <= 6;
             count += op == UTOFU_REDUCE_OP_MAXLOC ? 2 : 1) {
            SCOPED_TRACE(testing::Message() << "operation " << op << " of " << count);
            Rounds r = rounds(op, count, 60);
            r.skew   = count == 6;
            check(job.run(r), 60);
        }
    }
}

class Sums : public Barriers
{
};

TEST_P(Sums, OfDoublesAreExact)
{
    GateJob job(GetParam().shape.wiring(GetParam().ranks), 3, GetParam().ppn);
    for (unsigned count = 1; count <= 3; count++)
        check(job.run(rounds(UTOFU_REDUCE_OP_BFPSUM, count, 400)), 400);
}

std::vector<Case> cases(bool sums)
{
    std::vector<Case> all;
    for (const Shape &shape : shapes) {
        if (sums && !shape.counts_once)
            continue;
        for (int ranks : {1, 2, 3, 5, 8, 9})
            all.push_back({shape, ranks, 1 + ranks % 3});
    }
    all.push_back({shapes[0], 4, 4}); /* All on one node: the remote sides are between its processes. */
    all.push_back({shapes[3], 13, 1});
    return all;
}

std::string name_of(const testing::TestParamInfo<Case> &info)
{
    return std::string(info.param.shape.name) + "_" + std::to_string(info.param.ranks) + "_ranks_" +
           std::to_string(info.param.ppn) + "_a_node";
}

INSTANTIATE_TEST_SUITE_P(, Barriers, testing::ValuesIn(cases(false)), name_of);
INSTANTIATE_TEST_SUITE_P(, Sums, testing::ValuesIn(cases(true)), name_of);

} // namespace
