/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes, and which rank is where. */
#include "tofutop/jobs.h"

#include <string.h>

static void store_shape(const struct torus_map *map, union jtofu_phys_coords *size)
{
    for (int axis = 0; axis < TORUS_AXES; axis++)
        size->a[axis] = (uint8_t)map->job.shape.size[axis];
}

/* The software machine is as large as the job. */
int jtofu_query_sys_size(union jtofu_phys_coords *sys_size)
{
    return jtofu_query_phys_size(sys_size);
}

int jtofu_query_sys_torus(union jtofu_phys_coords *sys_torus)
{
    const struct torus_map *map;
    jtofu_rank_t rank;
    int result = tofutop_own(&map, &rank);

    if (result != JTOFU_SUCCESS)
        return result;
    if (sys_torus == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    for (int axis = 0; axis < TORUS_AXES; axis++)
        sys_torus->a[axis] = (map->job.wrap & TORUS_WRAP(axis)) != 0;
    return JTOFU_SUCCESS;
}

int jtofu_query_ref_coords(union jtofu_phys_coords *ref_coords)
{
    const struct torus_map *map;
    jtofu_rank_t rank;
    int result = tofutop_own(&map, &rank);

    if (result != JTOFU_SUCCESS)
        return result;
    if (ref_coords == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    memset(ref_coords, 0, sizeof(*ref_coords));
    return JTOFU_SUCCESS;
}

int jtofu_query_phys_size(union jtofu_phys_coords *phys_size)
{
    const struct torus_map *map;
    jtofu_rank_t rank;
    int result = tofutop_own(&map, &rank);

    if (result != JTOFU_SUCCESS)
        return result;
    if (phys_size == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    store_shape(map, phys_size);
    return JTOFU_SUCCESS;
}

int jtofu_query_log_size(union jtofu_log_coords *log_size)
{
    const struct torus_map *map;
    jtofu_rank_t rank;
    int result = tofutop_own(&map, &rank);

    if (result != JTOFU_SUCCESS)
        return result;
    if (log_size == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    memcpy(log_size->a, map->job.view.size, sizeof(log_size->a));
    return JTOFU_SUCCESS;
}

int jtofu_query_max_proc_per_node(void)
{
    const struct torus_map *map;
    jtofu_rank_t rank;
    int result = tofutop_own(&map, &rank);

    return result != JTOFU_SUCCESS ? result : (int)map->job.ppn;
}

int jtofu_query_phys_coords(jtofu_job_id_t job_id, jtofu_rank_t rank, union jtofu_phys_coords *phys_coords)
{
    const struct torus_map *map;
    int result = tofutop_find(job_id, &map);

    if (result != JTOFU_SUCCESS)
        return result;
    if (phys_coords == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    if (rank >= map->job.ranks)
        return JTOFU_ERR_INVALID_ARG;
    torus_map_coords(map, torus_map_place(map, rank).node, phys_coords->a);
    return JTOFU_SUCCESS;
}

int jtofu_query_log_coords(jtofu_job_id_t job_id, jtofu_rank_t rank, union jtofu_log_coords *log_coords)
{
    const struct torus_map *map;
    int result = tofutop_find(job_id, &map);

    if (result != JTOFU_SUCCESS)
        return result;
    if (log_coords == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    if (rank >= map->job.ranks || torus_map_logical(map, torus_map_place(map, rank).node, log_coords->a) != 0)
        return JTOFU_ERR_INVALID_ARG;
    return JTOFU_SUCCESS;
}

/** List the ranks of a node of @a map. */
static int ranks_at(const struct torus_map *map, const uint8_t coords[TORUS_AXES], size_t max_ranks,
                    jtofu_rank_t *ranks, size_t *num_ranks)
{
    int32_t node         = torus_map_find(map, coords);
    const uint16_t *list = NULL;
    uint32_t count       = 0;

    if (node == TORUS_MAP_OUTSIDE)
        return JTOFU_ERR_INVALID_ARG;
    if (node != TORUS_MAP_EMPTY)
        list = torus_map_ranks(map, (uint32_t)node, &count);
    if (count > max_ranks)
        count = (uint32_t)max_ranks;
    for (uint32_t i = 0; i < count; i++)
        ranks[i] = list[i];
    *num_ranks = count;
    return JTOFU_SUCCESS;
}

int jtofu_query_ranks_from_phys_coords(jtofu_job_id_t job_id, union jtofu_phys_coords *phys_coords, size_t max_ranks,
                                       jtofu_rank_t *ranks, size_t *num_ranks)
{
    const struct torus_map *map;
    int result = tofutop_find(job_id, &map);

    if (result != JTOFU_SUCCESS)
        return result;
    if (phys_coords == NULL || (ranks == NULL && max_ranks > 0) || num_ranks == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    return ranks_at(map, phys_coords->a, max_ranks, ranks, num_ranks);
}

int jtofu_query_ranks_from_log_coords(jtofu_job_id_t job_id, union jtofu_log_coords *log_coords, size_t max_ranks,
                                      jtofu_rank_t *ranks, size_t *num_ranks)
{
    const struct torus_map *map;
    uint8_t coords[TORUS_AXES];
    int result = tofutop_find(job_id, &map);

    if (result != JTOFU_SUCCESS)
        return result;
    if (log_coords == NULL || (ranks == NULL && max_ranks > 0) || num_ranks == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    if (torus_logical_to_coords(&map->job.view, &map->job.shape, map->job.wrap, log_coords->a, coords) != 0)
        return JTOFU_ERR_INVALID_ARG;
    return ranks_at(map, coords, max_ranks, ranks, num_ranks);
}
