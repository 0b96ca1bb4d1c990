/* SPDX-License-Identifier: BSD-3-Clause */
/* A job as onlookers see it. */
#include "softtofu.h"
#include "support/agent.h"
#include "support/ops.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <unistd.h>

namespace
{

using support::Agent;

class View : public testing::Test
{
protected:
    std::unique_ptr<Agent> start(unsigned rank)
    {
        return std::make_unique<Agent>(support::Environment{{"SOFTTOFU_JOB", job},
                                                            {"SOFTTOFU_SIZE", "4"},
                                                            {"SOFTTOFU_PPN", "2"},
                                                            {"SOFTTOFU_RANK", std::to_string(rank)}});
    }

    softtofu_job_spec spec() const
    {
        softtofu_job_spec s = {};
        s.name              = job.c_str();
        s.processes_max     = 4;
        s.ppn               = 2;
        return s;
    }

    void TearDown() override
    {
        softtofu_view_close(view);
    }

    bool listed() const
    {
        softtofu_job_entry *jobs = nullptr;
        size_t count             = 0;
        bool found               = false;
        EXPECT_EQ(softtofu_list_jobs(&jobs, &count), 0);
        for (size_t i = 0; i < count; i++)
            found |= jobs[i].name == job && jobs[i].owner == geteuid();
        for (size_t i = 1; i < count; i++)
            EXPECT_LE(std::string(jobs[i - 1].name), std::string(jobs[i].name));
        free(jobs);
        return found;
    }

    softtofu_process_state state_of(unsigned rank) const
    {
        softtofu_process_info info = {};
        EXPECT_EQ(softtofu_view_process(view, rank, &info), 0);
        return info.state;
    }

    std::string job       = support::unique_job_name();
    softtofu_view_t *view = nullptr;
    char message[512]     = "";
};

TEST_F(View, JobLastsAsLongAsItIsHeld)
{
    EXPECT_FALSE(listed());
    softtofu_job_spec s = spec();
    ASSERT_EQ(softtofu_job_create(&s, &view, message, sizeof(message)), 0) << message;
    EXPECT_TRUE(listed());
    softtofu_view_close(view);
    view = nullptr;
    EXPECT_FALSE(listed());
    EXPECT_EQ(softtofu_view_open(job.c_str(), &view, message, sizeof(message)), -1);
    EXPECT_EQ(view, nullptr);
    EXPECT_NE(std::string(message).find("no job '" + job + "'"), std::string::npos) << message;
}

TEST_F(View, JobIsAsItWasSpecified)
{
    softtofu_job_spec s = spec();
    const uint16_t shape[6] = {2, 1, 1, 2, 3, 1};
    memcpy(s.shape, shape, sizeof(shape));
    ASSERT_EQ(softtofu_job_create(&s, &view, message, sizeof(message)), 0) << message;
    softtofu_job_info info;
    softtofu_view_job(view, &info);
    EXPECT_EQ(info.name, job);
    EXPECT_EQ(memcmp(info.shape, shape, sizeof(shape)), 0);
    EXPECT_EQ(info.processes_max, 4u);
    EXPECT_EQ(info.ppn, 2u);
    EXPECT_EQ(info.mrq_depth, 131072u);
    EXPECT_EQ(info.toq_depth, 2048u);
    EXPECT_GT(info.memory_bytes, 0u);
    EXPECT_LT(info.memory_bytes, size_t(16) << 20) << "what nobody uses costs nothing";
    EXPECT_EQ(state_of(0), SOFTTOFU_PROCESS_ABSENT);
    softtofu_process_info process;
    EXPECT_EQ(softtofu_view_process(view, 4, &process), -1);
}

TEST_F(View, BadSpecificationsAreExplained)
{
    const struct {
        const char *name;
        unsigned processes, ppn;
        uint16_t shape[6];
        const char *word;
    } cases[] = {
            {"", 1, 1, {}, "no job name"},
            {"a b", 1, 1, {}, "'a b'"},
            {"good", 0, 1, {}, "0 processes"},
            {"good", 4097, 1, {}, "4097 processes"},
            {"good", 4, 0, {}, "0 processes per node"},
            {"good", 4, 49, {}, "49 processes per node"},
            {"good", 4, 1, {1, 1, 1, 1, 3, 1}, "shape 1x1x1x1x3x1 has 3 nodes but 4 processes at 1 a node need 4"},
    };
    for (const auto &c : cases) {
        softtofu_job_spec s = {};
        s.name              = c.name;
        s.processes_max     = c.processes;
        s.ppn               = c.ppn;
        memcpy(s.shape, c.shape, sizeof(s.shape));
        EXPECT_EQ(softtofu_job_create(&s, &view, message, sizeof(message)), -1) << c.word;
        EXPECT_EQ(view, nullptr);
        EXPECT_NE(std::string(message).find(c.word), std::string::npos) << message;
        EXPECT_EQ(softtofu_job_create(&s, &view, nullptr, 0), -1) << "nobody listens";
    }
}

TEST_F(View, BadPlacementsAreExplained)
{
    const struct {
        const char *nodes, *wrap, *map;
        uint16_t shape[6];
        const char *word;
    } cases[] = {
            {"", "xx", "", {}, "'xx' are no rings"},
            {"4by6", "", "", {}, "'4by6' are no nodes"},
            {"1", "", "", {}, "1 are fewer nodes than the 2 that 4 processes at 2 a node need"},
            {"65x1", "", "", {}, "no shape holds 65x1 nodes"},
            {"4x6x4", "", "", {1, 1, 1, 2, 3, 2}, "4x6x4 nodes do not fit shape 1x1x1x2x3x2"},
            {"", "", "/nowhere/map", {}, "cannot read the map file /nowhere/map: No such file"},
            {"", "", "/", {}, "cannot read the map file /: Is a directory"},
            {"", "", "/dev/zero", {}, "cannot read the map file /dev/zero: File too large"},
            {"", "", "/dev/null", {}, "map file /dev/null: line 1: the text ends with 0 coordinates"},
    };
    for (const auto &c : cases) {
        softtofu_job_spec s = spec();
        s.nodes             = c.nodes;
        s.wrap              = c.wrap;
        s.map               = c.map;
        memcpy(s.shape, c.shape, sizeof(s.shape));
        EXPECT_EQ(softtofu_job_create(&s, &view, message, sizeof(message)), -1) << c.word;
        EXPECT_NE(std::string(message).find(c.word), std::string::npos) << message;
    }
}

TEST_F(View, RingsAndLogicalDimensions)
{
    softtofu_job_spec s = spec();
    softtofu_job_info info;
    ASSERT_EQ(softtofu_job_create(&s, &view, message, sizeof(message)), 0) << message;
    softtofu_view_job(view, &info);
    EXPECT_STREQ(info.wrap, "xzb");
    EXPECT_EQ(info.view_dims, 1u);
    EXPECT_EQ(info.view[0], 2u) << "as many as there are nodes";
    EXPECT_EQ(info.nodes, 2u);
    softtofu_view_close(view);
    s.nodes = "4x6x4";
    s.wrap  = "none";
    ASSERT_EQ(softtofu_job_create(&s, &view, message, sizeof(message)), 0) << message;
    softtofu_view_job(view, &info);
    EXPECT_STREQ(info.wrap, "none");
    EXPECT_EQ(info.view_dims, 3u);
    EXPECT_EQ(info.view[1], 6u);
    EXPECT_EQ(info.shape[4], 3u);
    softtofu_process_info process;
    ASSERT_EQ(softtofu_view_process(view, 3, &process), 0);
    EXPECT_EQ(process.logical[0], 1u) << "x is the fastest";
    EXPECT_EQ(process.logical[1], 0u);
}

TEST_F(View, SecondCreatorIsRefused)
{
    softtofu_job_spec s = spec();
    softtofu_view_t *second = nullptr;
    ASSERT_EQ(softtofu_job_create(&s, &view, message, sizeof(message)), 0) << message;
    EXPECT_EQ(softtofu_job_create(&s, &second, message, sizeof(message)), -1);
    EXPECT_NE(std::string(message).find("running already"), std::string::npos) << message;
    ASSERT_EQ(softtofu_view_open(job.c_str(), &second, message, sizeof(message)), 0) << message;
    softtofu_view_close(second);
}

TEST_F(View, RanksAndTheirLives)
{
    softtofu_job_spec s = spec();
    ASSERT_EQ(softtofu_job_create(&s, &view, message, sizeof(message)), 0) << message;
    auto exits = start(1), dies = start(2);
    EXPECT_EQ(state_of(1), SOFTTOFU_PROCESS_ABSENT) << "it has not called anything yet";
    ASSERT_EQ(exits->run(support::vcq_create, 0u, 0ul, -1).status, UTOFU_SUCCESS);
    ASSERT_EQ(dies->run(support::vcq_create, 0u, 0ul, -1).status, UTOFU_SUCCESS);
    softtofu_process_info one = {}, two = {};
    EXPECT_EQ(softtofu_view_process(view, 1, &one), 0);
    EXPECT_EQ(softtofu_view_process(view, 2, &two), 0);
    EXPECT_EQ(one.state, SOFTTOFU_PROCESS_ALIVE);
    EXPECT_EQ(one.pid, exits->pid());
    EXPECT_EQ(one.rank_in_node, 1u);
    EXPECT_EQ(two.rank_in_node, 0u);
    EXPECT_NE(memcmp(one.coords, two.coords, sizeof(one.coords)), 0) << "two a node";
    EXPECT_EQ(exits->finish(), 0);
    dies->kill();
    EXPECT_EQ(state_of(0), SOFTTOFU_PROCESS_ABSENT);
    EXPECT_EQ(state_of(1), SOFTTOFU_PROCESS_EXITED);
    EXPECT_EQ(state_of(2), SOFTTOFU_PROCESS_DEAD);
}

TEST_F(View, VcqsAndWhatTheySent)
{
    auto sender = start(0), receiver = start(3);
    auto from = sender->run(support::vcq_create, 4u, UTOFU_VCQ_FLAG_EXCLUSIVE, -1);
    auto to   = receiver->run(support::vcq_create, 1u, 0ul, 5);
    ASSERT_EQ(from.status, UTOFU_SUCCESS);
    ASSERT_EQ(to.status, UTOFU_SUCCESS);
    char *memory = receiver->run(support::memory_make, support::Memory::Memfd, size_t(4096));
    support::Command c;
    c.kind   = support::Kind::Piggyback8;
    c.hdl    = from.hdl;
    c.rmt    = to.id;
    c.stadd  = receiver->run(support::mem_register, to.hdl, memory, size_t(4096), 0ul).value;
    c.length = 5;
    for (int i = 0; i < 7; i++) {
        c.flags = i < 3 ? UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE : 0;
        ASSERT_EQ(sender->run(support::post, c), UTOFU_SUCCESS);
    }

    ASSERT_EQ(softtofu_view_open(job.c_str(), &view, message, sizeof(message)), 0) << message;
    std::map<uint64_t, softtofu_vcq_info> seen;
    softtofu_vcq_info info;
    for (size_t cursor = 0; softtofu_view_next_vcq(view, &cursor, &info) == 1;)
        EXPECT_TRUE(seen.emplace(info.vcq_id, info).second);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[from.id].rank, 0u);
    EXPECT_EQ(seen[from.id].exclusive, 1);
    EXPECT_EQ(seen[from.id].sent_ops, 7u);
    EXPECT_EQ(seen[from.id].sent_bytes, 35u);
    EXPECT_EQ(seen[from.id].mrq_unread, 0u);
    EXPECT_EQ(seen[to.id].rank, 3u);
    EXPECT_EQ(seen[to.id].exclusive, 0);
    EXPECT_EQ(seen[to.id].sent_ops, 0u);
    EXPECT_EQ(seen[to.id].mrq_unread, 3u);
    receiver->run(support::vcq_free, to.hdl);
    size_t cursor = 0;
    EXPECT_EQ(softtofu_view_next_vcq(view, &cursor, &info), 1);
    EXPECT_EQ(info.vcq_id, from.id);
    EXPECT_EQ(softtofu_view_next_vcq(view, &cursor, &info), 0);
}

TEST_F(View, TrafficOutlivesVcqsAndProcesses)
{
    auto sender = start(0), receiver = start(3);
    auto to = receiver->run(support::vcq_create, 1u, 0ul, 5);
    ASSERT_EQ(to.status, UTOFU_SUCCESS);
    char *far = receiver->run(support::memory_make, support::Memory::Memfd, size_t(4096));
    char *near = sender->run(support::memory_make, support::Memory::Memfd, size_t(4096));
    support::Command c;
    c.rmt    = to.id;
    c.stadd  = receiver->run(support::mem_register, to.hdl, far, size_t(4096), 0ul).value;
    c.length = 100;
    support::Vcq from;
    for (int life = 0; life < 2; life++) {
        from = sender->run(support::vcq_create, 4u, 0ul, 2);
        ASSERT_EQ(from.status, UTOFU_SUCCESS);
        c.hdl = from.hdl;
        c.lcl = sender->run(support::mem_register, from.hdl, near, size_t(4096), 0ul).value;
        for (auto kind : {support::Kind::Put, support::Kind::Get, support::Kind::Get}) {
            c.kind = kind;
            ASSERT_EQ(sender->run(support::post, c), UTOFU_SUCCESS);
        }
        if (life == 0)
            sender->run(support::vcq_free, from.hdl);
    }
    ASSERT_EQ(softtofu_view_open(job.c_str(), &view, message, sizeof(message)), 0) << message;
    size_t cursor = 0;
    softtofu_vcq_info vcq;
    ASSERT_EQ(softtofu_view_next_vcq(view, &cursor, &vcq), 1);
    EXPECT_EQ(vcq.sent_ops, 3u) << "those of its own life";
    EXPECT_EQ(vcq.sent_bytes, 300u);
    sender->kill();

    softtofu_job_info facts;
    softtofu_view_job(view, &facts);
    ASSERT_EQ(facts.nodes, 2u);
    softtofu_traffic traffic[2];
    softtofu_sender_info info;
    cursor = 0;
    ASSERT_EQ(softtofu_view_next_sender(view, &cursor, &info, traffic), 1);
    EXPECT_EQ(info.vcq_id, from.id);
    EXPECT_EQ(info.rank, 0u);
    EXPECT_EQ(info.node, 0u);
    EXPECT_EQ(traffic[0].ops + traffic[0].get_ops, 0u);
    EXPECT_EQ(traffic[1].ops, 2u);
    EXPECT_EQ(traffic[1].bytes, 200u);
    EXPECT_EQ(traffic[1].get_ops, 4u);
    EXPECT_EQ(traffic[1].get_bytes, 400u);
    ASSERT_EQ(softtofu_view_next_sender(view, &cursor, &info, traffic), 1);
    EXPECT_EQ(info.vcq_id, to.id);
    EXPECT_EQ(info.live, 1);
    EXPECT_EQ(softtofu_view_next_sender(view, &cursor, &info, traffic), 0);
}

} // namespace
