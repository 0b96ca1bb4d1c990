/* SPDX-License-Identifier: BSD-3-Clause */
#include "tofutop/jobs.h"

#include "softtofu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct job {
    struct job *next;
    jtofu_job_id_t id;
    const struct torus_map *map;
    struct torus_map *copy; /**< What map points to, unless that is the device's. */
};

static struct {
    pthread_mutex_t mutex;
    unsigned users;
    struct job *own; /**< The last of the list: it was the first. */
    jtofu_rank_t rank;
    struct job *jobs;
} known = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct job *find(jtofu_job_id_t id)
{
    struct job *job = known.jobs;

    while (job != NULL && job->id != id)
        job = job->next;
    return job;
}

static void destroy(struct job *job)
{
    free(job->copy);
    free(job);
}

/* Nobody says how long a mapinfo is but itself, nor that it is aligned. */
static int copy_map(struct job *job, const void *mapinfo)
{
    struct torus_map head;

    memcpy(&head.magic, mapinfo, sizeof(head.magic));
    if (!torus_map_known(head.magic))
        return JTOFU_ERR_INVALID_ARG;
    memcpy(&head, mapinfo, sizeof(head));
    job->copy = malloc(head.bytes);
    if (job->copy == NULL)
        return JTOFU_ERR_OUT_OF_MEMORY;
    job->map = memcpy(job->copy, mapinfo, head.bytes);
    return JTOFU_SUCCESS;
}

static int running_map(struct job *job)
{
    const void *map;
    size_t bytes;
    unsigned rank;

    if (softtofu_job_map(&map, &bytes, &rank) != 0)
        return JTOFU_ERR_INTERNAL;
    job->map = map;
    return JTOFU_SUCCESS;
}

/* Assumes that the caller has the mutex. */
static int add(jtofu_job_id_t id, const void *mapinfo)
{
    struct job *job = calloc(1, sizeof(*job));
    int result;

    if (job == NULL)
        return JTOFU_ERR_OUT_OF_MEMORY;
    result = mapinfo != NULL ? copy_map(job, mapinfo) : running_map(job);
    if (result != JTOFU_SUCCESS) {
        destroy(job);
        return result;
    }
    job->id    = id;
    job->next  = known.jobs;
    known.jobs = job;
    return JTOFU_SUCCESS;
}

static int begin_first(jtofu_job_id_t id, jtofu_rank_t rank, const void *mapinfo)
{
    int result = add(id, mapinfo);

    if (result != JTOFU_SUCCESS)
        return result;
    if (rank >= known.jobs->map->job.ranks) {
        destroy(known.jobs);
        known.jobs = NULL;
        return JTOFU_ERR_INVALID_ARG;
    }
    known.own  = known.jobs;
    known.rank = rank;
    return JTOFU_SUCCESS;
}

int tofutop_begin(jtofu_job_id_t id, jtofu_rank_t rank, const void *mapinfo)
{
    int result = JTOFU_SUCCESS;

    pthread_mutex_lock(&known.mutex);
    if (known.users == 0)
        result = begin_first(id, rank, mapinfo);
    else if (id != known.own->id || rank != known.rank)
        result = JTOFU_ERR_INVALID_ARG;
    if (result == JTOFU_SUCCESS)
        known.users++;
    pthread_mutex_unlock(&known.mutex);
    return result;
}

int tofutop_end(void)
{
    int result = JTOFU_SUCCESS;

    pthread_mutex_lock(&known.mutex);
    if (known.users == 0) {
        result = JTOFU_ERR_EXCESS_FINALIZE;
    } else if (--known.users == 0) {
        while (known.jobs != NULL) {
            struct job *job = known.jobs;
            known.jobs      = job->next;
            destroy(job);
        }
        known.own = NULL;
    }
    pthread_mutex_unlock(&known.mutex);
    return result;
}

int tofutop_add(jtofu_job_id_t id, const void *mapinfo)
{
    int result;

    pthread_mutex_lock(&known.mutex);
    if (known.users == 0)
        result = JTOFU_ERR_NOT_INITIALIZED;
    else
        result = find(id) != NULL ? JTOFU_ERR_INVALID_ARG : add(id, mapinfo);
    pthread_mutex_unlock(&known.mutex);
    return result;
}

int tofutop_delete(jtofu_job_id_t id)
{
    struct job **link, *job;
    int result;

    pthread_mutex_lock(&known.mutex);
    result = known.users == 0 ? JTOFU_ERR_NOT_INITIALIZED : JTOFU_ERR_INVALID_ARG;
    for (link = &known.jobs; (job = *link) != NULL; link = &job->next) {
        if (job->id == id && job != known.own) {
            *link = job->next;
            destroy(job);
            result = JTOFU_SUCCESS;
            break;
        }
    }
    pthread_mutex_unlock(&known.mutex);
    return result;
}

int tofutop_find(jtofu_job_id_t id, const struct torus_map **map)
{
    int result = JTOFU_ERR_NOT_INITIALIZED;
    const struct job *job;

    pthread_mutex_lock(&known.mutex);
    if (known.users > 0) {
        job    = find(id);
        result = job != NULL ? JTOFU_SUCCESS : JTOFU_ERR_INVALID_ARG;
        *map   = job != NULL ? job->map : NULL;
    }
    pthread_mutex_unlock(&known.mutex);
    return result;
}

int tofutop_own(const struct torus_map **map, jtofu_rank_t *rank)
{
    int result = JTOFU_ERR_NOT_INITIALIZED;

    pthread_mutex_lock(&known.mutex);
    if (known.users > 0) {
        *map   = known.own->map;
        *rank  = known.rank;
        result = JTOFU_SUCCESS;
    }
    pthread_mutex_unlock(&known.mutex);
    return result;
}
