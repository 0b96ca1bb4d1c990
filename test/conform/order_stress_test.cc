/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What several senders at once let one receiver conclude: commands with STRONG_ORDER of every size, from threads with a
 * VCQ each in two processes, with every byte looked at.
 *
 * In terms of litmus tests:
 *  - MP (message passing): data, then a sign that they are there, which is a remote notice, the data's own last byte,
 *    a second put, or an atomic. The acknowledgement is MP in the other direction: the receiver's clearing of the
 *    memory, then its put. The next data must not be overtaken by that clearing.
 *  - CoWW and CoRR (coherence): values put into one word appear in the order in which they were posted.
 * SB and IRIW (orders between several senders) are not tested, as commands of different VCQs have no order.
 *
 * x86 keeps the order of stores and of loads by itself, and emulators of other processors on it do, too: there only
 * what compilers, copying loops and the protocol get wrong can fail here. A missing barrier needs a processor with weak
 * ordering to show.
 *
 * Short by default; TOFUKIT_TEST_ORDER_PASSES is how often all sizes are gone through. "ctest -C full -L full" does it
 * for minutes.
 */
#include "support/agent.h"
#include "support/ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

namespace
{

using namespace support;

constexpr int patience_s      = 40; /**< Less than a test waits for an agent. */
constexpr unsigned processes  = 2;
constexpr unsigned threads    = 3;
constexpr unsigned lanes_max  = processes * threads;
constexpr size_t margin       = 64;      /**< Around the data: nothing may be written there. */
constexpr size_t lane_size    = 1 << 17; /**< Of the receiver's memory for one sender. */
constexpr unsigned sizes_each = 600;     /**< All from 1 on; then some large ones. */
const size_t large_sizes[]    = {1919, 1921, 4099, 16411, 65537};
constexpr unsigned pass_steps = sizes_each + 5;

enum class Sign { Notice, LastByte, SecondPut, Atomic };

/** A message, which sender and receiver work out by themselves from its number, 1 and up. */
struct Message {
    size_t length, start; /**< start: from the end of the front margin. */
    unsigned seed;
};

Message message_of(unsigned lane, unsigned number)
{
    const unsigned pass = (number - 1) / pass_steps, step = (number - 1) % pass_steps;

    return {step < sizes_each ? step + 1 : large_sizes[step - sizes_each], (step * 7 + pass * 13 + lane * 5) % margin,
            number * 8 + lane};
}

/* The last one is never 0, which is what a receiver that polls it sees before. */
unsigned char byte_of(const Message &m, size_t i)
{
    return static_cast<unsigned char>(i == m.length - 1 ? pattern(m.seed, i) | 0x80 : pattern(m.seed, i));
}

/** Calls that fail when nothing has moved for too long. */
class Patience
{
public:
    void progress()
    {
        idle_ = 0;
    }

    /* Nothing to do just now. @return Whether to go on waiting. */
    bool idle()
    {
        if (++idle_ == 1)
            end_ = std::chrono::steady_clock::now() + std::chrono::seconds(patience_s);
        if (idle_ % 64 == 0)
            sched_yield();
        return idle_ % 1024 != 0 || std::chrono::steady_clock::now() < end_;
    }

private:
    unsigned long idle_ = 0;
    std::chrono::steady_clock::time_point end_;
};

uint64_t load_acquire(const char *address)
{
    return __atomic_load_n(reinterpret_cast<const uint64_t *>(address), __ATOMIC_ACQUIRE);
}

/** A sending thread's end. */
struct Source {
    utofu_vcq_hdl_t hdl;
    utofu_vcq_id_t id;
    char *data, *ack;
    utofu_stadd_t data_stadd, ack_stadd;
};

struct Sources {
    Source of[threads];
};

Sources open_sources()
{
    Sources sources = {};

    for (unsigned i = 0; i < threads; i++) {
        Source &s    = sources.of[i];
        Vcq vcq      = vcq_create(i % 6, UTOFU_VCQ_FLAG_EXCLUSIVE, -1);
        s.hdl        = vcq.hdl;
        s.id         = vcq.id;
        s.data       = memory_make(Memory::Heap, lane_size);
        s.ack        = memory_make(Memory::Memfd, 64);
        s.data_stadd = mem_register(s.hdl, s.data, lane_size, 0).value;
        s.ack_stadd  = mem_register(s.hdl, s.ack, 64, 0).value;
    }
    return sources;
}

/** The receiver's end: lanes one behind the other, and a word for each, mapped so that it is written as a whole. */
struct Sink {
    utofu_vcq_hdl_t hdl;
    utofu_vcq_id_t id;
    char *data, *words;
    utofu_stadd_t data_stadd, words_stadd;
};

Sink open_sink(Memory kind)
{
    Vcq vcq   = vcq_create(0, 0, -1);
    Sink sink = {vcq.hdl, vcq.id, memory_make(kind, lanes_max * lane_size), memory_make(Memory::Memfd, 64 * lanes_max),
                 0, 0};

    byte_fill(sink.data, lanes_max * lane_size, 0);
    sink.data_stadd  = mem_register(sink.hdl, sink.data, lanes_max * lane_size, 0).value;
    sink.words_stadd = mem_register(sink.hdl, sink.words, 64 * lanes_max, 0).value;
    return sink;
}

/** The same for both ends. */
struct Plan {
    Sign sign;
    unsigned first, last; /**< Messages of each lane. */
};

Command strongly_ordered(Kind kind, utofu_vcq_hdl_t hdl, utofu_vcq_id_t to, utofu_stadd_t stadd, uint64_t value)
{
    Command c;

    c.kind   = kind;
    c.hdl    = hdl;
    c.rmt    = to;
    c.stadd  = stadd;
    c.length = 8;
    c.value  = value;
    c.op     = UTOFU_ARMW_OP_SWAP;
    c.flags  = UTOFU_ONESIDED_FLAG_STRONG_ORDER;
    return c;
}

/* Every other one of those that fit goes without local memory. */
Command data_command(const Plan &plan, const Source &own, const Sink &sink, unsigned lane, unsigned number)
{
    const Message m = message_of(lane, number);
    Command c       = strongly_ordered(Kind::Put, own.hdl, sink.id,
                                       sink.data_stadd + lane * lane_size + margin + m.start, 0);
    const size_t skip = number % 8;
    char *bytes       = own.data + skip;

    if (m.length <= 32 && number % 2 == 0) {
        c.kind = Kind::Piggyback;
        bytes  = reinterpret_cast<char *>(c.data);
    }
    for (size_t i = 0; i < m.length; i++)
        bytes[i] = char(byte_of(m, i));
    c.lcl    = own.data_stadd + skip;
    c.length = m.length;
    if (plan.sign == Sign::Notice)
        c.flags |= UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE;
    return c;
}

bool wait_word(const char *word, uint64_t value)
{
    Patience patience;

    while (load_acquire(word) != value) {
        if (!patience.idle())
            return false;
    }
    return true;
}

/* @return Whether all messages of a lane were sent and acknowledged. */
bool send_lane(const Plan &plan, const Source &own, const Sink &sink, unsigned lane)
{
    const utofu_stadd_t word = sink.words_stadd + 64 * lane;

    for (unsigned number = plan.first; number <= plan.last; number++) {
        if (post_patiently(data_command(plan, own, sink, lane, number)) != UTOFU_SUCCESS)
            return false;
        if (plan.sign == Sign::SecondPut)
            post_patiently(strongly_ordered(Kind::Piggyback8, own.hdl, sink.id, word, number));
        if (plan.sign == Sign::Atomic)
            post_patiently(strongly_ordered(Kind::Armw8, own.hdl, sink.id, word, number));
        if (!wait_word(own.ack, number))
            return false;
    }
    return true;
}

/* In a sending process. @return How many of its threads sent everything. */
unsigned send_all(Plan plan, Sources sources, Sink sink, unsigned first_lane)
{
    bool sent[threads] = {};
    std::vector<std::thread> running;

    for (unsigned i = 0; i < threads; i++)
        running.emplace_back([&, i] { sent[i] = send_lane(plan, sources.of[i], sink, first_lane + i); });
    for (std::thread &thread : running)
        thread.join();
    return unsigned(std::count(sent, sent + threads, true));
}

/** What the receiver knows of the senders. */
struct Lanes {
    utofu_vcq_id_t sender[lanes_max];
    utofu_stadd_t ack[lanes_max];
};

/** The receiver at work. */
class Receiver
{
public:
    Receiver(const Plan &plan, const Sink &own, const Lanes &lanes) : plan_(plan), own_(own), lanes_(lanes)
    {
        std::fill(next_, next_ + lanes_max, plan.first);
    }

    /* @return Wrong bytes; -1 if not everything came. */
    long receive_all()
    {
        Patience patience;

        while (done_ < lanes_max) {
            const int lane = plan_.sign == Sign::Notice ? noticed() : signed_lane();
            if (lane >= 0) {
                take(unsigned(lane));
                patience.progress();
            } else if (!patience.idle()) {
                return -1;
            }
        }
        return wrong_;
    }

private:
    char *data(unsigned lane) const
    {
        return own_.data + lane * lane_size;
    }

    int noticed()
    {
        MrqNotice told = mrq_poll(own_.hdl);
        auto *end      = lanes_.sender + lanes_max;

        return told.status == UTOFU_SUCCESS ? int(std::find(lanes_.sender, end, told.notice.vcq_id) - lanes_.sender)
                                            : -1;
    }

    bool has_sign(unsigned lane) const
    {
        const Message m = message_of(lane, next_[lane]);

        if (next_[lane] > plan_.last)
            return false;
        if (plan_.sign == Sign::LastByte)
            return __atomic_load_n(data(lane) + margin + m.start + m.length - 1, __ATOMIC_ACQUIRE) != 0;
        return load_acquire(own_.words + 64 * lane) == next_[lane];
    }

    int signed_lane()
    {
        for (unsigned turn = 0; turn < lanes_max; turn++) {
            at_ = (at_ + 1) % lanes_max;
            if (has_sign(at_))
                return int(at_);
        }
        return -1;
    }

    /* Look at all, make it as it was, and let the sender go on. */
    void take(unsigned lane)
    {
        const Message m = message_of(lane, next_[lane]);
        char *begin     = data(lane);

        for (size_t i = 0; i < m.length + 2 * margin; i++) {
            const bool inside = i >= margin + m.start && i < margin + m.start + m.length;
            wrong_ += static_cast<unsigned char>(begin[i]) != (inside ? byte_of(m, i - margin - m.start) : 0);
        }
        memset(begin, 0, m.length + 2 * margin);
        post_patiently(strongly_ordered(Kind::Piggyback8, own_.hdl, lanes_.sender[lane], lanes_.ack[lane], next_[lane]));
        done_ += next_[lane]++ == plan_.last;
    }

    const Plan plan_;
    const Sink own_;
    const Lanes lanes_;
    unsigned next_[lanes_max]; /**< Message that is to come. */
    unsigned done_ = 0, at_ = 0;
    long wrong_ = 0;
};

long receive_all(Plan plan, Sink own, Lanes lanes)
{
    return Receiver(plan, own, lanes).receive_all();
}

/* In the receiver: loads of all words until each has its last value. @return Loads that went back; -1: never the last. */
long watch_words(Sink own, uint64_t last)
{
    uint64_t seen[lanes_max] = {};
    long back                = 0;
    unsigned done            = 0;
    Patience patience;

    while (done < lanes_max) {
        bool moved = false;
        for (unsigned lane = 0; lane < lanes_max; lane++) {
            uint64_t value = load_acquire(own.words + 64 * lane);
            back += value < seen[lane];
            moved |= value != seen[lane];
            done += value == last && seen[lane] != last;
            seen[lane] = value;
        }
        if (moved)
            patience.progress();
        else if (!patience.idle())
            return -1;
    }
    return back;
}

/* In a sending process: each thread counts up in its word. @return Commands that failed. */
unsigned count_up(Sources sources, Sink sink, unsigned first_lane, uint64_t first, uint64_t last)
{
    unsigned failed[threads] = {};
    std::vector<std::thread> running;

    for (unsigned i = 0; i < threads; i++) {
        running.emplace_back([&, i] {
            const utofu_stadd_t word = sink.words_stadd + 64 * (first_lane + i);
            for (uint64_t value = first; value <= last; value++) {
                Kind kind = value % 3 == 0 ? Kind::Armw8 : Kind::Piggyback8;
                failed[i] += post_patiently(strongly_ordered(kind, sources.of[i].hdl, sink.id, word, value)) !=
                             UTOFU_SUCCESS;
            }
        });
    }
    for (std::thread &thread : running)
        thread.join();
    return failed[0] + failed[1] + failed[2];
}

unsigned passes()
{
    const char *text = getenv("TOFUKIT_TEST_ORDER_PASSES");
    return text != nullptr ? unsigned(atol(text)) : 3;
}

/* The receiver is rank 0; it shares its node with the first sender. */
class OrderStress : public testing::TestWithParam<Memory>
{
protected:
    void SetUp() override
    {
        Environment environment = {{"SOFTTOFU_JOB", unique_job_name()}, {"SOFTTOFU_SIZE", "3"}, {"SOFTTOFU_PPN", "2"}};
        for (unsigned rank = 0; rank <= processes; rank++) {
            environment["SOFTTOFU_RANK"] = std::to_string(rank);
            agents.push_back(std::make_unique<Agent>(environment));
        }
        sink = agents[0]->run(open_sink, GetParam());
        ASSERT_NE(sink.hdl, 0u) << agents[0]->errors();
        for (unsigned p = 0; p < processes; p++) {
            sources.push_back(agents[p + 1]->run(open_sources));
            for (unsigned i = 0; i < threads; i++) {
                lanes.sender[p * threads + i] = sources[p].of[i].id;
                lanes.ack[p * threads + i]    = sources[p].of[i].ack_stadd;
            }
        }
    }

    void exchange(Sign sign)
    {
        for (unsigned pass = 0; pass < passes() && !HasFailure(); pass++)
            exchange({sign, pass * pass_steps + 1, (pass + 1) * pass_steps});
    }

    void exchange(const Plan &plan)
    {
        auto received   = agents[0]->start(receive_all, plan, sink, lanes);
        std::vector<Pending<unsigned>> sent;
        for (unsigned p = 0; p < processes; p++)
            sent.push_back(agents[p + 1]->start(send_all, plan, sources[p], sink, p * threads));
        EXPECT_EQ(received.get(), 0) << memory_name(GetParam());
        for (auto &one : sent)
            EXPECT_EQ(one.get(), threads);
    }

    std::vector<std::unique_ptr<Agent>> agents;
    std::vector<Sources> sources;
    Sink sink;
    Lanes lanes;
};

TEST_P(OrderStress, DataComeBeforeTheirNotice)
{
    exchange(Sign::Notice);
}

TEST_P(OrderStress, DataComeBeforeTheirLastByte)
{
    exchange(Sign::LastByte);
}

TEST_P(OrderStress, DataComeBeforeTheNextPut)
{
    exchange(Sign::SecondPut);
}

TEST_P(OrderStress, DataComeBeforeTheNextAtomic)
{
    exchange(Sign::Atomic);
}

class OrderStressOfWords : public OrderStress
{
};

TEST_P(OrderStressOfWords, ValuesComeInOrder)
{
    constexpr uint64_t values = 20000;
    for (uint64_t pass = 0; pass < passes() && !HasFailure(); pass++) {
        auto watched = agents[0]->start(watch_words, sink, (pass + 1) * values);
        std::vector<Pending<unsigned>> counted;
        for (unsigned p = 0; p < processes; p++)
            counted.push_back(agents[p + 1]->start(count_up, sources[p], sink, p * threads, pass * values + 1,
                                                   (pass + 1) * values));
        EXPECT_EQ(watched.get(), 0);
        for (auto &one : counted)
            EXPECT_EQ(one.get(), 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(Memfd, OrderStressOfWords, testing::Values(Memory::Memfd));
INSTANTIATE_TEST_SUITE_P(, OrderStress, testing::Values(Memory::Memfd, Memory::Heap),
                         [](const testing::TestParamInfo<Memory> &info) {
                             return std::string(memory_name(info.param));
                         });

} // namespace
