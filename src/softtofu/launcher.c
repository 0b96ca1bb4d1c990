/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/launcher.h"

#include "softtofu/ancestry.h"
#include "softtofu/env.h"
#include "softtofu/limits.h"
#include "softtofu/pmix.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Variables by which a launcher tells a process who it is. */
struct softtofu_launcher {
    const char *job;  /**< Unique per job; NULL: there is none, the launcher's process must do. */
    const char *step; /**< Unique in the job, where one starts several; or NULL. */
    const char *rank;
    const char *size; /**< NULL: to be asked for by PMIx. */
};

/*
 * Of those that one and the same launcher sets, the first is taken: Open MPI and Slurm set PMIx's or PMI's variables, too,
 * but PMIx's lack the size. A Slurm allocation without a step has not started this process.
 */
static const struct softtofu_launcher launchers[] = {
    {"OMPI_MCA_ess_base_jobid", NULL, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMIX_NAMESPACE", NULL, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_PROCID", "SLURM_NTASKS"},
    {"PMI_JOBID", NULL, "PMI_RANK", "PMI_SIZE"},
    {NULL, NULL, "PMI_RANK", "PMI_SIZE"},
    {"PMIX_NAMESPACE", NULL, "PMIX_RANK", NULL},
};

enum { LAUNCHERS = sizeof(launchers) / sizeof(launchers[0]) };

static bool set_or_unused(const char *variable)
{
    return variable == NULL || getenv(variable) != NULL;
}

static bool present(const struct softtofu_launcher *l)
{
    return set_or_unused(l->job) && set_or_unused(l->step) && set_or_unused(l->rank) && set_or_unused(l->size);
}

const struct softtofu_launcher *softtofu_launcher_find(void)
{
    const struct softtofu_launcher *nearest = NULL;
    unsigned generations                    = 0;

    for (size_t i = 0; i < LAUNCHERS; i++) {
        unsigned shared;
        if (!present(&launchers[i]))
            continue;
        shared = softtofu_ancestors_sharing(launchers[i].job != NULL ? launchers[i].job : launchers[i].rank);
        if (nearest == NULL || shared < generations) {
            nearest     = &launchers[i];
            generations = shared;
        }
    }
    return nearest;
}

/* FNV-1a. */
static uint64_t hash(const char *text)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);

    for (; *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return value;
}

/* All ranks of one host descend from one process of the launcher's. A Hydra in a Hydra hands ranks down that may be equal. */
static void name_by_process(const struct softtofu_launcher *launcher, char *name)
{
    pid_t pid = softtofu_ancestor_named("hydra_pmi_proxy");

    if (pid == 0)
        pid = softtofu_ancestor_setting(launcher->rank);
    snprintf(name, SOFTTOFU_JOB_NAME_MAX, "parent-%ld", (long)pid);
}

/* A launcher's job name may be long and hold any character; ours must be a plain word. */
static void make_plain(const char *text, char *name)
{
    if (strlen(text) < SOFTTOFU_JOB_NAME_MAX)
        strcpy(name, text);
    else /* Long names tend to differ at their ends only. */
        snprintf(name, SOFTTOFU_JOB_NAME_MAX, "%.40s-%016llx", text, (unsigned long long)hash(text));
    for (char *c = name; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL)
            *c = '-';
    }
}

void softtofu_launcher_job(const struct softtofu_launcher *launcher, char name[SOFTTOFU_JOB_NAME_MAX])
{
    char step[2 * SOFTTOFU_JOB_NAME_MAX];

    if (launcher->job == NULL) {
        name_by_process(launcher, name);
    } else if (launcher->step == NULL) {
        make_plain(getenv(launcher->job), name);
    } else {
        snprintf(step, sizeof(step), "%s.%s", getenv(launcher->job), getenv(launcher->step));
        make_plain(step, name);
    }
}

int softtofu_launcher_size(const struct softtofu_launcher *launcher, unsigned long *size)
{
    char text[24];

    if (launcher->size != NULL)
        return softtofu_env_number(launcher->size, getenv(launcher->size), 1, SOFTTOFU_PROCESSES_MAX, size);
    if (softtofu_pmix_job_size(size) != 0)
        return -1;
    snprintf(text, sizeof(text), "%lu", *size);
    return softtofu_env_number("PMIx job size", text, 1, SOFTTOFU_PROCESSES_MAX, size);
}

int softtofu_launcher_rank(const struct softtofu_launcher *launcher, unsigned long size, unsigned long *rank)
{
    return softtofu_env_number(launcher->rank, getenv(launcher->rank), 0, size - 1, rank);
}
