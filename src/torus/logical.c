/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/logical.h"

#include "torus/rank_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAX_NODES = 32 * 32 * 32 * 12, PAIRS = 3, SIDE_MAX = 32 };

/** Lines of a shape: the pairs (x,a), (y,b), (z,c), and what they are folded from and to. */
struct lines {
    struct torus_line axis[TORUS_AXES];
    struct torus_line pair[PAIRS];
    struct torus_line yz;  /**< Second and third pair. */
    struct torus_line all; /**< First pair and yz. */
};

static struct lines lines_of(const struct torus_shape *shape, unsigned wrap)
{
    struct lines l;

    for (int axis = 0; axis < TORUS_AXES; ++axis)
        l.axis[axis] = torus_axis_line(shape, wrap, axis);
    for (int pair = 0; pair < PAIRS; ++pair)
        l.pair[pair] = torus_fold(l.axis[pair], l.axis[pair + PAIRS]);
    l.yz  = torus_fold(l.pair[1], l.pair[2]);
    l.all = torus_fold(l.pair[0], l.yz);
    return l;
}

int torus_logical_parse(const char *text, struct torus_logical *view)
{
    struct torus_logical parsed = {0, {1, 1, 1}, 0};
    char *end;

    do {
        unsigned long size;

        if (parsed.dims == TORUS_LOGICAL_AXES || *text < '0' || *text > '9')
            return -1;
        size = strtoul(text, &end, 10);
        if (size < 1 || size > SIZE_MAX_NODES)
            return -1;
        parsed.size[parsed.dims++] = (uint32_t)size;
        text = end + 1;
    } while (*end == 'x');
    if (*end != '\0')
        return -1;
    *view = parsed;
    return 0;
}

char *torus_logical_format(const struct torus_logical *view, char *text)
{
    size_t length = 0;

    for (uint32_t axis = 0; axis < view->dims; ++axis)
        length += (size_t)snprintf(text + length, TORUS_LOGICAL_TEXT_MAX - length, "%s%u",
                                   axis > 0 ? "x" : "", view->size[axis] % 1000000u);
    return text;
}

uint64_t torus_logical_nodes(const struct torus_logical *view)
{
    return (uint64_t)view->size[0] * view->size[1] * view->size[2];
}

struct torus_logical torus_logical_whole(const struct torus_shape *shape, unsigned dims)
{
    struct lines l = lines_of(shape, 0);

    if (dims == 1)
        return (struct torus_logical){1, {l.all.size, 1, 1}, 0};
    if (dims == 2)
        return (struct torus_logical){2, {l.pair[0].size, l.yz.size, 1}, 0};
    return (struct torus_logical){3, {l.pair[0].size, l.pair[1].size, l.pair[2].size}, 0};
}

bool torus_logical_fits(const struct torus_logical *view, const struct torus_shape *shape)
{
    struct torus_logical whole = torus_logical_whole(shape, view->dims);

    for (int axis = 0; axis < TORUS_LOGICAL_AXES; ++axis) {
        if (view->size[axis] > whole.size[axis])
            return false;
    }
    return true;
}

/** A pair that holds at least @a size nodes, the fewest; of those the one with the longer in-unit side. */
static bool choose_pair(uint32_t size, int pair, struct torus_shape *shape)
{
    unsigned inner_max = pair == 1 ? 3 : 2;
    uint32_t best = UINT32_MAX;

    for (unsigned inner = inner_max; inner >= 1; --inner) {
        uint32_t outer = (size + inner - 1) / inner;

        if (outer > SIDE_MAX || outer * inner >= best)
            continue;
        best = outer * inner;
        shape->size[pair] = (uint16_t)outer;
        shape->size[pair + PAIRS] = (uint16_t)inner;
    }
    return best != UINT32_MAX;
}

/** Whether @a y, @a z, @a b, @a c are better than what @a shape has, of @a best nodes. */
static bool better(uint32_t nodes, uint32_t best, unsigned y, unsigned z, const struct torus_shape *shape)
{
    unsigned longer = y > z ? y : z;
    unsigned before = shape->size[TORUS_Y] > shape->size[TORUS_Z] ? shape->size[TORUS_Y]
                                                                 : shape->size[TORUS_Z];

    return nodes < best || (nodes == best && longer < before);
}

/** y, b, z and c that hold at least @a size nodes, the fewest; of those the shortest sides. */
static bool choose_two_pairs(uint32_t size, struct torus_shape *shape)
{
    uint32_t best = UINT32_MAX;

    for (unsigned unit = 0; unit < 6; ++unit) {
        unsigned b = 3 - unit / 2, c = 2 - unit % 2;

        for (unsigned z = 1; z <= SIDE_MAX; ++z) {
            unsigned y = (size + b * c * z - 1) / (b * c * z);

            if (y > SIDE_MAX || !better(y * z * b * c, best, y, z, shape))
                continue;
            best = y * z * b * c;
            shape->size[TORUS_Y] = (uint16_t)y;
            shape->size[TORUS_Z] = (uint16_t)z;
            shape->size[TORUS_B] = (uint16_t)b;
            shape->size[TORUS_C] = (uint16_t)c;
        }
    }
    return best != UINT32_MAX;
}

int torus_logical_shape(const struct torus_logical *view, struct torus_shape *shape)
{
    struct torus_shape chosen;
    bool found;

    if (view->dims == 1)
        return torus_shape_default(view->size[0], shape);
    found = choose_pair(view->size[0], 0, &chosen);
    if (view->dims == 2)
        found = found && choose_two_pairs(view->size[1], &chosen);
    else
        found = found && choose_pair(view->size[1], 1, &chosen) && choose_pair(view->size[2], 2, &chosen);
    if (!found)
        return -1;
    *shape = chosen;
    return 0;
}

int torus_logical_to_coords(const struct torus_logical *view, const struct torus_shape *shape,
                            unsigned wrap, const uint32_t at[TORUS_LOGICAL_AXES],
                            uint8_t coords[TORUS_AXES])
{
    const struct lines l = lines_of(shape, wrap);
    uint32_t on[PAIRS] = {at[0], at[1], at[2]};

    for (int axis = 0; axis < TORUS_LOGICAL_AXES; ++axis) {
        if (at[axis] >= view->size[axis])
            return -1;
    }
    if (view->plain) {
        torus_node_coords(shape, at[0], coords);
        return 0;
    }
    if (view->dims == 1)
        torus_fold_split(l.pair[0], l.yz, at[0], &on[0], &on[1]);
    if (view->dims < 3) {
        uint32_t yz = on[1];
        torus_fold_split(l.pair[1], l.pair[2], yz, &on[1], &on[2]);
    }
    for (int pair = 0; pair < PAIRS; ++pair) {
        uint32_t outer, inner;
        torus_fold_split(l.axis[pair], l.axis[pair + PAIRS], on[pair], &outer, &inner);
        coords[pair] = (uint8_t)outer;
        coords[pair + PAIRS] = (uint8_t)inner;
    }
    return 0;
}

int torus_logical_from_coords(const struct torus_logical *view, const struct torus_shape *shape,
                              unsigned wrap, const uint8_t coords[TORUS_AXES],
                              uint32_t at[TORUS_LOGICAL_AXES])
{
    const struct lines l = lines_of(shape, wrap);
    uint32_t on[PAIRS], number;

    if (torus_coords_node(shape, coords, &number) != 0)
        return -1;
    for (int pair = 0; pair < PAIRS; ++pair)
        on[pair] = torus_fold_join(l.axis[pair], l.axis[pair + PAIRS], coords[pair],
                                   coords[pair + PAIRS]);
    if (view->dims < 3) {
        on[1] = torus_fold_join(l.pair[1], l.pair[2], on[1], on[2]);
        on[2] = 0;
    }
    if (view->dims == 1) {
        on[0] = view->plain ? number : torus_fold_join(l.pair[0], l.yz, on[0], on[1]);
        on[1] = 0;
    }
    for (int axis = 0; axis < TORUS_LOGICAL_AXES; ++axis) {
        if (on[axis] >= view->size[axis])
            return -1;
    }
    memcpy(at, on, sizeof(on));
    return 0;
}

void torus_logical_nth(const struct torus_logical *view, uint32_t number,
                       uint32_t at[TORUS_LOGICAL_AXES])
{
    for (int axis = 0; axis < TORUS_LOGICAL_AXES; ++axis) {
        at[axis] = number % view->size[axis];
        number /= view->size[axis];
    }
}
