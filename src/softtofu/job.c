/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/job.h"

#include "softtofu/env.h"
#include "softtofu/launcher.h"
#include "softtofu/limits.h"
#include "softtofu/log.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

/* What SOFTTOFU_SIZE or else the launcher says; the launcher is only asked for what is needed. */
static int detect_size(const struct softtofu_launcher *launcher, unsigned long *size)
{
    *size = SOFTTOFU_SHARED_JOB_PROCESSES;
    if (*softtofu_env_string(SOFTTOFU_ENV_SIZE) != '\0')
        return softtofu_env_count(SOFTTOFU_ENV_SIZE, 1, SOFTTOFU_PROCESSES_MAX, size);
    return launcher != NULL ? softtofu_launcher_size(launcher, size) : 0;
}

static int detect_rank(struct softtofu_job *job, const struct softtofu_launcher *launcher)
{
    unsigned long size, rank;

    job->rank = SOFTTOFU_RANK_ANY;
    if (detect_size(launcher, &size) != 0)
        return -1;
    job->spec.processes_max = (unsigned)size;
    if (*softtofu_env_string(SOFTTOFU_ENV_RANK) != '\0') {
        if (softtofu_env_count(SOFTTOFU_ENV_RANK, 0, size - 1, &rank) != 0)
            return -1;
    } else if (launcher == NULL) {
        return 0;
    } else if (softtofu_launcher_rank(launcher, size, &rank) != 0) {
        return -1;
    }
    job->rank = (long)rank;
    return 0;
}

int softtofu_job_detect(struct softtofu_job *job)
{
    const struct softtofu_launcher *launcher = softtofu_launcher_find();
    const char *name                = softtofu_env_string(SOFTTOFU_ENV_JOB);
    const char *shape               = softtofu_env_string(SOFTTOFU_ENV_SHAPE);
    struct torus_shape parsed       = {{0}};
    unsigned long ppn;

    memset(job, 0, sizeof(*job));
    if (*name != '\0')
        snprintf(job->name, sizeof(job->name), "%s", name);
    else if (launcher != NULL)
        softtofu_launcher_job(launcher, job->name);
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
