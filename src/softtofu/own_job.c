/* SPDX-License-Identifier: BSD-3-Clause */
/* The calling process' own job, or the one that its variables describe, for what is built upon the device. */
#include "softtofu.h"
#include "softtofu/device.h"
#include "softtofu/env.h"
#include "softtofu/log.h"
#include "softtofu/placement.h"

#include <stdlib.h>
#include <string.h>

int softtofu_job_map(const void **map, size_t *bytes, unsigned *rank)
{
    const struct softtofu_device *device = softtofu_device();
    const struct torus_map *own;

    if (device == NULL)
        return -1;
    own    = softtofu_fabric_map(&device->fabric);
    *map   = own;
    *bytes = own->bytes;
    *rank  = device->rank;
    return 0;
}

static struct torus_map *copy_own(void)
{
    struct torus_map *copy;
    const void *own;
    size_t bytes;
    unsigned rank;

    if (softtofu_job_map(&own, &bytes, &rank) != 0)
        return NULL;
    copy = malloc(bytes);
    if (copy == NULL)
        softtofu_error("no memory is left for a map of the job");
    else
        memcpy(copy, own, bytes);
    return copy;
}

/* As many ranks as SOFTTOFU_SIZE says, or as fit. */
static int count_ranks(const struct torus_logical *view, unsigned long ppn, unsigned *ranks)
{
    uint64_t room = torus_logical_nodes(view) * ppn;
    unsigned long size;

    if (*softtofu_env_string(SOFTTOFU_ENV_SIZE) != '\0') {
        if (softtofu_env_count(SOFTTOFU_ENV_SIZE, 1, SOFTTOFU_PROCESSES_MAX, &size) != 0)
            return -1;
        room = size;
    }
    if (room > SOFTTOFU_PROCESSES_MAX) {
        softtofu_error("JTOFU_MAPINFO_NODE=%s has room for %llu processes, but a job has %d at most: say with "
                       "SOFTTOFU_SIZE how many there are",
                       softtofu_env_string(SOFTTOFU_ENV_MAPINFO_NODE), (unsigned long long)room,
                       SOFTTOFU_PROCESSES_MAX);
        return -1;
    }
    *ranks = (unsigned)room;
    return 0;
}

static struct torus_map *make(const char *nodes)
{
    struct softtofu_job_spec spec = {.nodes = nodes, .wrap = softtofu_env_string(SOFTTOFU_ENV_WRAP)};
    struct torus_logical view;
    unsigned long ppn;

    if (torus_logical_parse(nodes, &view) != 0) {
        softtofu_error("JTOFU_MAPINFO_NODE=%s: write LX, LXxLY or LXxLYxLZ, for example 1x2x1", nodes);
        return NULL;
    }
    if (softtofu_env_count(SOFTTOFU_ENV_PPN, 1, SOFTTOFU_PPN_MAX, &ppn) != 0 ||
        count_ranks(&view, ppn, &spec.processes_max) != 0)
        return NULL;
    spec.ppn = (unsigned)ppn;
    return softtofu_placement(&spec);
}

int softtofu_job_describe(void **map, size_t *bytes, unsigned *ranks)
{
    const char *nodes      = softtofu_env_string(SOFTTOFU_ENV_MAPINFO_NODE);
    struct torus_map *made = *nodes != '\0' ? make(nodes) : copy_own();

    if (made == NULL)
        return -1;
    *map   = made;
    *bytes = made->bytes;
    *ranks = made->job.ranks;
    return 0;
}
