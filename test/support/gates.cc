/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/gates.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

namespace support
{
namespace
{

using Clock = std::chrono::steady_clock;

template <class Poll> int wait_done(Poll poll, int ms)
{
    auto end   = Clock::now() + std::chrono::milliseconds(ms);
    int status = poll();

    for (unsigned polls = 1; status == UTOFU_ERR_NOT_COMPLETED; polls++) {
        if (polls % 64 == 0) {
            sched_yield(); /* The others may need this processor. */
            if (polls % 4096 == 0 && Clock::now() > end)
                break;
        }
        status = poll();
    }
    return status;
}

/* What a rank puts into a round. The second of a pair is an index; values of a pair are often equal. */
uint64_t integer_of(int op, int rank, unsigned round, unsigned element)
{
    uint64_t x = (uint64_t(rank) + 1) * 0x9e3779b97f4a7c15u + round * 0xbf58476d1ce4e5b9u + element * 0x94d049bb133111ebu;

    x ^= x >> 29;
    if (op == UTOFU_REDUCE_OP_MAXLOC)
        return element % 2 == 0 ? x % 3 : uint64_t(1000 - rank);
    return x;
}

/* Magnitudes far apart that cancel, so that any rounding on the way shows. */
double double_of(int rank, unsigned round, unsigned element)
{
    double huge = std::ldexp(1.0, int(round * 37 % 1800) - 900);
    int phase   = (rank + int(element)) % 3;

    return phase == 0 ? huge : phase == 1 ? -huge : std::ldexp(rank + 1.0, int(round % 50) - 1070);
}

void combine(int op, const uint64_t *x, uint64_t *into, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        switch (op) {
        case UTOFU_REDUCE_OP_BAND:
            into[i] &= x[i];
            break;
        case UTOFU_REDUCE_OP_BOR:
            into[i] |= x[i];
            break;
        case UTOFU_REDUCE_OP_BXOR:
            into[i] ^= x[i];
            break;
        case UTOFU_REDUCE_OP_MAX:
            into[i] = std::max(into[i], x[i]);
            break;
        case UTOFU_REDUCE_OP_SUM:
            into[i] += x[i];
            break;
        case UTOFU_REDUCE_OP_MAXLOC:
            if (i % 2 == 0 && (x[i] > into[i] || (x[i] == into[i] && x[i + 1] < into[i + 1]))) {
                into[i]     = x[i];
                into[i + 1] = x[i + 1];
            }
            break;
        }
    }
}

unsigned wrong_integers(const Rounds &r, unsigned round, const uint64_t *result)
{
    uint64_t expected[6], other[6];
    unsigned wrong = 0;

    for (int rank = 0; rank < r.contributors; rank++) {
        for (unsigned e = 0; e < r.count; e++)
            (rank == 0 ? expected : other)[e] = integer_of(r.op, rank, round, e);
        if (rank > 0)
            combine(r.op, other, expected, r.count);
    }
    for (unsigned e = 0; e < r.count; e++)
        wrong += result[e] != expected[e];
    return wrong;
}

/* The huge ones count for as many as do not cancel; the small ones are integers times one power of two. */
unsigned wrong_doubles(const Rounds &r, unsigned round, const double *result)
{
    unsigned wrong = 0;

    for (unsigned e = 0; e < r.count; e++) {
        int balance  = 0;
        double small = 0, huge = std::ldexp(1.0, int(round * 37 % 1800) - 900);
        for (int rank = 0; rank < r.contributors; rank++) {
            int phase = (rank + int(e)) % 3;
            balance += phase == 0 ? 1 : phase == 1 ? -1 : 0;
            small += phase == 2 ? double_of(rank, round, e) : 0;
        }
        /* Exact if one of the terms is zero, else the nearest double, as one addition gives it. */
        wrong += result[e] != balance * huge + small;
    }
    return wrong;
}

void pause_at_random(std::minstd_rand &random, unsigned skew)
{
    if (skew == 0 || random() % 8 != 0)
        return;
    if (random() % 4 == 0)
        usleep(unsigned(random() % 200));
    else
        sched_yield();
}

int one_barrier(const Rounds &r, unsigned round, unsigned *wrong)
{
    if (r.progress != nullptr)
        __atomic_store_n(&r.progress[r.rank], round + 1, __ATOMIC_SEQ_CST);
    int status = utofu_barrier(r.id, 0);
    if (status == UTOFU_SUCCESS)
        status = wait_done([&] { return utofu_poll_barrier(r.id, 0); }, r.ms);
    for (int rank = 0; r.progress != nullptr && status == UTOFU_SUCCESS && rank < r.contributors; rank++)
        *wrong += __atomic_load_n(&r.progress[rank], __ATOMIC_SEQ_CST) < round + 1;
    return status;
}

int one_of_integers(const Rounds &r, unsigned round, unsigned *wrong)
{
    uint64_t data[6];

    for (unsigned e = 0; e < r.count; e++)
        data[e] = integer_of(r.op, r.rank, round, e);
    int status = utofu_reduce_uint64(r.id, utofu_reduce_op(r.op), data, r.count, 0);
    memset(data, 0xee, sizeof(data)); /* It has been copied. */
    if (status == UTOFU_SUCCESS)
        status = wait_done([&] { return utofu_poll_reduce_uint64(r.id, 0, data); }, r.ms);
    if (status == UTOFU_SUCCESS)
        *wrong += wrong_integers(r, round, data);
    return status;
}

int one_of_doubles(const Rounds &r, unsigned round, unsigned *wrong)
{
    double data[3];

    for (unsigned e = 0; e < r.count; e++)
        data[e] = double_of(r.rank, round, e);
    int status = utofu_reduce_double(r.id, UTOFU_REDUCE_OP_BFPSUM, data, r.count, 0);
    memset(data, 0xee, sizeof(data));
    if (status == UTOFU_SUCCESS)
        status = wait_done([&] { return utofu_poll_reduce_double(r.id, 0, data); }, r.ms);
    if (status == UTOFU_SUCCESS)
        *wrong += wrong_doubles(r, round, data);
    return status;
}

} // namespace

Vbgs vbg_alloc(unsigned tni, unsigned count, unsigned long flags)
{
    Vbgs vbgs   = {};
    vbgs.count  = count;
    vbgs.status = utofu_alloc_vbg(utofu_tni_id_t(tni), count, flags, vbgs.id);
    return vbgs;
}

int vbg_free(Vbgs vbgs)
{
    return utofu_free_vbg(vbgs.id, vbgs.count);
}

int vbg_set(VbgSettings settings)
{
    return utofu_set_vbg(settings.setting, settings.count);
}

utofu_vbg_setting vbg_unconnected(utofu_vbg_id_t id)
{
    const utofu_vbg_id_t none = UTOFU_VBG_ID_NULL;
    const uint8_t any         = UTOFU_PATH_COORD_NULL;

    return {id, none, none, none, none, {any, any, any}};
}

VbgSettings vbg_settings(const Wiring &wiring, int rank, const std::vector<Vbgs> &vbgs)
{
    VbgSettings settings = {};
    auto id              = [&](const GateRef &gate) {
        return gate.none() ? UTOFU_VBG_ID_NULL : vbgs[size_t(gate.rank)].id[gate.gate];
    };

    for (const GateEnds &gate : wiring.of(rank)) {
        utofu_vbg_setting &s = settings.setting[settings.count];
        s                    = vbg_unconnected(id({rank, int(settings.count)}));
        s.src_lcl_vbg_id     = id(gate.src[local]);
        s.src_rmt_vbg_id     = id(gate.src[remote]);
        s.dst_lcl_vbg_id     = id(gate.dst[local]);
        s.dst_rmt_vbg_id     = id(gate.dst[remote]);
        settings.count++;
    }
    return settings;
}

int barrier_start(utofu_vbg_id_t id)
{
    return utofu_barrier(id, 0);
}

int barrier_poll(utofu_vbg_id_t id)
{
    return utofu_poll_barrier(id, 0);
}

int barrier_wait(utofu_vbg_id_t id, int ms)
{
    return wait_done([=] { return utofu_poll_barrier(id, 0); }, ms);
}

RoundsDone run_rounds(Rounds r)
{
    std::minstd_rand random(r.skew + unsigned(r.rank) + 1);
    RoundsDone done = {};

    for (; done.round < r.rounds && done.status == UTOFU_SUCCESS; done.round += done.status == UTOFU_SUCCESS) {
        pause_at_random(random, r.skew);
        if (r.op == UTOFU_REDUCE_OP_BARRIER)
            done.status = one_barrier(r, done.round, &done.wrong);
        else if (r.op == UTOFU_REDUCE_OP_BFPSUM)
            done.status = one_of_doubles(r, done.round, &done.wrong);
        else
            done.status = one_of_integers(r, done.round, &done.wrong);
    }
    return done;
}

unsigned *shared_words(size_t count)
{
    return static_cast<unsigned *>(mmap(nullptr, count * sizeof(unsigned), PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

GateJob::GateJob(const Wiring &wiring, unsigned tni, int ppn, unsigned long flags)
    : wiring_(wiring), environment_{{"SOFTTOFU_JOB", unique_job_name()},
                                    {"SOFTTOFU_SIZE", std::to_string(wiring.ranks())},
                                    {"SOFTTOFU_PPN", std::to_string(ppn)}},
      tni_(tni), flags_(flags)
{
    for (int rank = 0; rank < wiring.ranks(); rank++) {
        agents.push_back(nullptr);
        vbgs.push_back({});
        replace(rank);
    }
    EXPECT_EQ(wire(), UTOFU_SUCCESS);
}

void GateJob::replace(int rank)
{
    environment_["SOFTTOFU_RANK"] = std::to_string(rank);
    agents[size_t(rank)]          = std::make_unique<Agent>(environment_);
    vbgs[size_t(rank)] = agent(rank).run(vbg_alloc, tni_, unsigned(wiring_.of(rank).size()), flags_);
    EXPECT_EQ(vbgs[size_t(rank)].status, UTOFU_SUCCESS) << agent(rank).errors();
}

int GateJob::wire()
{
    int result = UTOFU_SUCCESS;

    for (int rank = 0; rank < ranks() && result == UTOFU_SUCCESS; rank++)
        result = agent(rank).run(vbg_set, vbg_settings(wiring_, rank, vbgs));
    return result;
}

std::vector<RoundsDone> GateJob::run(Rounds rounds)
{
    const bool prefix = rounds.contributors < 0;
    std::vector<Pending<RoundsDone>> pending;
    std::vector<RoundsDone> done;

    for (int rank = 0; rank < ranks(); rank++) {
        rounds.id   = id(rank);
        rounds.rank = rank;
        if (prefix)
            rounds.contributors = rank + 1;
        pending.push_back(agent(rank).start(run_rounds, rounds));
    }
    for (auto &one : pending)
        done.push_back(one.get());
    return done;
}

} // namespace support
