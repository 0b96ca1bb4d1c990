/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/fold.h"

struct torus_line torus_axis_line(const struct torus_shape *shape, unsigned wrap, int axis)
{
    uint32_t size = shape->size[axis];

    return (struct torus_line){size, size <= 2 || (wrap & TORUS_WRAP(axis)) != 0};
}

/** Whether walking up along p, then sweeping the rest back, ends beside the start. */
static bool closes(struct torus_line p, struct torus_line q)
{
    if (q.size == 1)
        return p.ring;
    if (p.size == 1)
        return q.ring;
    return p.size % 2 == 0 || q.ring;
}

/** Whether p and q change their parts: only if that closes what would stay open. */
static bool transposed(struct torus_line p, struct torus_line q)
{
    return !closes(p, q) && closes(q, p);
}

struct torus_line torus_fold(struct torus_line p, struct torus_line q)
{
    return (struct torus_line){p.size * q.size, closes(p, q) || closes(q, p)};
}

/** Sweeps alternate: the first, at the far end of p, goes up. The same both ways. */
static uint32_t sweep(uint32_t row, uint32_t width, uint32_t at)
{
    return row % 2 == 0 ? at : width - 1 - at;
}

static void split(uint32_t p_size, uint32_t q_size, uint32_t at, uint32_t *on_p, uint32_t *on_q)
{
    uint32_t width = q_size - 1, row;

    if (at < p_size) {
        *on_p = at;
        *on_q = 0;
        return;
    }
    at -= p_size;
    row   = at / width;
    *on_p = p_size - 1 - row;
    *on_q = 1 + sweep(row, width, at % width);
}

static uint32_t join(uint32_t p_size, uint32_t q_size, uint32_t on_p, uint32_t on_q)
{
    uint32_t width = q_size - 1, row = p_size - 1 - on_p;

    if (on_q == 0)
        return on_p;
    return p_size + row * width + sweep(row, width, on_q - 1);
}

void torus_fold_split(struct torus_line p, struct torus_line q, uint32_t at, uint32_t *on_p,
                      uint32_t *on_q)
{
    if (transposed(p, q))
        split(q.size, p.size, at, on_q, on_p);
    else
        split(p.size, q.size, at, on_p, on_q);
}

uint32_t torus_fold_join(struct torus_line p, struct torus_line q, uint32_t on_p, uint32_t on_q)
{
    return transposed(p, q) ? join(q.size, p.size, on_q, on_p) : join(p.size, q.size, on_p, on_q);
}
