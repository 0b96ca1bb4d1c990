/* SPDX-License-Identifier: BSD-3-Clause */
#include "binding.hpp"

#include "failure.hpp"

namespace tofu_run
{

Binding::Binding(Bind bind, unsigned ranks) : topology(nullptr), cores(0), one_core(false)
{
    if (bind == Bind::none)
        return;
    find_cores();
    if (cores == 0 && bind == Bind::core)
        throw Failure(STATUS_FAILED, "cannot find this machine's cores: give --bind none");
    if (bind == Bind::core)
        one_core_each(ranks);
    else if (ranks <= cores)
        share_cores(ranks);
}

Binding::~Binding()
{
    for (hwloc_cpuset_t set : sets)
        hwloc_bitmap_free(set);
    if (topology != nullptr)
        hwloc_topology_destroy(topology);
}

/* Only cores that this process may use count: containers and batch systems often give a few of
 * many. */
void Binding::find_cores()
{
    if (hwloc_topology_init(&topology) != 0) {
        topology = nullptr;
        return;
    }
    if (hwloc_topology_load(topology) != 0)
        return;
    hwloc_cpuset_t allowed = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) == 0)
        hwloc_topology_restrict(topology, allowed, 0);
    hwloc_bitmap_free(allowed);
    const int found = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    cores = found > 0 ? static_cast<unsigned>(found) : 0;
}

/* Threads of a rank spread over its share; a rank with one core only is what most machines end up
 * with. */
void Binding::share_cores(unsigned ranks)
{
    hwloc_obj_t root = hwloc_get_root_obj(topology);

    sets.resize(ranks);
    if (hwloc_distrib(topology, &root, 1, sets.data(), ranks,
                      hwloc_get_type_depth(topology, HWLOC_OBJ_CORE), 0) != 0)
        sets.clear();
    one_core = ranks == cores;
}

void Binding::one_core_each(unsigned ranks)
{
    for (unsigned rank = 0; rank < ranks; rank++) {
        const hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, rank % cores);
        sets.push_back(hwloc_bitmap_dup(core->cpuset));
    }
    one_core = true;
}

bool Binding::pins() const
{
    return !sets.empty();
}

bool Binding::pins_to_one_core() const
{
    return pins() && one_core;
}

bool Binding::apply(unsigned rank) const
{
    return !pins() || hwloc_set_cpubind(topology, sets[rank], HWLOC_CPUBIND_PROCESS) == 0;
}

} // namespace tofu_run
