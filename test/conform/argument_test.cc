/* SPDX-License-Identifier: BSD-3-Clause */
/* Every wrong argument of a command, and every fault that comes later. */
#include "conform/world.h"

namespace
{

using namespace conform;

constexpr Kind every_kind[] = {Kind::Put,   Kind::Piggyback, Kind::Piggyback8, Kind::Get, Kind::Armw4,
                               Kind::Armw8, Kind::Cswap4,    Kind::Cswap8,     Kind::Nop};

bool is_atomic(Kind kind)
{
    return kind >= Kind::Armw4 && kind <= Kind::Cswap8;
}

class Argument : public World
{
protected:
    void SetUp() override
    {
        World::SetUp();
        local  = near->region(Memory::Memfd, 4096);
        remote = far->region(Memory::Memfd, 4096);
    }

    Command good(Kind kind)
    {
        Command c = command(kind, local, remote, 8);
        c.flags   = kind == Kind::Nop ? tcq_notice : tcq_notice | local_notice;
        return c;
    }

    /* The command is refused with a code, and does nothing; the same without the fault works. */
    void refused(const Command &bad, int expected, const char *what)
    {
        EXPECT_EQ(near->post(bad), expected) << what << " of command " << int(bad.kind);
        EXPECT_TRUE(near->quiet()) << what << " of command " << int(bad.kind);
    }

    Region local, remote;
};
CONFORM_EVERY_WAY(Argument);

TEST_P(Argument, GoodCommandsAreAccepted)
{
    for (Kind kind : every_kind) {
        ASSERT_EQ(near->post(good(kind)), UTOFU_SUCCESS) << int(kind);
        EXPECT_EQ(near->tcq().status, UTOFU_SUCCESS);
        if (kind != Kind::Nop) {
            EXPECT_EQ(near->mrq().status, UTOFU_SUCCESS);
        }
    }
}

TEST_P(Argument, Handles)
{
    auto freed = near->run(support::vcq_create, 3u, 0ul, -1);
    ASSERT_EQ(near->run(support::vcq_free, freed.hdl), UTOFU_SUCCESS);
    for (Kind kind : every_kind) {
        for (unsigned long flags : {0ul, tcq_notice}) {
            for (utofu_vcq_hdl_t hdl :
                 {utofu_vcq_hdl_t(0), freed.hdl, near->hdl + 1, near->hdl + 8}) {
                Command c = good(kind);
                c.hdl     = hdl;
                c.flags   = flags;
                refused(c, UTOFU_ERR_INVALID_VCQ_HDL, "handle");
            }
        }
    }
}

TEST_P(Argument, Flags)
{
    for (Kind kind : every_kind) {
        for (int bit : {4, 6, 7, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 32, 63}) {
            Command c = good(kind);
            c.flags |= 1ul << bit;
            refused(c, UTOFU_ERR_INVALID_FLAGS, "flag");
            c.flags = 1ul << bit;
            refused(c, UTOFU_ERR_INVALID_FLAGS, "flag alone");
        }
    }
}

TEST_P(Argument, Targets)
{
    const uint64_t off = UINT64_C(0x3f) << 32;
    for (Kind kind : every_kind) {
        if (kind == Kind::Nop)
            continue;
        for (uint64_t id : {UINT64_C(0), UINT64_MAX, far->id | off, far->id | UINT64_C(7) << 61,
                            (far->id & ~UINT64_C(0xff)) | 11, far->id ^ UINT64_C(8) << 24}) {
            Command c = good(kind);
            c.rmt     = id;
            refused(c, UTOFU_ERR_INVALID_VCQ_ID, "target");
            c.flags = 0;
            refused(c, UTOFU_ERR_INVALID_VCQ_ID, "target");
        }
    }
}

TEST_P(Argument, Lengths)
{
    struct Case {
        Kind kind;
        size_t longest;
    };
    for (Case each : {Case{Kind::Put, 16777215}, Case{Kind::Get, 16777215}, Case{Kind::Piggyback, 32},
                      Case{Kind::Piggyback8, 8}}) {
        for (size_t length : {size_t(0), each.longest + 1, SIZE_MAX}) {
            for (unsigned long flags : {0ul, tcq_notice}) {
                Command c = good(each.kind);
                c.length  = length;
                c.flags   = flags;
                refused(c, UTOFU_ERR_INVALID_SIZE, "length");
            }
        }
    }
}

TEST_P(Argument, Edata)
{
    for (Kind kind : every_kind) {
        if (kind == Kind::Nop)
            continue;
        for (uint64_t edata : {UINT64_C(256), UINT64_MAX}) {
            Command c = good(kind);
            c.edata   = edata;
            refused(c, UTOFU_ERR_INVALID_EDATA, "edata");
            c.flags = 0;
            refused(c, UTOFU_ERR_INVALID_EDATA, "edata");
        }
    }
}

TEST_P(Argument, PiggybackData)
{
    Command c   = good(Kind::Piggyback);
    c.null_data = true;
    refused(c, UTOFU_ERR_INVALID_POINTER, "data");
    c.flags = 0;
    refused(c, UTOFU_ERR_INVALID_POINTER, "data");
}

TEST_P(Argument, AtomicOperationsAndAlignment)
{
    for (Kind kind : every_kind) {
        if (!is_atomic(kind))
            continue;
        size_t width = kind == Kind::Armw4 || kind == Kind::Cswap4 ? 4 : 8;
        for (size_t off = 1; off < width; off++) {
            Command c = good(kind);
            c.stadd += off;
            refused(c, UTOFU_ERR_INVALID_STADD, "alignment");
        }
        if (kind != Kind::Armw4 && kind != Kind::Armw8)
            continue;
        for (int op : {0, 6, -1, 1000}) {
            Command c = good(kind);
            c.op      = op;
            refused(c, UTOFU_ERR_INVALID_OP, "operation");
        }
    }
}

/* From here on faults that are told by a queue. */
class Fault : public Argument
{
protected:
    /* The TCQ tells, with cbdata, and neither MRQ says anything; whether or not a notice was asked for. */
    void transmit_fault(Command c, int expected)
    {
        for (unsigned long flags : {0ul, tcq_notice | local_notice | remote_notice}) {
            c.flags  = flags;
            c.cbdata = 4711;
            ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
            TcqNotice told = near->tcq();
            EXPECT_EQ(told.status, expected) << "command " << int(c.kind);
            EXPECT_EQ(told.cbdata, 4711u);
            EXPECT_TRUE(near->quiet());
            EXPECT_TRUE(far->quiet());
        }
    }

    /* The MRQ tells what failed where; the target sees nothing. */
    void target_fault(Command c, int expected)
    {
        static const int types[] = {UTOFU_MRQ_TYPE_LCL_PUT,  UTOFU_MRQ_TYPE_LCL_PUT,
                                    UTOFU_MRQ_TYPE_LCL_PUT,  UTOFU_MRQ_TYPE_LCL_GET,
                                    UTOFU_MRQ_TYPE_LCL_ARMW, UTOFU_MRQ_TYPE_LCL_ARMW,
                                    UTOFU_MRQ_TYPE_LCL_ARMW, UTOFU_MRQ_TYPE_LCL_ARMW};
        for (unsigned long flags : {0ul, local_notice | remote_notice}) {
            c.flags = flags;
            c.edata = 17;
            ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
            MrqNotice told = near->mrq();
            EXPECT_EQ(told.status, expected) << "command " << int(c.kind);
            EXPECT_EQ(told.notice.notice_type, types[int(c.kind)]);
            EXPECT_EQ(told.notice.vcq_id, c.rmt);
            EXPECT_EQ(told.notice.edata, 17u);
            EXPECT_EQ(told.notice.rmt_stadd, c.stadd + (is_atomic(c.kind) ? 0 : c.length));
            EXPECT_TRUE(near->quiet());
            if (far->hdl != 0) {
                EXPECT_TRUE(far->quiet());
            }
        }
    }
};
CONFORM_EVERY_WAY(Fault);

TEST_P(Fault, LocalStaddIsNotRegistered)
{
    for (Kind kind : {Kind::Put, Kind::Get}) {
        Command c = good(kind);
        c.lcl += UINT64_C(2) << 40;
        transmit_fault(c, UTOFU_ERR_TCQ_STADD);
        c.lcl = 0;
        transmit_fault(c, UTOFU_ERR_TCQ_STADD);
        c.lcl = UINT64_MAX;
        transmit_fault(c, UTOFU_ERR_TCQ_STADD);
    }
}

TEST_P(Fault, LocalStaddWasDeregistered)
{
    Region other = near->region(Memory::Memfd, 4096);
    Command c    = good(Kind::Put);
    c.lcl        = other.stadd;
    c.flags      = 0;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    ASSERT_EQ(near->run(support::mem_deregister, near->hdl, other.stadd), UTOFU_SUCCESS);
    transmit_fault(c, UTOFU_ERR_TCQ_STADD);
}

TEST_P(Fault, LocalLengthIsTooGreat)
{
    for (Kind kind : {Kind::Put, Kind::Get}) {
        Command c = good(kind);
        c.lcl += 4096 - 7;
        transmit_fault(c, UTOFU_ERR_TCQ_LENGTH);
        c.lcl = local.stadd;
        c.length = 4097;
        transmit_fault(c, UTOFU_ERR_TCQ_LENGTH);
    }
}

TEST_P(Fault, RemoteStaddIsNotRegistered)
{
    for (Kind kind : every_kind) {
        if (kind == Kind::Nop)
            continue;
        for (uint64_t stadd : {UINT64_C(0), remote.stadd + (UINT64_C(64) << 40),
                               UINT64_C(0xfffffffffffffff8)}) {
            Command c = good(kind);
            c.stadd   = stadd;
            target_fault(c, UTOFU_ERR_MRQ_RMT_STADD);
        }
    }
}

TEST_P(Fault, RemoteStaddWasDeregistered)
{
    for (Memory memory : {Memory::Memfd, Memory::Heap}) {
        for (Kind kind : every_kind) {
            if (kind == Kind::Nop)
                continue;
            Region other = far->region(memory, 4096);
            Command c    = good(kind);
            c.stadd      = other.stadd;
            c.flags      = 0;
            ASSERT_EQ(near->post(c), UTOFU_SUCCESS) << "used once before it goes";
            ASSERT_EQ(far->run(support::mem_deregister, far->hdl, other.stadd), UTOFU_SUCCESS);
            target_fault(c, UTOFU_ERR_MRQ_RMT_STADD);
        }
    }
}

TEST_P(Fault, RemoteLengthIsTooGreat)
{
    for (Memory memory : {Memory::Memfd, Memory::Heap}) {
        Region big   = near->region(memory, 8192);
        Region small = far->region(memory, 4096);
        for (Kind kind : every_kind) {
            if (kind == Kind::Nop)
                continue;
            for (bool used : {false, true}) {
                Command c = good(kind);
                c.lcl     = big.stadd;
                c.stadd   = small.stadd + (used ? 0 : 4096);
                c.flags   = 0;
                if (used) {
                    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
                    c.stadd += is_atomic(kind) ? 4096 : 4096 - 7;
                }
                target_fault(c, UTOFU_ERR_MRQ_RMT_LENGTH);
            }
        }
        Command whole = good(Kind::Put);
        whole.lcl     = big.stadd;
        whole.stadd   = small.stadd;
        whole.length  = 4097;
        target_fault(whole, UTOFU_ERR_MRQ_RMT_LENGTH);
        EXPECT_EQ(far->run(support::load8, small.address + 4088), 0u) << "not a byte was moved";
    }
}

/* A STADD so high that adding the length goes round must not find its way into another registration. */
TEST_P(Fault, AddressesDoNotWrap)
{
    Command high = good(Kind::Piggyback);
    high.stadd   = UINT64_MAX - 15;
    high.length  = 32;
    for (int i = 0; i < 600; i++) { /* Some of these share a place in any table of look-ups with it. */
        support::Stadd stadd = far->run(support::mem_register, far->hdl, remote.address, size_t(4096), 0ul);
        ASSERT_EQ(stadd.status, UTOFU_SUCCESS);
        Command low = good(Kind::Piggyback8);
        low.stadd   = stadd.value;
        low.flags   = 0;
        ASSERT_EQ(near->post(low), UTOFU_SUCCESS);
        high.flags = 0;
        ASSERT_EQ(near->post(high), UTOFU_SUCCESS);
        MrqNotice told = near->run(support::mrq_poll, near->hdl);
        ASSERT_EQ(told.status, UTOFU_ERR_MRQ_RMT_STADD) << i;
    }
}

TEST_P(Fault, ReadOnlyMemory)
{
    for (Memory memory : {Memory::Memfd, Memory::Heap}) {
        Region fixed = far->region(memory, 4096, UTOFU_REG_MEM_FLAG_READ_ONLY);
        far->run(support::store8, fixed.address, uint64_t(0x77));
        for (Kind kind : every_kind) {
            if (kind == Kind::Nop)
                continue;
            Command c = good(kind);
            c.stadd   = fixed.stadd;
            if (kind != Kind::Get) {
                target_fault(c, UTOFU_ERR_MRQ_RMT_STADD);
                EXPECT_EQ(far->run(support::load8, fixed.address), 0x77u);
                continue;
            }
            ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
            EXPECT_EQ(near->mrq().status, UTOFU_SUCCESS);
            EXPECT_EQ(near->tcq().status, UTOFU_SUCCESS);
            EXPECT_EQ(near->run(support::load8, local.address), 0x77u);
        }
        Region source = near->region(memory, 4096, UTOFU_REG_MEM_FLAG_READ_ONLY);
        Command c     = good(Kind::Put);
        c.lcl         = source.stadd;
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS) << "a put only reads its source";
        EXPECT_EQ(near->mrq().status, UTOFU_SUCCESS);
        EXPECT_EQ(near->tcq().status, UTOFU_SUCCESS);
        c.kind = Kind::Get;
        transmit_fault(c, UTOFU_ERR_TCQ_STADD);
    }
}

TEST_P(Fault, NoSuchVcq)
{
    for (Kind kind : every_kind) {
        if (kind == Kind::Nop)
            continue;
        Command c = good(kind);
        c.rmt     = far->id ^ UINT64_C(1) << 24; /* Another component of the same CQ. */
        target_fault(c, UTOFU_ERR_MRQ_PEER);
    }
}

TEST_P(Fault, VcqWasFreed)
{
    for (Kind kind : every_kind) {
        if (kind == Kind::Nop)
            continue;
        Command c = good(kind);
        c.flags   = 0;
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    }
    settle();
    ASSERT_EQ(far->run(support::vcq_free, far->hdl), UTOFU_SUCCESS);
    far->hdl = 0;
    for (Kind kind : every_kind) {
        if (kind != Kind::Nop)
            target_fault(good(kind), UTOFU_ERR_MRQ_PEER);
    }
}

/* A VCQ that takes a freed one's place is another one: its registrations are new, and reachable. */
TEST_P(Fault, VcqWasReplaced)
{
    ASSERT_EQ(near->post(good(Kind::Piggyback)), UTOFU_SUCCESS);
    near->mrq();
    near->tcq();
    int component = int(far->id >> 24 & 7);
    ASSERT_EQ(far->run(support::vcq_free, far->hdl), UTOFU_SUCCESS);
    auto again = far->run(support::vcq_create, 1u, 0ul, component);
    ASSERT_EQ(again.id, far->id);
    far->hdl = again.hdl;
    target_fault(good(Kind::Piggyback), UTOFU_ERR_MRQ_RMT_STADD);
    remote    = far->region(Memory::Memfd, 4096);
    Command c = good(Kind::Piggyback8);
    c.value   = 5;
    c.flags   = remote_notice | local_notice;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    EXPECT_EQ(near->mrq().status, UTOFU_SUCCESS);
    EXPECT_EQ(far->mrq().status, UTOFU_SUCCESS);
    EXPECT_EQ(far->run(support::load8, remote.address), 5u);
}

} // namespace
