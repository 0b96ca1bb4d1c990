/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/pmix.h"

#include "softtofu/log.h"

#define HELP "cannot ask the PMIx launcher how many ranks the job has: %s; set SOFTTOFU_SIZE to it"

#ifdef SOFTTOFU_PMIX

#include <dlfcn.h>
#include <pmix.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    pid_t user; /**< The process that initialized it: a child must not finalize. */
    pmix_status_t (*init)(pmix_proc_t *, pmix_info_t *, size_t);
    pmix_status_t (*get)(const pmix_proc_t *, const char *, const pmix_info_t *, size_t, pmix_value_t **);
    pmix_status_t (*finalize)(const pmix_info_t *, size_t);
} pmix;

static bool load(void)
{
    /* Its own plug-ins look for its symbols among the global ones. */
    void *library = dlopen("libpmix.so.2", RTLD_LAZY | RTLD_GLOBAL);

    if (library == NULL)
        return false;
    *(void **)&pmix.init     = dlsym(library, "PMIx_Init");
    *(void **)&pmix.get      = dlsym(library, "PMIx_Get");
    *(void **)&pmix.finalize = dlsym(library, "PMIx_Finalize");
    return pmix.init != NULL && pmix.get != NULL && pmix.finalize != NULL;
}

static void finalize_at_exit(void)
{
    if (getpid() == pmix.user)
        pmix.finalize(NULL, 0);
}

static bool get_size(pmix_proc_t *self, unsigned long *size)
{
    pmix_value_t *value = NULL;
    bool found;

    self->rank = PMIX_RANK_WILDCARD;
    if (pmix.get(self, PMIX_JOB_SIZE, NULL, 0, &value) != PMIX_SUCCESS || value == NULL)
        return false;
    found = value->type == PMIX_UINT32;
    *size = value->data.uint32;
    free(value);
    return found;
}

int softtofu_pmix_job_size(unsigned long *size)
{
    pmix_proc_t self;

    if (!load()) {
        softtofu_error(HELP, "libpmix.so.2 cannot be loaded");
        return -1;
    }
    memset(&self, 0, sizeof(self));
    if (pmix.init(&self, NULL, 0) != PMIX_SUCCESS) {
        softtofu_error(HELP, "it does not answer");
        return -1;
    }
    pmix.user = getpid();
    atexit(finalize_at_exit);
    if (!get_size(&self, size)) {
        softtofu_error(HELP, "it does not know");
        return -1;
    }
    return 0;
}

#else

int softtofu_pmix_job_size(unsigned long *size)
{
    (void)size;
    softtofu_error(HELP, "this libtofucom was built without PMIx");
    return -1;
}

#endif
