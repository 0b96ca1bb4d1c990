/* SPDX-License-Identifier: BSD-3-Clause */
/* Gates themselves: who gets which, what they are called, and what each call refuses. */
#include "support/gates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace
{

using namespace support;

constexpr int patience = 30000;

Environment node_of(int processes)
{
    return {{"SOFTTOFU_JOB", unique_job_name()},
            {"SOFTTOFU_SIZE", std::to_string(processes)},
            {"SOFTTOFU_PPN", std::to_string(processes)},
            {"SOFTTOFU_RANK", "0"}};
}

int bg_of(utofu_vbg_id_t id)
{
    return int(id & 0x3f);
}

struct Info {
    int status;
    uint8_t coords[6];
    utofu_tni_id_t tni;
    utofu_bg_id_t bg;
    uint16_t extra;
};

Info vbg_info(utofu_vbg_id_t id)
{
    Info info   = {};
    info.status = utofu_query_vbg_info(id, info.coords, &info.tni, &info.bg, &info.extra);
    return info;
}

TEST(Gates, AllTnisHaveThem)
{
    Agent agent(node_of(1));
    int wrong = agent.run([] {
        utofu_tni_id_t *ids = nullptr;
        size_t count        = 0;
        int status          = utofu_get_barrier_tnis(&ids, &count);
        int bad             = status != UTOFU_SUCCESS || count != 6;
        for (size_t i = 0; i < count; i++)
            bad += ids[i] != i;
        free(ids);
        return bad;
    });
    EXPECT_EQ(wrong, 0);
    for (unsigned tni = 0; tni < 6; tni++) {
        auto caps = agent.run(
                [](unsigned id) {
                    utofu_barrier_caps *found = nullptr;
                    utofu_query_barrier_caps(utofu_tni_id_t(id), &found);
                    return *found;
                },
                tni);
        EXPECT_EQ(caps.flags, 0u);
        EXPECT_EQ(caps.reduce_ops, 0x1feu);
        EXPECT_EQ(caps.max_uint64_reduction, 6u);
        EXPECT_EQ(caps.max_double_reduction, 3u);
    }
    EXPECT_EQ(agent.run([] { return utofu_query_barrier_caps(0, nullptr); }), UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(agent.run([] {
        utofu_barrier_caps *caps;
        return utofu_query_barrier_caps(6, &caps);
    }),
              UTOFU_ERR_INVALID_TNI_ID);
    EXPECT_EQ(agent.run([] {
        size_t count;
        return utofu_get_barrier_tnis(nullptr, &count);
    }),
              UTOFU_ERR_INVALID_POINTER);
}

TEST(Gates, IdsAreCoordinatesTniAndGateAndNothingElse)
{
    Environment environment = node_of(1);
    environment["SOFTTOFU_SIZE"]  = "24";
    environment["SOFTTOFU_SHAPE"] = "2x1x2x2x3x2";
    environment["SOFTTOFU_RANK"]  = "23";
    Agent agent(environment);
    for (unsigned tni = 0; tni < 6; tni++) {
        Vbgs vbgs = agent.run(vbg_alloc, tni, 3u, 0ul);
        ASSERT_EQ(vbgs.status, UTOFU_SUCCESS) << agent.errors();
        for (unsigned i = 0; i < 3; i++) {
            Info info = vbg_info(vbgs.id[i]);
            EXPECT_EQ(info.status, UTOFU_SUCCESS);
            EXPECT_EQ(info.tni, tni);
            EXPECT_EQ(info.extra, 0);
            EXPECT_EQ(info.bg < 16, i == 0) << "the first can start and end, the others relay";
            uint64_t x = info.coords[0], y = info.coords[1], z = info.coords[2], a = info.coords[3],
                     b = info.coords[4], c = info.coords[5];
            EXPECT_EQ(vbgs.id[i], uint64_t(tni) << 61 | c << 59 | b << 57 | a << 56 | z << 48 | y << 40 | x << 32 |
                                          info.bg);
        }
    }
}

TEST(Gates, IdsThatCannotBe)
{
    EXPECT_EQ(vbg_info(UTOFU_VBG_ID_NULL).status, UTOFU_ERR_INVALID_VBG_ID);
    EXPECT_EQ(vbg_info(48).status, UTOFU_ERR_INVALID_VBG_ID) << "gate";
    EXPECT_EQ(vbg_info(uint64_t(6) << 61).status, UTOFU_ERR_INVALID_VBG_ID) << "TNI";
    EXPECT_EQ(vbg_info(uint64_t(1) << 60).status, UTOFU_ERR_INVALID_VBG_ID) << "the bit that is nobody's";
    EXPECT_EQ(vbg_info(uint64_t(3) << 57).status, UTOFU_ERR_INVALID_VBG_ID) << "b";
    EXPECT_EQ(vbg_info(uint64_t(32) << 32).status, UTOFU_ERR_INVALID_VBG_ID) << "x";
    EXPECT_EQ(vbg_info(uint64_t(1) << 24).status, UTOFU_ERR_INVALID_VBG_ID) << "bits of a VCQ";
    EXPECT_EQ(vbg_info(0).status, UTOFU_SUCCESS);
    uint8_t coords[6];
    utofu_tni_id_t tni;
    utofu_bg_id_t bg;
    EXPECT_EQ(utofu_query_vbg_info(0, coords, &tni, &bg, nullptr), UTOFU_ERR_INVALID_POINTER);
}

TEST(Gates, AreSharedByTheProcessesOfANodeAndRunOut)
{
    Environment environment = node_of(2);
    Agent first(environment);
    environment["SOFTTOFU_RANK"] = "1";
    Agent second(environment);
    std::vector<Vbgs> taken;
    for (int i = 0; i < 16; i++) {
        Vbgs vbgs = (i % 2 ? second : first).run(vbg_alloc, 2u, 2u, 0ul);
        ASSERT_EQ(vbgs.status, UTOFU_SUCCESS) << i;
        EXPECT_EQ(bg_of(vbgs.id[0]), i);
        EXPECT_EQ(bg_of(vbgs.id[1]), 16 + i);
        taken.push_back(vbgs);
    }
    EXPECT_EQ(first.run(vbg_alloc, 2u, 1u, 0ul).status, UTOFU_ERR_FULL) << "relay gates are left, but none to start";
    EXPECT_EQ(first.run(vbg_alloc, 3u, 48u, 0ul).status, UTOFU_SUCCESS) << "the next TNI has all its own";
    EXPECT_EQ(second.run(vbg_free, taken[3]), UTOFU_SUCCESS);
    EXPECT_EQ(first.run(vbg_alloc, 2u, 19u, 0ul).status, UTOFU_ERR_FULL) << "one more than there are";
    Vbgs rest = first.run(vbg_alloc, 2u, 18u, 0ul);
    EXPECT_EQ(rest.status, UTOFU_SUCCESS) << "nothing was taken by the one that failed";
    EXPECT_EQ(bg_of(rest.id[0]), 3);
}

TEST(Gates, RelaysFallBackOnThoseThatCanStart)
{
    Agent agent(node_of(1));
    Vbgs all = agent.run(vbg_alloc, 0u, 48u, 0ul);
    ASSERT_EQ(all.status, UTOFU_SUCCESS);
    EXPECT_EQ(bg_of(all.id[0]), 0);
    EXPECT_EQ(bg_of(all.id[1]), 16);
    EXPECT_EQ(bg_of(all.id[32]), 47);
    EXPECT_EQ(bg_of(all.id[33]), 15);
    EXPECT_EQ(bg_of(all.id[47]), 1);
    EXPECT_EQ(agent.run(barrier_start, all.id[33]), UTOFU_ERR_INVALID_VBG_ID) << "it relays here";
}

TEST(Gates, RefusedAllocations)
{
    Agent agent(node_of(1));
    auto alloc = [&](unsigned tni, unsigned count, unsigned long flags) {
        return agent.run(vbg_alloc, tni, count, flags).status;
    };
    EXPECT_EQ(alloc(6, 1, 0), UTOFU_ERR_INVALID_TNI_ID);
    EXPECT_EQ(alloc(0, 0, 0), UTOFU_ERR_INVALID_NUMBER);
    EXPECT_EQ(alloc(0, 49, 0), UTOFU_ERR_INVALID_NUMBER);
    EXPECT_EQ(alloc(0, 1, 2), UTOFU_ERR_INVALID_FLAGS);
    EXPECT_EQ(agent.run([] { return utofu_alloc_vbg(0, 1, 0, nullptr); }), UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(alloc(0, 1, UTOFU_VBG_FLAG_THREAD_SAFE), UTOFU_SUCCESS);
}

TEST(Gates, AreFreedAsTheyWereAllocated)
{
    Agent agent(node_of(1));
    Vbgs one = agent.run(vbg_alloc, 0u, 3u, 0ul), other = agent.run(vbg_alloc, 0u, 3u, 0ul);
    auto freed = [&](Vbgs vbgs) { return agent.run(vbg_free, vbgs); };
    Vbgs wrong = one;
    wrong.count = 2;
    EXPECT_EQ(freed(wrong), UTOFU_ERR_INVALID_NUMBER);
    wrong = one;
    std::swap(wrong.id[1], wrong.id[2]);
    EXPECT_EQ(freed(wrong), UTOFU_ERR_INVALID_VBG_ID);
    wrong       = one;
    wrong.id[2] = other.id[2];
    EXPECT_EQ(freed(wrong), UTOFU_ERR_INVALID_VBG_ID);
    wrong.id[0] = one.id[0] | uint64_t(1) << 32;
    EXPECT_EQ(freed(wrong), UTOFU_ERR_INVALID_VBG_ID) << "another node's";
    EXPECT_EQ(agent.run([] { return utofu_free_vbg(nullptr, 1); }), UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(freed(one), UTOFU_SUCCESS);
    EXPECT_EQ(freed(one), UTOFU_ERR_INVALID_VBG_ID) << "twice";
    EXPECT_EQ(freed(other), UTOFU_SUCCESS);
}

TEST(Gates, RefusedSettings)
{
    Agent agent(node_of(1));
    Vbgs vbgs         = agent.run(vbg_alloc, 0u, 2u, 0ul);
    VbgSettings plain = vbg_settings(prefix_ring(1), 0, {vbgs});
    auto set          = [&](VbgSettings s) { return agent.run(vbg_set, s); };
    const utofu_vbg_id_t other_gate = vbgs.id[1] + 1, other_node = vbgs.id[1] | uint64_t(1) << 32;
    auto with = [&](auto change) {
        VbgSettings s = plain;
        change(s.setting[1]);
        return set(s);
    };
    EXPECT_EQ(with([&](auto &s) { s.vbg_id = other_gate; }), UTOFU_ERR_INVALID_VBG_ID);
    EXPECT_EQ(with([&](auto &s) { s.vbg_id = UTOFU_VBG_ID_NULL; }), UTOFU_ERR_INVALID_VBG_ID);
    EXPECT_EQ(with([&](auto &s) { s.src_lcl_vbg_id = other_gate; }), UTOFU_ERR_INVALID_VBG_ID);
    EXPECT_EQ(with([&](auto &s) { s.dst_lcl_vbg_id = other_gate; }), UTOFU_ERR_INVALID_VBG_ID);
    EXPECT_EQ(with([&](auto &s) { s.src_rmt_vbg_id = other_node; }), UTOFU_ERR_INVALID_VBG_ID) << "outside the shape";
    EXPECT_EQ(with([&](auto &s) { s.dst_rmt_vbg_id = 63; }), UTOFU_ERR_INVALID_VBG_ID);
    EXPECT_EQ(with([&](auto &s) { s.dst_path_coords[1] = 3; }), UTOFU_ERR_INVALID_PATH);
    EXPECT_EQ(agent.run(barrier_start, vbgs.id[0]), UTOFU_ERR_INVALID_VBG_ID) << "not set: no setting was taken";
    EXPECT_EQ(with([&](auto &s) {
        uint8_t path[3] = {1, 2, 1};
        memcpy(s.dst_path_coords, path, 3);
    }),
              UTOFU_SUCCESS);
    plain.count = 0;
    EXPECT_EQ(set(plain), UTOFU_ERR_INVALID_NUMBER);
    EXPECT_EQ(agent.run([] { return utofu_set_vbg(nullptr, 1); }), UTOFU_ERR_INVALID_POINTER);
}

TEST(Operations, RefusedArguments)
{
    GateJob job(butterfly(1), 0, 1);
    auto reduce = [&](int op, unsigned count, unsigned long flags) {
        return job.agent(0).run(
                [](utofu_vbg_id_t id, int o, unsigned n, unsigned long f) {
                    uint64_t data[8] = {};
                    return utofu_reduce_uint64(id, utofu_reduce_op(o), data, n, f);
                },
                job.id(0), op, count, flags);
    };
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_BARRIER, 1, 0), UTOFU_ERR_INVALID_OP);
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_BFPSUM, 1, 0), UTOFU_ERR_INVALID_OP);
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_SUM, 0, 0), UTOFU_ERR_INVALID_NUMBER);
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_SUM, 7, 0), UTOFU_ERR_INVALID_NUMBER);
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_MAXLOC, 3, 0), UTOFU_ERR_INVALID_NUMBER);
    EXPECT_EQ(reduce(UTOFU_REDUCE_OP_SUM, 1, 1), UTOFU_ERR_INVALID_FLAGS);
    auto call = [&](auto function) { return job.agent(0).run(function, job.id(0)); };
    EXPECT_EQ(call([](utofu_vbg_id_t id) { return utofu_reduce_uint64(id, UTOFU_REDUCE_OP_SUM, nullptr, 1, 0); }),
              UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(call([](utofu_vbg_id_t id) { return utofu_reduce_double(id, UTOFU_REDUCE_OP_BFPSUM, nullptr, 1, 0); }),
              UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(call([](utofu_vbg_id_t id) {
        double data[4] = {};
        return utofu_reduce_double(id, UTOFU_REDUCE_OP_BFPSUM, data, 4, 0);
    }),
              UTOFU_ERR_INVALID_NUMBER);
    EXPECT_EQ(call([](utofu_vbg_id_t id) {
        double data[1] = {};
        return utofu_reduce_double(id, UTOFU_REDUCE_OP_SUM, data, 1, 0);
    }),
              UTOFU_ERR_INVALID_OP);
    EXPECT_EQ(call([](utofu_vbg_id_t id) { return utofu_barrier(id, 1); }), UTOFU_ERR_INVALID_FLAGS);
    EXPECT_EQ(call([](utofu_vbg_id_t id) { return utofu_poll_barrier(id, 1); }), UTOFU_ERR_INVALID_FLAGS);
    EXPECT_EQ(call([](utofu_vbg_id_t id) { return utofu_poll_reduce_uint64(id, 0, nullptr); }),
              UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(call([](utofu_vbg_id_t id) { return utofu_poll_reduce_double(id, 0, nullptr); }),
              UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(call([](utofu_vbg_id_t id) { return utofu_barrier(id + 1, 0); }), UTOFU_ERR_INVALID_VBG_ID);
    EXPECT_EQ(call(barrier_poll), UTOFU_ERR_NOT_FOUND) << "none was started";
}

TEST(Operations, OneAtATime)
{
    GateJob job(butterfly(2), 0, 1);
    Agent &near = job.agent(0), &far = job.agent(1);
    EXPECT_EQ(near.run(barrier_start, job.id(0)), UTOFU_SUCCESS);
    EXPECT_EQ(near.run(barrier_start, job.id(0)), UTOFU_ERR_BUSY);
    EXPECT_EQ(near.run(barrier_poll, job.id(0)), UTOFU_ERR_NOT_COMPLETED);
    EXPECT_EQ(near.run([](utofu_vbg_id_t id) {
        uint64_t data[6];
        return utofu_poll_reduce_uint64(id, 0, data);
    },
                       job.id(0)),
              UTOFU_ERR_NOT_FOUND)
            << "no reduction was started";
    EXPECT_EQ(near.run(vbg_set, vbg_settings(butterfly(2), 0, job.vbgs)), UTOFU_ERR_BUSY);
    EXPECT_EQ(far.run(barrier_start, job.id(1)), UTOFU_SUCCESS);
    EXPECT_EQ(near.run(barrier_start, job.id(0)), UTOFU_ERR_BUSY) << "done, but nobody has asked";
    EXPECT_EQ(near.run(barrier_poll, job.id(0)), UTOFU_SUCCESS) << "the last one to start brought it to the end";
    EXPECT_EQ(near.run(barrier_poll, job.id(0)), UTOFU_ERR_NOT_FOUND) << "told once";
    EXPECT_EQ(far.run(barrier_poll, job.id(1)), UTOFU_SUCCESS);
}

TEST(Operations, DifferentOnesAreToldToAllAndTheGatesGoOn)
{
    GateJob job(butterfly(5), 4, 2);
    for (unsigned turn = 0; turn < 20; turn++) {
        auto begin = [&](int rank, bool other) {
            return job.agent(rank).run(
                    [](utofu_vbg_id_t id, bool longer) {
                        uint64_t data[6] = {};
                        return utofu_reduce_uint64(id, UTOFU_REDUCE_OP_SUM, data, longer ? 3 : 2, 0);
                    },
                    job.id(rank), other);
        };
        auto end = [&](int rank) {
            return job.agent(rank).run(
                    [](utofu_vbg_id_t id) {
                        uint64_t data[6];
                        return utofu_poll_reduce_uint64(id, 0, data);
                    },
                    job.id(rank));
        };
        for (int rank = 0; rank < 5; rank++)
            ASSERT_EQ(begin(rank, rank == int(turn % 5)), UTOFU_SUCCESS);
        for (int rank = 0; rank < 5; rank++)
            EXPECT_EQ(end(rank), UTOFU_ERR_BARRIER_MISMATCH) << "rank " << rank;
        Rounds r       = {};
        r.op           = UTOFU_REDUCE_OP_SUM;
        r.count        = 2;
        r.rounds       = 3;
        r.contributors = 5;
        r.ms           = patience;
        for (const RoundsDone &done : job.run(r)) {
            EXPECT_EQ(done.status, UTOFU_SUCCESS);
            EXPECT_EQ(done.wrong, 0u);
        }
    }
}

/* Programs that know which gates the others get tell each other nothing. */
TEST(Operations, WithIdsMadeByHand)
{
    Environment environment = node_of(1);
    environment["SOFTTOFU_SIZE"]  = "2";
    environment["SOFTTOFU_SHAPE"] = "1x1x1x1x1x2";
    std::vector<std::unique_ptr<Agent>> agents;
    for (uint64_t c = 0; c < 2; c++) {
        environment["SOFTTOFU_RANK"] = std::to_string(c);
        agents.push_back(std::make_unique<Agent>(environment));
        int status = agents.back()->run(
                [](uint64_t own) {
                    const uint64_t tni = uint64_t(5) << 61, here = tni | own << 59, there = tni | (1 - own) << 59;
                    utofu_vbg_id_t ids[2];
                    int result = utofu_alloc_vbg(5, 2, 0, ids);
                    if (result != UTOFU_SUCCESS || ids[0] != here || ids[1] != (here | 16))
                        return 1;
                    const uint64_t none            = UTOFU_VBG_ID_NULL;
                    utofu_vbg_setting settings[2] = {{here, here | 16, none, here | 16, there | 16, {0, 0, 0}},
                                                     {here | 16, here, there, here, none, {0, 0, 0}}};
                    return utofu_set_vbg(settings, 2);
                },
                c);
        ASSERT_EQ(status, UTOFU_SUCCESS);
    }
    for (int round = 0; round < 3; round++) {
        for (uint64_t c = 0; c < 2; c++)
            EXPECT_EQ(agents[c]->run(barrier_start, uint64_t(5) << 61 | c << 59), UTOFU_SUCCESS);
        for (uint64_t c = 0; c < 2; c++)
            EXPECT_EQ(agents[c]->run(barrier_poll, uint64_t(5) << 61 | c << 59), UTOFU_SUCCESS);
    }
}

/** A sender that is ahead of its receiver's setting: where it is, by which side it sends, which side waits for it. */
struct Way {
    const char *name;
    bool same_process;
    int out, in;
};

void start_and_expect(Agent &agent, utofu_vbg_id_t id, int polled, const char *why)
{
    EXPECT_EQ(agent.run(barrier_start, id), UTOFU_SUCCESS);
    EXPECT_EQ(agent.run(barrier_poll, id), polled) << why;
}

/* What comes to a gate before it is set waits for it, also if it left by the other side than the setting names. */
TEST(Operations, EarlySignalsWait)
{
    for (const Way &way : {Way{"of another process", false, remote, remote}, Way{"by the local side", true, local, local},
                           Way{"by the remote side", true, remote, remote}, Way{"crossed", true, local, remote},
                           Way{"crossed the other way", true, remote, local}}) {
        SCOPED_TRACE(way.name);
        Environment environment = node_of(2);
        Agent receiver(environment);
        environment["SOFTTOFU_RANK"] = "1";
        Agent other(environment);
        Agent &sender  = way.same_process ? receiver : other;
        const Vbgs from = sender.run(vbg_alloc, 0u, 1u, 0ul), to = receiver.run(vbg_alloc, 0u, 2u, 0ul);
        const utofu_vbg_id_t source = from.id[0], end = to.id[0], relay = to.id[1];

        VbgSettings one = {1, {vbg_unconnected(source)}};
        (way.out == local ? one.setting[0].dst_lcl_vbg_id : one.setting[0].dst_rmt_vbg_id) = relay;
        ASSERT_EQ(sender.run(vbg_set, one), UTOFU_SUCCESS);
        start_and_expect(sender, source, UTOFU_SUCCESS, "it waits for nothing, and there is room for its signal");
        start_and_expect(sender, source, UTOFU_ERR_NOT_COMPLETED, "waits behind the first");

        VbgSettings both = {2, {vbg_unconnected(end), vbg_unconnected(relay)}};
        both.setting[0].dst_lcl_vbg_id = both.setting[0].src_lcl_vbg_id = relay;
        both.setting[1].dst_lcl_vbg_id                                  = end;
        both.setting[1].src_lcl_vbg_id = way.in == local ? source : end;
        both.setting[1].src_rmt_vbg_id = way.in == local ? end : source;
        ASSERT_EQ(receiver.run(vbg_set, both), UTOFU_SUCCESS);
        start_and_expect(receiver, end, UTOFU_SUCCESS, "the first signal was there");
        EXPECT_EQ(sender.run(barrier_poll, source), UTOFU_SUCCESS) << "it was fetched";
        start_and_expect(receiver, end, UTOFU_SUCCESS, "the second was there");
        start_and_expect(receiver, end, UTOFU_ERR_NOT_COMPLETED, "there was no third");
    }
}

TEST(Operations, OfSeveralAllocationsDoNotMeet)
{
    const Wiring wiring = double_ring(3);
    GateJob job(wiring, 1, 1);
    std::vector<Vbgs> second;
    for (int rank = 0; rank < 3; rank++)
        second.push_back(job.agent(rank).run(vbg_alloc, 1u, 3u, 0ul));
    for (int rank = 0; rank < 3; rank++)
        EXPECT_EQ(job.agent(rank).run(vbg_set, vbg_settings(wiring, rank, second)), UTOFU_SUCCESS);
    for (int rank = 0; rank < 3; rank++)
        EXPECT_EQ(job.agent(rank).run(barrier_start, second[size_t(rank)].id[0]), UTOFU_SUCCESS);
    for (int rank = 0; rank < 2; rank++)
        EXPECT_EQ(job.agent(rank).run(barrier_start, job.id(rank)), UTOFU_SUCCESS);
    for (int rank = 0; rank < 3; rank++)
        EXPECT_EQ(job.agent(rank).run(barrier_poll, second[size_t(rank)].id[0]), UTOFU_SUCCESS);
    EXPECT_EQ(job.agent(0).run(barrier_poll, job.id(0)), UTOFU_ERR_NOT_COMPLETED);
    EXPECT_EQ(job.agent(2).run(barrier_start, job.id(2)), UTOFU_SUCCESS);
    for (int rank = 0; rank < 3; rank++)
        EXPECT_EQ(job.agent(rank).run(barrier_poll, job.id(rank)), UTOFU_SUCCESS);
}

TEST(Operations, GatesAreUsedAgainAfterBeingFreed)
{
    const Wiring wiring = tree(3);
    GateJob job(wiring, 2, 3);
    for (unsigned life = 0; life < 50; life++) {
        Rounds r       = {};
        r.op           = UTOFU_REDUCE_OP_SUM;
        r.count        = 6;
        r.rounds       = life % 4 + 1;
        r.contributors = 3;
        r.ms           = patience;
        for (const RoundsDone &done : job.run(r)) {
            ASSERT_EQ(done.status, UTOFU_SUCCESS);
            EXPECT_EQ(done.wrong, 0u);
        }
        for (int rank = 0; rank < 3; rank++)
            ASSERT_EQ(job.agent(rank).run(vbg_free, job.vbgs[size_t(rank)]), UTOFU_SUCCESS);
        for (int rank = 0; rank < 3; rank++)
            job.vbgs[size_t(rank)] =
                    job.agent(rank).run(vbg_alloc, 2u, unsigned(wiring.of(rank).size()), 0ul);
        ASSERT_EQ(job.wire(), UTOFU_SUCCESS);
    }
}

} // namespace
