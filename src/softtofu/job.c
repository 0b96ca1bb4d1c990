/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/job.h"

#include "softtofu/env.h"
#include "softtofu/limits.h"
#include "softtofu/log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Variables by which a launcher tells a process who it is. */
struct launcher {
    const char *job;  /**< Unique per job; NULL: the launcher has none, the parent's pid must do. */
    const char *rank;
    const char *size;
};

/* In the order of trust: Open MPI sets PMIx's variables too, but only its own have the size. */
static const struct launcher launchers[] = {
    {"OMPI_MCA_ess_base_jobid", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMIX_NAMESPACE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"SLURM_JOB_ID", "SLURM_PROCID", "SLURM_NTASKS"},
    {NULL, "PMI_RANK", "PMI_SIZE"},
};

int softtofu_job_check_name(const char *name)
{
    size_t length = strlen(name);

    for (const char *c = name; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL)
            length = 0;
    }
    if (length == 0 || length >= SOFTTOFU_JOB_NAME_MAX) {
        softtofu_error("'%s' is no job name: use 1 to %d letters, digits, '.', '_' and '-'", name,
                       SOFTTOFU_JOB_NAME_MAX - 1);
        return -1;
    }
    return 0;
}

static const struct launcher *find_launcher(void)
{
    for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
        const struct launcher *l = &launchers[i];
        if (getenv(l->rank) != NULL && getenv(l->size) != NULL &&
            (l->job == NULL || getenv(l->job) != NULL))
            return l;
    }
    return NULL;
}

/* FNV-1a. */
static uint64_t hash(const char *text)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);

    for (; *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return value;
}

/* A launcher's job name may be long and hold any character; ours must be a plain word. */
static void name_from_launcher(const struct launcher *launcher, char *name)
{
    const char *text;

    if (launcher->job == NULL) {
        /* All ranks of one host are children of one launcher daemon. */
        snprintf(name, SOFTTOFU_JOB_NAME_MAX, "parent-%ld", (long)getppid());
        return;
    }
    text = getenv(launcher->job);
    if (strlen(text) < SOFTTOFU_JOB_NAME_MAX)
        strcpy(name, text);
    else /* Long names tend to differ at their ends only. */
        snprintf(name, SOFTTOFU_JOB_NAME_MAX, "%.40s-%016llx", text, (unsigned long long)hash(text));
    for (char *c = name; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL)
            *c = '-';
    }
}

static int detect_launchers_rank(struct softtofu_job *job, const struct launcher *launcher)
{
    unsigned long size, rank;

    if (softtofu_env_number(launcher->size, getenv(launcher->size), 1, SOFTTOFU_PROCESSES_MAX, &size) !=
                0 ||
        softtofu_env_number(launcher->rank, getenv(launcher->rank), 0, size - 1, &rank) != 0)
        return -1;
    job->spec.processes_max = (unsigned)size;
    job->rank               = (long)rank;
    return 0;
}

static int detect_rank(struct softtofu_job *job, const struct launcher *launcher)
{
    unsigned long value;

    job->rank               = SOFTTOFU_RANK_ANY;
    job->spec.processes_max = SOFTTOFU_SHARED_JOB_PROCESSES;
    if (launcher != NULL && detect_launchers_rank(job, launcher) != 0)
        return -1;
    if (*softtofu_env_string(SOFTTOFU_ENV_SIZE) != '\0') {
        if (softtofu_env_count(SOFTTOFU_ENV_SIZE, 1, SOFTTOFU_PROCESSES_MAX, &value) != 0)
            return -1;
        job->spec.processes_max = (unsigned)value;
    }
    if (*softtofu_env_string(SOFTTOFU_ENV_RANK) != '\0') {
        if (softtofu_env_count(SOFTTOFU_ENV_RANK, 0, job->spec.processes_max - 1, &value) != 0)
            return -1;
        job->rank = (long)value;
    }
    return 0;
}

int softtofu_job_detect(struct softtofu_job *job)
{
    const struct launcher *launcher = find_launcher();
    const char *name                = softtofu_env_string(SOFTTOFU_ENV_JOB);
    const char *shape               = softtofu_env_string(SOFTTOFU_ENV_SHAPE);
    struct torus_shape parsed       = {{0}};
    unsigned long ppn;

    memset(job, 0, sizeof(*job));
    if (*name != '\0')
        snprintf(job->name, sizeof(job->name), "%s", name);
    else if (launcher != NULL)
        name_from_launcher(launcher, job->name);
    else
        snprintf(job->name, sizeof(job->name), "shared");
    if (softtofu_job_check_name(*name != '\0' ? name : job->name) != 0 ||
        detect_rank(job, launcher) != 0 ||
        softtofu_env_count(SOFTTOFU_ENV_PPN, 1, SOFTTOFU_PPN_MAX, &ppn) != 0)
        return -1;
    if (*shape != '\0' && torus_shape_parse(shape, &parsed) != 0) {
        softtofu_error("SOFTTOFU_SHAPE=%s is no shape: write six sizes XxYxZxAxBxC with x, y, z in "
                       "1..32, a and c in 1..2 and b in 1..3",
                       shape);
        return -1;
    }
    memcpy(job->spec.shape, parsed.size, sizeof(job->spec.shape));
    job->spec.ppn   = (unsigned)ppn;
    job->spec.wrap  = softtofu_env_string(SOFTTOFU_ENV_WRAP);
    job->spec.nodes = softtofu_env_string(SOFTTOFU_ENV_NODES);
    job->spec.map   = softtofu_env_string(SOFTTOFU_ENV_MAP);
    job->spec.name = job->name;
    return 0;
}
