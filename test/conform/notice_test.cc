/* SPDX-License-Identifier: BSD-3-Clause */
/* What the two completion queues tell, and what they do not. */
#include "conform/world.h"

namespace
{

using namespace conform;

class Notice : public World
{
protected:
    struct Case {
        Kind kind;
        utofu_mrq_notice_type local, remote;
    };
    static constexpr Case cases[] = {
            {Kind::Put, UTOFU_MRQ_TYPE_LCL_PUT, UTOFU_MRQ_TYPE_RMT_PUT},
            {Kind::Piggyback, UTOFU_MRQ_TYPE_LCL_PUT, UTOFU_MRQ_TYPE_RMT_PUT},
            {Kind::Piggyback8, UTOFU_MRQ_TYPE_LCL_PUT, UTOFU_MRQ_TYPE_RMT_PUT},
            {Kind::Get, UTOFU_MRQ_TYPE_LCL_GET, UTOFU_MRQ_TYPE_RMT_GET},
            {Kind::Armw4, UTOFU_MRQ_TYPE_LCL_ARMW, UTOFU_MRQ_TYPE_RMT_ARMW},
            {Kind::Armw8, UTOFU_MRQ_TYPE_LCL_ARMW, UTOFU_MRQ_TYPE_RMT_ARMW},
            {Kind::Cswap4, UTOFU_MRQ_TYPE_LCL_ARMW, UTOFU_MRQ_TYPE_RMT_ARMW},
            {Kind::Cswap8, UTOFU_MRQ_TYPE_LCL_ARMW, UTOFU_MRQ_TYPE_RMT_ARMW},
    };

    static bool atomic(Kind kind)
    {
        return kind >= Kind::Armw4;
    }

    Command sample(Case c, const Region &local, const Region &remote, unsigned long flags)
    {
        Command command = this->command(c.kind, local, remote, 8, flags);
        command.stadd += 16;
        command.lcl += 8;
        command.edata  = 0x5a;
        command.cbdata = 77;
        return command;
    }
};
CONFORM_EVERY_WAY(Notice);

TEST_P(Notice, LocalMrqNoticeTellsEverything)
{
    Region local = near->region(Memory::Memfd, 256), remote = far->region(Memory::Memfd, 256);
    for (Case c : cases) {
        SCOPED_TRACE(int(c.kind));
        far->run(support::store8, remote.address + 16, uint64_t(0x1234));
        Command command = sample(c, local, remote, local_notice);
        ASSERT_EQ(near->post(command), UTOFU_SUCCESS);
        MrqNotice told = near->mrq();
        ASSERT_EQ(told.status, UTOFU_SUCCESS);
        EXPECT_EQ(told.notice.notice_type, c.local);
        EXPECT_EQ(told.notice.vcq_id, far->id);
        EXPECT_EQ(told.notice.edata, 0x5au);
        EXPECT_EQ(told.notice.rmt_stadd, command.stadd + (atomic(c.kind) ? 0 : 8));
        if (c.kind == Kind::Get) {
            EXPECT_EQ(told.notice.lcl_stadd, command.lcl + 8);
        }
        if (atomic(c.kind)) {
            EXPECT_EQ(told.notice.rmt_value, 0x1234u);
        }
        EXPECT_TRUE(near->quiet());
        EXPECT_TRUE(far->quiet()) << "nobody asked for a remote notice";
    }
}

TEST_P(Notice, RemoteMrqNoticeTellsEverything)
{
    for (Memory kind : {Memory::Memfd, Memory::Heap}) {
        Region local = near->region(kind, 256), remote = far->region(kind, 256);
        for (Case c : cases) {
            SCOPED_TRACE(int(c.kind));
            Command command = sample(c, local, remote, remote_notice);
            ASSERT_EQ(near->post(command), UTOFU_SUCCESS);
            MrqNotice told = far->mrq();
            ASSERT_EQ(told.status, UTOFU_SUCCESS);
            uint64_t touched = command.stadd + (atomic(c.kind) ? 0 : 8);
            EXPECT_EQ(told.notice.notice_type, c.remote);
            EXPECT_EQ(told.notice.vcq_id, near->id);
            EXPECT_EQ(told.notice.edata, 0x5au);
            EXPECT_EQ(told.notice.rmt_value, touched);
            EXPECT_EQ(told.notice.rmt_stadd, touched);
            EXPECT_EQ(told.notice.lcl_stadd, touched);
            EXPECT_TRUE(near->quiet()) << "nobody asked for a local notice";
            EXPECT_TRUE(far->quiet());
        }
    }
}

TEST_P(Notice, NoneWithoutAFlag)
{
    Region local = near->region(Memory::Memfd, 256), remote = far->region(Memory::Memfd, 256);
    for (Case c : cases)
        ASSERT_EQ(near->post(sample(c, local, remote, 0)), UTOFU_SUCCESS);
    settle();
    EXPECT_TRUE(near->quiet());
    EXPECT_TRUE(far->quiet());
}

TEST_P(Notice, FlagsOfHardwareChangeNoResult)
{
    Region local = near->region(Memory::Memfd, 256), remote = far->region(Memory::Memfd, 256);
    for (unsigned long flag :
         {UTOFU_ONESIDED_FLAG_STRONG_ORDER, UTOFU_ONESIDED_FLAG_PACKET_RESPONSE,
          UTOFU_ONESIDED_FLAG_PADDING, UTOFU_ONESIDED_FLAG_CACHE_INJECTION,
          UTOFU_ONESIDED_FLAG_SPS(15)}) {
        near->run(support::store8, local.address + 8, flag);
        ASSERT_EQ(near->post(sample(cases[0], local, remote, flag | local_notice)), UTOFU_SUCCESS);
        ASSERT_EQ(near->mrq().status, UTOFU_SUCCESS);
        EXPECT_EQ(far->run(support::load8, remote.address + 16), flag);
    }
    EXPECT_TRUE(near->quiet());
    EXPECT_TRUE(far->quiet());
}

TEST_P(Notice, DelayedCommandsRunAtTheLatestBehindOneThatIsNot)
{
    Region remote = far->region(Memory::Memfd, 256);
    for (uint64_t i = 0; i < 4; i++) {
        Command c = command(Kind::Piggyback8, remote, 8, UTOFU_ONESIDED_FLAG_DELAY_START);
        c.stadd += 8 * i;
        c.value = 100 + i;
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    }
    settle();
    for (uint64_t i = 0; i < 4; i++)
        EXPECT_EQ(far->run(support::load8, remote.address + 8 * i), 100 + i);
}

TEST_P(Notice, EveryEdata)
{
    Region remote = far->region(Memory::Memfd, 256);
    for (unsigned edata = 0; edata < 256; edata++) {
        Command c = command(Kind::Piggyback8, remote, 8, local_notice | remote_notice);
        c.edata   = edata;
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    }
    for (unsigned edata = 0; edata < 256; edata++) {
        EXPECT_EQ(near->mrq().notice.edata, edata);
        EXPECT_EQ(far->mrq().notice.edata, edata);
    }
}

TEST_P(Notice, OneForATransferOfManyPackets)
{
    const size_t size = 1 << 20;
    Region local = near->region(Memory::Memfd, size), remote = far->region(Memory::Memfd, size);
    for (Kind kind : {Kind::Put, Kind::Get}) {
        Command c = command(kind, local, remote, size, local_notice | remote_notice | tcq_notice);
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
        EXPECT_EQ(near->mrq().notice.rmt_stadd, remote.stadd + size);
        EXPECT_EQ(far->mrq().notice.rmt_value, remote.stadd + size);
        EXPECT_EQ(near->tcq().status, UTOFU_SUCCESS);
        EXPECT_TRUE(near->quiet());
        EXPECT_TRUE(far->quiet());
    }
}

TEST_P(Notice, TcqNoticesComeInTheOrderOfPosting)
{
    Region local = near->region(Memory::Memfd, 256), remote = far->region(Memory::Memfd, 256);
    const uint64_t odd_values[] = {0, UINT64_MAX, 1, 0x8000000000000000, 12345};
    std::vector<uint64_t> posted;
    for (int round = 0; round < 20; round++) {
        for (Case c : cases) {
            Command command = sample(c, local, remote, tcq_notice);
            command.cbdata  = odd_values[posted.size() % 5] ^ posted.size();
            ASSERT_EQ(near->post(command), UTOFU_SUCCESS);
            posted.push_back(command.cbdata);
            /* A silent one among them. */
            ASSERT_EQ(near->post(sample(cases[0], local, remote, 0)), UTOFU_SUCCESS);
        }
        Command nop = {};
        nop.kind    = Kind::Nop;
        nop.hdl     = near->hdl;
        nop.flags   = tcq_notice;
        nop.cbdata  = posted.size();
        ASSERT_EQ(near->post(nop), UTOFU_SUCCESS);
        posted.push_back(nop.cbdata);
    }
    EXPECT_EQ(near->run(support::tcq_unread, near->hdl), long(posted.size()));
    for (uint64_t cbdata : posted) {
        TcqNotice told = near->tcq();
        ASSERT_EQ(told.status, UTOFU_SUCCESS);
        EXPECT_EQ(told.cbdata, cbdata);
    }
    EXPECT_TRUE(near->quiet());
}

TEST_P(Notice, NopTellsTheTcqOnly)
{
    Command nop = {};
    nop.kind    = Kind::Nop;
    nop.hdl     = near->hdl;
    nop.flags   = tcq_notice | local_notice | remote_notice;
    ASSERT_EQ(near->post(nop), UTOFU_SUCCESS);
    EXPECT_EQ(near->tcq().status, UTOFU_SUCCESS);
    nop.flags = 0;
    ASSERT_EQ(near->post(nop), UTOFU_SUCCESS);
    EXPECT_TRUE(near->quiet());
    EXPECT_TRUE(far->quiet());
}

TEST_P(Notice, UnreadCountsWhatPollingReturns)
{
    Region remote = far->region(Memory::Memfd, 256);
    for (long i = 1; i <= 10; i++) {
        ASSERT_EQ(near->post(command(Kind::Piggyback8, remote, 8,
                                     local_notice | remote_notice | tcq_notice)),
                  UTOFU_SUCCESS);
        EXPECT_EQ(near->run(support::tcq_unread, near->hdl), i);
        EXPECT_EQ(near->run(support::mrq_unread, near->hdl), i);
        EXPECT_EQ(far->run(support::mrq_unread, far->hdl), i);
    }
    for (long i = 9; i >= 0; i--) {
        near->tcq();
        near->mrq();
        far->mrq();
        EXPECT_EQ(near->run(support::tcq_unread, near->hdl), i);
        EXPECT_EQ(near->run(support::mrq_unread, near->hdl), i);
        EXPECT_EQ(far->run(support::mrq_unread, far->hdl), i);
    }
}

TEST_P(Notice, QueuesRejectBadArguments)
{
    auto poll = [](utofu_vcq_hdl_t hdl) {
        void *cbdata;
        utofu_mrq_notice notice;
        bool right = utofu_poll_tcq(hdl, 1, &cbdata) == UTOFU_ERR_INVALID_FLAGS &&
                     utofu_poll_tcq(hdl, 0, nullptr) == UTOFU_ERR_INVALID_POINTER &&
                     utofu_poll_mrq(hdl, 1, &notice) == UTOFU_ERR_INVALID_FLAGS &&
                     utofu_poll_mrq(hdl, 0, nullptr) == UTOFU_ERR_INVALID_POINTER &&
                     utofu_query_num_unread_tcq(hdl, nullptr) == UTOFU_ERR_INVALID_POINTER &&
                     utofu_query_num_unread_mrq(hdl, nullptr) == UTOFU_ERR_INVALID_POINTER;
        return right;
    };
    EXPECT_TRUE(near->run(poll, near->hdl));
}

} // namespace
