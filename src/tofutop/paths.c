/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways from the own node to others. */
#include "tofutop/jobs.h"
#include "torus/path.h"

/** The own job, and the coordinates of the own node. */
static int own_node(const struct torus_map **map, uint8_t coords[TORUS_AXES])
{
    jtofu_rank_t rank;
    int result = tofutop_own(map, &rank);

    if (result == JTOFU_SUCCESS)
        torus_map_coords(*map, torus_map_place(*map, rank).node, coords);
    return result;
}

int jtofu_query_onesided_paths(union jtofu_phys_coords *phys_coords, size_t max_paths,
                               union jtofu_path_coords path_coords[], size_t *num_paths)
{
    struct torus_path path[TORUS_PATHS_MAX];
    const struct torus_map *map;
    uint8_t own[TORUS_AXES];
    size_t count;
    int result = own_node(&map, own);

    if (result != JTOFU_SUCCESS)
        return result;
    if (phys_coords == NULL || (path_coords == NULL && max_paths > 0) || num_paths == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    count = torus_paths(&map->job.shape, map->job.wrap, own, phys_coords->a, path);
    if (count == 0)
        return JTOFU_ERR_INVALID_ARG;
    if (count > max_paths)
        count = max_paths;
    for (size_t i = 0; i < count; i++) {
        path_coords[i].s.pa = path[i].a;
        path_coords[i].s.pb = path[i].b;
        path_coords[i].s.pc = path[i].c;
    }
    *num_paths = count;
    return JTOFU_SUCCESS;
}

int jtofu_query_barrier_paths(union jtofu_phys_coords *phys_coords, size_t max_paths,
                              union jtofu_path_coords path_coords[], size_t *num_paths)
{
    return jtofu_query_onesided_paths(phys_coords, max_paths, path_coords, num_paths);
}

int jtofu_query_onesided_hops(union jtofu_phys_coords *phys_coords, size_t *num_hops)
{
    const struct torus_map *map;
    uint8_t own[TORUS_AXES];
    int hops, result = own_node(&map, own);

    if (result != JTOFU_SUCCESS)
        return result;
    if (phys_coords == NULL || num_hops == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    hops = torus_hops(&map->job.shape, map->job.wrap, own, phys_coords->a);
    if (hops < 0)
        return JTOFU_ERR_INVALID_ARG;
    *num_hops = (size_t)hops;
    return JTOFU_SUCCESS;
}

int jtofu_query_barrier_hops(union jtofu_phys_coords *phys_coords, size_t *num_hops)
{
    return jtofu_query_onesided_hops(phys_coords, num_hops);
}
