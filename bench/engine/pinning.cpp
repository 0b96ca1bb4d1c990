// SPDX-License-Identifier: BSD-3-Clause
#include "pinning.h"

#include <algorithm>

#include <hwloc.h>

namespace tofu_bench
{

Pinning::Pinning(const std::string &policy) : policy_(policy)
{
    hwloc_topology_init(&topology_);
    hwloc_topology_load(topology_);
    cores_ = std::max(1, hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_PU));
}

Pinning::~Pinning()
{
    hwloc_topology_destroy(topology_);
}

int Pinning::cores_per_rank(int active_ranks) const
{
    return std::max(1, cores_ / active_ranks);
}

void Pinning::bind(int active_ranks, int index, int thread) const
{
    if (policy_ == "none") {
        return;
    }
    const int share = cores_per_rank(active_ranks);
    const int core = (index * share + thread % share) % cores_;
    hwloc_obj_t unit = hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PU, static_cast<unsigned>(core));
    // A launcher may have bound the process elsewhere; if the system insists on that, its binding
    // stays.
    hwloc_set_cpubind(topology_, unit->cpuset, HWLOC_CPUBIND_THREAD);
}

} // namespace tofu_bench
