/* SPDX-License-Identifier: BSD-3-Clause */
/* SOFTTOFU_CHECK: each fault is found, and the same program without the fault is left alone. */
#include "conform/world.h"

#include <csignal>
#include <sys/wait.h>

namespace conform
{

namespace
{

constexpr unsigned long strong = UTOFU_ONESIDED_FLAG_STRONG_ORDER;

class Check : public World
{
protected:
    support::Environment settings() const override
    {
        return {{"SOFTTOFU_CHECK", "strict"}};
    }

    void SetUp() override
    {
        World::SetUp();
        target = far->region(Memory::Memfd, 4096);
        source = near->region(Memory::Memfd, 4096);
    }

    Command put(size_t length, size_t at, unsigned long flags)
    {
        Command c = command(Kind::Put, source, target, length, flags);
        c.stadd += at;
        return c;
    }

    /** Free what the fixture made and end the near end. @return What it said. */
    std::string end()
    {
        near->run(support::vcq_free, near->hdl);
        if (GetParam() == Place::OneProcess)
            far->run(support::vcq_free, far->hdl);
        EXPECT_EQ(near->agent().finish(), 0);
        return near->agent().errors();
    }

    /** Whether the near end tells of a fault, once, and sums it up as @a summary. */
    void expect_finding(const std::string &words, const std::string &summary)
    {
        const std::string said = end();
        const size_t first     = said.find(words);
        EXPECT_NE(first, std::string::npos) << said;
        EXPECT_EQ(said.find(words, first + 1), std::string::npos) << "told twice: " << said;
        EXPECT_NE(said.find("softtofu: check: rank 0: in all: " + summary), std::string::npos) << said;
        EXPECT_NE(said.find("conform_test+0x"), std::string::npos) << "no place: " << said;
    }

    void expect_silence()
    {
        EXPECT_EQ(end(), "");
    }

    Region target, source;
};

CONFORM_EVERYWHERE(Check);

TEST_P(Check, FlagAfterData)
{
    ASSERT_EQ(near->post(put(1000, 0, 0)), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(put(8, 2000, 0)), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(put(8, 3000, 0)), UTOFU_SUCCESS);
    expect_finding("utofu_put at", "flag that may overtake its data: 2");
}

TEST_P(Check, FlagAfterDataInOrder)
{
    ASSERT_EQ(near->post(put(1000, 0, strong)), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(put(8, 2000, strong)), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(put(8, 3000, strong | remote_notice)), UTOFU_SUCCESS);
    ASSERT_EQ(far->mrq().status, UTOFU_SUCCESS);
    expect_silence();
}

TEST_P(Check, FlagAfterDataThatIsKnownToBeThere)
{
    ASSERT_EQ(near->post(put(1000, 0, local_notice)), UTOFU_SUCCESS);
    ASSERT_EQ(near->mrq().status, UTOFU_SUCCESS);
    ASSERT_EQ(near->post(put(8, 2000, 0)), UTOFU_SUCCESS);
    expect_silence();
}

TEST_P(Check, FlagAfterDataWithNoticesOfTheirOwn)
{
    for (int i = 0; i < 3; i++) {
        ASSERT_EQ(near->post(put(1000, size_t(1000) * i, remote_notice)), UTOFU_SUCCESS);
        ASSERT_EQ(far->mrq().status, UTOFU_SUCCESS);
    }
    expect_silence();
}

TEST_P(Check, ShortPutsAndAtomicsToDifferentWords)
{
    Command add = command(Kind::Armw8, target, 8);
    for (int i = 0; i < 100; i++) {
        ASSERT_EQ(near->post(put(8, size_t(8) * i, 0)), UTOFU_SUCCESS);
        add.stadd = target.stadd + 2048;
        ASSERT_EQ(near->post(add), UTOFU_SUCCESS);
    }
    expect_silence();
}

TEST_P(Check, AnswerByMemory)
{
    Region mailbox = near->region(Memory::Memfd, 64);
    Command answer = command(Kind::Piggyback8, mailbox, 8);
    answer.hdl     = far->hdl;
    answer.rmt     = near->id;
    for (int i = 0; i < 5; i++) {
        ASSERT_EQ(near->post(put(1000, 0, 0)), UTOFU_SUCCESS);
        ASSERT_EQ(far->post(answer), UTOFU_SUCCESS);
    }
    expect_silence();
}

TEST_P(Check, TwoWritesOfOnePlace)
{
    ASSERT_EQ(near->post(put(100, 0, strong)), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(put(100, 99, 0)), UTOFU_SUCCESS);
    expect_finding("touches memory", "unordered commands on the same memory: 1");
}

TEST_P(Check, TwoWritesSideBySide)
{
    ASSERT_EQ(near->post(put(100, 0, 0)), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(put(100, 100, 0)), UTOFU_SUCCESS);
    expect_silence();
}

TEST_P(Check, SourceOfAnotherVcq)
{
    support::Vcq other = near->run(support::vcq_create, 0u, 0ul, -1);
    ASSERT_EQ(other.status, UTOFU_SUCCESS);
    Command c = put(100, 0, 0);
    c.hdl     = other.hdl;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    near->run(support::vcq_free, other.hdl);
    expect_finding("was registered on another VCQ", "local STADD not of the VCQ: 1");
}

TEST_P(Check, TargetOfAnotherVcq)
{
    support::Vcq other = far->run(support::vcq_create, 1u, 0ul, -1);
    ASSERT_EQ(other.status, UTOFU_SUCCESS);
    Command c = put(100, 0, 0);
    c.rmt     = other.id;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    far->run(support::vcq_free, other.hdl);
    expect_finding("remote STADD 0x", "remote STADD not of the target: 1");
}

TEST_P(Check, TargetThatWasDeregistered)
{
    ASSERT_EQ(far->run(support::mem_deregister, far->hdl, target.stadd), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(put(100, 0, 0)), UTOFU_SUCCESS);
    EXPECT_EQ(near->mrq().status, UTOFU_ERR_MRQ_RMT_STADD);
    expect_finding("was deregistered", "remote STADD not of the target: 1");
}

TEST_P(Check, SourceDeregisteredTooEarly)
{
    ASSERT_EQ(near->post(put(100, 0, tcq_notice)), UTOFU_SUCCESS);
    ASSERT_EQ(near->run(support::mem_deregister, near->hdl, source.stadd), UTOFU_SUCCESS);
    ASSERT_EQ(near->tcq().status, UTOFU_SUCCESS);
    expect_finding("utofu_dereg_mem at", "memory deregistered while in use: 1");
}

TEST_P(Check, SourceDeregisteredInTime)
{
    ASSERT_EQ(near->post(put(100, 0, 0)), UTOFU_SUCCESS);
    ASSERT_EQ(near->post(put(100, 100, tcq_notice)), UTOFU_SUCCESS);
    ASSERT_EQ(near->tcq().status, UTOFU_SUCCESS);
    ASSERT_EQ(near->run(support::mem_deregister, near->hdl, source.stadd), UTOFU_SUCCESS);
    expect_silence();
}

TEST_P(Check, TargetOfGetDeregisteredTooEarly)
{
    Command c = command(Kind::Get, source, target, 100, tcq_notice | local_notice);
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    ASSERT_EQ(near->tcq().status, UTOFU_SUCCESS);
    ASSERT_EQ(near->run(support::mem_deregister, near->hdl, source.stadd), UTOFU_SUCCESS);
    ASSERT_EQ(near->mrq().status, UTOFU_SUCCESS);
    expect_finding("a get of 100 bytes", "memory deregistered while in use: 1");
}

TEST_P(Check, EdataOfTwoBytes)
{
    Command c = put(8, 0, 0);
    c.edata   = 256;
    ASSERT_EQ(near->post(c), UTOFU_ERR_INVALID_EDATA);
    expect_finding("edata 0x100", "edata of more than a byte: 1");
}

TEST_P(Check, UnalignedAtomic)
{
    Command c = command(Kind::Armw8, target, 8);
    c.stadd += 4;
    ASSERT_EQ(near->post(c), UTOFU_ERR_INVALID_STADD);
    expect_finding("utofu_armw8 at", "unaligned atomic: 1");
}

TEST_P(Check, NoticesThatNobodyPolls)
{
    ASSERT_EQ(near->post(put(8, 0, tcq_notice | local_notice)), UTOFU_SUCCESS);
    expect_finding("has 1 TCQ and 1 MRQ notices", "notices never polled: 1");
}

TEST_P(Check, VcqNeverFreed)
{
    ASSERT_EQ(near->agent().finish(), 0);
    const std::string said = near->agent().errors();
    EXPECT_NE(said.find("was never freed, with 1 registrations of 4096 bytes"), std::string::npos) << said;
}

/* One thread is in a long put while the other polls. */
TEST_P(Check, VbgNeverFreed)
{
    for (bool freed : {true, false}) {
        int result = near->run(
                [](bool free_first) {
                    utofu_vbg_id_t ids[3];
                    int status = utofu_alloc_vbg(2, 3, 0, ids);
                    return status == UTOFU_SUCCESS && free_first ? utofu_free_vbg(ids, 3) : status;
                },
                freed);
        ASSERT_EQ(result, UTOFU_SUCCESS);
    }
    const std::string said = end();
    EXPECT_NE(said.find("at exit: 3 VBGs from 0x4000000000000000 on were never freed"), std::string::npos) << said;
    EXPECT_NE(said.find("in all: VBG never freed: 1"), std::string::npos) << said;
}

TEST_P(Check, TwoThreadsOnOneVcq)
{
    const size_t size = 15 << 20;
    Region from = near->region(Memory::Memfd, size), to = far->region(Memory::Memfd, size);
    auto poller = near->agent().start(
            [](utofu_vcq_hdl_t hdl) {
                for (int i = 0; i < 2000000; i++)
                    support::tcq_poll(hdl);
                return 0;
            },
            near->hdl);
    Command c = command(Kind::Put, from, to, size);
    while (!poller.done())
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    poller.get();
    const std::string said = end();
    EXPECT_NE(said.find("another thread is in a call"), std::string::npos) << said;
    EXPECT_NE(said.find("VCQ used by two threads at once"), std::string::npos) << said;
}

TEST_P(Check, VcqHandedOverToAnotherThread)
{
    for (int i = 0; i < 10; i++) {
        auto call = near->agent().start(support::post, put(8, 8 * size_t(i), 0));
        ASSERT_EQ(call.get(), UTOFU_SUCCESS);
    }
    expect_silence();
}

class CheckSmallQueue : public Check
{
protected:
    support::Environment settings() const override
    {
        return {{"SOFTTOFU_CHECK", "strict"}, {"SOFTTOFU_MRQ_DEPTH", "16"}};
    }

    void fill(int notices)
    {
        for (int i = 0; i < notices; i++)
            ASSERT_EQ(near->post(put(8, size_t(8) * i, local_notice)), UTOFU_SUCCESS);
        for (int i = 0; i < notices; i++)
            ASSERT_EQ(near->mrq().status, UTOFU_SUCCESS);
    }
};

CONFORM_EVERYWHERE(CheckSmallQueue);

TEST_P(CheckSmallQueue, MoreThanHalf)
{
    fill(9);
    expect_finding("up to 9 of 16 entries", "MRQ nearly full: 1");
}

TEST_P(CheckSmallQueue, Half)
{
    fill(8);
    expect_silence();
}

class CheckAbort : public Check
{
protected:
    support::Environment settings() const override
    {
        return {{"SOFTTOFU_CHECK", "abort"}};
    }
};

CONFORM_EVERYWHERE(CheckAbort);

TEST_P(CheckAbort, EndsTheProgram)
{
    ASSERT_EQ(near->post(put(1000, 0, 0)), UTOFU_SUCCESS);
    EXPECT_THROW(near->post(put(8, 2000, 0)), support::AgentGone);
    EXPECT_EQ(WTERMSIG(near->agent().wait()), SIGABRT);
    if (GetParam() != Place::OneProcess)
        far->run(support::vcq_free, far->hdl);
    EXPECT_NE(near->agent().errors().find("give both UTOFU_ONESIDED_FLAG_STRONG_ORDER"), std::string::npos);
}

} // namespace

} // namespace conform
