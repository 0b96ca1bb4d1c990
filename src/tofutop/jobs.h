/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file jobs.h
 * The jobs that jTofu knows, and which of them is the caller's own.
 */
#ifndef TOFUTOP_JOBS_H
#define TOFUTOP_JOBS_H

#include "jtofu.h"
#include "torus/map.h"

/**
 * Count one more user, and make @a job_id the own job if it is the first.
 * @param mapinfo  NULL: the running job.
 * @return As jtofu_initialize().
 */
int tofutop_begin(jtofu_job_id_t job_id, jtofu_rank_t rank, const void *mapinfo);

/** Count one user less. @return As jtofu_finalize(). */
int tofutop_end(void);

/** @return As jtofu_add_job(). */
int tofutop_add(jtofu_job_id_t job_id, const void *mapinfo);

/** @return As jtofu_delete_job(). */
int tofutop_delete(jtofu_job_id_t job_id);

/** Find a job. @return JTOFU_SUCCESS, JTOFU_ERR_NOT_INITIALIZED, or JTOFU_ERR_INVALID_ARG: it is unknown. */
int tofutop_find(jtofu_job_id_t job_id, const struct torus_map **map);

/** Find the own job and rank. @return JTOFU_SUCCESS, or JTOFU_ERR_NOT_INITIALIZED. */
int tofutop_own(const struct torus_map **map, jtofu_rank_t *rank);

#endif
