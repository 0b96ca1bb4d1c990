/* SPDX-License-Identifier: BSD-3-Clause */
/* Many threads: on one VCQ that is made for it, and each on one of its own. */
#include "conform/world.h"

#include <atomic>
#include <thread>

namespace
{

using namespace conform;

class Threads : public World
{
};
CONFORM_EVERYWHERE(Threads);

constexpr unsigned many = 24;

struct Work {
    utofu_vcq_hdl_t hdl[many];
    utofu_vcq_id_t far;
    utofu_stadd_t slots;   /**< At the far end: a word for each thread. */
    utofu_stadd_t counter; /**< At the far end: all add to it. */
    unsigned threads, times;
};

/** What the threads saw, all together. */
struct Sum {
    unsigned failed; /**< Commands or notices that were not as they should be. */
    unsigned transmitted, completed;
};

/* One thread's share: an own word counts up, all add to the counter, and every notice is collected by somebody. */
void share(const Work &work, unsigned me, std::atomic<unsigned> *failed,
           std::atomic<unsigned> *transmitted, std::atomic<unsigned> *completed)
{
    Command put, add;

    put.kind = Kind::Piggyback8;
    add.kind = Kind::Armw8;
    put.hdl = add.hdl = work.hdl[me];
    put.rmt = add.rmt = work.far;
    put.stadd         = work.slots + 8 * me;
    put.length        = 8;
    add.stadd         = work.counter;
    add.value         = 1;
    add.flags         = tcq_notice | local_notice;
    for (unsigned i = 1; i <= work.times; i++) {
        put.value = i;
        if (support::post_patiently(put) != UTOFU_SUCCESS || support::post(add) != UTOFU_SUCCESS)
            ++*failed;
        TcqNotice sent = support::tcq_wait(work.hdl[me], patience);
        MrqNotice done = support::mrq_wait(work.hdl[me], patience);
        *transmitted += sent.status == UTOFU_SUCCESS;
        *completed += done.status == UTOFU_SUCCESS &&
                      done.notice.notice_type == UTOFU_MRQ_TYPE_LCL_ARMW;
    }
}

Sum run_threads(Work work)
{
    std::atomic<unsigned> failed{0}, transmitted{0}, completed{0};
    std::vector<std::thread> threads;

    for (unsigned i = 0; i < work.threads; i++)
        threads.emplace_back(share, std::cref(work), i, &failed, &transmitted, &completed);
    for (std::thread &thread : threads)
        thread.join();
    return {failed, transmitted, completed};
}

void check(End &near, End &far, Work work, Memory kind)
{
    Region slots   = far.region(kind, 8 * many);
    Region counter = far.region(kind, 64);
    unsigned total = work.threads * work.times;

    far.run(support::byte_fill, slots.address, slots.size, 0);
    far.run(support::byte_fill, counter.address, counter.size, 0);
    work.far     = far.id;
    work.slots   = slots.stadd;
    work.counter = counter.stadd;
    Sum sum      = near.run(run_threads, work);
    EXPECT_EQ(sum.failed, 0u);
    EXPECT_EQ(sum.transmitted, total);
    EXPECT_EQ(sum.completed, total);
    EXPECT_EQ(far.run(support::load8, counter.address), total);
    for (unsigned i = 0; i < work.threads; i++)
        EXPECT_EQ(far.run(support::load8, slots.address + 8 * i), work.times) << "thread " << i;
}

TEST_P(Threads, EightOnOneThreadSafeVcq)
{
    Work work     = {};
    work.threads  = 8;
    work.times    = 10000; /* So that they do meet, also where processors are few. */
    auto together = near->run(support::vcq_create, 2u, UTOFU_VCQ_FLAG_THREAD_SAFE, -1);
    ASSERT_EQ(together.status, UTOFU_SUCCESS);
    for (unsigned i = 0; i < work.threads; i++)
        work.hdl[i] = together.hdl;
    check(*near, *far, work, Memory::Memfd);
    check(*near, *far, work, Memory::Heap);
}

TEST_P(Threads, TwentyFourWithAVcqEach)
{
    Work work    = {};
    work.threads = many;
    work.times   = 500;
    for (unsigned i = 0; i < many; i++) {
        auto own = near->run(support::vcq_create, i % 6, UTOFU_VCQ_FLAG_EXCLUSIVE, -1);
        ASSERT_EQ(own.status, UTOFU_SUCCESS);
        work.hdl[i] = own.hdl;
    }
    check(*near, *far, work, Memory::Memfd);
    check(*near, *far, work, Memory::Heap);
}

struct Received {
    unsigned senders, out_of_order;
};

/* Notices of each sender must come in the order of its commands; edata counts modulo 256. */
Received receive_all(utofu_vcq_hdl_t hdl, unsigned total)
{
    std::map<uint64_t, unsigned> next;
    Received r = {};

    for (unsigned i = 0; i < total; i++) {
        MrqNotice told = support::mrq_wait(hdl, patience);
        if (told.status != UTOFU_SUCCESS)
            break;
        r.out_of_order += told.notice.edata != (next[told.notice.vcq_id]++ & 0xff);
    }
    for (const auto &[sender, count] : next)
        r.senders += count == total / many;
    return r;
}

/* All threads of one end into one MRQ of the other. */
unsigned send_all(Work work)
{
    std::atomic<unsigned> failed{0};
    std::vector<std::thread> threads;

    for (unsigned me = 0; me < work.threads; me++) {
        threads.emplace_back([&failed, work, me] {
            Command c;
            c.kind   = Kind::Piggyback8;
            c.hdl    = work.hdl[me];
            c.rmt    = work.far;
            c.stadd  = work.slots + 8 * me;
            c.length = 8;
            c.flags  = remote_notice;
            for (unsigned i = 0; i < work.times; i++) {
                c.edata = i & 0xff;
                failed += support::post_patiently(c) != UTOFU_SUCCESS;
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    return failed;
}

class SmallQueue : public World
{
protected:
    support::Environment settings() const override
    {
        return {{"SOFTTOFU_MRQ_DEPTH", "64"}};
    }
};
CONFORM_EVERYWHERE(SmallQueue);

TEST_P(SmallQueue, TwentyFourSendersLapItWithoutLoss)
{
    Work work    = {};
    work.threads = many;
    work.times   = 500;
    for (unsigned i = 0; i < many; i++)
        work.hdl[i] = near->run(support::vcq_create, i % 6, UTOFU_VCQ_FLAG_EXCLUSIVE, -1).hdl;
    work.slots    = far->region(Memory::Memfd, 8 * many).stadd;
    work.far      = far->id;
    auto received = far->agent().start(receive_all, far->hdl, many * work.times);
    EXPECT_EQ(near->run(send_all, work), 0u);
    Received r = received.get();
    EXPECT_EQ(r.senders, many);
    EXPECT_EQ(r.out_of_order, 0u);
    EXPECT_TRUE(far->quiet());
}

/* VCQs and registrations come and go in several threads at once. */
TEST_P(Threads, CreateRegisterAndFreeAtOnce)
{
    unsigned failed = near->run([] {
        std::atomic<unsigned> wrong{0};
        std::vector<std::thread> threads;
        char *memory = support::memory_make(Memory::Memfd, 8 * 4096);
        for (unsigned me = 0; me < 8; me++) {
            threads.emplace_back([&wrong, memory, me] {
                for (int i = 0; i < 100; i++) {
                    support::Vcq vcq = support::vcq_create(me % 6, 0, -1);
                    support::Stadd stadd =
                            support::mem_register(vcq.hdl, memory + 4096 * me, 4096, 0);
                    Command c;
                    c.kind   = Kind::Piggyback8;
                    c.hdl    = vcq.hdl;
                    c.rmt    = vcq.id;
                    c.stadd  = stadd.value;
                    c.length = 8;
                    c.value  = me * 1000 + unsigned(i);
                    wrong += support::post(c) != UTOFU_SUCCESS;
                    wrong += support::load8(memory + 4096 * me) != c.value;
                    wrong += support::mem_deregister(vcq.hdl, stadd.value) != UTOFU_SUCCESS;
                    wrong += support::vcq_free(vcq.hdl) != UTOFU_SUCCESS;
                }
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        return unsigned(wrong);
    });
    EXPECT_EQ(failed, 0u);
}

} // namespace
