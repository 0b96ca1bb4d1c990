/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file wrap.h
 * Which axes close to a ring, and the text form of that: their letters, as in "xzb", or "none".
 * Pure: no state, no I/O, any thread.
 */
#ifndef TORUS_WRAP_H
#define TORUS_WRAP_H

#include "torus/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bit of an axis in a set of those that close to a ring. */
#define TORUS_WRAP(axis) (1u << (axis))

/** The rings of Fugaku: x, z and b. y is a mesh; a and c are pairs. */
#define TORUS_WRAP_TOFUD (TORUS_WRAP(TORUS_X) | TORUS_WRAP(TORUS_Z) | TORUS_WRAP(TORUS_B))

/** Bytes of the longest text form with its NUL. */
#define TORUS_WRAP_TEXT_MAX 7

/** Parse letters of axes, each at most once, or "none". @return 0, or -1: it is something else. */
int torus_wrap_parse(const char *text, unsigned *wrap);

/** Write the text form; @a text has TORUS_WRAP_TEXT_MAX bytes. @return @a text. */
char *torus_wrap_format(unsigned wrap, char *text);

#ifdef __cplusplus
}
#endif

#endif
