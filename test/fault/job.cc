/* SPDX-License-Identifier: BSD-3-Clause */
#include "fault/job.h"

#include <chrono>

namespace fault
{

Job::Job(unsigned size, support::Environment settings)
    : name_(support::unique_job_name()), settings_(std::move(settings))
{
    settings_.emplace("SOFTTOFU_JOB", name_);
    settings_.emplace("SOFTTOFU_SIZE", std::to_string(size));
}

std::unique_ptr<Agent> Job::rank(unsigned rank) const
{
    support::Environment environment = settings_;

    environment["SOFTTOFU_RANK"] = std::to_string(rank);
    return std::make_unique<Agent>(environment);
}

Station station_open(Memory kind, size_t size)
{
    Station s = {};
    Vcq vcq   = support::vcq_create(0, 0, component);

    s.status = vcq.status;
    if (s.status != UTOFU_SUCCESS)
        return s;
    s.hdl       = vcq.hdl;
    s.id        = vcq.id;
    s.address   = support::memory_make(kind, size);
    Stadd stadd = support::mem_register_stag(s.hdl, s.address, size, some_stag, 0);
    s.status    = stadd.status;
    s.stadd     = stadd.value;
    return s;
}

Command word_to(const Station &from, const Station &target, uint64_t value, unsigned long flags)
{
    Command c;

    c.kind   = Kind::Piggyback8;
    c.hdl    = from.hdl;
    c.rmt    = target.id;
    c.stadd  = target.stadd;
    c.length = 8;
    c.value  = value;
    c.flags  = flags;
    return c;
}

int post_and_wait(Command command)
{
    command.flags |= local_notice;
    int status = support::post_patiently(command);
    return status != UTOFU_SUCCESS ? status : support::mrq_wait(command.hdl, patience).status;
}

int repeat_until_peer_error(Command command)
{
    auto end   = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience);
    int status = 1;

    while (status != UTOFU_ERR_MRQ_PEER && std::chrono::steady_clock::now() < end) {
        status = post_and_wait(command);
        /* Until somebody notices the death, what was sent is lost silently, as on a broken cable. */
        for (int i = 0; i < 1000; i++)
            support::mrq_poll(command.hdl);
    }
    return status;
}

} // namespace fault
