// SPDX-License-Identifier: BSD-3-Clause
// What one measurement yields: latencies of blocks of operations in a histogram, the number of
// operations, the time they took, and the bytes that were wrong. Samples of threads and ranks add
// up.
#ifndef TOFU_BENCH_SAMPLE_H
#define TOFU_BENCH_SAMPLE_H

#include <cstdint>
#include <limits>
#include <string>

#include <boost/histogram.hpp>

namespace tofu_bench
{

class Sample
{
  public:
    Sample();

    /// A block of operations that took @a ns each.
    void add_latency(double ns);
    void add_operations(uint64_t count)
    {
        operations_ += count;
    }
    void add_wrong_bytes(uint64_t count)
    {
        wrong_bytes_ += count;
    }
    /// Operations of a thread before those that are counted here.
    void set_warmup(uint64_t count)
    {
        warmup_ = count > warmup_ ? count : warmup_;
    }
    /// Threads run side by side: the slowest one counts.
    void set_seconds(double seconds)
    {
        seconds_ = seconds > seconds_ ? seconds : seconds_;
    }

    /// Add what was measured at the same time.
    void merge(const Sample &other);
    /// Add what was measured later.
    void append(const Sample &later);
    std::string pack() const;
    static Sample unpack(const std::string &packed);

    /// @a fraction 0 .. 1 of the blocks took no longer than this; exact to 1 %.
    double latency_ns(double fraction) const;
    double latency_ns_min() const
    {
        return latency_ns_max_ > 0 ? latency_ns_min_ : 0;
    }
    double latency_ns_max() const
    {
        return latency_ns_max_;
    }
    uint64_t operations() const
    {
        return operations_;
    }
    uint64_t warmup() const
    {
        return warmup_;
    }
    uint64_t wrong_bytes() const
    {
        return wrong_bytes_;
    }
    double seconds() const
    {
        return seconds_;
    }
    double rate_per_second() const
    {
        return seconds_ > 0 ? static_cast<double>(operations_) / seconds_ : 0;
    }

  private:
    using Axis = boost::histogram::axis::regular<double, boost::histogram::axis::transform::log>;
    using Histogram = decltype(boost::histogram::make_histogram(std::declval<Axis>()));

    Histogram histogram_;
    double latency_ns_min_ = std::numeric_limits<double>::max();
    double latency_ns_max_ = 0;
    double seconds_ = 0;
    uint64_t operations_ = 0;
    uint64_t wrong_bytes_ = 0;
    uint64_t warmup_ = 0;
};

} // namespace tofu_bench

#endif
