// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace tofu_bench
{
namespace
{

void add_what(CLI::App &app, Options &options, const std::vector<std::string> &backends)
{
    const auto list = ',';
    app.add_option("--backend", options.backend, "What is measured")
            ->required()
            ->check(CLI::IsMember(backends));
    app.add_option("--label", options.label, "Name of the backend in the result");
    app.add_option("--experiment", options.experiments, "pingpong, rate, gups")
            ->delimiter(list)
            ->check(CLI::IsMember({"pingpong", "rate", "gups"}));
    app.add_option("--op", options.ops, "Operations of rate: put, get")
            ->delimiter(list)
            ->check(CLI::IsMember({"put", "get"}));
    app.add_option("--threads", options.threads, "Threads per process")
            ->delimiter(list)
            ->check(CLI::Range(1, 255));
    app.add_option("--workers", options.workers, "Workers per process, N for one per thread")
            ->delimiter(list);
    app.add_option("--sizes", options.sizes, "Bytes per operation, with suffix if wanted (4KiB)")
            ->delimiter(list)
            ->transform(CLI::AsSizeValue(false))
            ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 32));
    app.add_option("--memory", options.memory, "mapped; attached for ordinary memory; heap for what malloc gives")
            ->check(CLI::IsMember({"mapped", "attached", "heap"}));
}

void add_how(CLI::App &app, Options &options)
{
    app.add_option("--seconds", options.seconds, "Time of each measurement")
            ->check(CLI::PositiveNumber);
    app.add_option("--iterations", options.iterations, "Operations per thread, instead of a time");
    app.add_option("--warmup", options.warmup_iterations, "Operations per thread before");
    app.add_option("--warmup-seconds", options.warmup_seconds,
                   "Time of warm-up, at least; ten times this at most");
    app.add_option("--table", options.table_bytes, "Bytes of each process's table for gups")
            ->transform(CLI::AsSizeValue(false));
    app.add_option("--pin", options.pin, "core or none")->check(CLI::IsMember({"core", "none"}));
    app.add_flag("--busy-target", options.busy_target,
                 "The passive rank lets the library work without pause");
    app.add_flag("--corrupt", options.corrupt, "Self-test: spoil one byte before data is checked");
}

} // namespace

Options parse_options(int argc, char **argv, const std::vector<std::string> &backends)
{
    Options options;
    CLI::App app{"Measures put and get between processes with many threads; prints one JSON line a "
                 "point"};
    add_what(app, options, backends);
    add_how(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        const int status = app.exit(error);
        std::exit(status == 0 ? 0 : 2);
    }
    if (options.label.empty()) {
        options.label = options.backend;
    }
    return options;
}

std::vector<int> worker_counts(const Options &options, int threads)
{
    std::vector<int> counts;
    for (const std::string &text : options.workers) {
        const int wanted = text == "N" ? threads : std::max(1, std::atoi(text.c_str()));
        const int count = std::min(wanted, threads);
        if (std::find(counts.begin(), counts.end(), count) == counts.end()) {
            counts.push_back(count);
        }
    }
    return counts;
}

} // namespace tofu_bench
