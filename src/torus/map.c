/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/map.h"

#include "torus/rank_map.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC UINT64_C(0x31504d5f554b4654) /* Ends in the version of the form. */

static void *part(const struct torus_map *map, uint32_t offset)
{
    return (char *)map + offset;
}

static struct torus_place *places(const struct torus_map *map)
{
    return part(map, map->place_offset);
}

static struct torus_map_node *nodes(const struct torus_map *map)
{
    return part(map, map->node_offset);
}

static uint16_t *members(const struct torus_map *map)
{
    return part(map, map->member_offset);
}

/** The entry of node @a number: its index plus one, or 0 where it would be. */
static uint32_t *hash_entry(const struct torus_map *map, uint32_t number)
{
    uint32_t *entry = part(map, map->hash_offset);
    uint32_t i = number * UINT32_C(2654435769) >> 7 & map->hash_mask;

    while (entry[i] != 0 && nodes(map)[entry[i] - 1].number != number)
        i = (i + 1) & map->hash_mask;
    return &entry[i];
}

/** Work out where everything lies, with room for a node a rank. */
static struct torus_map *allocate(const struct torus_map_spec *job)
{
    struct torus_map plan = {.magic = MAGIC, .job = *job};
    struct torus_map *map;

    plan.hash_mask = 1;
    while (plan.hash_mask < 2 * job->ranks)
        plan.hash_mask = 2 * plan.hash_mask + 1;
    plan.place_offset  = sizeof(plan);
    plan.node_offset   = plan.place_offset + job->ranks * (uint32_t)sizeof(struct torus_place);
    plan.hash_offset   = plan.node_offset + job->ranks * (uint32_t)sizeof(struct torus_map_node);
    plan.member_offset = plan.hash_offset + (plan.hash_mask + 1) * (uint32_t)sizeof(uint32_t);
    plan.bytes         = plan.member_offset + job->ranks * (uint32_t)sizeof(uint16_t);
    map = calloc(1, plan.bytes);
    if (map != NULL)
        *map = plan;
    return map;
}

/** Index of the node with @a number, new if it is not there yet. */
static uint32_t add_node(struct torus_map *map, uint32_t number)
{
    uint32_t *entry = hash_entry(map, number);

    if (*entry == 0) {
        nodes(map)[map->nodes].number = number;
        *entry = ++map->nodes;
    }
    return *entry - 1;
}

/** List the ranks node by node. */
static void list_members(struct torus_map *map)
{
    uint16_t first = 0;

    for (uint32_t node = 0; node < map->nodes; ++node) {
        nodes(map)[node].first = first;
        first = (uint16_t)(first + nodes(map)[node].ranks);
    }
    for (uint32_t rank = 0; rank < map->job.ranks; ++rank) {
        struct torus_place place = places(map)[rank];
        members(map)[nodes(map)[place.node].first + place.slot] = (uint16_t)rank;
    }
}

struct torus_map *torus_map_create(const struct torus_map_spec *job, const uint32_t *number)
{
    struct torus_map *map = allocate(job);

    if (map == NULL)
        return NULL;
    for (uint32_t rank = 0; rank < job->ranks; ++rank) {
        uint32_t node = add_node(map, number[rank]);
        places(map)[rank] = (struct torus_place){(uint16_t)node, nodes(map)[node].ranks++};
    }
    list_members(map);
    return map;
}

void torus_map_in_order(const struct torus_map_spec *job, uint32_t *number)
{
    uint32_t at[TORUS_LOGICAL_AXES];
    uint8_t coords[TORUS_AXES];

    for (uint32_t rank = 0; rank < job->ranks; ++rank) {
        torus_logical_nth(&job->view, rank / job->ppn, at);
        torus_logical_to_coords(&job->view, &job->shape, job->wrap, at, coords);
        torus_coords_node(&job->shape, coords, &number[rank]);
    }
}

bool torus_map_known(uint64_t magic)
{
    return magic == MAGIC;
}

struct torus_place torus_map_place(const struct torus_map *map, uint32_t rank)
{
    return places(map)[rank];
}

void torus_map_coords(const struct torus_map *map, uint32_t node, uint8_t coords[TORUS_AXES])
{
    torus_node_coords(&map->job.shape, nodes(map)[node].number, coords);
}

int torus_map_logical(const struct torus_map *map, uint32_t node, uint32_t at[TORUS_LOGICAL_AXES])
{
    uint8_t coords[TORUS_AXES];

    torus_map_coords(map, node, coords);
    return torus_logical_from_coords(&map->job.view, &map->job.shape, map->job.wrap, coords, at);
}

int32_t torus_map_find(const struct torus_map *map, const uint8_t coords[TORUS_AXES])
{
    uint32_t number, entry;

    if (torus_coords_node(&map->job.shape, coords, &number) != 0)
        return TORUS_MAP_OUTSIDE;
    entry = *hash_entry(map, number);
    return entry == 0 ? TORUS_MAP_EMPTY : (int32_t)(entry - 1);
}

const uint16_t *torus_map_ranks(const struct torus_map *map, uint32_t node, uint32_t *count)
{
    *count = nodes(map)[node].ranks;
    return members(map) + nodes(map)[node].first;
}
