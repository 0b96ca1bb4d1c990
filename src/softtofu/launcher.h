/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file launcher.h
 * The launcher that started this process, known by the variables that it sets: Open MPI, MPICH's Hydra and other PMI ones,
 * Slurm, and PMIx ones such as prterun.
 */
#ifndef SOFTTOFU_LAUNCHER_H
#define SOFTTOFU_LAUNCHER_H

#include "softtofu.h"

struct softtofu_launcher;

/**
 * Find the launcher. If there were several, one inside the other, it is the innermost: the one whose variables the nearest
 * ancestor set.
 * @return It, or NULL: there is none.
 */
const struct softtofu_launcher *softtofu_launcher_find(void);

/** A name for the job that is the same for its ranks and that no other job of this host has at the same time. */
void softtofu_launcher_job(const struct softtofu_launcher *launcher, char name[SOFTTOFU_JOB_NAME_MAX]);

/** The number of ranks. @return 0, or -1 with one line logged: the launcher tells none, or more than a job can have. */
int softtofu_launcher_size(const struct softtofu_launcher *launcher, unsigned long *size);

/** The own rank, below @a size. @return 0, or -1 with one line logged. */
int softtofu_launcher_rank(const struct softtofu_launcher *launcher, unsigned long size, unsigned long *rank);

#endif
