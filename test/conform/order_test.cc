/* SPDX-License-Identifier: BSD-3-Clause */
/* What a receiver may conclude from what it sees: with STRONG_ORDER the last bytes come last, and notices after. */
#include "conform/world.h"

#include <sched.h>

/* Receivers look at memory that is being written: that is what these cases are about. */
#define RACY __attribute__((no_sanitize("thread")))

namespace
{

using namespace conform;

/** How the receiver learns that the data are there. */
enum class Sign { LastByte, SecondPut, Atomic, RemoteNotice };

struct Exchange {
    utofu_vcq_hdl_t hdl;
    utofu_vcq_id_t peer;
    Sign sign;
    size_t length;
    int rounds;
    Region data;  /**< Of this end. */
    Region flags; /**< Of this end: a word for the peer's sign at 0. */
    utofu_stadd_t peer_data, peer_flags;
};

RACY uint64_t flag_of(const Region &flags)
{
    return __atomic_load_n(reinterpret_cast<uint64_t *>(flags.address), __ATOMIC_ACQUIRE);
}

/* @return Whether the word became @a value within the time that a test has. */
RACY bool wait_flag(const Region &flags, uint64_t value)
{
    for (long spins = 0; flag_of(flags) != value; spins++) {
        if (spins % 4096 == 4095)
            sched_yield();
        if (spins > 200000000)
            return false;
    }
    return true;
}

RACY size_t wrong_bytes(const Region &data, size_t length, unsigned seed)
{
    size_t wrong = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned char byte = reinterpret_cast<volatile unsigned char *>(data.address)[i];
        wrong += byte != support::pattern(seed, i);
    }
    return wrong;
}

Command word_to_peer(const Exchange &x, Kind kind, uint64_t value)
{
    Command c;

    c.kind   = kind;
    c.hdl    = x.hdl;
    c.rmt    = x.peer;
    c.stadd  = x.peer_flags;
    c.length = 8;
    c.value  = value;
    c.op     = UTOFU_ARMW_OP_SWAP;
    c.flags  = UTOFU_ONESIDED_FLAG_STRONG_ORDER;
    return c;
}

/* The byte that a receiver polls: never what the round before left there. */
unsigned char last_byte(int round)
{
    return static_cast<unsigned char>(1 + round % 200);
}

RACY int send_rounds(Exchange x)
{
    for (int round = 1; round <= x.rounds; round++) {
        Command c = word_to_peer(x, Kind::Put, 0);
        support::pattern_fill(x.data.address, x.length, unsigned(round));
        x.data.address[x.length - 1] = char(last_byte(round));
        c.lcl                        = x.data.stadd;
        c.stadd                      = x.peer_data;
        c.length                     = x.length;
        if (x.sign == Sign::RemoteNotice)
            c.flags |= remote_notice;
        if (support::post_patiently(c) != UTOFU_SUCCESS)
            return -round;
        if (x.sign == Sign::SecondPut)
            support::post_patiently(word_to_peer(x, Kind::Piggyback8, unsigned(round)));
        if (x.sign == Sign::Atomic)
            support::post_patiently(word_to_peer(x, Kind::Armw8, unsigned(round)));
        if (!wait_flag(x.flags, unsigned(round))) /* The receiver has looked. */
            return -round;
    }
    return x.rounds;
}

RACY bool wait_sign(const Exchange &x, int round)
{
    auto *last = reinterpret_cast<unsigned char *>(x.data.address) + x.length - 1;

    switch (x.sign) {
    case Sign::LastByte:
        for (long spins = 0; __atomic_load_n(last, __ATOMIC_ACQUIRE) != last_byte(round); spins++) {
            if (spins % 4096 == 4095)
                sched_yield();
            if (spins > 200000000)
                return false;
        }
        return true;
    case Sign::RemoteNotice:
        return support::mrq_wait(x.hdl, patience).status == UTOFU_SUCCESS;
    default:
        return wait_flag(x.flags, unsigned(round));
    }
}

/* @return Wrong bytes over all rounds, or -1 if a sign did not come. */
RACY long receive_rounds(Exchange x)
{
    long wrong = 0;

    for (int round = 1; round <= x.rounds; round++) {
        if (!wait_sign(x, round))
            return -1;
        wrong += long(wrong_bytes(x.data, x.length - 1, unsigned(round)));
        wrong += static_cast<unsigned char>(x.data.address[x.length - 1]) != last_byte(round);
        support::post_patiently(word_to_peer(x, Kind::Piggyback8, unsigned(round)));
    }
    return wrong;
}

class Order : public World
{
protected:
    void exchange(Sign sign, Memory kind, size_t length, int rounds)
    {
        Exchange here  = {near->hdl, far->id, sign, length, rounds, near->region(kind, length),
                          near->region(Memory::Memfd, 64), 0, 0};
        Exchange there = {far->hdl, near->id, sign, length, rounds, far->region(kind, length),
                          far->region(Memory::Memfd, 64), here.data.stadd, here.flags.stadd};
        here.peer_data  = there.data.stadd;
        here.peer_flags = there.flags.stadd;

        auto received = far->agent().start(receive_rounds, there);
        EXPECT_EQ(near->run(send_rounds, here), rounds);
        EXPECT_EQ(received.get(), 0) << support::memory_name(kind) << ", " << length << " bytes";
    }

    void exchange_all(Sign sign)
    {
        for (Memory kind : {Memory::Memfd, Memory::Heap}) {
            for (size_t length : {2, 3, 7, 9, 16, 23, 32, 33, 100, 255, 4096, 4099})
                exchange(sign, kind, length, 150);
            for (size_t length : {65536, 65537, 300001})
                exchange(sign, kind, length, 10);
        }
    }
};
CONFORM_EVERY_WAY(Order);

TEST_P(Order, LastByteComesLast)
{
    exchange_all(Sign::LastByte);
}

TEST_P(Order, SecondPutComesAfterTheFirst)
{
    exchange_all(Sign::SecondPut);
}

TEST_P(Order, AtomicComesAfterThePut)
{
    exchange_all(Sign::Atomic);
}

TEST_P(Order, NoticeComesAfterTheData)
{
    exchange_all(Sign::RemoteNotice);
}

} // namespace
