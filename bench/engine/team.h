// SPDX-License-Identifier: BSD-3-Clause
// The measuring threads of one process: bound to their cores and started together.
#ifndef TOFU_BENCH_TEAM_H
#define TOFU_BENCH_TEAM_H

#include "pinning.h"
#include "sample.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <pthread.h>

namespace tofu_bench
{

class Team
{
  public:
    /// @a threads of the @a index -th of @a active_ranks processes that measure at the same time.
    Team(const Pinning &pinning, int threads, int active_ranks, int index)
        : pinning_(pinning), threads_(threads), active_ranks_(active_ranks), index_(index)
    {
    }

    /// Run work(thread) -> Sample on every thread and add the samples up. An exception of any
    /// thread is thrown again here, once all have ended.
    template <class Work> Sample run(Work work) const
    {
        pthread_barrier_t start;
        pthread_barrier_init(&start, nullptr, static_cast<unsigned>(threads_));
        Sample total;
        std::exception_ptr failure;
        std::mutex mutex;
        std::vector<std::thread> team;
        for (int thread = 0; thread < threads_; ++thread) {
            team.emplace_back([&, thread] {
                pinning_.bind(active_ranks_, index_, thread);
                pthread_barrier_wait(&start);
                try {
                    const Sample sample = work(thread);
                    std::lock_guard<std::mutex> lock(mutex);
                    total.merge(sample);
                } catch (...) {
                    std::lock_guard<std::mutex> lock(mutex);
                    failure = std::current_exception();
                }
            });
        }
        for (std::thread &member : team) {
            member.join();
        }
        pthread_barrier_destroy(&start);
        if (failure) {
            std::rethrow_exception(failure);
        }
        return total;
    }

    int threads() const
    {
        return threads_;
    }

    bool oversubscribed() const
    {
        return threads_ > pinning_.cores_per_rank(active_ranks_);
    }

  private:
    const Pinning &pinning_;
    int threads_;
    int active_ranks_;
    int index_;
};

} // namespace tofu_bench

#endif
