/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file map_text.h
 * The text that says where the ranks of a job are: one line for each rank, or one for each node,
 * which then takes as many consecutive ranks as a node has.
 *
 *     # comments and empty lines do not count; blanks may be anywhere but within a number
 *     (3)            logical coordinates: as many as the job's view has dimensions
 *     (0,2)
 *     (0,2,1)
 *     (0,0,1,1,2,0)  physical coordinates x,y,z,a,b,c
 *
 * Pure: no state, no I/O, any thread.
 */
#ifndef TORUS_MAP_TEXT_H
#define TORUS_MAP_TEXT_H

#include "torus/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that a message takes at most, with its NUL. */
#define TORUS_MAP_MESSAGE_MAX 200

/**
 * Parse the text for a job.
 * @param[in]  job      Its shape, view, ranks and ppn.
 * @param[out] number   The node of each rank, row-major in the shape; has room for job->ranks.
 * @param[out] message  Has TORUS_MAP_MESSAGE_MAX bytes: what is wrong, and in which line.
 * @return 0, or -1 with @a message filled: a line is no coordinates, is outside the shape or the view, or gives a
 *         node more ranks than ppn; or the lines are neither as many as ranks nor as many as nodes; or no memory
 *         is left.
 */
int torus_map_parse(const struct torus_map_spec *job, const char *text, uint32_t *number, char *message);

#ifdef __cplusplus
}
#endif

#endif
