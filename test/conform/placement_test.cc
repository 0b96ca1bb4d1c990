/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks are where the job's settings put them, whoever asks, and communicate from there. */
#include "softtofu.h"
#include "support/agent.h"
#include "support/ops.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <unistd.h>
#include <vector>

namespace
{

using support::Agent;

struct Coords {
    int status;
    std::array<uint8_t, 6> at;
};

Coords my_coords()
{
    Coords coords = {};
    coords.status = utofu_query_my_coords(coords.at.data());
    return coords;
}

utofu_vcq_id_t vcq_id_at(std::array<uint8_t, 6> coords)
{
    utofu_vcq_id_t id = 0;
    EXPECT_EQ(utofu_construct_vcq_id(coords.data(), 0, 0, 0, &id), UTOFU_SUCCESS);
    return id;
}

class Placement : public testing::Test
{
protected:
    void TearDown() override
    {
        if (!map_file.empty())
            unlink(map_file.c_str());
    }

    void write_map(const std::string &text)
    {
        char path[]  = "/tmp/placement-XXXXXX";
        const int fd = mkstemp(path);
        ASSERT_GE(fd, 0);
        map_file = path;
        ASSERT_EQ(write(fd, text.data(), text.size()), ssize_t(text.size()));
        close(fd);
    }

    std::unique_ptr<Agent> start(unsigned rank, support::Environment settings)
    {
        settings["SOFTTOFU_JOB"]  = job;
        settings["SOFTTOFU_RANK"] = std::to_string(rank);
        settings["SOFTTOFU_MAP"]  = map_file;
        return std::make_unique<Agent>(settings);
    }

    std::string job = support::unique_job_name(), map_file;
};

const std::array<uint8_t, 6> corner = {23, 22, 23, 1, 2, 1}, origin = {}, between = {12, 0, 3, 0, 1, 0};

/* Three ranks in the corners of Fugaku, two of them on one node. */
class Scattered : public Placement
{
protected:
    void SetUp() override
    {
        write_map("(23,22,23,1,2,1)  # rank 0\n(0,0,0,0,0,0)\n(23,22,23,1,2,1)\n");
        for (unsigned rank = 0; rank < 3; rank++)
            ranks.push_back(start(rank, {{"SOFTTOFU_SIZE", "3"}, {"SOFTTOFU_PPN", "2"},
                                         {"SOFTTOFU_SHAPE", "24x23x24x2x3x2"}}));
    }

    std::vector<std::unique_ptr<Agent>> ranks;
};

TEST_F(Scattered, RanksAreWhereTheMapSays)
{
    EXPECT_EQ(ranks[0]->run(my_coords).at, corner);
    EXPECT_EQ(ranks[1]->run(my_coords).at, origin);
    EXPECT_EQ(ranks[2]->run(my_coords).at, corner);
}

TEST_F(Scattered, EmptyNodesCostNothing)
{
    softtofu_view_t *view = nullptr;
    softtofu_job_info info;
    char message[512] = "";
    ASSERT_EQ(ranks[0]->run(my_coords).status, UTOFU_SUCCESS);
    ASSERT_EQ(softtofu_view_open(job.c_str(), &view, message, sizeof(message)), 0) << message;
    softtofu_view_job(view, &info);
    EXPECT_EQ(info.nodes, 2u);
    EXPECT_LT(info.memory_bytes, size_t(4) << 20);
    for (unsigned rank = 0; rank < 3; rank++) {
        softtofu_process_info process;
        ASSERT_EQ(softtofu_view_process(view, rank, &process), 0);
        EXPECT_EQ(process.rank_in_node, rank / 2);
        EXPECT_EQ(process.coords[0], rank == 1 ? 0 : 23);
    }
    softtofu_view_close(view);
}

TEST_F(Scattered, IdsTellTheirNode)
{
    for (auto &rank : ranks) {
        const auto vcq = rank->run(support::vcq_create, 3u, 0ul, -1);
        std::array<uint8_t, 6> coords;
        utofu_tni_id_t tni;
        utofu_cq_id_t cq;
        uint16_t extra;
        ASSERT_EQ(vcq.status, UTOFU_SUCCESS);
        ASSERT_EQ(utofu_query_vcq_info(vcq.id, coords.data(), &tni, &cq, &extra), UTOFU_SUCCESS);
        EXPECT_EQ(coords, rank->run(my_coords).at);
    }
}

TEST_F(Scattered, PutsArrive)
{
    char *memory[3];
    support::Vcq vcq[3];
    support::Stadd stadd[3];
    for (unsigned i = 0; i < 3; i++) {
        vcq[i]    = ranks[i]->run(support::vcq_create, i, 0ul, -1);
        memory[i] = ranks[i]->run(support::memory_make, support::Memory::Memfd, size_t(4096));
        stadd[i]  = ranks[i]->run(support::mem_register, vcq[i].hdl, memory[i], size_t(4096), 0ul);
        ASSERT_EQ(stadd[i].status, UTOFU_SUCCESS);
    }
    for (unsigned from = 0; from < 3; from++) {
        for (unsigned to = 0; to < 3; to++) {
            support::Command c;
            c.kind   = support::Kind::Piggyback8;
            c.hdl    = vcq[from].hdl;
            c.rmt    = vcq[to].id;
            c.stadd  = stadd[to].value;
            c.length = 8;
            c.value  = 1 + 10 * from + to;
            ASSERT_EQ(ranks[from]->run(support::post, c), UTOFU_SUCCESS);
            EXPECT_EQ(ranks[to]->run(support::load8, memory[to]), c.value);
        }
    }
}

TEST_F(Scattered, EmptyNodesHaveNoQueues)
{
    const auto vcq = ranks[1]->run(support::vcq_create, 0u, 0ul, -1);
    support::Command c;
    c.kind   = support::Kind::Piggyback8;
    c.hdl    = vcq.hdl;
    c.rmt    = vcq_id_at(between);
    c.length = 8;
    c.flags  = UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
    ASSERT_EQ(ranks[1]->run(support::post, c), UTOFU_SUCCESS);
    EXPECT_EQ(ranks[1]->run(support::mrq_wait, vcq.hdl, 20000).status, UTOFU_ERR_MRQ_PEER);
    c.rmt = vcq_id_at({24, 0, 0, 0, 0, 0});
    EXPECT_EQ(ranks[1]->run(support::post, c), UTOFU_ERR_INVALID_VCQ_ID) << "outside the shape";
}

TEST_F(Scattered, DeathFreesTheRightNode)
{
    const auto near = ranks[0]->run(support::vcq_create, 0u, 0ul, 0);
    const auto far  = ranks[2]->run(support::vcq_create, 0u, 0ul, 1);
    ASSERT_EQ(near.status, UTOFU_SUCCESS);
    ASSERT_EQ(far.status, UTOFU_SUCCESS);
    ranks[2]->kill();
    support::Command c;
    c.kind   = support::Kind::Piggyback8;
    c.hdl    = near.hdl;
    c.rmt    = far.id;
    c.length = 8;
    c.flags  = UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
    ASSERT_EQ(ranks[0]->run(support::post, c), UTOFU_SUCCESS);
    EXPECT_EQ(ranks[0]->run(support::mrq_wait, near.hdl, 20000).status, UTOFU_ERR_MRQ_PEER);
    c.rmt = near.id;
    ASSERT_EQ(ranks[0]->run(support::post, c), UTOFU_SUCCESS);
    EXPECT_EQ(ranks[0]->run(support::mrq_wait, near.hdl, 20000).status, UTOFU_ERR_MRQ_RMT_STADD)
            << "its neighbour on the node lives on";
}

/* Ranks in the order of logical coordinates walk from node to node in single hops. */
TEST_F(Placement, LogicalOrder)
{
    const std::vector<std::array<uint8_t, 6>> expected = {
            {0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 0, 0},
            {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 1, 0}};
    for (unsigned rank = 0; rank < expected.size(); rank++) {
        auto agent = start(rank, {{"SOFTTOFU_SIZE", "12"}, {"SOFTTOFU_NODES", "4x3"}});
        EXPECT_EQ(agent->run(my_coords).at, expected[rank]) << "rank " << rank;
    }
}

TEST_F(Placement, DefaultIsRowMajor)
{
    for (unsigned rank = 0; rank < 5; rank++) {
        auto agent = start(rank, {{"SOFTTOFU_SIZE", "24"}, {"SOFTTOFU_PPN", "2"}});
        const std::array<uint8_t, 6> expected = {0, 0, 0, 0, uint8_t(rank / 4), uint8_t(rank / 2 % 2)};
        EXPECT_EQ(agent->run(my_coords).at, expected) << "rank " << rank;
    }
}

} // namespace
