/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file gates.h
 * What agents can be asked to do with barrier gates, and a job whose ranks have wired theirs.
 */
#ifndef TEST_SUPPORT_GATES_H
#define TEST_SUPPORT_GATES_H

#include "support/agent.h"
#include "support/wiring.h"
#include "utofu.h"

#include <memory>
#include <vector>

namespace support
{

constexpr int gates_max = 48;

struct Vbgs {
    int status;
    unsigned count;
    utofu_vbg_id_t id[gates_max];
};

Vbgs vbg_alloc(unsigned tni, unsigned count, unsigned long flags);
int vbg_free(Vbgs vbgs);

struct VbgSettings {
    unsigned count;
    utofu_vbg_setting setting[gates_max];
};

int vbg_set(VbgSettings settings);

/** A setting that connects @a id with nothing. */
utofu_vbg_setting vbg_unconnected(utofu_vbg_id_t id);

/** Settings of @a rank's gates, given those of all ranks. */
VbgSettings vbg_settings(const Wiring &wiring, int rank, const std::vector<Vbgs> &vbgs);

int barrier_start(utofu_vbg_id_t id);
int barrier_poll(utofu_vbg_id_t id);

/** Poll until it is done, @a ms milliseconds at most. @return The last status. */
int barrier_wait(utofu_vbg_id_t id, int ms);

/** Operations, one behind the other. */
struct Rounds {
    utofu_vbg_id_t id;
    int op;          /**< utofu_reduce_op. */
    unsigned count;  /**< Elements. */
    unsigned rounds;
    int rank;
    int contributors; /**< The result is that of ranks 0..contributors-1. */
    unsigned skew;    /**< Seed of pauses; 0: none. */
    int ms;           /**< Limit. */
    /**
     * Barriers only: a word a rank in memory that all share, which tells how far the rank is, so that one can see that
     * nobody leaves a barrier before all of the contributors have entered it. NULL: do not look.
     */
    unsigned *progress;
};

struct RoundsDone {
    int status;     /**< UTOFU_SUCCESS, or of the first call that failed. */
    unsigned round; /**< In which it did; else the number of rounds. */
    unsigned wrong; /**< Elements, or ranks overtaken. */
};

/** In an agent: operations whose results every rank can foresee, compared with them. */
RoundsDone run_rounds(Rounds rounds);

/** Words that agents, made later, share with each other and with the test. */
unsigned *shared_words(size_t count);

/** Ranks of a new job, with gates of @a tni allocated and wired. */
class GateJob
{
public:
    GateJob(const Wiring &wiring, unsigned tni, int ppn, unsigned long flags = 0);

    /** Let each rank do @a rounds; id and rank are filled in; contributors -1 means up to the rank itself. */
    std::vector<RoundsDone> run(Rounds rounds);

    int ranks() const
    {
        return int(agents.size());
    }

    utofu_vbg_id_t id(int rank) const
    {
        return vbgs[size_t(rank)].id[0];
    }

    Agent &agent(int rank)
    {
        return *agents[size_t(rank)];
    }

    /** Set, or set again, the gates of all ranks. @return The first status that is not UTOFU_SUCCESS. */
    int wire();

    /** Start rank @a rank in the place of one that has ended, with gates of its own, not wired. */
    void replace(int rank);

    std::vector<Vbgs> vbgs;
    std::vector<std::unique_ptr<Agent>> agents;

private:
    Wiring wiring_;
    Environment environment_;
    unsigned tni_;
    unsigned long flags_;
};

} // namespace support

#endif
