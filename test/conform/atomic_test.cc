/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic read-modify-writes: what they store, what they fetch, and that they are atomic. */
#include "conform/world.h"

namespace
{

using namespace conform;

struct Operation {
    int op;
    uint64_t (*apply)(uint64_t before, uint64_t operand);
};

const Operation operations[] = {
        {UTOFU_ARMW_OP_SWAP, [](uint64_t, uint64_t b) { return b; }},
        {UTOFU_ARMW_OP_ADD, [](uint64_t a, uint64_t b) { return a + b; }},
        {UTOFU_ARMW_OP_XOR, [](uint64_t a, uint64_t b) { return a ^ b; }},
        {UTOFU_ARMW_OP_AND, [](uint64_t a, uint64_t b) { return a & b; }},
        {UTOFU_ARMW_OP_OR, [](uint64_t a, uint64_t b) { return a | b; }},
};

const uint64_t values[] = {0,
                           1,
                           0x7fffffff,
                           0x80000000,
                           0xffffffff,
                           0x0123456789abcdef,
                           0x8000000000000000,
                           UINT64_MAX};

class Atomic : public World
{
protected:
    /* Issue with a word of @a before; what the word holds then must be @a after. */
    void check(Command c, const Region &word, uint64_t before, uint64_t after)
    {
        bool narrow = c.kind == Kind::Armw4 || c.kind == Kind::Cswap4;

        far->run(support::store8, word.address, ~uint64_t(0));
        if (narrow)
            far->run(support::store4, word.address, uint32_t(before));
        else
            far->run(support::store8, word.address, before);
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
        MrqNotice told = near->mrq();
        ASSERT_EQ(told.status, UTOFU_SUCCESS);
        EXPECT_EQ(told.notice.notice_type, UTOFU_MRQ_TYPE_LCL_ARMW);
        EXPECT_EQ(told.notice.rmt_value, narrow ? uint32_t(before) : before);
        if (!narrow) {
            EXPECT_EQ(far->run(support::load8, word.address), after);
            return;
        }
        EXPECT_EQ(far->run(support::load4, word.address), uint32_t(after));
        EXPECT_EQ(far->run(support::load4, word.address + 4), UINT32_MAX) << "the word next to it";
    }
};
CONFORM_EVERY_WAY(Atomic);

constexpr Memory some_kinds[] = {Memory::Memfd, Memory::Heap};

TEST_P(Atomic, EveryOperationOnManyValues)
{
    for (Memory kind : some_kinds) {
        Region word = far->region(kind, 64);
        for (const Operation &operation : operations) {
            for (uint64_t before : values) {
                for (uint64_t operand : values) {
                    for (Kind width : {Kind::Armw4, Kind::Armw8}) {
                        Command c = command(width, word, 0, local_notice);
                        c.op      = operation.op;
                        c.value   = operand;
                        check(c, word, before, operation.apply(before, operand));
                    }
                }
            }
        }
    }
}

TEST_P(Atomic, CompareAndSwapHitsAndMisses)
{
    for (Memory kind : some_kinds) {
        Region word = far->region(kind, 64);
        for (uint64_t before : values) {
            for (uint64_t compare : values) {
                Command c = command(Kind::Cswap8, word, 0, local_notice);
                c.compare = compare;
                c.value   = 42;
                check(c, word, before, before == compare ? 42 : before);
                c.kind = Kind::Cswap4;
                check(c, word, before, uint32_t(before) == uint32_t(compare) ? 42 : before);
            }
        }
    }
}

TEST_P(Atomic, EveryAlignedWordOfARegistration)
{
    for (Memory kind : some_kinds) {
        Region words = far->region(kind, 256);
        far->run(support::byte_fill, words.address, size_t(256), 0);
        for (size_t at = 0; at < 256; at += 4) {
            Command c = command(Kind::Armw4, words, 0);
            c.stadd += at;
            c.value = 0x01010101;
            ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
        }
        for (size_t at = 0; at < 256; at += 8) {
            Command c = command(Kind::Armw8, words, 0);
            c.stadd += at;
            c.value = 0x0101010101010101;
            ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
        }
        settle();
        EXPECT_EQ(far->run(support::byte_wrong, words.address, size_t(256), 2), 0u);
    }
}

/* @return How many of @a times commands could be posted; each adds @a value. */
int add_often(Command c, int times)
{
    for (int i = 0; i < times; i++) {
        if (support::post_patiently(c) != UTOFU_SUCCESS)
            return i;
    }
    return times;
}

/* Both ends add to the same word at once. No addition may be lost, whoever owns the word. */
TEST_P(Atomic, AdditionsOfBothEndsAreAllCounted)
{
    const int times = 20000, own_times = 400000; /* The owner's way may be much the shorter one. */
    for (Memory kind : some_kinds) {
        for (Kind width : {Kind::Armw4, Kind::Armw8}) {
            SCOPED_TRACE(support::memory_name(kind));
            Region word = far->region(kind, 64);
            far->run(support::store8, word.address, uint64_t(0));
            Command theirs = command(width, word, 0);
            theirs.value   = 1;
            Command own    = theirs;
            own.hdl        = far->hdl;
            auto others    = far->agent().start(add_often, own, own_times);
            EXPECT_EQ(near->run(add_often, theirs, times), times);
            EXPECT_EQ(others.get(), own_times);
            settle();
            EXPECT_EQ(far->run(support::load8, word.address), unsigned(times + own_times));
        }
    }
}

/* In memory that all processes map, the owner's processor may take part. */
TEST_P(Atomic, MappedWordsAreAtomicForTheProcessorToo)
{
    const int times = 200000;
    Region word     = far->region(Memory::Memfd, 64);
    far->run(support::store8, word.address, uint64_t(0));
    Command c   = command(Kind::Armw8, word, 0);
    c.value     = 1;
    auto others = far->agent().start(
            [](char *address, int count) {
                for (int i = 0; i < count; i++)
                    __atomic_fetch_add(reinterpret_cast<uint64_t *>(address), 1, __ATOMIC_SEQ_CST);
                return count;
            },
            word.address, times);
    EXPECT_EQ(near->run(add_often, c, times), times);
    EXPECT_EQ(others.get(), times);
    settle();
    EXPECT_EQ(far->run(support::load8, word.address), 2u * times);
}

} // namespace
