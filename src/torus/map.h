/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file map.h
 * Where the ranks of a job are: its shape, rings and view, and the node of each rank. One block of
 * memory without pointers, so that it can lie in shared memory and travel from process to process:
 *
 *     struct torus_map | place of each rank | node[nodes] | ranks by node | hash of node numbers
 *
 * Nodes without ranks are not in it: a map is as long as its ranks need, whatever the shape.
 * Constant once it is built; any thread.
 */
#ifndef TORUS_MAP_H
#define TORUS_MAP_H

#include "torus/logical.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Ranks, and so nodes with ranks, that a map can have: numbers of both are 16 bits. */
#define TORUS_MAP_RANKS_MAX 65535u

/** Where a rank is. */
struct torus_place {
    uint16_t node; /**< Index of its node among those with ranks. */
    uint16_t slot; /**< 0, 1, ... among the ranks of the node, in the order of ranks. */
};

/** A node with ranks. */
struct torus_map_node {
    uint32_t number; /**< In the shape, row-major; see rank_map.h. */
    uint16_t first;  /**< Its first rank in the list of ranks by node. */
    uint16_t ranks;  /**< How many it has. */
};

/** What is the same for all ranks. */
struct torus_map_spec {
    struct torus_shape shape;
    uint32_t wrap; /**< TORUS_WRAP() of the axes that are rings. */
    struct torus_logical view;
    uint32_t ranks; /**< 1 .. TORUS_MAP_RANKS_MAX. */
    uint32_t ppn;   /**< Ranks that a node has at most. */
};

struct torus_map {
    uint64_t magic; /**< Tells a map, and this form of it. */
    uint32_t bytes; /**< Of the whole. */
    uint32_t nodes; /**< Nodes with ranks. */
    struct torus_map_spec job;
    uint32_t hash_mask; /**< Entries of the hash less one. */
    uint32_t place_offset, node_offset, member_offset, hash_offset;
};

/**
 * Build a map.
 * @param[in] number  Of the node of each rank, row-major in the shape. Assumes that they are in it
 *                    and that no node has more than ppn ranks.
 * @return The map, to be freed with free(), or NULL: no memory is left.
 */
struct torus_map *torus_map_create(const struct torus_map_spec *job, const uint32_t *number);

/**
 * The node numbers of ranks that are placed in order: job->ppn ranks on a node, nodes in the order
 * of the view, x fastest; in the plain one that is row-major order. Assumes that there are enough.
 */
void torus_map_in_order(const struct torus_map_spec *job, uint32_t *number);

/** @return Whether @a magic begins a map. */
bool torus_map_known(uint64_t magic);

/** Place of @a rank. Assumes rank < job.ranks. */
struct torus_place torus_map_place(const struct torus_map *map, uint32_t rank);

/** Coordinates of the node with index @a node. Assumes node < nodes. */
void torus_map_coords(const struct torus_map *map, uint32_t node, uint8_t coords[TORUS_AXES]);

/** Coordinates of that node in the view. @return 0, or -1: the view does not reach it. */
int torus_map_logical(const struct torus_map *map, uint32_t node, uint32_t at[TORUS_LOGICAL_AXES]);

/** What torus_map_find() says of coordinates without an index. */
enum { TORUS_MAP_OUTSIDE = -1, TORUS_MAP_EMPTY = -2 };

/**
 * Index of the node at @a coords, in constant time.
 * @return It, or TORUS_MAP_OUTSIDE of the shape, or TORUS_MAP_EMPTY: no rank is there.
 */
int32_t torus_map_find(const struct torus_map *map, const uint8_t coords[TORUS_AXES]);

/** Ranks of the node with index @a node, ascending. @param[out] count  Their number, 1..ppn. */
const uint16_t *torus_map_ranks(const struct torus_map *map, uint32_t node, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
