/* SPDX-License-Identifier: BSD-3-Clause */
/* jTofu, in processes of jobs placed in different ways. */
#include "jtofu.h"
#include "support/agent.h"
#include "support/ops.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace
{

using support::Agent;

template <class T> struct Answer {
    int status;
    T value;
};

using Phys = std::array<uint8_t, 6>;
using Log  = std::array<uint32_t, 3>;

struct Ranks {
    size_t count;
    std::array<jtofu_rank_t, 8> list;
};

struct Paths {
    size_t count;
    std::array<std::array<uint8_t, 3>, 12> list;
};

int begin(unsigned rank)
{
    return jtofu_initialize(7, rank, nullptr);
}

/* A query of the own job: which one comes as a function's address, which is the same in an agent. */
using PhysQuery = int (*)(union jtofu_phys_coords *);

Answer<Phys> query(PhysQuery function)
{
    Answer<Phys> answer = {};
    jtofu_phys_coords coords;
    answer.status = function(&coords);
    memcpy(answer.value.data(), coords.a, 6);
    return answer;
}

Answer<Log> log_size()
{
    Answer<Log> answer = {};
    jtofu_log_coords size;
    answer.status = jtofu_query_log_size(&size);
    memcpy(answer.value.data(), size.a, sizeof(size.a));
    return answer;
}

Answer<Phys> phys_of(unsigned job, unsigned rank)
{
    Answer<Phys> answer = {};
    jtofu_phys_coords coords;
    answer.status = jtofu_query_phys_coords(job, rank, &coords);
    memcpy(answer.value.data(), coords.a, 6);
    return answer;
}

Answer<Log> log_of(unsigned job, unsigned rank)
{
    Answer<Log> answer = {};
    jtofu_log_coords coords;
    answer.status = jtofu_query_log_coords(job, rank, &coords);
    memcpy(answer.value.data(), coords.a, sizeof(coords.a));
    return answer;
}

Answer<Ranks> ranks_at(unsigned job, Phys at, size_t max)
{
    Answer<Ranks> answer = {};
    jtofu_phys_coords coords;
    memcpy(coords.a, at.data(), 6);
    answer.status = jtofu_query_ranks_from_phys_coords(job, &coords, max, answer.value.list.data(), &answer.value.count);
    return answer;
}

Answer<Ranks> ranks_at_log(unsigned job, Log at)
{
    Answer<Ranks> answer = {};
    jtofu_log_coords coords;
    memcpy(coords.a, at.data(), sizeof(coords.a));
    answer.status = jtofu_query_ranks_from_log_coords(job, &coords, 8, answer.value.list.data(), &answer.value.count);
    return answer;
}

Answer<Paths> paths_to(Phys at, size_t max)
{
    Answer<Paths> answer = {};
    jtofu_phys_coords coords;
    jtofu_path_coords paths[12];
    memcpy(coords.a, at.data(), 6);
    answer.status = jtofu_query_onesided_paths(&coords, max, paths, &answer.value.count);
    for (size_t i = 0; i < answer.value.count; i++)
        memcpy(answer.value.list[i].data(), paths[i].a, 3);
    return answer;
}

Answer<size_t> hops_to(Phys at)
{
    Answer<size_t> answer = {};
    jtofu_phys_coords coords;
    memcpy(coords.a, at.data(), 6);
    answer.status = jtofu_query_onesided_hops(&coords, &answer.value);
    return answer;
}

/* Add job 8, described by a string of nodes. */
int add_described(std::array<char, 16> nodes, std::array<char, 16> size)
{
    void *mapinfo;
    unsigned count;
    size_t bytes;
    setenv("JTOFU_MAPINFO_NODE", nodes.data(), 1);
    setenv("SOFTTOFU_SIZE", size.data(), 1);
    int status = jtofu_create_mapinfo_by_envvars(&mapinfo, &bytes, &count);
    if (status != JTOFU_SUCCESS)
        return status;
    /* As from a message: not aligned. */
    char *moved = static_cast<char *>(malloc(bytes + 1));
    memcpy(moved + 1, mapinfo, bytes);
    free(mapinfo);
    status = jtofu_add_job(8, moved + 1);
    free(moved);
    return status == JTOFU_SUCCESS ? int(count) : status;
}

class Jtofu : public testing::Test
{
protected:
    std::unique_ptr<Agent> start(unsigned rank, support::Environment settings)
    {
        settings["SOFTTOFU_JOB"]  = job;
        settings["SOFTTOFU_RANK"] = std::to_string(rank);
        return std::make_unique<Agent>(settings);
    }

    std::string job = support::unique_job_name();
};

TEST_F(Jtofu, RunningJobInThreeDimensions)
{
    auto rank = start(5, {{"SOFTTOFU_SIZE", "192"}, {"SOFTTOFU_PPN", "2"}, {"SOFTTOFU_NODES", "4x6x4"}});
    ASSERT_EQ(rank->run(begin, 5u), JTOFU_SUCCESS);
    EXPECT_EQ(rank->run(query, PhysQuery(jtofu_query_phys_size)).value, (Phys{2, 2, 2, 2, 3, 2}));
    EXPECT_EQ(rank->run(query, PhysQuery(jtofu_query_sys_size)).value, (Phys{2, 2, 2, 2, 3, 2}));
    EXPECT_EQ(rank->run(query, PhysQuery(jtofu_query_sys_torus)).value, (Phys{1, 0, 1, 0, 1, 0}));
    EXPECT_EQ(rank->run(query, PhysQuery(jtofu_query_ref_coords)).value, (Phys{}));
    EXPECT_EQ(rank->run(log_size).value, (Log{4, 6, 4}));
    EXPECT_EQ(rank->run(jtofu_query_max_proc_per_node), 2);
    for (unsigned r = 0; r < 192; r++) {
        const Log at = {r / 2 % 4, r / 8 % 6, r / 48};
        EXPECT_EQ(rank->run(log_of, 7u, r).value, at);
        const Ranks ranks = rank->run(ranks_at_log, 7u, at).value;
        ASSERT_EQ(ranks.count, 2u);
        EXPECT_EQ(ranks.list[r % 2], r);
        EXPECT_EQ(rank->run(ranks_at, 7u, rank->run(phys_of, 7u, r).value, size_t(8)).value.list, ranks.list);
    }
    EXPECT_EQ(rank->run(phys_of, 7u, 192u).status, JTOFU_ERR_INVALID_ARG);
    EXPECT_EQ(rank->run(phys_of, 8u, 0u).status, JTOFU_ERR_INVALID_ARG) << "no such job";
    EXPECT_EQ(rank->run(ranks_at, 7u, Phys{2}, size_t(8)).status, JTOFU_ERR_INVALID_ARG);
    EXPECT_EQ(rank->run(ranks_at_log, 7u, Log{0, 6, 0}).status, JTOFU_ERR_INVALID_ARG);
    EXPECT_EQ(rank->run(ranks_at, 7u, Phys{}, size_t(1)).value.count, 1u) << "no more than there is room for";
}

TEST_F(Jtofu, CoordinatesAreThoseOfUtofu)
{
    for (unsigned r : {0u, 3u, 11u}) {
        auto rank = start(r, {{"SOFTTOFU_SIZE", "12"}, {"SOFTTOFU_NODES", "12"}});
        ASSERT_EQ(rank->run(begin, r), JTOFU_SUCCESS);
        const Phys utofu = rank->run([] {
            Phys coords = {};
            utofu_query_my_coords(coords.data());
            return coords;
        });
        EXPECT_EQ(rank->run(phys_of, 7u, r).value, utofu);
        EXPECT_EQ(rank->run(log_of, 7u, r).value, (Log{r, 0, 0}));
    }
}

TEST_F(Jtofu, PathsAndHops)
{
    auto rank = start(1, {{"SOFTTOFU_SIZE", "2"}, {"SOFTTOFU_SHAPE", "24x23x24x2x3x2"}});
    ASSERT_EQ(rank->run(begin, 1u), JTOFU_SUCCESS);
    EXPECT_EQ(rank->run(hops_to, Phys{0, 0, 0, 0, 0, 1}).value, 0u);
    EXPECT_EQ(rank->run(hops_to, Phys{12, 22, 12, 1, 1, 0}).value, 49u);
    const auto five = rank->run(paths_to, Phys{3, 3, 3, 0, 0, 0}, size_t(5)).value;
    ASSERT_EQ(five.count, 5u);
    EXPECT_EQ(five.list[0], (std::array<uint8_t, 3>{0, 0, 1})) << "the own a, b, c";
    EXPECT_EQ(five.list[1], (std::array<uint8_t, 3>{0, 0, 0})) << "as short, but not the default";
    EXPECT_EQ(rank->run(paths_to, Phys{3, 3, 3, 0, 0, 0}, size_t(12)).value.count, 12u);
    EXPECT_EQ(rank->run(paths_to, Phys{24, 0, 0, 0, 0, 0}, size_t(5)).status, JTOFU_ERR_INVALID_ARG);
    EXPECT_EQ(rank->run(hops_to, Phys{0, 0, 0, 0, 3, 0}).status, JTOFU_ERR_INVALID_ARG);
    EXPECT_EQ(rank->run(ranks_at, 7u, Phys{23, 22, 23, 1, 2, 1}, size_t(8)).value.count, 0u) << "an empty node";
}

TEST_F(Jtofu, OtherJobs)
{
    auto rank = start(0, {{"SOFTTOFU_SIZE", "4"}});
    ASSERT_EQ(rank->run(begin, 0u), JTOFU_SUCCESS);
    EXPECT_EQ(rank->run(add_described, std::array<char, 16>{"48x69x48"}, std::array<char, 16>{"4000"}), 4000);
    EXPECT_EQ(rank->run(log_of, 8u, 3999u).value, (Log{3999 % 48, 3999 / 48 % 69, 3999 / 48 / 69}));
    EXPECT_EQ(rank->run(phys_of, 7u, 4u).status, JTOFU_ERR_INVALID_ARG) << "the own job has four";
    EXPECT_EQ(rank->run(add_described, std::array<char, 16>{"1x2x1"}, std::array<char, 16>{}), JTOFU_ERR_INVALID_ARG)
            << "known already";
    EXPECT_EQ(rank->run(jtofu_delete_job, 8u), JTOFU_SUCCESS);
    EXPECT_EQ(rank->run(jtofu_delete_job, 8u), JTOFU_ERR_INVALID_ARG);
    EXPECT_EQ(rank->run(jtofu_delete_job, 7u), JTOFU_ERR_INVALID_ARG) << "the own one stays";
    EXPECT_EQ(rank->run(add_described, std::array<char, 16>{"1x2x1"}, std::array<char, 16>{}), 2);
    EXPECT_EQ(rank->run(phys_of, 8u, 1u).value, (Phys{0, 0, 0, 0, 1, 0}));
    EXPECT_EQ(rank->run(add_described, std::array<char, 16>{"48x69x48"}, std::array<char, 16>{}), JTOFU_ERR_INTERNAL);
    EXPECT_EQ(rank->run(add_described, std::array<char, 16>{"1by2"}, std::array<char, 16>{}), JTOFU_ERR_INTERNAL);
    EXPECT_NE(rank->errors().find("JTOFU_MAPINFO_NODE=48x69x48"), std::string::npos);
    EXPECT_NE(rank->errors().find("JTOFU_MAPINFO_NODE=1by2"), std::string::npos);
}

TEST_F(Jtofu, BeginningAndEnd)
{
    auto rank = start(1, {{"SOFTTOFU_SIZE", "2"}});
    EXPECT_EQ(rank->run(jtofu_finalize), JTOFU_ERR_EXCESS_FINALIZE);
    EXPECT_EQ(rank->run(log_size).status, JTOFU_ERR_NOT_INITIALIZED);
    EXPECT_EQ(rank->run(phys_of, 7u, 0u).status, JTOFU_ERR_NOT_INITIALIZED);
    EXPECT_EQ(rank->run(hops_to, Phys{}).status, JTOFU_ERR_NOT_INITIALIZED);
    EXPECT_EQ(rank->run(jtofu_query_max_proc_per_node), JTOFU_ERR_NOT_INITIALIZED);
    EXPECT_EQ(rank->run(jtofu_delete_job, 7u), JTOFU_ERR_NOT_INITIALIZED);
    EXPECT_EQ(rank->run(begin, 2u), JTOFU_ERR_INVALID_ARG) << "there are two ranks";
    EXPECT_EQ(rank->run([] { return jtofu_initialize(7, 0, "no mapinfo, long enough to look at"); }), JTOFU_ERR_INVALID_ARG);
    ASSERT_EQ(rank->run(begin, 1u), JTOFU_SUCCESS);
    ASSERT_EQ(rank->run(begin, 1u), JTOFU_SUCCESS) << "counted";
    EXPECT_EQ(rank->run(begin, 0u), JTOFU_ERR_INVALID_ARG) << "another rank";
    EXPECT_EQ(rank->run(jtofu_finalize), JTOFU_SUCCESS);
    EXPECT_EQ(rank->run(log_size).status, JTOFU_SUCCESS);
    EXPECT_EQ(rank->run(jtofu_finalize), JTOFU_SUCCESS);
    EXPECT_EQ(rank->run(jtofu_finalize), JTOFU_ERR_EXCESS_FINALIZE);
    EXPECT_EQ(rank->run(begin, 0u), JTOFU_SUCCESS) << "from the start again";
}

TEST_F(Jtofu, NullPointers)
{
    auto rank = start(0, {{"SOFTTOFU_SIZE", "2"}});
    ASSERT_EQ(rank->run(begin, 0u), JTOFU_SUCCESS);
    EXPECT_EQ(rank->run([] {
        jtofu_phys_coords coords = {};
        jtofu_log_coords log     = {};
        jtofu_rank_t ranks[1];
        size_t count;
        int bad = 0;
        for (PhysQuery function : {jtofu_query_sys_size, jtofu_query_sys_torus, jtofu_query_ref_coords, jtofu_query_phys_size})
            bad += function(nullptr) == JTOFU_ERR_INVALID_POINTER;
        bad += jtofu_query_log_size(nullptr) == JTOFU_ERR_INVALID_POINTER;
        bad += jtofu_query_phys_coords(7, 0, nullptr) == JTOFU_ERR_INVALID_POINTER;
        bad += jtofu_query_log_coords(7, 0, nullptr) == JTOFU_ERR_INVALID_POINTER;
        bad += jtofu_query_ranks_from_phys_coords(7, &coords, 1, nullptr, &count) == JTOFU_ERR_INVALID_POINTER;
        bad += jtofu_query_ranks_from_phys_coords(7, nullptr, 1, ranks, &count) == JTOFU_ERR_INVALID_POINTER;
        bad += jtofu_query_ranks_from_log_coords(7, &log, 1, ranks, nullptr) == JTOFU_ERR_INVALID_POINTER;
        bad += jtofu_query_onesided_paths(nullptr, 0, nullptr, &count) == JTOFU_ERR_INVALID_POINTER;
        bad += jtofu_query_onesided_hops(&coords, nullptr) == JTOFU_ERR_INVALID_POINTER;
        bad += jtofu_create_mapinfo_by_envvars(nullptr, nullptr, nullptr) == JTOFU_ERR_INVALID_POINTER;
        return bad;
    }),
              13);
    EXPECT_EQ(rank->run([] {
        jtofu_phys_coords coords = {};
        size_t count             = 9;
        return jtofu_query_ranks_from_phys_coords(7, &coords, 0, nullptr, &count) + int(count);
    }),
              0)
            << "no room needs no array";
}

} // namespace
