/* SPDX-License-Identifier: BSD-3-Clause */
/* What the system does not allow, and settings that make no sense: one clear line, and no crash. */
#include "fault/job.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace
{

using namespace fault;

/* From now on the kernel answers a system call with EPERM, as a container's filter does. */
bool forbid(long call)
{
    sock_filter code[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, unsigned(call), 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Private memory is refused with a reason; mapped memory works all the same, so it needs no attach. */
void expect_mapped_only(Agent &first, Agent &second, const std::string &reason)
{
    Station here = first.run(station_open, Memory::Memfd, size_t(4096));
    ASSERT_EQ(here.status, UTOFU_SUCCESS) << first.errors();
    EXPECT_EQ(first.errors(), "");
    char *own = first.run(support::memory_make, Memory::Heap, size_t(4096));
    EXPECT_EQ(first.run(support::mem_register, here.hdl, own, size_t(4096), 0ul).status,
              UTOFU_ERR_NOT_SUPPORTED);
    std::string said = first.errors();
    EXPECT_NE(said.find("softtofu: error: cannot register 4096 bytes"), std::string::npos) << said;
    EXPECT_NE(said.find(reason), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;

    Station there = second.run(station_open, Memory::PosixShm, size_t(4096));
    ASSERT_EQ(there.status, UTOFU_SUCCESS);
    for (Kind kind : {Kind::Piggyback8, Kind::Armw8}) {
        Command c = word_to(here, there, 5, remote_notice);
        c.kind    = kind;
        EXPECT_EQ(first.run(post_and_wait, c), UTOFU_SUCCESS);
    }
    EXPECT_EQ(second.run(support::load8, there.address), 10u);
}

TEST(Forbidden, AttachBySetting)
{
    Job job(2, {{"SOFTTOFU_ATTACH", "no"}});
    auto first = job.rank(0), second = job.rank(1);
    expect_mapped_only(*first, *second, "SOFTTOFU_ATTACH=no");
}

TEST(Forbidden, AttachByTheKernel)
{
    Job job(2);
    auto first = job.rank(0), second = job.rank(1);
    for (Agent *agent : {first.get(), second.get()}) {
        ASSERT_TRUE(agent->run(forbid, long(SYS_process_vm_readv)));
        ASSERT_TRUE(agent->run(forbid, long(SYS_process_vm_writev)));
    }
    expect_mapped_only(*first, *second, "process_vm_readv");
}

/* Whoever may register need not be whoever may reach it: the fault is told, and the queues live on. */
TEST(Forbidden, AttachByTheInitiatorsKernelOnly)
{
    Job job(2);
    auto first = job.rank(0), second = job.rank(1);
    Station here  = first->run(station_open, Memory::Memfd, size_t(4096));
    Station there = second->run(station_open, Memory::Heap, size_t(4096));
    ASSERT_TRUE(first->run(forbid, long(SYS_process_vm_readv)));
    ASSERT_TRUE(first->run(forbid, long(SYS_process_vm_writev)));
    for (Kind kind : {Kind::Piggyback8, Kind::Armw8}) {
        Command c = word_to(here, there, 5, remote_notice);
        c.kind    = kind;
        EXPECT_EQ(first->run(post_and_wait, c), UTOFU_ERR_MRQ_RMT_MEMORY);
    }
    EXPECT_EQ(second->run(support::mrq_poll, there.hdl).status, UTOFU_ERR_NOT_FOUND);
    EXPECT_EQ(second->run(support::mrq_unread, there.hdl), 0);
    EXPECT_EQ(second->run(post_and_wait, word_to(there, here, 5, remote_notice)), UTOFU_SUCCESS);
    EXPECT_EQ(first->run(support::mrq_wait, here.hdl, patience).status, UTOFU_SUCCESS);
}

/* A notice behind entries that were given up is counted, and comes. */
TEST(Forbidden, NoticesBehindFailedOnesAreCounted)
{
    Job job(3);
    auto first = job.rank(0), second = job.rank(1), third = job.rank(2);
    Station here  = first->run(station_open, Memory::Memfd, size_t(4096));
    Station there = second->run(station_open, Memory::Heap, size_t(4096));
    Station other = third->run(station_open, Memory::Memfd, size_t(4096));
    ASSERT_TRUE(first->run(forbid, long(SYS_process_vm_writev)));
    EXPECT_EQ(first->run(post_and_wait, word_to(here, there, 5, remote_notice)),
              UTOFU_ERR_MRQ_RMT_MEMORY);
    EXPECT_EQ(third->run(post_and_wait, word_to(other, there, 5, remote_notice)), UTOFU_SUCCESS);
    EXPECT_EQ(second->run(support::mrq_unread, there.hdl), 1);
    EXPECT_EQ(second->run(support::mrq_poll, there.hdl).status, UTOFU_SUCCESS);
}

/* The fabric lies in no file system, so a full /dev/shm is nothing to it. */
TEST(Forbidden, FullSharedMemoryDoesNotMatter)
{
    Job job(2);
    auto first = job.rank(0), second = job.rank(1);
    for (Agent *agent : {first.get(), second.get()}) {
        if (!agent->run(support::private_shared_memory))
            GTEST_SKIP() << "only root can mount a small /dev/shm";
    }
    Station here  = first->run(station_open, Memory::Memfd, size_t(1 << 20));
    Station there = second->run(station_open, Memory::Memfd, size_t(1 << 20));
    ASSERT_EQ(here.status, UTOFU_SUCCESS) << first->errors();
    ASSERT_EQ(there.status, UTOFU_SUCCESS) << second->errors();
    EXPECT_EQ(first->run(post_and_wait, word_to(here, there, 5, remote_notice)), UTOFU_SUCCESS);
    EXPECT_EQ(second->run(support::load8, there.address), 5u);
}

/** A setting or limit that does not let a process join, and what it must say. */
struct Misfit {
    const char *name;
    support::Environment settings;
    const char *says[3];
};

class Misfits : public testing::TestWithParam<Misfit>
{
};

TEST_P(Misfits, OneLineAndNotAvailable)
{
    Job job(4, GetParam().settings);
    auto agent = job.rank(0);
    for (int i = 0; i < 3; i++) /* It is said once, and the answer stays the same. */
        EXPECT_EQ(agent->run(support::vcq_create, 0u, 0ul, -1).status, UTOFU_ERR_NOT_AVAILABLE);
    EXPECT_EQ(agent->run([] {
        uint8_t coords[6];
        return utofu_query_my_coords(coords);
    }),
              UTOFU_ERR_NOT_AVAILABLE);
    std::string said = agent->errors();
    EXPECT_EQ(said.compare(0, 17, "softtofu: error: "), 0) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    for (const char *word : GetParam().says)
        EXPECT_NE(said.find(word != nullptr ? word : ""), std::string::npos) << word << ": " << said;
}

const Misfit misfits[] = {
        {"shape_too_small", {{"SOFTTOFU_SHAPE", "1x1x1x1x1x1"}}, {"1x1x1x1x1x1", "4", "--ppn"}},
        {"shape_ill_formed", {{"SOFTTOFU_SHAPE", "2x3x2"}}, {"SOFTTOFU_SHAPE=2x3x2", "XxYxZxAxBxC"}},
        {"shape_too_large", {{"SOFTTOFU_SHAPE", "99x1x1x1x1x1"}}, {"SOFTTOFU_SHAPE=99x1x1x1x1x1"}},
        {"ppn_zero", {{"SOFTTOFU_PPN", "0"}}, {"SOFTTOFU_PPN=0", "1 to 48"}},
        {"ppn_too_many", {{"SOFTTOFU_PPN", "49"}}, {"SOFTTOFU_PPN=49", "1 to 48"}},
        {"size_no_number", {{"SOFTTOFU_SIZE", "four"}}, {"SOFTTOFU_SIZE=four"}},
        {"size_zero", {{"SOFTTOFU_SIZE", "0"}}, {"SOFTTOFU_SIZE=0"}},
        {"size_too_many", {{"SOFTTOFU_SIZE", "4097"}}, {"SOFTTOFU_SIZE=4097", "4096"}},
        {"mrq_depth_odd", {{"SOFTTOFU_MRQ_DEPTH", "100"}}, {"100", "power of two"}},
        {"mrq_depth_small", {{"SOFTTOFU_MRQ_DEPTH", "8"}}, {"SOFTTOFU_MRQ_DEPTH=8", "16"}},
        {"toq_depth_large", {{"SOFTTOFU_TOQ_DEPTH", "4194304"}}, {"SOFTTOFU_TOQ_DEPTH", "2097152"}},
        {"overflow_unknown", {{"SOFTTOFU_MRQ_OVERFLOW", "ignore"}}, {"SOFTTOFU_MRQ_OVERFLOW=ignore", "abort"}},
        {"attach_unknown", {{"SOFTTOFU_ATTACH", "maybe"}}, {"SOFTTOFU_ATTACH=maybe", "yes", "no"}},
        {"fault_ill_formed", {{"SOFTTOFU_FAULT", "seed=1,busy=2"}}, {"SOFTTOFU_FAULT", "'busy=2'", "character 8"}},
        {"job_ill_formed", {{"SOFTTOFU_JOB", "a/b"}}, {"'a/b'"}},
};
INSTANTIATE_TEST_SUITE_P(, Misfits, testing::ValuesIn(misfits),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Forbidden, RankOutsideTheJob)
{
    Job job(2);
    auto agent = job.rank(2);
    EXPECT_EQ(agent->run(support::vcq_create, 0u, 0ul, -1).status, UTOFU_ERR_NOT_AVAILABLE);
    EXPECT_NE(agent->errors().find("SOFTTOFU_RANK=2"), std::string::npos) << agent->errors();
}

/* The second to join has other ideas of the job than the first. */
TEST(Forbidden, RankOutsideTheJobThatIsRunning)
{
    Job job(2);
    auto first = job.rank(0);
    ASSERT_EQ(first->run(station_open, Memory::Memfd, size_t(4096)).status, UTOFU_SUCCESS);
    support::Environment larger = {{"SOFTTOFU_JOB", job.name()}, {"SOFTTOFU_SIZE", "4"},
                                   {"SOFTTOFU_RANK", "3"}};
    Agent agent(larger);
    EXPECT_EQ(agent.run(support::vcq_create, 0u, 0ul, -1).status, UTOFU_ERR_NOT_AVAILABLE);
    EXPECT_NE(agent.errors().find("2 ranks"), std::string::npos) << agent.errors();
}

/* @return The limit before. */
size_t limit(int resource, size_t value)
{
    auto which   = __rlimit_resource_t(resource);
    rlimit l     = {};
    getrlimit(which, &l);
    size_t before = l.rlim_cur;
    l.rlim_cur    = value;
    setrlimit(which, &l);
    return before;
}

class Limits : public testing::TestWithParam<std::pair<int, size_t>>
{
};

TEST_P(Limits, AreToldAndSurvived)
{
    Job job(2);
    auto agent = job.rank(0);
    size_t before = agent->run(limit, GetParam().first, GetParam().second);
    EXPECT_EQ(agent->run(support::vcq_create, 0u, 0ul, -1).status, UTOFU_ERR_NOT_AVAILABLE);
    agent->run(limit, GetParam().first, before);
    std::string said = agent->errors();
    EXPECT_EQ(said.compare(0, 17, "softtofu: error: "), 0) << said;
    EXPECT_NE(said.find("ulimit"), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(, Limits,
                         testing::Values(std::pair<int, size_t>(RLIMIT_FSIZE, 1 << 20),
                                         std::pair<int, size_t>(RLIMIT_NOFILE, 6)),
                         [](const auto &info) {
                             return info.param.first == RLIMIT_FSIZE ? "file_size" : "files";
                         });

} // namespace
