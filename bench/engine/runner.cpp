// SPDX-License-Identifier: BSD-3-Clause
#include "runner.h"

#include <algorithm>

namespace tofu_bench
{
namespace
{

// Ping-pong has one message a thread, rate a window of them, gups a block of words in scratch
// memory.
size_t cells_bytes(const Options &options, int threads)
{
    size_t payload = 0;
    for (const std::string &experiment : options.experiments) {
        for (size_t size : options.sizes) {
            const size_t messages = experiment == "rate" ? rate_slots(size) : 1;
            payload = std::max(payload, experiment == "gups" ? gups_block * sizeof(uint64_t)
                                                             : messages * size);
        }
    }
    return static_cast<size_t>(threads) * cell_bytes(payload);
}

bool has(const Options &options, const char *experiment)
{
    return std::count(options.experiments.begin(), options.experiments.end(), experiment) > 0;
}

} // namespace

std::map<std::string, Runner> &known_backends()
{
    static std::map<std::string, Runner> known;
    return known;
}

size_t heap_bytes(const Options &options, int threads)
{
    const size_t cells = cells_bytes(options, threads);
    return has(options, "gups") ? std::max(cells, options.table_bytes) : cells;
}

size_t scratch_bytes(const Options &options, int threads)
{
    return cells_bytes(options, threads);
}

std::vector<Point> points_of(const Options &options, int threads, int workers)
{
    std::vector<Point> points;
    for (const std::string &experiment : options.experiments) {
        if (experiment == "gups") {
            points.push_back({experiment, "get+put", threads, workers, sizeof(uint64_t)});
            continue;
        }
        const std::vector<std::string> put = {"put"};
        for (const std::string &op : experiment == "rate" ? options.ops : put) {
            for (size_t size : options.sizes) {
                points.push_back({experiment, op, threads, workers, size});
            }
        }
    }
    return points;
}

Sample gather(Exchange &exchange, const Sample &mine)
{
    Sample total;
    for (const std::string &packed : exchange.allgather(mine.pack())) {
        total.merge(Sample::unpack(packed));
    }
    return total;
}

} // namespace tofu_bench
