// SPDX-License-Identifier: BSD-3-Clause
// Which core a measuring thread runs on. The ranks that are active share the cores of the host
// evenly.
#ifndef TOFU_BENCH_PINNING_H
#define TOFU_BENCH_PINNING_H

#include <string>

struct hwloc_topology;

namespace tofu_bench
{

class Pinning
{
  public:
    /// @a policy "core" binds each thread to a core, "none" leaves it to the system.
    explicit Pinning(const std::string &policy);
    ~Pinning();
    Pinning(const Pinning &) = delete;
    Pinning &operator=(const Pinning &) = delete;

    /// Cores that each of @a active_ranks processes has for itself, at least one.
    int cores_per_rank(int active_ranks) const;

    /// Bind the calling thread, the @a thread -th of the @a index -th active rank. A share of one
    /// core per rank means that all threads of a rank run on the same core.
    void bind(int active_ranks, int index, int thread) const;

    const std::string &policy() const
    {
        return policy_;
    }

  private:
    std::string policy_;
    hwloc_topology *topology_ = nullptr;
    int cores_ = 1;
};

} // namespace tofu_bench

#endif
