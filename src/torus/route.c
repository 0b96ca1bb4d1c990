/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file route.c
 * Dimension-order routing with a path.
 */
#include "torus/route.h"

#include <string.h>

enum { LEGS = 9 };

/** Axis of each leg. */
static const uint8_t leg_axis[LEGS] = {TORUS_A, TORUS_B, TORUS_C, TORUS_X, TORUS_Y,
                                       TORUS_Z, TORUS_A, TORUS_B, TORUS_C};

static int inside(const struct torus_shape *shape, const uint8_t coords[TORUS_AXES])
{
    for (int axis = 0; axis < TORUS_AXES; ++axis) {
        if (coords[axis] >= shape->size[axis])
            return 0;
    }
    return 1;
}

static int path_inside(const struct torus_shape *shape, const struct torus_path *path)
{
    return path->a < shape->size[TORUS_A] && path->b < shape->size[TORUS_B] &&
           path->c < shape->size[TORUS_C];
}

/** Coordinate at which @a leg ends. */
static uint8_t leg_end(const struct torus_route *route, unsigned leg)
{
    switch (leg) {
    case 0:
        return route->path.a;
    case 1:
        return route->path.b;
    case 2:
        return route->path.c;
    default:
        return route->to[leg_axis[leg]];
    }
}

/** Signed hops from @a at to @a end along @a axis: positive up, negative down. */
static int distance(const struct torus_route *route, int axis, int at, int end)
{
    int size = route->shape.size[axis];
    int up = (end - at + size) % size;

    if (!(route->wrap & TORUS_WRAP(axis)))
        return end - at;
    return up <= size - up ? up : up - size;
}

int torus_route_begin(struct torus_route *route, const struct torus_shape *shape, unsigned wrap,
                      const uint8_t from[TORUS_AXES], const uint8_t to[TORUS_AXES],
                      const struct torus_path *path)
{
    struct torus_path own = {from[TORUS_A], from[TORUS_B], from[TORUS_C]};

    if (path == NULL)
        path = &own;
    if (!inside(shape, from) || !inside(shape, to) || !path_inside(shape, path))
        return -1;
    route->shape = *shape;
    route->wrap = wrap;
    route->path = *path;
    route->leg = 0;
    memcpy(route->at, from, sizeof(route->at));
    memcpy(route->to, to, sizeof(route->to));
    return 0;
}

int torus_route_next(struct torus_route *route, struct torus_hop *hop)
{
    int axis, left, size;

    for (;; ++route->leg) {
        if (route->leg == LEGS)
            return 0;
        axis = leg_axis[route->leg];
        left = distance(route, axis, route->at[axis], leg_end(route, route->leg));
        if (left != 0)
            break;
    }
    size = route->shape.size[axis];
    hop->axis = axis;
    hop->direction = left > 0 ? 1 : -1;
    memcpy(hop->from, route->at, sizeof(hop->from));
    route->at[axis] = (uint8_t)((route->at[axis] + hop->direction + size) % size);
    memcpy(hop->to, route->at, sizeof(hop->to));
    return 1;
}

unsigned torus_route_hops(const struct torus_route *route)
{
    uint8_t at[TORUS_AXES];
    unsigned hops = 0;

    memcpy(at, route->at, sizeof(at));
    for (unsigned leg = route->leg; leg < LEGS; ++leg) {
        int axis = leg_axis[leg];
        int left = distance(route, axis, at[axis], leg_end(route, leg));

        hops += (unsigned)(left < 0 ? -left : left);
        at[axis] = leg_end(route, leg);
    }
    return hops;
}
