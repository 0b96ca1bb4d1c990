/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>

#include "traffic/view.hpp"
#include "utofu.h"

namespace tofu_info
{

namespace
{

std::string user_name(uid_t user)
{
    const passwd *entry = getpwuid(user);
    return entry ? entry->pw_name : std::to_string(user);
}

void read_ranks(const softtofu_view_t *view, Job &job)
{
    for (unsigned rank = 0; rank < job.info.processes_max; rank++) {
        Rank entry = {rank, {}};
        if (softtofu_view_process(view, rank, &entry.info) == 0 &&
            entry.info.state != SOFTTOFU_PROCESS_ABSENT)
            job.ranks.push_back(entry);
    }
}

void read_vcqs(const softtofu_view_t *view, Job &job)
{
    softtofu_vcq_info info;
    size_t cursor = 0;

    while (softtofu_view_next_vcq(view, &cursor, &info)) {
        uint8_t coords[6];
        utofu_tni_id_t tni = 0;
        utofu_cq_id_t cq = 0;
        uint16_t extra;
        utofu_query_vcq_info(info.vcq_id, coords, &tni, &cq, &extra);
        job.vcqs.push_back({info, tni, cq});
    }
}

Job read_job(const softtofu_job_entry &entry)
{
    Job job = {};
    job.name = entry.name;
    job.owner = user_name(entry.owner);
    job.holder = entry.holder;
    const traffic::View view = traffic::open_view(entry.name, job.problem);
    if (!view)
        return job;
    softtofu_view_job(view.get(), &job.info);
    job.shape = fmt::format("{}", fmt::join(job.info.shape, "x"));
    job.view = fmt::format("{}", fmt::join(job.info.view, job.info.view + job.info.view_dims, "x"));
    read_ranks(view.get(), job);
    read_vcqs(view.get(), job);
    return job;
}

} // namespace

std::vector<Job> read_jobs()
{
    softtofu_job_entry *entries = nullptr;
    size_t count = 0;
    std::vector<Job> jobs;

    if (softtofu_list_jobs(&entries, &count) != 0)
        throw std::runtime_error(std::string("cannot list the running jobs: ") +
                                 std::strerror(errno));
    const std::unique_ptr<softtofu_job_entry, decltype(&std::free)> owned(entries, &std::free);
    for (size_t i = 0; i < count; i++)
        jobs.push_back(read_job(entries[i]));
    return jobs;
}

std::string logical_text(const Job &job, const Rank &rank)
{
    return fmt::format("{}", fmt::join(rank.info.logical, rank.info.logical + job.info.view_dims, ","));
}

std::string find_only_job()
{
    const std::vector<Job> jobs = read_jobs();

    if (jobs.size() == 1)
        return jobs[0].name;
    throw std::runtime_error(jobs.empty() ? "no job is running"
                                          : "several jobs are running: name one of those that "
                                            "tofu-info --jobs lists");
}

} // namespace tofu_info
