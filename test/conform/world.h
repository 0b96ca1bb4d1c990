/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file world.h
 * What every conformance case starts from: two ends, each with a VCQ. A case issues commands from the near end to
 * the far end and does not know where that is; it runs with both ends in one process, in two processes on two
 * nodes, and in two processes on one node. It does not know how either: cases of CONFORM_EVERY_WAY run with commands
 * that are prepared ahead, too.
 */
#ifndef TEST_CONFORM_WORLD_H
#define TEST_CONFORM_WORLD_H

#include "support/agent.h"
#include "support/ops.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace conform
{

using support::Agent;
using support::Command;
using support::Kind;
using support::Memory;
using support::MrqNotice;
using support::TcqNotice;

/** Where the far end is, and for Prepared, with two nodes, that commands go through images. */
enum class Place { OneProcess, TwoNodes, OneNode, Prepared };

constexpr unsigned long local_notice  = UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
constexpr unsigned long remote_notice = UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE;
constexpr unsigned long tcq_notice    = UTOFU_ONESIDED_FLAG_TCQ_NOTICE;

/** Milliseconds within which a notice that must come comes, on a loaded machine and under a sanitizer. */
constexpr int patience = 20000;

/** Registered memory of an end. */
struct Region {
    char *address;
    size_t size;
    utofu_stadd_t stadd;
};

/** A process, or half of one, with its VCQ. */
class End
{
public:
    explicit End(std::shared_ptr<Agent> agent) : agent_(std::move(agent))
    {
    }

    Agent &agent()
    {
        return *agent_;
    }

    template <class F, class... A> auto run(F function, A... arguments)
    {
        return agent_->run(function, arguments...);
    }

    void open(unsigned tni, unsigned long flags = 0, int cmp = -1);

    /** Memory of a kind, registered on the VCQ. */
    Region region(Memory kind, size_t size, unsigned long flags = 0);

    int post(const Command &command)
    {
        return run(support::post, command);
    }

    TcqNotice tcq()
    {
        return run(support::tcq_wait, hdl, patience);
    }

    MrqNotice mrq()
    {
        return run(support::mrq_wait, hdl, patience);
    }

    /** Whether the queues are empty: nothing came that nobody asked for. */
    bool quiet();

    utofu_vcq_hdl_t hdl = 0;
    utofu_vcq_id_t id   = 0;

private:
    std::shared_ptr<Agent> agent_;
};

/** Fixture of all cases. */
class World : public testing::TestWithParam<Place>
{
protected:
    void SetUp() override;

    /** Settings that a group of cases wants. */
    virtual support::Environment settings() const
    {
        return {};
    }

    /** Whether stores and CPU atomics reach the memory from the other end. */
    static bool mapped(Memory kind)
    {
        return kind == Memory::Memfd || kind == Memory::PosixShm || kind == Memory::File;
    }

    /** A command from near to far. */
    Command command(Kind kind, const Region &remote, size_t length, unsigned long flags = 0);
    Command command(Kind kind, const Region &local, const Region &remote, size_t length,
                    unsigned long flags = 0);

    /** Make sure that what was posted is done at the target. */
    void settle();

    std::unique_ptr<End> near, far;
};

/** Let a fixture's cases run in every place. */
#define CONFORM_EVERYWHERE(fixture)                                                                \
    INSTANTIATE_TEST_SUITE_P(, fixture,                                                            \
                             testing::Values(conform::Place::OneProcess, conform::Place::TwoNodes, \
                                             conform::Place::OneNode),                             \
                             conform::place_name)

/** And with prepared commands as well. */
#define CONFORM_EVERY_WAY(fixture)                                                                 \
    INSTANTIATE_TEST_SUITE_P(, fixture,                                                            \
                             testing::Values(conform::Place::OneProcess, conform::Place::TwoNodes, \
                                             conform::Place::OneNode, conform::Place::Prepared),   \
                             conform::place_name)

std::string place_name(const testing::TestParamInfo<Place> &info);

} // namespace conform

#endif
