/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cores each rank runs on. */
#ifndef TOFU_RUN_BINDING_HPP
#define TOFU_RUN_BINDING_HPP

#include "options.hpp"

#include <vector>

#include <hwloc.h>

namespace tofu_run
{

class Binding
{
  public:
    /* Throws Failure if the machine's cores cannot be found and @a bind demands them. */
    Binding(Bind bind, unsigned ranks);
    ~Binding();
    Binding(const Binding &) = delete;
    Binding &operator=(const Binding &) = delete;

    /* Whether ranks are pinned at all, and whether to exactly one core each. */
    bool pins() const;
    bool pins_to_one_core() const;

    /* Pin the calling process as rank @a rank. Returns whether it worked; true if ranks are not
     * pinned. */
    bool apply(unsigned rank) const;

  private:
    void find_cores();
    void share_cores(unsigned ranks);
    void one_core_each(unsigned ranks);

    hwloc_topology_t topology;
    std::vector<hwloc_cpuset_t> sets; /* Of each rank; empty: not pinned. */
    unsigned cores;
    bool one_core;
};

} // namespace tofu_run

#endif
