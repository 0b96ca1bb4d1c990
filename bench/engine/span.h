// SPDX-License-Identifier: BSD-3-Clause
// How long a phase of a measurement lasts: a number of operations of each thread and a time,
// whichever takes longer. A warm-up has a limit besides: a thousand operations are nothing with 8
// bytes and minutes with 4 MiB.
#ifndef TOFU_BENCH_SPAN_H
#define TOFU_BENCH_SPAN_H

#include "clock.h"
#include "options.h"

namespace tofu_bench
{

class Span
{
  public:
    static constexpr double warmup_limit = 10; // Times the warm-up's time.

    /// Starts now.
    static Span warmup(const Options &options)
    {
        const auto now = Clock::now();
        return Span(options.warmup_iterations, after(now, options.warmup_seconds),
                    after(now, warmup_limit * options.warmup_seconds));
    }

    /// Starts now. A number of operations that is asked for takes the place of the time.
    static Span measurement(const Options &options)
    {
        const auto now = Clock::now();
        return Span(options.iterations, options.iterations > 0 ? now : after(now, options.seconds),
                    Clock::time_point::max());
    }

    bool over(uint64_t done, Clock::time_point now) const
    {
        return now >= limit_ || (done >= iterations_ && now >= enough_);
    }

    /// The same, but not before @a least operations.
    Span at_least(uint64_t least) const
    {
        return Span(std::max(iterations_, least), enough_, limit_);
    }

    /// Operations of the next block: all of @a block while there is time, else what is missing.
    uint64_t next(uint64_t done, Clock::time_point now, uint64_t block) const
    {
        return now < enough_ || done >= iterations_ ? block : std::min(block, iterations_ - done);
    }

  private:
    Span(uint64_t iterations, Clock::time_point enough, Clock::time_point limit)
        : iterations_(iterations), enough_(enough), limit_(limit)
    {
    }

    uint64_t iterations_;
    Clock::time_point enough_;
    Clock::time_point limit_;
};

} // namespace tofu_bench

#endif
