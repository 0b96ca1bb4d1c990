/* SPDX-License-Identifier: BSD-3-Clause */
/* The calling process' own job, for what is built upon the device. */
#include "softtofu.h"
#include "softtofu/device.h"

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
