/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file job.h
 * A job whose ranks come and go: what the tests of faults share.
 */
#ifndef TEST_FAULT_JOB_H
#define TEST_FAULT_JOB_H

#include "support/agent.h"
#include "support/ops.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace fault
{

using support::Agent;
using support::Command;
using support::Kind;
using support::Memory;
using support::MrqNotice;
using support::Stadd;
using support::Vcq;

constexpr unsigned long local_notice  = UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
constexpr unsigned long remote_notice = UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE;

/** Milliseconds within which what must come comes. */
constexpr int patience = 20000;

/** Every rank uses this component and this reserved STag, so that others can aim at it unasked. */
constexpr int component     = 3;
constexpr unsigned some_stag = 5;

class Job
{
public:
    explicit Job(unsigned size, support::Environment settings = {});

    /** Start rank @a rank. */
    std::unique_ptr<Agent> rank(unsigned rank) const;

    const std::string &name() const
    {
        return name_;
    }

private:
    std::string name_;
    support::Environment settings_;
};

/** A rank's VCQ with memory registered under some_stag. */
struct Station {
    int status;
    utofu_vcq_hdl_t hdl;
    utofu_vcq_id_t id;
    char *address;
    utofu_stadd_t stadd;
};

/** In an agent: make it, of memory of kind @a kind. */
Station station_open(Memory kind, size_t size);

/** A put of a word to @a target, with these notices. */
Command word_to(const Station &from, const Station &target, uint64_t value, unsigned long flags);

/** In an agent: post, and wait for what the local MRQ says of it. @return The status. */
int post_and_wait(Command command);

/** In an agent: repeat a command until it is told as UTOFU_ERR_MRQ_PEER. @return The last status. */
int repeat_until_peer_error(Command command);

} // namespace fault

#endif
