/* SPDX-License-Identifier: BSD-3-Clause */
/* jTofu's beginning and end, and its jobs. */
#include "softtofu.h"
#include "tofutop/jobs.h"

int jtofu_initialize(jtofu_job_id_t job_id, jtofu_rank_t rank, const void *mapinfo)
{
    return tofutop_begin(job_id, rank, mapinfo);
}

int jtofu_finalize(void)
{
    return tofutop_end();
}

int jtofu_add_job(jtofu_job_id_t job_id, const void *mapinfo)
{
    return tofutop_add(job_id, mapinfo);
}

int jtofu_delete_job(jtofu_job_id_t job_id)
{
    return tofutop_delete(job_id);
}

void jtofu_query_jtofu_version(int *major_ver, int *minor_ver)
{
    *major_ver = JTOFU_VERSION_MAJOR;
    *minor_ver = JTOFU_VERSION_MINOR;
}

int jtofu_create_mapinfo_by_envvars(void **mapinfo, size_t *mapinfo_size, unsigned int *num_proc)
{
    if (mapinfo == NULL || mapinfo_size == NULL || num_proc == NULL)
        return JTOFU_ERR_INVALID_POINTER;
    if (softtofu_job_describe(mapinfo, mapinfo_size, num_proc) != 0)
        return JTOFU_ERR_INTERNAL;
    return JTOFU_SUCCESS;
}
