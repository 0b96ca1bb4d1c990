/* SPDX-License-Identifier: BSD-3-Clause */
/* tofu-info --watch: rates of a running job, time and again. */
#ifndef TOFU_INFO_WATCH_HPP
#define TOFU_INFO_WATCH_HPP

#include <string>

namespace tofu_info
{

struct WatchOptions {
    std::string job;
    double interval_s = 1;
    unsigned count = 0; /* Blocks; 0: until the job ends. */
};

/*
 * Show what a job's processes, TNIs and links did in each interval, on standard output: in place if
 * that is a terminal, else one block after the other. Returns at the end of the job or after the
 * last block. Throws std::runtime_error if there is no such job. Blocks.
 */
void watch(const WatchOptions &options);

} // namespace tofu_info

#endif
