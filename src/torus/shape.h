/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file shape.h
 * The size of a torus along each of its six axes x, y, z, a, b, c, and its text form "XxYxZxAxBxC".
 * Pure: no state, no I/O, any thread.
 */
#ifndef TORUS_SHAPE_H
#define TORUS_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Axes of the Tofu network, in the order x, y, z, a, b, c. */
enum { TORUS_X, TORUS_Y, TORUS_Z, TORUS_A, TORUS_B, TORUS_C, TORUS_AXES };

/** Bytes of the longest text form with its NUL: six numbers of up to three digits and five separators. */
#define TORUS_SHAPE_TEXT_MAX 24

/** Nodes along each axis. The unit of Tofu-D is a=2, b=3, c=2; Fugaku is 24x23x24x2x3x2. */
struct torus_shape {
    uint16_t size[TORUS_AXES];
};

/**
 * Parse "XxYxZxAxBxC".
 * @return 0, or -1: not six numbers joined by 'x', an x, y or z outside 1..32 (a coordinate is 5 bits in a
 *         queue's address), a or c outside 1..2, or b outside 1..3.
 */
int torus_shape_parse(const char *text, struct torus_shape *shape);

/** Write the text form; @a text has TORUS_SHAPE_TEXT_MAX bytes. @return @a text. */
char *torus_shape_format(const struct torus_shape *shape, char *text);

/** @return Number of nodes, the product of the sizes. */
uint32_t torus_shape_nodes(const struct torus_shape *shape);

/**
 * The default shape for a job: the smallest box in a, b, c that holds @a nodes if 12 are enough, else whole
 * 2x3x2 units along x, y and z, as near to a cube as possible.
 * @return 0, or -1 if @a nodes is 0 or above 32*32*32*12.
 */
int torus_shape_default(uint32_t nodes, struct torus_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
