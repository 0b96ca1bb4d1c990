/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FJMPI's topology calls, upon any MPI. A process' rank in MPI_COMM_WORLD is its rank in the job. The job's map is asked
 * directly, not by jTofu: that has one state per process, which is the program's own to initialize.
 */
#include "fjmpi/mpi-ext.h"
#include "softtofu.h"
#include "torus/map.h"

#include <stdbool.h>

static int job_map(const struct torus_map **map)
{
    const void *own;
    unsigned rank;
    size_t bytes;

    if (softtofu_job_map(&own, &bytes, &rank) != 0)
        return FJMPI_ERR_TOPOLOGY_NODE_SHARED_JOB;
    *map = own;
    return FJMPI_SUCCESS;
}

/** Dimensions of a view, or 0: there is none such. */
static int view_dims(const struct torus_map *map, int view)
{
    if (view == FJMPI_LOGICAL)
        return (int)map->job.view.dims;
    return view == FJMPI_TOFU_SYS || view == FJMPI_TOFU_REL ? TORUS_AXES : 0;
}

/** A communicator's group. @return Whether it can be asked about. */
static bool group_of(MPI_Comm comm, MPI_Group *group)
{
    int inter;

    return comm != MPI_COMM_NULL && MPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && !inter &&
           MPI_Comm_group(comm, group) == MPI_SUCCESS;
}

/** Translate a rank between two groups. @return It, or MPI_UNDEFINED. */
static int translate(MPI_Group from, int rank, MPI_Group to)
{
    int result = MPI_UNDEFINED;

    if (MPI_Group_translate_ranks(from, 1, &rank, to, &result) != MPI_SUCCESS)
        return MPI_UNDEFINED;
    return result;
}

static int world_rank(MPI_Comm comm, int rank, int *result)
{
    MPI_Group world, group;
    int size;

    if (!group_of(comm, &group))
        return FJMPI_ERR_TOPOLOGY_INVALID_COMM;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(group, &size);
    *result = rank >= 0 && rank < size ? translate(group, rank, world) : MPI_PROC_NULL;
    MPI_Group_free(&world);
    MPI_Group_free(&group);
    if (*result == MPI_PROC_NULL)
        return FJMPI_ERR_TOPOLOGY_INVALID_RANK;
    return *result == MPI_UNDEFINED ? FJMPI_ERR_TOPOLOGY_INVALID_COMM : FJMPI_SUCCESS;
}

int FJMPI_Topology_get_dimension(int *size)
{
    const struct torus_map *map;
    int result = job_map(&map);

    if (result != FJMPI_SUCCESS)
        return result;
    if (size == NULL)
        return FJMPI_ERR_TOPOLOGY_INVALID_POINTER;
    *size = (int)map->job.view.dims;
    return FJMPI_SUCCESS;
}

int FJMPI_Topology_get_shape(int *x, int *y, int *z)
{
    const struct torus_map *map;
    int result = job_map(&map);

    if (result != FJMPI_SUCCESS)
        return result;
    if (x == NULL || y == NULL || z == NULL)
        return FJMPI_ERR_TOPOLOGY_INVALID_POINTER;
    *x = (int)map->job.view.size[0];
    *y = (int)map->job.view.size[1];
    *z = (int)map->job.view.size[2];
    return FJMPI_SUCCESS;
}

/** Coordinates of a node by a view that exists. */
static int coords_of(const struct torus_map *map, uint32_t node, int view, int coords[])
{
    uint32_t logical[TORUS_LOGICAL_AXES];
    uint8_t physical[TORUS_AXES];

    if (view == FJMPI_LOGICAL) {
        if (torus_map_logical(map, node, logical) != 0)
            return FJMPI_ERR_TOPOLOGY_INVALID_COORDS;
    } else {
        torus_map_coords(map, node, physical);
    }
    for (int i = 0; i < view_dims(map, view); i++)
        coords[i] = view == FJMPI_LOGICAL ? (int)logical[i] : physical[i];
    return FJMPI_SUCCESS;
}

int FJMPI_Topology_get_coords(MPI_Comm comm, int rank, int view, int maxdims, int coords[])
{
    const struct torus_map *map;
    int in_world, result = job_map(&map);

    if (result == FJMPI_SUCCESS)
        result = world_rank(comm, rank, &in_world);
    if (result != FJMPI_SUCCESS)
        return result;
    if ((uint32_t)in_world >= map->job.ranks)
        return FJMPI_ERR_TOPOLOGY_INVALID_COMM;
    if (view_dims(map, view) == 0)
        return FJMPI_ERR_TOPOLOGY_INVALID_VIEW;
    if (maxdims < view_dims(map, view))
        return FJMPI_ERR_TOPOLOGY_INVALID_MAXDIMS;
    if (coords == NULL)
        return FJMPI_ERR_TOPOLOGY_INVALID_POINTER;
    return coords_of(map, torus_map_place(map, (uint32_t)in_world).node, view, coords);
}

/** Index of the node at coordinates of a view that exists, or less than 0. */
static int32_t node_at(const struct torus_map *map, int view, const int coords[])
{
    uint32_t logical[TORUS_LOGICAL_AXES] = {0};
    uint8_t physical[TORUS_AXES];
    int dims = view_dims(map, view);

    for (int i = 0; i < dims; i++) {
        if (coords[i] < 0 || (dims == TORUS_AXES && coords[i] > UINT8_MAX))
            return TORUS_MAP_OUTSIDE;
        if (view == FJMPI_LOGICAL)
            logical[i] = (uint32_t)coords[i];
        else
            physical[i] = (uint8_t)coords[i];
    }
    if (view == FJMPI_LOGICAL &&
        torus_logical_to_coords(&map->job.view, &map->job.shape, map->job.wrap, logical, physical) != 0)
        return TORUS_MAP_OUTSIDE;
    return torus_map_find(map, physical);
}

/** Those of a node's ranks that @a group has. @return How many were stored. */
static int ranks_in(const struct torus_map *map, uint32_t node, MPI_Group group, int maxppn, int ranks[])
{
    MPI_Group world;
    int size, stored = 0;
    uint32_t count;
    const uint16_t *list = torus_map_ranks(map, node, &count);

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(world, &size);
    for (uint32_t i = 0; i < count && stored < maxppn; i++) {
        int rank = list[i] < size ? translate(world, list[i], group) : MPI_UNDEFINED;
        if (rank != MPI_UNDEFINED)
            ranks[stored++] = rank;
    }
    MPI_Group_free(&world);
    return stored;
}

int FJMPI_Topology_get_ranks(MPI_Comm comm, int view, int coords[], int maxppn, int *outppn, int ranks[])
{
    const struct torus_map *map;
    MPI_Group group;
    int32_t node;
    int stored, result = job_map(&map);

    if (result != FJMPI_SUCCESS)
        return result;
    if (view_dims(map, view) == 0)
        return FJMPI_ERR_TOPOLOGY_INVALID_VIEW;
    if (coords == NULL || outppn == NULL || ranks == NULL)
        return FJMPI_ERR_TOPOLOGY_INVALID_POINTER;
    if (maxppn < 1)
        return FJMPI_ERR_TOPOLOGY_INVALID_MAXPPN;
    node = node_at(map, view, coords);
    if (node == TORUS_MAP_OUTSIDE)
        return FJMPI_ERR_TOPOLOGY_INVALID_COORDS;
    if (!group_of(comm, &group))
        return FJMPI_ERR_TOPOLOGY_INVALID_COMM;
    stored = node == TORUS_MAP_EMPTY ? 0 : ranks_in(map, (uint32_t)node, group, maxppn, ranks);
    MPI_Group_free(&group);
    if (stored == 0)
        return FJMPI_ERR_TOPOLOGY_NO_PROCESS;
    *outppn = stored;
    return FJMPI_SUCCESS;
}
