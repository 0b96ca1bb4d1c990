/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file rank_map.c
 * Node numbers and coordinates: a mixed-radix number whose digits are the coordinates, x first.
 */
#include "torus/rank_map.h"

void torus_node_coords(const struct torus_shape *shape, uint32_t node, uint8_t coords[TORUS_AXES])
{
    for (int axis = TORUS_AXES - 1; axis >= 0; --axis) {
        coords[axis] = (uint8_t)(node % shape->size[axis]);
        node /= shape->size[axis];
    }
}

int torus_coords_node(const struct torus_shape *shape, const uint8_t coords[TORUS_AXES],
                      uint32_t *node)
{
    uint32_t number = 0;

    for (int axis = 0; axis < TORUS_AXES; ++axis) {
        if (coords[axis] >= shape->size[axis])
            return -1;
        number = number * shape->size[axis] + coords[axis];
    }
    *node = number;
    return 0;
}
