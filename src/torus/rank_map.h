/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file rank_map.h
 * Which node has which coordinates: nodes are numbered in row-major order, c fastest, then b, a, z, y, x.
 * Pure: no state, no I/O, any thread.
 */
#ifndef TORUS_RANK_MAP_H
#define TORUS_RANK_MAP_H

#include "torus/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Coordinates of node number @a node. Assumes node < torus_shape_nodes(shape). */
void torus_node_coords(const struct torus_shape *shape, uint32_t node, uint8_t coords[TORUS_AXES]);

/** Node number of @a coords. @return 0, or -1 if a coordinate lies outside @a shape. */
int torus_coords_node(const struct torus_shape *shape, const uint8_t coords[TORUS_AXES], uint32_t *node);

#ifdef __cplusplus
}
#endif

#endif
