/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file route.h
 * The links that a packet takes from one node to another. A route has nine legs, each along one
 * axis: to the path's a, b, c inside the first unit, then along x, y, z, then to the destination's
 * a, b, c.
 *
 *     from --a,b,c--> path --x,y,z--> path --a,b,c--> to
 *
 * On an axis that closes to a ring a packet goes the shorter way round, and up if both are equal;
 * on a mesh there is one way only. Pure: no state but the caller's, no I/O, any thread.
 */
#ifndef TORUS_ROUTE_H
#define TORUS_ROUTE_H

#include "torus/wrap.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The a, b, c at which a packet travels along x, y, z. */
struct torus_path {
    uint8_t a, b, c;
};

/** A route and how far it has been walked. Made by torus_route_begin(); to be read only. */
struct torus_route {
    struct torus_shape shape;
    unsigned wrap;          /**< TORUS_WRAP() of the axes that are rings. */
    uint8_t at[TORUS_AXES]; /**< Where the walk stands. */
    uint8_t to[TORUS_AXES]; /**< Where it ends. */
    struct torus_path path; /**< Where it travels along x, y, z. */
    unsigned leg;           /**< Leg under way, 0..8; 9 at the end. */
};

/** One link on the way. */
struct torus_hop {
    uint8_t from[TORUS_AXES]; /**< Node that the link leaves. */
    uint8_t to[TORUS_AXES];   /**< Node that it reaches. */
    int axis;                 /**< TORUS_X .. TORUS_C. */
    int direction;            /**< +1 up or -1 down; on a ring also over its end. */
};

/**
 * Begin a route.
 * @param[out] route  The walk, standing at @a from.
 * @param[in]  wrap   TORUS_WRAP() of the axes that are rings.
 * @param[in]  path   NULL for @a from's own a, b, c: no route is shorter.
 * @return 0, or -1: @a from, @a to or @a path lies outside @a shape.
 */
int torus_route_begin(struct torus_route *route, const struct torus_shape *shape, unsigned wrap,
                      const uint8_t from[TORUS_AXES], const uint8_t to[TORUS_AXES],
                      const struct torus_path *path);

/** Walk one hop. @return 1 with @a hop filled, or 0 at the destination. */
int torus_route_next(struct torus_route *route, struct torus_hop *hop);

/** @return Hops that remain to the destination. */
unsigned torus_route_hops(const struct torus_route *route);

#ifdef __cplusplus
}
#endif

#endif
