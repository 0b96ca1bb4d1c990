/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file shape.c
 * Text form of shapes, and the shape of a job that does not ask for one.
 */
#include "torus/shape.h"

#include <stdio.h>

/** x, y and z have 5 bits in a queue's address; a unit is 2x3x2. */
static const uint16_t size_max[TORUS_AXES] = {32, 32, 32, 2, 3, 2};

enum { UNIT_NODES = 12, DIGITS_MAX = 3 };

/** Parse one number of up to three digits; no sign, no space. @return Behind it, or NULL. */
static const char *parse_number(const char *text, unsigned *number)
{
    unsigned digits = 0;

    *number = 0;
    for (; *text >= '0' && *text <= '9'; ++text) {
        if (++digits > DIGITS_MAX)
            return NULL;
        *number = *number * 10 + (unsigned)(*text - '0');
    }
    return digits > 0 ? text : NULL;
}

int torus_shape_parse(const char *text, struct torus_shape *shape)
{
    struct torus_shape parsed;

    for (int axis = 0; axis < TORUS_AXES; ++axis) {
        unsigned size;

        if (axis > 0 && *text++ != 'x')
            return -1;
        text = parse_number(text, &size);
        if (text == NULL || size < 1 || size > size_max[axis])
            return -1;
        parsed.size[axis] = (uint16_t)size;
    }
    if (*text != '\0')
        return -1;
    *shape = parsed;
    return 0;
}

char *torus_shape_format(const struct torus_shape *shape, char *text)
{
    unsigned n[TORUS_AXES];

    /* Three digits an axis are what fits; no shape that parses has more than two. */
    for (int axis = 0; axis < TORUS_AXES; ++axis)
        n[axis] = shape->size[axis] % 1000u;
    snprintf(text, TORUS_SHAPE_TEXT_MAX, "%ux%ux%ux%ux%ux%u", n[TORUS_X], n[TORUS_Y], n[TORUS_Z],
             n[TORUS_A], n[TORUS_B], n[TORUS_C]);
    return text;
}

uint32_t torus_shape_nodes(const struct torus_shape *shape)
{
    uint32_t nodes = 1;

    for (int axis = 0; axis < TORUS_AXES; ++axis)
        nodes *= shape->size[axis];
    return nodes;
}

/** The smallest part of a unit with @a nodes, 1..12. Of equals the longer in a, then in b. */
static void smallest_box(uint32_t nodes, struct torus_shape *shape)
{
    uint32_t best = UNIT_NODES + 1;

    for (unsigned a = size_max[TORUS_A]; a >= 1; --a) {
        for (unsigned b = size_max[TORUS_B]; b >= 1; --b) {
            for (unsigned c = size_max[TORUS_C]; c >= 1; --c) {
                if (a * b * c < nodes || a * b * c >= best)
                    continue;
                best = a * b * c;
                *shape = (struct torus_shape){{1, 1, 1, (uint16_t)a, (uint16_t)b, (uint16_t)c}};
            }
        }
    }
}

/**
 * The box of units, at least @a units of them, with the shortest longest side; of those the one
 * with the fewest units, and of those the one whose shortest side is longest. A box of the fewest
 * units at any cost would be a line whenever their number is prime.
 */
static void nearest_cube(uint32_t units, struct torus_shape *shape)
{
    unsigned longest = 1, best = UINT32_MAX;

    while (longest * longest * longest < units)
        ++longest;
    for (unsigned shortest = longest; shortest >= 1; --shortest) {
        /* With the longest side and the shortest given, the middle one follows. */
        unsigned middle = (units + longest * shortest - 1) / (longest * shortest);

        if (middle < shortest)
            middle = shortest;
        if (middle > longest || longest * middle * shortest >= best)
            continue;
        best = longest * middle * shortest;
        /* y is a mesh on the known machines, so it gets the shortest side. */
        *shape = (struct torus_shape){
                {(uint16_t)longest, (uint16_t)shortest, (uint16_t)middle, 2, 3, 2}};
    }
}

int torus_shape_default(uint32_t nodes, struct torus_shape *shape)
{
    struct torus_shape largest = {{32, 32, 32, 2, 3, 2}};

    if (nodes == 0 || nodes > torus_shape_nodes(&largest))
        return -1;
    if (nodes <= UNIT_NODES)
        smallest_box(nodes, shape);
    else
        nearest_cube((nodes + UNIT_NODES - 1) / UNIT_NODES, shape);
    return 0;
}
