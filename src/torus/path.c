/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus/path.h"

#include <stdbool.h>

/** The paths found so far, in order. */
struct list {
    struct torus_path path[TORUS_PATHS_MAX];
    unsigned hops[TORUS_PATHS_MAX];
    unsigned count;
};

/** Insert behind those that are as good. */
static void insert(struct list *list, struct torus_path path, unsigned hops)
{
    unsigned at = list->count++;

    for (; at > 0 && list->hops[at - 1] > hops; --at) {
        list->path[at] = list->path[at - 1];
        list->hops[at] = list->hops[at - 1];
    }
    list->path[at] = path;
    list->hops[at] = hops;
}

unsigned torus_paths(const struct torus_shape *shape, unsigned wrap, const uint8_t from[TORUS_AXES],
                     const uint8_t to[TORUS_AXES], struct torus_path path[TORUS_PATHS_MAX])
{
    const uint8_t *own = from + TORUS_A;
    struct torus_route route;
    struct list list = {.count = 0};

    if (torus_route_begin(&route, shape, wrap, from, to, NULL) != 0)
        return 0;
    insert(&list, route.path, torus_route_hops(&route));
    for (uint8_t a = 0; a < shape->size[TORUS_A]; ++a) {
        for (uint8_t b = 0; b < shape->size[TORUS_B]; ++b) {
            for (uint8_t c = 0; c < shape->size[TORUS_C]; ++c) {
                struct torus_path next = {a, b, c};
                bool is_default = a == own[0] && b == own[1] && c == own[2];

                torus_route_begin(&route, shape, wrap, from, to, &next);
                if (!is_default)
                    insert(&list, next, torus_route_hops(&route));
            }
        }
    }
    for (unsigned i = 0; i < list.count; ++i)
        path[i] = list.path[i];
    return list.count;
}

int torus_hops(const struct torus_shape *shape, unsigned wrap, const uint8_t from[TORUS_AXES],
               const uint8_t to[TORUS_AXES])
{
    struct torus_route route;

    if (torus_route_begin(&route, shape, wrap, from, to, NULL) != 0)
        return -1;
    return (int)torus_route_hops(&route);
}
