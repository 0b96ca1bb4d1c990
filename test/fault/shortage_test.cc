/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that have no descriptor left, and processes that are stopped: neither harms the others. */
#include "fault/job.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <sys/resource.h>

namespace
{

using namespace fault;

/* In an agent: whether descriptors beyond the standard ones can be made. */
bool let_descriptors(bool yes)
{
    rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return false;
    limit.rlim_cur = yes ? limit.rlim_max : 3;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* In an agent: look for dead peers, as polls do. */
void poll_for_a_while(utofu_vcq_hdl_t hdl)
{
    auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);

    while (std::chrono::steady_clock::now() < end)
        support::mrq_poll(hdl);
}

TEST(Shortage, OfDescriptorsIsNotTakenForDeathOfOthers)
{
    Job job(3);
    auto poor = job.rank(0), peer = job.rank(1), third = job.rank(2);
    Station here  = poor->run(station_open, Memory::Memfd, size_t(4096));
    Station there = peer->run(station_open, Memory::Memfd, size_t(4096));
    Station other = third->run(station_open, Memory::Memfd, size_t(4096));
    ASSERT_TRUE(poor->run(let_descriptors, false));
    EXPECT_EQ(poor->run(post_and_wait, word_to(here, there, 1, 0)), UTOFU_ERR_OUT_OF_MEMORY);
    poor->run(poll_for_a_while, here.hdl);
    EXPECT_EQ(third->run(post_and_wait, word_to(other, there, 2, 0)), UTOFU_SUCCESS) << "it lives";
    ASSERT_TRUE(poor->run(let_descriptors, true));
    EXPECT_EQ(poor->run(post_and_wait, word_to(here, there, 3, 0)), UTOFU_SUCCESS);
}

TEST(Shortage, OfDescriptorsHidesDeathOnlyWhileItLasts)
{
    Job job(2);
    auto poor = job.rank(0), doomed = job.rank(1);
    Station here  = poor->run(station_open, Memory::Memfd, size_t(4096));
    Station there = doomed->run(station_open, Memory::Memfd, size_t(4096));
    ASSERT_EQ(poor->run(post_and_wait, word_to(here, there, 1, 0)), UTOFU_SUCCESS);
    ASSERT_TRUE(poor->run(let_descriptors, false));
    doomed->kill();
    poor->run(poll_for_a_while, here.hdl);
    ASSERT_TRUE(poor->run(let_descriptors, true));
    EXPECT_EQ(poor->run(repeat_until_peer_error, word_to(here, there, 1, 0)), UTOFU_ERR_MRQ_PEER);
}

TEST(Shortage, OfDescriptorsFailsRegistrationAndCreationAlone)
{
    Job job(2);
    auto poor = job.rank(0), late = job.rank(1);
    Station here = poor->run(station_open, Memory::Memfd, size_t(4096));
    char *memory = poor->run(support::memory_make, Memory::Memfd, size_t(4096));
    ASSERT_TRUE(poor->run(let_descriptors, false));
    EXPECT_EQ(poor->run(support::mem_register, here.hdl, memory, size_t(4096), 0ul).status,
              UTOFU_ERR_OUT_OF_MEMORY);
    ASSERT_TRUE(poor->run(let_descriptors, true));
    EXPECT_EQ(poor->run(support::mem_register, here.hdl, memory, size_t(4096), 0ul).status, UTOFU_SUCCESS);
    ASSERT_TRUE(late->run(let_descriptors, false));
    EXPECT_EQ(late->run(support::vcq_create, 0u, 0ul, -1).status, UTOFU_ERR_NOT_AVAILABLE);
    EXPECT_EQ(late->errors().compare(0, 17, "softtofu: error: "), 0) << late->errors();
    ASSERT_TRUE(late->run(let_descriptors, true)) << "sanitizers use some as the agent ends";
}

/* In an agent: posts until a queue is full. @return How many were posted. */
unsigned post_until_busy(Command command)
{
    unsigned posted = 0;

    while (support::post(command) == UTOFU_SUCCESS)
        posted++;
    return posted;
}

TEST(Stopped, PeerHoldsUpNobody)
{
    for (Memory kind : {Memory::Memfd, Memory::Heap}) {
        Job job(3, {{"SOFTTOFU_MRQ_DEPTH", "64"}});
        auto first = job.rank(0), stopped = job.rank(1), third = job.rank(2);
        Station here  = first->run(station_open, Memory::Memfd, size_t(4096));
        Station there = stopped->run(station_open, kind, size_t(4096));
        Station other = third->run(station_open, Memory::Memfd, size_t(4096));
        ASSERT_EQ(first->run(post_and_wait, word_to(here, there, 1, 0)), UTOFU_SUCCESS);
        ASSERT_EQ(kill(stopped->pid(), SIGSTOP), 0);
        /* Nothing needs its help, until its queue is full: then it is busy, not dead. */
        EXPECT_EQ(first->run(post_until_busy, word_to(here, there, 2, remote_notice)), 64u);
        EXPECT_EQ(first->run(post_and_wait, word_to(here, there, 3, 0)), UTOFU_SUCCESS);
        EXPECT_EQ(first->run(post_and_wait, word_to(here, other, 4, remote_notice)), UTOFU_SUCCESS);
        EXPECT_EQ(third->run(post_and_wait, word_to(other, here, 5, remote_notice)), UTOFU_SUCCESS);
        ASSERT_EQ(kill(stopped->pid(), SIGCONT), 0);
        EXPECT_EQ(stopped->run(support::mrq_unread, there.hdl), 64);
        EXPECT_EQ(stopped->run(support::load8, there.address), 3u);
    }
}

TEST(Retry, LandsOnceTheTargetHasRegistered)
{
    Job job(2);
    auto first = job.rank(0), second = job.rank(1);
    Station here = first->run(station_open, Memory::Memfd, size_t(4096));
    Vcq vcq      = second->run(support::vcq_create, 0u, 0ul, component);
    ASSERT_EQ(vcq.status, UTOFU_SUCCESS);
    Station there = {};
    there.id      = vcq.id;
    utofu_query_stadd(vcq.id, some_stag, &there.stadd);
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(first->run(post_and_wait, word_to(here, there, 1, remote_notice)), UTOFU_ERR_MRQ_RMT_STADD);
        EXPECT_EQ(second->run(support::mrq_poll, vcq.hdl).status, UTOFU_ERR_NOT_FOUND);
    }
    char *memory = second->run(support::memory_make, Memory::Memfd, size_t(4096));
    Stadd stadd  = second->run(support::mem_register_stag, vcq.hdl, memory, size_t(4096), some_stag, 0ul);
    ASSERT_EQ(stadd.value, there.stadd);
    EXPECT_EQ(first->run(post_and_wait, word_to(here, there, 7, remote_notice)), UTOFU_SUCCESS);
    EXPECT_EQ(second->run(support::mrq_wait, vcq.hdl, patience).status, UTOFU_SUCCESS);
    EXPECT_EQ(second->run(support::load8, memory), 7u);
}

/* A VCQ that was freed is none, and one made in its place has none of its notices, nor its memory. */
TEST(Retry, FreedVcqIsNoPeerAndItsSuccessorStartsEmpty)
{
    Job job(2);
    auto first = job.rank(0), second = job.rank(1);
    Station here  = first->run(station_open, Memory::Memfd, size_t(4096));
    Station there = second->run(station_open, Memory::Memfd, size_t(4096));
    ASSERT_EQ(first->run(post_and_wait, word_to(here, there, 1, remote_notice)), UTOFU_SUCCESS);
    ASSERT_EQ(second->run(support::vcq_free, there.hdl), UTOFU_SUCCESS);
    EXPECT_EQ(first->run(post_and_wait, word_to(here, there, 2, remote_notice)), UTOFU_ERR_MRQ_PEER);
    Vcq again = second->run(support::vcq_create, 0u, 0ul, component);
    ASSERT_EQ(again.status, UTOFU_SUCCESS);
    ASSERT_EQ(again.id, there.id);
    EXPECT_EQ(first->run(post_and_wait, word_to(here, there, 3, remote_notice)), UTOFU_ERR_MRQ_RMT_STADD);
    EXPECT_EQ(second->run(support::mrq_unread, again.hdl), 0);
    EXPECT_EQ(second->run(support::mrq_poll, again.hdl).status, UTOFU_ERR_NOT_FOUND);
    EXPECT_EQ(second->run(support::load8, there.address), 1u);
}

std::atomic<bool> enough;

/* In an agent: puts with notices, as long ones as there is memory, to whatever is there, until there is enough. */
int bombard(Command command)
{
    while (!enough) {
        int posted = support::post(command);
        if (posted != UTOFU_SUCCESS && posted != UTOFU_ERR_BUSY)
            return posted;
        support::mrq_poll(command.hdl);
    }
    return UTOFU_SUCCESS;
}

/**
 * In an agent: free VCQs while they are written to, and look what their successors get, which have no memory for
 * anybody to write to. @return Notices that successors got.
 */
unsigned stray_notices(char *memory, size_t size, unsigned cycles)
{
    unsigned strays = 0;

    for (unsigned i = 0; i < cycles; i++) {
        Vcq vcq = support::vcq_create(0, 0, component);
        support::mem_register_stag(vcq.hdl, memory, size, some_stag, 0);
        support::store8(memory, 0);
        auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience);
        while (support::load8(memory) == 0 && std::chrono::steady_clock::now() < end)
            ;
        support::vcq_free(vcq.hdl); /* The first bytes have come, the last ones have not. */
        vcq = support::vcq_create(0, 0, component);
        end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
        while (std::chrono::steady_clock::now() < end)
            strays += support::mrq_poll(vcq.hdl).status == UTOFU_SUCCESS;
        support::vcq_free(vcq.hdl);
    }
    return strays;
}

TEST(Retry, NoticesOnTheirWayDoNotReachASuccessor)
{
    constexpr size_t size = 8 << 20;
    Job job(2);
    auto first = job.rank(0), second = job.rank(1);
    Station here = first->run(station_open, Memory::Memfd, size);
    char *memory = second->run(support::memory_make, Memory::Memfd, size);
    first->run(support::byte_fill, here.address, size, 1);
    Vcq vcq = second->run(support::vcq_create, 0u, 0ul, component);
    ASSERT_EQ(second->run(support::vcq_free, vcq.hdl), UTOFU_SUCCESS);
    Command c = word_to(here, here, 0, remote_notice);
    c.kind    = Kind::Put;
    c.rmt     = vcq.id;
    c.lcl     = here.stadd;
    c.length  = size;
    utofu_query_stadd(vcq.id, some_stag, &c.stadd);
    auto bombarded = first->start(bombard, c);
    EXPECT_EQ(second->run(stray_notices, memory, size, 40u), 0u);
    first->run([] { enough = true; });
    EXPECT_EQ(bombarded.get(), UTOFU_SUCCESS);
}

} // namespace
