/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file path.h
 * The paths from one node to another, the best first. Pure: no state, no I/O, any thread.
 */
#ifndef TORUS_PATH_H
#define TORUS_PATH_H

#include "torus/route.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A unit has so many nodes, each of which is a path. */
enum { TORUS_PATHS_MAX = 12 };

/**
 * List the paths from @a from to @a to: one for each a, b, c of @a shape, those with fewer hops
 * first; of equals the default one, which is @a from's own a, b, c, then the lower a, b, c.
 * @return Their number, or 0: @a from or @a to lies outside @a shape.
 */
unsigned torus_paths(const struct torus_shape *shape, unsigned wrap, const uint8_t from[TORUS_AXES],
                     const uint8_t to[TORUS_AXES], struct torus_path path[TORUS_PATHS_MAX]);

/** Hops of the default path, than which none has fewer. @return Them, or -1: a node lies outside @a shape. */
int torus_hops(const struct torus_shape *shape, unsigned wrap, const uint8_t from[TORUS_AXES],
               const uint8_t to[TORUS_AXES]);

#ifdef __cplusplus
}
#endif

#endif
