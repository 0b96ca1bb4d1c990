/* SPDX-License-Identifier: BSD-3-Clause */
/* The MRQ's ring, with producers that stop at any step. */
#include "softtofu/limits.h"
#include "support/agent.h"
#include "support/ops.h"
#include "unit/mrq_probe.h"

#include <gtest/gtest.h>

#include <memory>
#include <unistd.h>

namespace
{

using support::Agent;
using support::MrqNotice;

constexpr unsigned depth = 16;

class Mrq : public testing::Test
{
protected:
    void SetUp() override
    {
        owner = start(0);
        vcq   = owner->run(support::vcq_create, 0u, 0ul, 0);
        ASSERT_EQ(vcq.status, UTOFU_SUCCESS) << owner->errors();
        producer = start_producer(1);
    }

    std::unique_ptr<Agent> start(unsigned rank)
    {
        return std::make_unique<Agent>(support::Environment{{"SOFTTOFU_JOB", job},
                                                            {"SOFTTOFU_SIZE", "3"},
                                                            {"SOFTTOFU_RANK", std::to_string(rank)},
                                                            {"SOFTTOFU_MRQ_DEPTH", "16"}});
    }

    std::unique_ptr<Agent> start_producer(unsigned rank)
    {
        auto agent = start(rank);
        auto own   = agent->run(support::vcq_create, 1u, 0ul, -1);
        EXPECT_TRUE(agent->run(mrq_probe_aim, own.hdl, vcq.id)) << agent->errors();
        return agent;
    }

    MrqNotice poll()
    {
        return owner->run(support::mrq_poll, vcq.hdl);
    }

    MrqNotice wait()
    {
        return owner->run(support::mrq_wait, vcq.hdl, 20000);
    }

    long unread()
    {
        return owner->run(support::mrq_unread, vcq.hdl);
    }

    bool claim(unsigned number)
    {
        return producer->run(mrq_probe_claim, number);
    }

    void publish(unsigned number, uint64_t edata)
    {
        producer->run(mrq_probe_publish, number, unsigned(UTOFU_MRQ_TYPE_RMT_PUT), edata,
                      uint64_t(0x1234));
    }

    std::string job = support::unique_job_name();
    std::unique_ptr<Agent> owner, producer;
    support::Vcq vcq;
};

TEST_F(Mrq, ClaimIsNoNoticeUntilItIsPublished)
{
    ASSERT_TRUE(claim(0));
    EXPECT_EQ(poll().status, UTOFU_ERR_NOT_FOUND);
    EXPECT_EQ(unread(), 0);
    publish(0, 200);
    EXPECT_EQ(unread(), 1);
    MrqNotice told = poll();
    EXPECT_EQ(told.status, UTOFU_SUCCESS);
    EXPECT_EQ(told.notice.edata, 200u);
    EXPECT_EQ(told.notice.rmt_value, 0x1234u);
    EXPECT_EQ(poll().status, UTOFU_ERR_NOT_FOUND);
}

TEST_F(Mrq, ClaimThatIsGivenUpIsSkipped)
{
    for (int lap = 0; lap < 40; lap++) {
        ASSERT_TRUE(claim(0));
        ASSERT_TRUE(claim(1));
        producer->run(mrq_probe_void, 0u);
        publish(1, unsigned(lap));
        EXPECT_EQ(unread(), 1);
        EXPECT_EQ(poll().notice.edata, unsigned(lap));
        EXPECT_EQ(poll().status, UTOFU_ERR_NOT_FOUND);
    }
}

TEST_F(Mrq, FullAtItsDepthInEveryLap)
{
    for (unsigned lap = 0; lap < 20; lap++) {
        for (unsigned i = 0; i < depth; i++)
            ASSERT_TRUE(claim(i)) << lap << ", " << i;
        EXPECT_FALSE(claim(depth));
        for (unsigned i = 0; i < depth; i++)
            publish(i, i);
        EXPECT_FALSE(claim(depth)) << "unread is not free";
        EXPECT_EQ(unread(), long(depth));
        EXPECT_EQ(poll().notice.edata, 0u);
        EXPECT_TRUE(claim(depth)) << "one was read";
        EXPECT_FALSE(claim(depth + 1));
        for (unsigned i = 1; i < depth; i++)
            EXPECT_EQ(poll().notice.edata, i);
        publish(depth, 99);
        EXPECT_EQ(poll().notice.edata, 99u);
    }
}

TEST_F(Mrq, EntriesComeInTheOrderOfTheirClaims)
{
    for (unsigned i = 0; i < 8; i++)
        ASSERT_TRUE(claim(i));
    for (unsigned i = 7; i > 0; i--) {
        publish(i, i);
        EXPECT_EQ(unread(), 0);
        EXPECT_EQ(poll().status, UTOFU_ERR_NOT_FOUND);
    }
    publish(0, 0);
    EXPECT_EQ(unread(), 8);
    for (unsigned i = 0; i < 8; i++)
        EXPECT_EQ(poll().notice.edata, i);
}

TEST_F(Mrq, LivingProducersClaimIsKept)
{
    ASSERT_TRUE(claim(0));
    for (int i = 0; i < 5; i++)
        owner->run(
                [](utofu_vcq_hdl_t hdl) {
                    for (int polls = 0; polls < SOFTTOFU_STUCK_POLLS; polls++)
                        support::mrq_poll(hdl);
                },
                vcq.hdl);
    publish(0, 5);
    EXPECT_EQ(poll().notice.edata, 5u);
}

TEST_F(Mrq, DeadProducersClaimsAreTakenBack)
{
    auto other = start_producer(2);
    ASSERT_TRUE(claim(0));
    ASSERT_TRUE(claim(1));
    ASSERT_TRUE(other->run(mrq_probe_claim, 0u));
    other->run(mrq_probe_publish, 0u, unsigned(UTOFU_MRQ_TYPE_RMT_PUT), uint64_t(7), uint64_t(0));
    producer->kill();
    MrqNotice told = wait();
    EXPECT_EQ(told.status, UTOFU_SUCCESS);
    EXPECT_EQ(told.notice.edata, 7u);
}

TEST_F(Mrq, QueueFullOfDeadProducersClaimsIsUsableAgain)
{
    auto other = start_producer(2);
    for (unsigned i = 0; i < depth; i++)
        ASSERT_TRUE(claim(i));
    producer->kill();
    EXPECT_FALSE(other->run(mrq_probe_claim, 0u));
    EXPECT_EQ(owner->run(support::mrq_wait, vcq.hdl, 200).status, UTOFU_ERR_NOT_FOUND);
    ASSERT_TRUE(other->run(mrq_probe_claim, 0u));
    other->run(mrq_probe_publish, 0u, unsigned(UTOFU_MRQ_TYPE_RMT_PUT), uint64_t(8), uint64_t(0));
    EXPECT_EQ(wait().notice.edata, 8u);
}

TEST_F(Mrq, ClaimOfARanksLastProcessIsNotTheSuccessors)
{
    ASSERT_TRUE(claim(0));
    producer->kill();
    producer = start_producer(1);
    ASSERT_TRUE(claim(0));
    publish(0, 9);
    MrqNotice told = wait();
    EXPECT_EQ(told.status, UTOFU_SUCCESS);
    EXPECT_EQ(told.notice.edata, 9u);
}

/* A lock whose holder died goes to the next, and keeps out others from then on. */
TEST_F(Mrq, LockOfADeadHolderIsALockAgain)
{
    auto next = start_producer(2);
    ASSERT_TRUE(owner->run(mrq_probe_aim, vcq.hdl, vcq.id));
    producer->run(mrq_probe_lock);
    producer->kill();
    for (int i = 0; i < 2; i++) {
        next->run(mrq_probe_lock);
        auto waiting = owner->start([] { /* The thread that takes it must give it back. */
            mrq_probe_lock();
            mrq_probe_unlock();
        });
        usleep(50000);
        EXPECT_FALSE(waiting.done());
        next->run(mrq_probe_unlock);
        waiting.get();
    }
}

/* Whoever was slow to move the hint may have had the slot's last VCQ in mind: it must be a hint and no more. */
TEST_F(Mrq, WrongHintStopsNobody)
{
    for (uint64_t hint : {UINT64_C(0), UINT64_C(1), UINT64_C(5), UINT64_C(16), UINT64_C(17),
                          UINT64_C(1000), UINT64_C(1) << 40}) {
        for (unsigned i = 0; i < 3; i++) {
            producer->run(mrq_probe_set_hint, hint);
            ASSERT_TRUE(claim(0)) << "hint " << hint;
            publish(0, i);
            EXPECT_EQ(poll().notice.edata, i) << "hint " << hint;
        }
    }
}

} // namespace
