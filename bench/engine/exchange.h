// SPDX-License-Identifier: BSD-3-Clause
// How the ranks of one measurement find each other: a slow exchange of small blobs, never used
// while the clock runs. Native programs use a socket (exchange_socket.h), MPI programs use MPI
// (exchange_mpi.h).
#ifndef TOFU_BENCH_EXCHANGE_H
#define TOFU_BENCH_EXCHANGE_H

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tofu_bench
{

class Exchange
{
  public:
    virtual ~Exchange() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;

    /// Collective: what every rank gave, by rank. Waits without using its core, so that a passive
    /// target leaves the core to the rank that is being measured.
    virtual std::vector<std::string> allgather(const std::string &mine) = 0;

    void barrier()
    {
        allgather({});
    }

    /// Collective: the value that rank 0 gave.
    uint64_t from_first(uint64_t value)
    {
        return std::stoull(allgather(std::to_string(value)).front());
    }

    /// Called now and then during a wait, so that a library whose target must take part gets its
    /// turn.
    void set_idle(std::function<void()> idle)
    {
        idle_ = std::move(idle);
    }

    /// Wait without pause: for libraries that need the target's help all the time. Its core is used
    /// up then.
    void set_busy(bool busy)
    {
        busy_ = busy;
    }

  protected:
    bool busy() const
    {
        return busy_;
    }

    void idle() const
    {
        if (idle_) {
            idle_();
        }
    }

  private:
    std::function<void()> idle_;
    bool busy_ = false;
};

} // namespace tofu_bench

#endif
