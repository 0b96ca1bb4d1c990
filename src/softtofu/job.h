/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file job.h
 * Which job this process belongs to, and as which rank: from SOFTTOFU_* variables, else from the variables of
 * the launcher that started it, else none, which means the user's own shared job.
 */
#ifndef SOFTTOFU_JOB_H
#define SOFTTOFU_JOB_H

#include "softtofu.h"
#include "torus/shape.h"

/** Ranks of the job that processes without a launcher share. */
#define SOFTTOFU_SHARED_JOB_PROCESSES 32

/** rank of struct softtofu_job: take the first free one. */
#define SOFTTOFU_RANK_ANY (-1L)

struct softtofu_job {
    char name[SOFTTOFU_JOB_NAME_MAX];
    long rank;
    struct softtofu_job_spec spec; /**< name points to name above. */
};

/** @return 0, or -1 with one line logged: a variable has a bad value. */
int softtofu_job_detect(struct softtofu_job *job);

/** @return 0, or -1 with one line logged: @a name is empty, too long, or has other characters than A-Za-z0-9._- */
int softtofu_job_check_name(const char *name);

#endif
