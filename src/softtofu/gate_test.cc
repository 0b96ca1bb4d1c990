/* SPDX-License-Identifier: BSD-3-Clause */
/* Gates in one process, which drives every end and can die with a gate in hand. */
#include "support/gates.h"
#include "unit/gate_probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

namespace
{

using namespace support;

constexpr int patience = 30000;
constexpr unsigned tni = 2;

/** A gate to connect: its id, and those to be put into its setting. */
struct Ends {
    utofu_vbg_id_t id;
    utofu_vbg_id_t src_lcl = UTOFU_VBG_ID_NULL, src_rmt = UTOFU_VBG_ID_NULL;
    utofu_vbg_id_t dst_lcl = UTOFU_VBG_ID_NULL, dst_rmt = UTOFU_VBG_ID_NULL;
};

/* The last rank is never there: see gate_probe.c. */
class Gate : public testing::Test
{
protected:
    Vbgs alloc(unsigned count)
    {
        Vbgs vbgs = agent.run(vbg_alloc, tni, count, 0ul);
        EXPECT_EQ(vbgs.status, UTOFU_SUCCESS) << agent.errors();
        return vbgs;
    }

    void set(const Ends &ends)
    {
        VbgSettings s                = {1, {vbg_unconnected(ends.id)}};
        s.setting[0].src_lcl_vbg_id = ends.src_lcl;
        s.setting[0].src_rmt_vbg_id = ends.src_rmt;
        s.setting[0].dst_lcl_vbg_id = ends.dst_lcl;
        s.setting[0].dst_rmt_vbg_id = ends.dst_rmt;
        EXPECT_EQ(agent.run(vbg_set, s), UTOFU_SUCCESS);
    }

    void connect(utofu_vbg_id_t sender, utofu_vbg_id_t receiver)
    {
        Ends from = {sender}, to = {receiver};
        from.dst_rmt = receiver;
        to.src_rmt   = sender;
        set(from);
        set(to);
    }

    /* Start an operation with a value of its own. */
    int start(utofu_vbg_id_t id, uint64_t value = 0)
    {
        return agent.run(
                [](utofu_vbg_id_t gate, uint64_t element) {
                    return utofu_reduce_uint64(gate, UTOFU_REDUCE_OP_SUM, &element, 1, 0);
                },
                id, value);
    }

    struct Result {
        int status;
        uint64_t value;
    };

    Result poll(utofu_vbg_id_t id)
    {
        return agent.run(
                [](utofu_vbg_id_t gate) {
                    Result r;
                    r.status = utofu_poll_reduce_uint64(gate, 0, &r.value);
                    return r;
                },
                id);
    }

    /* Poll until it is told that it failed, or for as long as a test may take. */
    int fate(utofu_vbg_id_t id)
    {
        return agent.run(
                [](utofu_vbg_id_t gate) {
                    auto end   = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience);
                    int status = UTOFU_ERR_NOT_COMPLETED;
                    while (status == UTOFU_ERR_NOT_COMPLETED && std::chrono::steady_clock::now() < end) {
                        uint64_t value;
                        status = utofu_poll_reduce_uint64(gate, 0, &value);
                    }
                    return status;
                },
                id);
    }

    void expect_result(utofu_vbg_id_t id, uint64_t value)
    {
        Result r = poll(id);
        EXPECT_EQ(r.status, UTOFU_SUCCESS);
        EXPECT_EQ(r.value, value);
    }

    /* An operation whose result comes from elsewhere. */
    void expect_arrived(utofu_vbg_id_t receiver, uint64_t value)
    {
        EXPECT_EQ(start(receiver), UTOFU_SUCCESS);
        expect_result(receiver, value);
    }

    void expect_nothing_arrived(utofu_vbg_id_t receiver)
    {
        EXPECT_EQ(start(receiver), UTOFU_SUCCESS);
        EXPECT_EQ(poll(receiver).status, UTOFU_ERR_NOT_COMPLETED);
    }

    /* Send 11, for which there is room, and 22, which waits. */
    void run_ahead(utofu_vbg_id_t sender)
    {
        EXPECT_EQ(start(sender, 11), UTOFU_SUCCESS);
        expect_result(sender, 11);
        EXPECT_EQ(start(sender, 22), UTOFU_SUCCESS);
        EXPECT_EQ(poll(sender).status, UTOFU_ERR_NOT_COMPLETED);
        EXPECT_TRUE(agent.run(gate_probe_holds, sender));
    }

    Agent agent{{{"SOFTTOFU_JOB", unique_job_name()},
                 {"SOFTTOFU_SIZE", "3"},
                 {"SOFTTOFU_PPN", "3"},
                 {"SOFTTOFU_RANK", "0"}}};
};

TEST_F(Gate, SenderThatIsAheadHoldsItsSignalUntilThereIsRoom)
{
    const utofu_vbg_id_t sender = alloc(1).id[0], receiver = alloc(1).id[0];
    connect(sender, receiver);
    run_ahead(sender);
    EXPECT_EQ(start(sender, 33), UTOFU_ERR_BUSY);
    expect_arrived(receiver, 11);
    EXPECT_FALSE(agent.run(gate_probe_holds, sender)) << "who made room fetched it";
    EXPECT_EQ(agent.run(gate_probe_signals, receiver), 1u);
    expect_result(sender, 22);
    EXPECT_EQ(start(sender, 33), UTOFU_SUCCESS);
    EXPECT_TRUE(agent.run(gate_probe_holds, sender));
    expect_arrived(receiver, 22);
    expect_arrived(receiver, 33);
    expect_result(sender, 33);
    expect_nothing_arrived(receiver);
}

TEST_F(Gate, StraySignalIsAFaultOfItsReceiver)
{
    const utofu_vbg_id_t named = alloc(1).id[0], stray = alloc(1).id[0], receiver = alloc(1).id[0];
    connect(stray, receiver);
    connect(named, receiver); /* Now the receiver knows this one alone. */
    EXPECT_EQ(start(stray, 1), UTOFU_SUCCESS);
    expect_result(stray, 1);
    EXPECT_TRUE(agent.run(gate_probe_is_faulty, receiver));
    EXPECT_EQ(agent.run(gate_probe_signals, receiver), 0u);
    EXPECT_EQ(start(receiver), UTOFU_SUCCESS);
    EXPECT_EQ(poll(receiver).status, UTOFU_ERR_BARRIER_OTHER);
    connect(named, receiver);
    EXPECT_EQ(start(named, 2), UTOFU_SUCCESS);
    expect_arrived(receiver, 2);
}

TEST_F(Gate, EarlySignalThatNoSettingNamesIsAFaultOfItsReceiver)
{
    const utofu_vbg_id_t named = alloc(1).id[0], stray = alloc(1).id[0], receiver = alloc(1).id[0];
    Ends sends    = {stray};
    sends.dst_rmt = receiver;
    set(sends);
    EXPECT_EQ(start(stray, 1), UTOFU_SUCCESS);
    EXPECT_EQ(agent.run(gate_probe_signals, receiver), 1u) << "it may yet turn out to be wanted";
    connect(named, receiver);
    EXPECT_TRUE(agent.run(gate_probe_is_faulty, receiver));
}

TEST_F(Gate, ThirdEarlySenderIsAFaultOfItsReceiver)
{
    const utofu_vbg_id_t receiver = alloc(1).id[0];
    for (unsigned sender = 0; sender < 3; sender++) {
        Ends sends    = {alloc(1).id[0]};
        sends.dst_rmt = receiver;
        set(sends);
        EXPECT_EQ(agent.run(gate_probe_is_faulty, receiver), false);
        EXPECT_EQ(start(sends.id, 1), UTOFU_SUCCESS);
    }
    EXPECT_EQ(agent.run(gate_probe_signals, receiver), 2u);
    EXPECT_TRUE(agent.run(gate_probe_is_faulty, receiver));
}

TEST_F(Gate, SuccessorDoesNotTakeSignalsOfItsPredecessor)
{
    const utofu_vbg_id_t sender = alloc(1).id[0];
    Vbgs receiver               = alloc(1);
    connect(sender, receiver.id[0]);
    EXPECT_EQ(start(sender, 1), UTOFU_SUCCESS);
    expect_result(sender, 1);
    expect_arrived(receiver.id[0], 1);
    EXPECT_EQ(agent.run(vbg_free, receiver), UTOFU_SUCCESS);
    Vbgs successor = alloc(1);
    ASSERT_EQ(successor.id[0], receiver.id[0]);
    EXPECT_EQ(start(sender, 2), UTOFU_SUCCESS);
    EXPECT_EQ(agent.run(gate_probe_signals, successor.id[0]), 0u);
    EXPECT_FALSE(agent.run(gate_probe_is_faulty, successor.id[0]));
    EXPECT_TRUE(agent.run(gate_probe_is_faulty, sender));
    expect_result(sender, 2); /* It waits for nothing, so that it is told with the next operation. */
    EXPECT_EQ(start(sender, 3), UTOFU_SUCCESS);
    EXPECT_EQ(poll(sender).status, UTOFU_ERR_BARRIER_OTHER);
}

TEST_F(Gate, SuccessorDoesNotTakeWhatCameEarlyForItsPredecessor)
{
    const utofu_vbg_id_t sender = alloc(1).id[0];
    Vbgs receiver               = alloc(1);
    Ends sends                  = {sender};
    sends.dst_rmt               = receiver.id[0];
    set(sends);
    EXPECT_EQ(start(sender, 1), UTOFU_SUCCESS);
    EXPECT_EQ(agent.run(vbg_free, receiver), UTOFU_SUCCESS);
    Vbgs successor = alloc(1);
    ASSERT_EQ(successor.id[0], receiver.id[0]);
    Ends waits    = {successor.id[0]};
    waits.src_rmt = sender;
    set(waits);
    EXPECT_EQ(agent.run(gate_probe_signals, successor.id[0]), 0u);
    expect_nothing_arrived(successor.id[0]);
}

TEST_F(Gate, HeldSignalForAFreedGateFails)
{
    const utofu_vbg_id_t sender = alloc(1).id[0];
    Vbgs receiver               = alloc(1);
    connect(sender, receiver.id[0]);
    run_ahead(sender);
    EXPECT_EQ(agent.run(vbg_free, receiver), UTOFU_SUCCESS);
    Vbgs successor = alloc(1);
    ASSERT_EQ(successor.id[0], receiver.id[0]);
    EXPECT_EQ(fate(sender), UTOFU_ERR_BARRIER_OTHER);
    EXPECT_EQ(agent.run(gate_probe_signals, successor.id[0]), 0u);
}

TEST_F(Gate, HeldSignalOfAFreedGateStillArrives)
{
    Vbgs sender                   = alloc(1);
    const utofu_vbg_id_t receiver = alloc(1).id[0];
    connect(sender.id[0], receiver);
    run_ahead(sender.id[0]);
    EXPECT_EQ(agent.run(vbg_free, sender), UTOFU_SUCCESS);
    EXPECT_NE(alloc(1).id[0], sender.id[0]) << "its signal is still to be read";
    expect_arrived(receiver, 11);
    expect_arrived(receiver, 22);
    EXPECT_EQ(alloc(1).id[0], sender.id[0]);
}

TEST_F(Gate, IsFreeWhenNobodyCanFetchItsSignalAnyMore)
{
    Vbgs sender = alloc(1), receiver = alloc(2);
    Ends end      = {receiver.id[0]};
    end.src_lcl   = receiver.id[1];
    connect(sender.id[0], receiver.id[1]);
    set(end);
    EXPECT_EQ(start(sender.id[0], 1), UTOFU_SUCCESS);
    expect_result(sender.id[0], 1);
    agent.run(gate_probe_take_and_die, receiver.id[1]);
    EXPECT_EQ(start(sender.id[0], 2), UTOFU_SUCCESS);
    EXPECT_EQ(start(sender.id[0], 3), UTOFU_ERR_BUSY);
    EXPECT_EQ(agent.run(vbg_free, receiver), UTOFU_SUCCESS);
    EXPECT_EQ(agent.run(vbg_free, sender), UTOFU_SUCCESS);
    EXPECT_EQ(alloc(1).id[0], sender.id[0]);
}

TEST_F(Gate, HelperThatDiesIsNoticedByTheSender)
{
    const utofu_vbg_id_t sender = alloc(1).id[0], receiver = alloc(1).id[0];
    connect(sender, receiver);
    run_ahead(sender);
    agent.run(gate_probe_fetch_and_die, receiver);
    expect_arrived(receiver, 22); /* It was brought in; the first went with the dead. */
    EXPECT_EQ(fate(sender), UTOFU_ERR_BARRIER_OTHER);
    connect(sender, receiver);
    EXPECT_EQ(start(sender, 4), UTOFU_SUCCESS);
    expect_result(sender, 4);
    expect_arrived(receiver, 4);
}

/* A dead helper between a sender and a receiver that both live: it leaves a relay that never ends its firing. */
TEST_F(Gate, HelperThatDiesIsNoticedUpstreamAndDownstream)
{
    const utofu_vbg_id_t sender = alloc(1).id[0], receiver = alloc(1).id[0];
    const utofu_vbg_id_t relay = alloc(2).id[1];
    Ends from = {sender}, middle = {relay}, to = {receiver};
    from.dst_rmt = middle.id;
    middle.src_rmt = sender;
    middle.dst_rmt = receiver;
    to.src_rmt = relay;
    for (const Ends &ends : {from, middle, to})
        set(ends);
    for (uint64_t value : {1, 2}) { /* One is at the receiver, one at the relay, which holds it. */
        EXPECT_EQ(start(sender, value), UTOFU_SUCCESS);
        expect_result(sender, value);
    }
    EXPECT_EQ(start(sender, 3), UTOFU_SUCCESS);
    expect_arrived(receiver, 1);
    expect_result(sender, 3); /* All went one gate ahead. */
    EXPECT_EQ(start(sender, 4), UTOFU_SUCCESS);
    EXPECT_TRUE(agent.run(gate_probe_holds, relay));
    agent.run(gate_probe_fetch_and_die, receiver);
    expect_arrived(receiver, 3);
    EXPECT_EQ(start(receiver), UTOFU_SUCCESS);
    EXPECT_EQ(fate(receiver), UTOFU_ERR_BARRIER_OTHER) << "the relay is stuck";
    EXPECT_EQ(fate(sender), UTOFU_ERR_BARRIER_OTHER) << "so 4 will never be fetched";
}

/** One process in the place of several: each of these goes its own pace. */
struct Walker {
    utofu_vbg_id_t id;
    unsigned rounds; /**< Ended. */
    bool under_way;
};

uint64_t contribution(int walker, unsigned round)
{
    return uint64_t(walker + 1) * 1000003u + round * 7919u;
}

/* @return Whether the result is wrong: that of the walkers up to @a last. */
bool is_wrong(uint64_t result, int last, unsigned round)
{
    for (int i = 0; i <= last; i++)
        result -= contribution(i, round);
    return result != 0;
}

/* One call for one walker. @return 0, or 1 for each thing that is wrong. */
unsigned step(Walker &walker, int number, int last)
{
    uint64_t value = contribution(number, walker.rounds);

    if (!walker.under_way) {
        walker.under_way = true;
        return utofu_reduce_uint64(walker.id, UTOFU_REDUCE_OP_SUM, &value, 1, 0) != UTOFU_SUCCESS;
    }
    int status = utofu_poll_reduce_uint64(walker.id, 0, &value);
    if (status != UTOFU_SUCCESS)
        return status != UTOFU_ERR_NOT_COMPLETED;
    walker.under_way = false;
    return is_wrong(value, last, walker.rounds++);
}

/** How far the first walker got ahead of the last, and what was wrong. */
struct Walk {
    unsigned wrong, lead;
    int setup;
};

constexpr int walkers = 4;

/* In an agent: 800 operations of each walker, in an order that the seed gives. */
Walk walk(Wiring (*wiring_of)(int), bool prefix, unsigned seed)
{
    const Wiring wiring = wiring_of(walkers);
    std::minstd_rand random(seed);
    std::vector<Vbgs> vbgs;
    std::vector<Walker> all;
    Walk result = {};

    for (int w = 0; w < walkers; w++) {
        vbgs.push_back(vbg_alloc(tni, unsigned(wiring.of(w).size()), 0));
        all.push_back({vbgs.back().id[0], 0, false});
    }
    for (int w = 0; w < walkers; w++)
        result.setup |= vbg_set(vbg_settings(wiring, w, vbgs));
    const unsigned rounds = 800;
    for (unsigned steps = 0; steps < 1000000 && result.wrong == 0; steps++) {
        int w = int(random() % walkers);
        for (unsigned burst = random() % 16; burst > 0 && all[size_t(w)].rounds < rounds; burst--)
            result.wrong += step(all[size_t(w)], w, prefix ? w : walkers - 1);
        if (all.front().rounds > all.back().rounds)
            result.lead = std::max(result.lead, all.front().rounds - all.back().rounds);
        if (std::all_of(all.begin(), all.end(), [](const Walker &one) { return one.rounds == rounds; }))
            return result;
    }
    result.wrong++; /* They did not all get there. */
    return result;
}

TEST_F(Gate, WalkersOfAnyPaceMeet)
{
    for (auto *wiring : {butterfly, double_ring, tree}) {
        for (unsigned seed = 1; seed <= 5; seed++) {
            Agent fresh({{"SOFTTOFU_JOB", unique_job_name()}, {"SOFTTOFU_SIZE", "1"}});
            Walk result = fresh.run(walk, wiring, false, seed);
            EXPECT_EQ(result.setup, UTOFU_SUCCESS);
            EXPECT_EQ(result.wrong, 0u) << "seed " << seed;
            EXPECT_LE(result.lead, 1u) << "each needs all others";
        }
    }
}

/* Nobody sends to the first gates of a prefix ring, so nothing but full gates ahead stops the first walker. */
TEST_F(Gate, FreeRunningRingDoesNotOverflow)
{
    for (unsigned seed = 1; seed <= 10; seed++) {
        Agent fresh({{"SOFTTOFU_JOB", unique_job_name()}, {"SOFTTOFU_SIZE", "1"}});
        Walk result = fresh.run(walk, prefix_ring, true, seed);
        EXPECT_EQ(result.setup, UTOFU_SUCCESS);
        EXPECT_EQ(result.wrong, 0u) << "seed " << seed;
        EXPECT_GE(result.lead, 2u) << "it does run ahead";
        EXPECT_LE(result.lead, 4u * walkers) << "by what the gates have room for";
    }
}

} // namespace
