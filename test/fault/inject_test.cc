/* SPDX-License-Identifier: BSD-3-Clause */
/* SOFTTOFU_FAULT: each fault befalls what it is to befall, is told as utofu.h says, and does no more. */
#include "fault/job.h"

#include <chrono>
#include <vector>

namespace
{

using namespace fault;

constexpr unsigned long tcq_notice = UTOFU_ONESIDED_FLAG_TCQ_NOTICE;
constexpr size_t area              = 4096;

/** Two ranks of which the first has faults. */
class Inject : public testing::Test
{
protected:
    void begin(const std::string &plan)
    {
        job    = std::make_unique<Job>(2, support::Environment{{"SOFTTOFU_FAULT", plan + ",rank=0"}});
        faulty = job->rank(0);
        other  = job->rank(1);
        here   = faulty->run(station_open, Memory::Memfd, area);
        there  = other->run(station_open, Memory::Memfd, area);
        ASSERT_EQ(here.status, UTOFU_SUCCESS) << faulty->errors();
        ASSERT_EQ(there.status, UTOFU_SUCCESS) << other->errors();
    }

    Command of(Kind kind, unsigned long flags)
    {
        Command c = word_to(here, there, 1, flags);
        c.kind    = kind;
        c.lcl     = here.stadd;
        c.cbdata  = 77;
        c.edata   = 9;
        return c;
    }

    std::unique_ptr<Job> job;
    std::unique_ptr<Agent> faulty, other;
    Station here, there;
};

const Kind kinds[] = {Kind::Put, Kind::Piggyback, Kind::Piggyback8, Kind::Get, Kind::Armw4, Kind::Armw8,
                      Kind::Cswap4, Kind::Cswap8};

bool is_put(Kind kind)
{
    return kind == Kind::Put || kind == Kind::Piggyback || kind == Kind::Piggyback8;
}

TEST_F(Inject, BusyPostsNothing)
{
    ASSERT_NO_FATAL_FAILURE(begin("busy=1"));
    for (Kind kind : kinds) {
        EXPECT_EQ(faulty->run(support::post, of(kind, local_notice | remote_notice | tcq_notice)), UTOFU_ERR_BUSY);
        EXPECT_EQ(faulty->run(support::tcq_poll, here.hdl).status, UTOFU_ERR_NOT_FOUND);
        EXPECT_EQ(faulty->run(support::mrq_poll, here.hdl).status, UTOFU_ERR_NOT_FOUND);
        EXPECT_EQ(other->run(support::mrq_poll, there.hdl).status, UTOFU_ERR_NOT_FOUND);
    }
    EXPECT_EQ(other->run(support::byte_wrong, there.address, area, 0), 0u);
    /* Other ranks are left alone. */
    EXPECT_EQ(other->run(post_and_wait, word_to(there, here, 1, 0)), UTOFU_SUCCESS);
}

TEST_F(Inject, BusyTrainsAndImagesPostNothing)
{
    ASSERT_NO_FATAL_FAILURE(begin("busy=1"));
    Command c = of(Kind::Put, local_notice);
    c.strided = true;
    c.stride  = 64;
    c.blocks  = 4;
    EXPECT_EQ(faulty->run(support::post, c), UTOFU_ERR_BUSY);
    support::Image image = faulty->run(support::prepare, c);
    ASSERT_EQ(image.status, UTOFU_SUCCESS);
    EXPECT_EQ(faulty->run(support::post_image, here.hdl, image, uint64_t(1)), UTOFU_ERR_BUSY);
    EXPECT_EQ(faulty->run(support::mrq_poll, here.hdl).status, UTOFU_ERR_NOT_FOUND);
}

TEST_F(Inject, OnlyAndAfterAndCountLimitIt)
{
    ASSERT_NO_FATAL_FAILURE(begin("busy=1,only=get,after=2,count=3"));
    for (int i = 0; i < 8; i++) {
        EXPECT_EQ(faulty->run(support::post, of(Kind::Put, 0)), UTOFU_SUCCESS);
        EXPECT_EQ(faulty->run(support::post, of(Kind::Get, 0)),
                  i >= 2 && i < 5 ? UTOFU_ERR_BUSY : UTOFU_SUCCESS)
                << i;
    }
}

/* A failure that the target tells: transmitted, so the TCQ tells success, and the notice is filled. */
TEST_F(Inject, MrqErrorsAreToldAndNothingIsDone)
{
    const int codes[] = {UTOFU_ERR_MRQ_OTHER,      UTOFU_ERR_MRQ_PEER,       UTOFU_ERR_MRQ_LCL_MEMORY,
                         UTOFU_ERR_MRQ_RMT_MEMORY, UTOFU_ERR_MRQ_LCL_STADD,  UTOFU_ERR_MRQ_RMT_STADD,
                         UTOFU_ERR_MRQ_LCL_LENGTH, UTOFU_ERR_MRQ_RMT_LENGTH};
    const char *names[] = {"OTHER", "PEER", "LCL_MEMORY", "RMT_MEMORY", "LCL_STADD", "RMT_STADD",
                           "LCL_LENGTH", "RMT_LENGTH"};
    for (unsigned i = 0; i < 8; i++) {
        ASSERT_NO_FATAL_FAILURE(begin("error=1:MRQ_" + std::string(names[i])));
        Kind kind = kinds[i];
        Command c = of(kind, tcq_notice | remote_notice);
        ASSERT_EQ(faulty->run(support::post, c), UTOFU_SUCCESS);
        support::TcqNotice left = faulty->run(support::tcq_wait, here.hdl, patience);
        EXPECT_EQ(left.status, UTOFU_SUCCESS);
        EXPECT_EQ(left.cbdata, 77u);
        MrqNotice told = faulty->run(support::mrq_wait, here.hdl, patience);
        EXPECT_EQ(told.status, codes[i]);
        EXPECT_EQ(told.notice.notice_type, is_put(kind)        ? UTOFU_MRQ_TYPE_LCL_PUT
                                           : kind == Kind::Get ? UTOFU_MRQ_TYPE_LCL_GET
                                                               : UTOFU_MRQ_TYPE_LCL_ARMW);
        EXPECT_EQ(told.notice.vcq_id, there.id);
        EXPECT_EQ(told.notice.edata, 9u);
        EXPECT_EQ(told.notice.rmt_stadd, there.stadd + (is_put(kind) || kind == Kind::Get ? 8 : 0));
        EXPECT_EQ(other->run(support::mrq_poll, there.hdl).status, UTOFU_ERR_NOT_FOUND);
        EXPECT_EQ(other->run(support::byte_wrong, there.address, area, 0), 0u);
    }
}

/* A failure at the transmitting side: told by the TCQ with cbdata, and by nothing else. */
TEST_F(Inject, TcqErrorsAreToldAndNothingIsDone)
{
    const int codes[]   = {UTOFU_ERR_TCQ_OTHER, UTOFU_ERR_TCQ_DESC, UTOFU_ERR_TCQ_MEMORY, UTOFU_ERR_TCQ_STADD,
                           UTOFU_ERR_TCQ_LENGTH};
    const char *names[] = {"OTHER", "DESC", "MEMORY", "STADD", "LENGTH"};
    for (unsigned i = 0; i < 5; i++) {
        ASSERT_NO_FATAL_FAILURE(begin("error=1:TCQ_" + std::string(names[i])));
        ASSERT_EQ(faulty->run(support::post, of(kinds[i], local_notice | remote_notice)), UTOFU_SUCCESS);
        support::TcqNotice left = faulty->run(support::tcq_wait, here.hdl, patience);
        EXPECT_EQ(left.status, codes[i]);
        EXPECT_EQ(left.cbdata, 77u);
        EXPECT_EQ(faulty->run(support::mrq_poll, here.hdl).status, UTOFU_ERR_NOT_FOUND);
        EXPECT_EQ(other->run(support::mrq_poll, there.hdl).status, UTOFU_ERR_NOT_FOUND);
        EXPECT_EQ(other->run(support::byte_wrong, there.address, area, 0), 0u);
    }
}

TEST_F(Inject, TargetsDoNotTellOfNops)
{
    ASSERT_NO_FATAL_FAILURE(begin("error=1:MRQ_PEER"));
    ASSERT_EQ(faulty->run(support::post, of(Kind::Nop, tcq_notice)), UTOFU_SUCCESS);
    EXPECT_EQ(faulty->run(support::tcq_wait, here.hdl, patience).status, UTOFU_SUCCESS);
    EXPECT_EQ(faulty->run(support::mrq_poll, here.hdl).status, UTOFU_ERR_NOT_FOUND);
}

/* @return Statuses of @a number puts, as letters. */
struct Story {
    char letters[65];
};

Story story(Station own, Station target)
{
    Story s = {};

    for (unsigned i = 0; i < 64; i++) {
        int posted   = support::post(word_to(own, target, i, local_notice));
        int told     = posted == UTOFU_SUCCESS ? support::mrq_wait(own.hdl, patience).status : 0;
        s.letters[i] = posted == UTOFU_ERR_BUSY ? 'b' : told == UTOFU_SUCCESS ? '.' : 'e';
    }
    return s;
}

TEST_F(Inject, SameSeedSameFaults)
{
    std::vector<std::string> stories;
    for (const char *seed : {"1", "1", "2"}) {
        ASSERT_NO_FATAL_FAILURE(begin("busy=0.2,error=0.2:MRQ_PEER,seed=" + std::string(seed)));
        stories.push_back(faulty->run(story, here, there).letters);
    }
    EXPECT_EQ(stories[0], stories[1]);
    EXPECT_NE(stories[0], stories[2]);
    for (char kind : {'.', 'b', 'e'})
        EXPECT_NE(stories[0].find(kind), std::string::npos) << stories[0];
}

/* @return Milliseconds until memory that nobody here writes holds @a value: no call on the VCQ helps. */
long wait_for_word(char *address, uint64_t value)
{
    auto begin = std::chrono::steady_clock::now(), now = begin;

    while (support::load8(address) != value && now < begin + std::chrono::milliseconds(patience))
        now = std::chrono::steady_clock::now();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now - begin).count();
}

TEST_F(Inject, DelayedCommandsComeByThemselvesInOrder)
{
    ASSERT_NO_FATAL_FAILURE(begin("delay=1:30ms,count=1"));
    ASSERT_EQ(faulty->run(support::post, word_to(here, there, 1, 0)), UTOFU_SUCCESS);
    ASSERT_EQ(faulty->run(support::post, word_to(here, there, 2, remote_notice)), UTOFU_SUCCESS);
    /* Nobody polls at the initiator. */
    EXPECT_LT(other->run(wait_for_word, there.address, uint64_t(2)), patience);
    EXPECT_EQ(other->run(support::mrq_wait, there.hdl, patience).status, UTOFU_SUCCESS);
}

/* A command that is delayed for long is not there meanwhile, nor is what comes behind it. */
TEST_F(Inject, DelayHoldsBackWhatIsBehind)
{
    ASSERT_NO_FATAL_FAILURE(begin("delay=1:60s,count=1"));
    ASSERT_EQ(faulty->run(support::post, word_to(here, there, 1, local_notice)), UTOFU_SUCCESS);
    ASSERT_EQ(faulty->run(support::post, word_to(here, there, 2, local_notice)), UTOFU_SUCCESS);
    for (int i = 0; i < 100; i++)
        EXPECT_EQ(faulty->run(support::mrq_poll, here.hdl).status, UTOFU_ERR_NOT_FOUND);
    EXPECT_EQ(other->run(support::load8, there.address), 0u);
    EXPECT_EQ(faulty->run(support::vcq_free, here.hdl), UTOFU_SUCCESS) << "does not wait for it";
}

TEST_F(Inject, DelaysAndReleasesGoTogether)
{
    ASSERT_NO_FATAL_FAILURE(begin("delay=0.5:1ms"));
    Vcq session = faulty->run(support::vcq_create, 1u, static_cast<unsigned long>(UTOFU_VCQ_FLAG_SESSION_MODE), -1);
    ASSERT_EQ(session.status, UTOFU_SUCCESS);
    Command c = word_to(here, there, 0, 0);
    c.hdl     = session.hdl;
    for (uint64_t i = 1; i <= 8; i++) {
        c.value = i;
        ASSERT_EQ(faulty->run(support::post, c), UTOFU_SUCCESS);
    }
    Command release = word_to(there, here, 0, UTOFU_ONESIDED_FLAG_SPS(4));
    release.rmt     = session.id;
    /* The session VCQ has no memory of its own: a STag of its component. */
    char *memory = faulty->run(support::memory_make, Memory::Memfd, area);
    Stadd stadd  = faulty->run(support::mem_register, session.hdl, memory, area, 0ul);
    ASSERT_EQ(stadd.status, UTOFU_SUCCESS);
    release.stadd = stadd.value;
    ASSERT_EQ(other->run(support::post, release), UTOFU_SUCCESS);
    EXPECT_LT(other->run(wait_for_word, there.address, uint64_t(4)), patience);
    ASSERT_EQ(other->run(support::post, release), UTOFU_SUCCESS);
    EXPECT_LT(other->run(wait_for_word, there.address, uint64_t(8)), patience);
}

TEST_F(Inject, ResourcesAreRefused)
{
    ASSERT_NO_FATAL_FAILURE(begin("full=1:OUT_OF_MEMORY,only=reg_mem|create_vcq,after=1"));
    char *memory = faulty->run(support::memory_make, Memory::Memfd, area);
    EXPECT_EQ(faulty->run(support::mem_register, here.hdl, memory, area, 0ul).status, UTOFU_ERR_OUT_OF_MEMORY);
    EXPECT_EQ(faulty->run(support::mem_register_stag, here.hdl, memory, area, 6u, 0ul).status,
              UTOFU_ERR_OUT_OF_MEMORY);
    EXPECT_EQ(faulty->run(support::vcq_create, 2u, 0ul, -1).status, UTOFU_ERR_OUT_OF_MEMORY);
    EXPECT_EQ(faulty->run(post_and_wait, word_to(here, there, 5, 0)), UTOFU_SUCCESS) << "only these";
}

TEST_F(Inject, ResourcesAreFullByDefault)
{
    ASSERT_NO_FATAL_FAILURE(begin("full=1,count=1,after=1"));
    EXPECT_EQ(faulty->run(support::vcq_create, 2u, 0ul, -1).status, UTOFU_ERR_FULL);
    EXPECT_EQ(faulty->run(support::vcq_create, 2u, 0ul, -1).status, UTOFU_SUCCESS);
}

} // namespace
