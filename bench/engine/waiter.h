// SPDX-License-Identifier: BSD-3-Clause
// How a thread waits for a byte in memory. More threads than cores: yield, but not at every failed
// poll, for that makes all libraries equal (the system call is all that is measured then).
#ifndef TOFU_BENCH_WAITER_H
#define TOFU_BENCH_WAITER_H

#include <sched.h>

namespace tofu_bench
{

class Waiter
{
  public:
    static constexpr unsigned polls_per_progress = 16;
    static constexpr unsigned polls_per_yield = 200;

    explicit Waiter(bool yields = false) : yields_(yields) {}

    /// For the result: what a failed poll leads to.
    const char *policy() const
    {
        return yields_ ? "yield after 200 failed polls" : "spin";
    }

    template <class Ready, class Progress> void until(Ready ready, Progress progress) const
    {
        for (unsigned failed = 1; !ready(); ++failed) {
            if (failed % polls_per_progress == 0) {
                progress();
            }
            if (yields_ && failed % polls_per_yield == 0) {
                sched_yield();
            }
        }
    }

    /// The same for a condition that only the library's own progress can bring about.
    template <class Ready, class Progress> void drive(Ready ready, Progress progress) const
    {
        for (unsigned failed = 1; !ready(); ++failed) {
            progress();
            if (yields_ && failed % polls_per_yield == 0) {
                sched_yield();
            }
        }
    }

  private:
    bool yields_;
};

} // namespace tofu_bench

#endif
