// SPDX-License-Identifier: BSD-3-Clause
// What one launch of the engine measures: the product of experiments, operations, threads, workers
// and sizes.
#ifndef TOFU_BENCH_OPTIONS_H
#define TOFU_BENCH_OPTIONS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tofu_bench
{

struct Options {
    std::string backend;
    std::string label;                                   ///< Name of the backend in the result.
    std::vector<std::string> experiments = {"pingpong"}; ///< pingpong, rate, gups.
    std::vector<std::string> ops = {"put"};              ///< put, get; for rate only.
    std::vector<int> threads = {1};
    std::vector<std::string> workers = {"N"}; ///< Numbers, or N: one per thread.
    std::vector<size_t> sizes = {8};
    double seconds = 0.3;
    uint64_t iterations = 0; ///< Per thread; 0: as many as fit into seconds.
    double warmup_seconds = 0.05;
    uint64_t warmup_iterations = 1000;
    size_t table_bytes = size_t{16} << 20; ///< gups: table of each process.
    std::string memory = "mapped";         ///< mapped; attached: ordinary memory; heap: from malloc.
    std::string pin = "core";
    bool busy_target = false; ///< The passive rank works for the library all the time.
    bool corrupt = false;     ///< Self-test: spoil one byte before data is checked.
};

/// One point of the product.
struct Point {
    std::string experiment;
    std::string op;
    int threads = 1;
    int workers = 1;
    size_t size = 8;
};

/// Parse the command line. Ends the process with a message and status 2 if it is wrong.
Options parse_options(int argc, char **argv, const std::vector<std::string> &backends);

/// Worker counts for @a threads, each one once, in the order asked for.
std::vector<int> worker_counts(const Options &options, int threads);

} // namespace tofu_bench

#endif
