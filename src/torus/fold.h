/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file fold.h
 * Two axes laid out as one *line*, on which consecutive positions are one hop apart. Whenever the
 * product of the two has such a tour, the last position is one hop from the first, too: the line is
 * a ring.
 *
 *     q
 *     2  o---o   o---o     Row q = 0 is walked first, then the other rows are swept on the way back.
 *        |   |   |   |     An odd number of columns ends at the far side of q: it needs q's ring.
 *     1  o   o---o   o
 *        |           |     If only that closes, p and q change their parts.
 *     0  o---o---o---o
 *        0   1   2   3  p
 *
 * Lines can be folded again. Pure: no state, no I/O, any thread.
 */
#ifndef TORUS_FOLD_H
#define TORUS_FOLD_H

#include "torus/wrap.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An axis, or axes that were folded. */
struct torus_line {
    uint32_t size;
    bool ring; /**< The last position is at most one hop from the first. */
};

/** Axis @a axis of @a shape as a line. Two nodes, and one, are a ring in any case. */
struct torus_line torus_axis_line(const struct torus_shape *shape, unsigned wrap, int axis);

/** @return The line that @a p and @a q make when folded. */
struct torus_line torus_fold(struct torus_line p, struct torus_line q);

/** Positions on @a p and @a q of the folded position @a at. Assumes at < p.size * q.size. */
void torus_fold_split(struct torus_line p, struct torus_line q, uint32_t at, uint32_t *on_p,
                      uint32_t *on_q);

/** The reverse. Assumes on_p < p.size and on_q < q.size. */
uint32_t torus_fold_join(struct torus_line p, struct torus_line q, uint32_t on_p, uint32_t on_q);

#ifdef __cplusplus
}
#endif

#endif
