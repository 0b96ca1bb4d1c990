/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file logical.h
 * The one, two or three dimensions in which a program sees the nodes of its job, laid over the six
 * of the network so that neighbours are one hop apart.
 *
 * Each logical axis is a line of folded axes (fold.h):
 *
 *     3-D   X = x,a      Y = y,b              Z = z,c
 *     2-D   X = x,a      Y = (y,b),(z,c)
 *     1-D   X = (x,a),((y,b),(z,c))
 *
 * An axis of the view may be shorter than its line, whose rest is then empty; its last node has the
 * first for a neighbour only if it has all of the line and the line is a ring.
 *
 * The *plain* view is 1-D, too, but without folds: a node's coordinate is its row-major number, c
 * fastest (rank_map.h). It is the view of jobs that ask for none.
 *
 * Pure: no state, no I/O, any thread.
 */
#ifndef TORUS_LOGICAL_H
#define TORUS_LOGICAL_H

#include "torus/fold.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TORUS_LOGICAL_AXES = 3 };

/** Bytes of the longest text form with its NUL: three numbers of up to six digits. */
#define TORUS_LOGICAL_TEXT_MAX 21

/** A view. */
struct torus_logical {
    uint32_t dims;                     /**< 1..3. */
    uint32_t size[TORUS_LOGICAL_AXES]; /**< Nodes along each; 1 from dims on. */
    uint32_t plain;                    /**< 1: not folded; dims is 1. */
};

/** Parse "LX", "LXxLY" or "LXxLYxLZ". @return 0, or -1: other text, or a size outside 1..393216. */
int torus_logical_parse(const char *text, struct torus_logical *view);

/** Write the text form; @a text has TORUS_LOGICAL_TEXT_MAX bytes. @return @a text. */
char *torus_logical_format(const struct torus_logical *view, char *text);

/** @return Nodes of the view. */
uint64_t torus_logical_nodes(const struct torus_logical *view);

/** The view of all nodes of @a shape in @a dims dimensions, 1..3. */
struct torus_logical torus_logical_whole(const struct torus_shape *shape, unsigned dims);

/** @return Whether each axis of @a view fits on its line of @a shape. */
bool torus_logical_fits(const struct torus_logical *view, const struct torus_shape *shape);

/**
 * The shape for a folded view: the one with the fewest nodes that it fits in, with units as whole
 * and otherwise as near to a cube as possible.
 * @return 0, or -1: a side is longer than a shape can have: 64, 96 and 64 in 3-D, 64 and 6144 in 2-D.
 */
int torus_logical_shape(const struct torus_logical *view, struct torus_shape *shape);

/**
 * Physical coordinates of logical ones.
 * @return 0, or -1: @a at lies outside @a view. Assumes that the view fits the shape.
 */
int torus_logical_to_coords(const struct torus_logical *view, const struct torus_shape *shape,
                            unsigned wrap, const uint32_t at[TORUS_LOGICAL_AXES],
                            uint8_t coords[TORUS_AXES]);

/**
 * Logical coordinates of physical ones.
 * @return 0, or -1: @a coords lie outside @a shape, or in a part of it that the view does not have.
 */
int torus_logical_from_coords(const struct torus_logical *view, const struct torus_shape *shape,
                              unsigned wrap, const uint8_t coords[TORUS_AXES],
                              uint32_t at[TORUS_LOGICAL_AXES]);

/** Logical coordinates of the @a number-th node of the view, x fastest. Assumes it has so many. */
void torus_logical_nth(const struct torus_logical *view, uint32_t number,
                       uint32_t at[TORUS_LOGICAL_AXES]);

#ifdef __cplusplus
}
#endif

#endif
