// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include <iostream>

#include <nlohmann/json.hpp>

namespace tofu_bench
{

Report::Report(const Options &options, int rank, int processes)
    : options_(options), rank_(rank), processes_(processes)
{
}

void Report::head(const std::string &library_version, const std::string &pin) const
{
    if (rank_ != 0) {
        return;
    }
    const nlohmann::json line = {{"head",
                                  {{"backend", options_.label},
                                   {"library", library_version},
                                   {"compiler", TOFU_BENCH_COMPILER},
                                   {"flags", TOFU_BENCH_FLAGS},
                                   {"pin", pin},
                                   {"target", options_.busy_target ? "busy" : "asleep"},
                                   {"memory", options_.memory}}}};
    std::cout << line.dump() << std::endl;
}

void Report::point(const Point &point, const Sample &sample, const char *wait_policy)
{
    any_wrong_ = any_wrong_ || sample.wrong_bytes() > 0;
    if (rank_ != 0) {
        return;
    }
    // MB is 10^6 bytes: bytes per microsecond.
    const double rate_Mps = sample.rate_per_second() / 1e6;
    const nlohmann::json line = {{"experiment", point.experiment},
                                 {"op", point.op},
                                 {"backend", options_.label},
                                 {"fabric", "software"},
                                 {"processes", processes_},
                                 {"threads", point.threads},
                                 {"workers", point.workers},
                                 {"size_bytes", point.size},
                                 {"iterations", sample.operations()},
                                 {"warmup", sample.warmup()},
                                 {"lat_ns_min", sample.latency_ns_min()},
                                 {"lat_ns_p50", sample.latency_ns(0.5)},
                                 {"lat_ns_p99", sample.latency_ns(0.99)},
                                 {"lat_ns_max", sample.latency_ns_max()},
                                 {"bw_MBps", rate_Mps * static_cast<double>(point.size)},
                                 {"rate_Mps", rate_Mps},
                                 {"wrong_bytes", sample.wrong_bytes()},
                                 {"memory", options_.memory},
                                 {"wait", wait_policy}};
    std::cout << line.dump() << std::endl;
}

} // namespace tofu_bench
