/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file placement.h
 * Where the ranks of a new job shall be.
 */
#ifndef SOFTTOFU_PLACEMENT_H
#define SOFTTOFU_PLACEMENT_H

#include "softtofu.h"
#include "torus/map.h"

/**
 * Check @a spec, choose what it leaves open, and place the ranks. Reads the map file, if there is one.
 * @return The map, to be freed with free(), or NULL with one line logged.
 */
struct torus_map *softtofu_placement(const struct softtofu_job_spec *spec);

#endif
