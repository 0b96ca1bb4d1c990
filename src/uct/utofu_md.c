/* SPDX-License-Identifier: BSD-3-Clause */
#include "utofu_md.h"

#include "utofu_iface.h"
#include "utofu_mem.h"

#include <ucs/algorithm/crc.h>
#include <ucs/debug/memtrack_int.h>
#include <ucs/sys/string.h>

ucs_config_field_t uct_utofu_md_config_table[] = {
    {"", "", NULL, ucs_offsetof(uct_utofu_md_config_t, super), UCS_CONFIG_TYPE_TABLE(uct_md_config_table)},

    {"JOB", "",
     "Identity of the job. Peers with another one are taken for unreachable. Set by launchers that know it.",
     ucs_offsetof(uct_utofu_md_config_t, job), UCS_CONFIG_TYPE_STRING},

    {"RCACHE", "try",
     "Keep registrations of user memory until the memory is unmapped. \"try\": unless UCX cannot see that happen.",
     ucs_offsetof(uct_utofu_md_config_t, rcache_enable), UCS_CONFIG_TYPE_TERNARY},

    {"", "", NULL, ucs_offsetof(uct_utofu_md_config_t, rcache), UCS_CONFIG_TYPE_TABLE(uct_md_config_rcache_table)},

    {NULL}};

static ucs_status_t uct_utofu_md_query(uct_md_h tl_md, uct_md_attr_t *attr)
{
    uct_utofu_md_t *md = ucs_derived_of(tl_md, uct_utofu_md_t);

    attr->cap.flags            = UCT_MD_FLAG_REG | UCT_MD_FLAG_ALLOC | UCT_MD_FLAG_NEED_MEMH | UCT_MD_FLAG_NEED_RKEY;
    attr->cap.reg_mem_types    = UCS_BIT(UCS_MEMORY_TYPE_HOST);
    attr->cap.alloc_mem_types  = UCS_BIT(UCS_MEMORY_TYPE_HOST);
    attr->cap.access_mem_types = UCS_BIT(UCS_MEMORY_TYPE_HOST);
    attr->cap.detect_mem_types = 0;
    attr->cap.max_alloc        = SIZE_MAX;
    attr->cap.max_reg          = ULONG_MAX;
    attr->rkey_packed_size     = sizeof(uct_utofu_rkey_t);
    /* With the cache a look-up, without it the driver's work for each page. */
    attr->reg_cost = (md->rcache != NULL) ? ucs_linear_func_make(100e-9, 0) : ucs_linear_func_make(10e-6, 0.03e-9);
    memset(&attr->local_cpus, 0xff, sizeof(attr->local_cpus));
    return UCS_OK;
}

static void uct_utofu_md_free_targets(uct_utofu_md_t *md)
{
    unsigned i;

    for (i = 0; i < md->num_targets; ++i) {
        utofu_free_vcq(md->target[i].vcq);
    }
}

static void uct_utofu_md_close(uct_md_h tl_md)
{
    uct_utofu_md_t *md = ucs_derived_of(tl_md, uct_utofu_md_t);

    if (md->rcache != NULL) {
        ucs_rcache_destroy(md->rcache);
    }
    uct_utofu_md_free_targets(md);
    pthread_mutex_destroy(&md->lock);
    ucs_free(md);
}

static uct_md_ops_t uct_utofu_md_ops = {
    .close                  = uct_utofu_md_close,
    .query                  = uct_utofu_md_query,
    .mem_alloc              = uct_utofu_mem_alloc,
    .mem_free               = uct_utofu_mem_free,
    .mem_reg                = uct_utofu_mem_reg,
    .mem_dereg              = uct_utofu_mem_dereg,
    .mkey_pack              = uct_utofu_mkey_pack,
    .is_sockaddr_accessible = ucs_empty_function_return_zero_int,
    .detect_memory_type     = ucs_empty_function_return_unsupported,
};

static uct_md_ops_t uct_utofu_md_rcache_ops = {
    .close                  = uct_utofu_md_close,
    .query                  = uct_utofu_md_query,
    .mem_alloc              = uct_utofu_mem_alloc,
    .mem_free               = uct_utofu_mem_free,
    .mem_reg                = uct_utofu_mem_rcache_reg,
    .mem_dereg              = uct_utofu_mem_rcache_dereg,
    .mkey_pack              = uct_utofu_mkey_pack,
    .is_sockaddr_accessible = ucs_empty_function_return_zero_int,
    .detect_memory_type     = ucs_empty_function_return_unsupported,
};

/* One target VCQ on each TNI that has room; one is enough to be reached. */
static ucs_status_t uct_utofu_md_create_targets(uct_utofu_md_t *md)
{
    utofu_tni_id_t *tnis;
    size_t num_tnis, i;
    int ret;

    ret = utofu_get_onesided_tnis(&tnis, &num_tnis);
    if (ret != UTOFU_SUCCESS) {
        return uct_utofu_status(ret);
    }

    for (i = 0; (i < num_tnis) && (md->num_targets < UCT_UTOFU_TNIS_MAX); ++i) {
        uct_utofu_target_t *target = &md->target[md->num_targets];

        target->tni = tnis[i];
        ret         = utofu_create_vcq(tnis[i], 0, &target->vcq);
        if (ret != UTOFU_SUCCESS) {
            ucs_debug("utofu: no VCQ on TNI %u: %d", tnis[i], ret);
            continue;
        }
        utofu_query_vcq_id(target->vcq, &target->id);
        ++md->num_targets;
    }
    free(tnis);
    return (md->num_targets > 0) ? UCS_OK : uct_utofu_status(ret);
}

static void uct_utofu_md_init_lock(uct_utofu_md_t *md)
{
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&md->lock, &attr);
    pthread_mutexattr_destroy(&attr);
}

ucs_status_t uct_utofu_md_open(uct_component_t *component, const char *name, const uct_md_config_t *tl_config,
                               uct_md_h *md_p)
{
    const uct_utofu_md_config_t *config = ucs_derived_of(tl_config, uct_utofu_md_config_t);
    ucs_status_t status;
    uct_utofu_md_t *md;

    md = ucs_calloc(1, sizeof(*md), "utofu_md");
    if (md == NULL) {
        return UCS_ERR_NO_MEMORY;
    }

    md->super.ops       = &uct_utofu_md_ops;
    md->super.component = component;
    md->job             = ucs_crc32(0, config->job, strlen(config->job));
    ucs_list_head_init(&md->mems);
    uct_utofu_md_init_lock(md);

    status = uct_utofu_md_create_targets(md);
    if (status != UCS_OK) {
        ucs_error("utofu: cannot create a VCQ on any TNI: %s", ucs_status_string(status));
        goto err_free;
    }
    utofu_query_my_coords(md->coords);

    if (config->rcache_enable != UCS_NO) {
        status = uct_utofu_mem_rcache_create(md, &config->rcache);
        if (status == UCS_OK) {
            md->super.ops = &uct_utofu_md_rcache_ops;
        } else if (config->rcache_enable == UCS_YES) {
            ucs_error("utofu: cannot create the registration cache: %s; set UCX_UTOFU_RCACHE=try to do without",
                      ucs_status_string(status));
            goto err_free_targets;
        } else {
            ucs_debug("utofu: no registration cache: %s", ucs_status_string(status));
        }
    }

    *md_p = &md->super;
    return UCS_OK;

err_free_targets:
    uct_utofu_md_free_targets(md);
err_free:
    pthread_mutex_destroy(&md->lock);
    ucs_free(md);
    return status;
}

int uct_utofu_md_add_iface(uct_utofu_md_t *md, uct_utofu_iface_t *iface)
{
    int index = -1, i;

    pthread_mutex_lock(&md->lock);
    for (i = 0; (i < UCT_UTOFU_IFACES_MAX) && (index < 0); ++i) {
        if (md->iface[i] == NULL) {
            md->iface[i] = iface;
            index        = i;
        }
    }
    pthread_mutex_unlock(&md->lock);
    return index;
}

void uct_utofu_md_remove_iface(uct_utofu_md_t *md, uct_utofu_iface_t *iface)
{
    uct_utofu_mem_t *mem;

    pthread_mutex_lock(&md->lock);
    ucs_list_for_each(mem, &md->mems, list) {
        if ((mem->local != NULL) && (mem->local[iface->index] != UCT_UTOFU_STADD_NONE)) {
            utofu_dereg_mem(iface->vcq, mem->local[iface->index], 0);
            mem->local[iface->index] = UCT_UTOFU_STADD_NONE;
        }
    }
    md->iface[iface->index] = NULL;
    pthread_mutex_unlock(&md->lock);
}
