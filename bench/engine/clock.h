// SPDX-License-Identifier: BSD-3-Clause
// The clock of all measurements, and how many operations go between two looks at it.
#ifndef TOFU_BENCH_CLOCK_H
#define TOFU_BENCH_CLOCK_H

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tofu_bench
{

using Clock = std::chrono::steady_clock;

inline double ns_between(Clock::time_point from, Clock::time_point to)
{
    return std::chrono::duration<double, std::nano>(to - from).count();
}

inline Clock::time_point after(Clock::time_point from, double seconds)
{
    return from +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Operations of one timed block: about 20 us, against some 25 ns that a look at the clock takes.
inline uint64_t block_size(double ns_per_operation)
{
    constexpr double block_ns = 20000;
    return static_cast<uint64_t>(
            std::clamp(block_ns / std::max(ns_per_operation, 0.1), 4.0, 8192.0));
}

} // namespace tofu_bench

#endif
