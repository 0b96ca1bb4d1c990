/* SPDX-License-Identifier: BSD-3-Clause */
/* The running jobs of this host: their fabrics, ranks and queues at one moment. */
#ifndef TOFU_INFO_JOB_HPP
#define TOFU_INFO_JOB_HPP

#include <string>
#include <vector>

#include "softtofu.h"

namespace tofu_info
{

struct Rank {
    unsigned number;
    softtofu_process_info info;
};

struct Vcq {
    softtofu_vcq_info info;
    unsigned tni, cq; /* Taken from the id. */
};

struct Job {
    std::string name;
    std::string owner; /* User name, or number if the system knows none. */
    pid_t holder;
    std::string
            problem; /* Why the rest is unknown, as for other users' jobs; empty if it is known. */
    softtofu_job_info info;
    std::string shape;
    std::string view; /* Nodes in logical dimensions. */
    std::vector<Rank> ranks; /* Those that have attached at some time. */
    std::vector<Vcq> vcqs;
};

/* All jobs that can be seen, by name. Throws std::runtime_error if they cannot be listed. */
std::vector<Job> read_jobs();

/* Name of the job that runs. Throws std::runtime_error if it is not exactly one. */
std::string find_only_job();

/* Logical coordinates of a rank's node, as many as the job has dimensions. */
std::string logical_text(const Job &job, const Rank &rank);

} // namespace tofu_info

#endif
