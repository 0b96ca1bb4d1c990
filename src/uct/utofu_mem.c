/* SPDX-License-Identifier: BSD-3-Clause */
#include "utofu_mem.h"

#include "utofu_iface.h"

#include <ucm/api/ucm.h>
#include <ucs/debug/memtrack_int.h>
#include <ucs/sys/sys.h>

#include <sys/mman.h>

/** A range in the cache. */
typedef struct {
    ucs_rcache_region_t super;
    uct_utofu_mem_t mem;
} uct_utofu_region_t;

static ucs_status_t uct_utofu_mem_register(utofu_vcq_hdl_t vcq, const uct_utofu_mem_t *mem,
                                           utofu_stadd_t *stadd_p)
{
    int ret = utofu_reg_mem(vcq, mem->address, mem->length, 0, stadd_p);

    return (ret == UTOFU_SUCCESS) ? UCS_OK : uct_utofu_status(ret);
}

ucs_status_t uct_utofu_mem_target_stadd(uct_utofu_md_t *md, uct_utofu_mem_t *mem, unsigned index,
                                        utofu_stadd_t *stadd_p)
{
    ucs_status_t status = UCS_OK;

    pthread_mutex_lock(&md->lock);
    if (mem->target[index] == UCT_UTOFU_STADD_NONE) {
        status = uct_utofu_mem_register(md->target[index].vcq, mem, &mem->target[index]);
    }
    *stadd_p = mem->target[index];
    pthread_mutex_unlock(&md->lock);
    return status;
}

ucs_status_t uct_utofu_mem_init(uct_utofu_md_t *md, uct_utofu_mem_t *mem, void *address, size_t length,
                                int silent)
{
    utofu_stadd_t stadd;
    ucs_status_t status;
    unsigned i;

    mem->address = address;
    mem->length  = length;
    mem->fd      = -1;
    mem->local   = NULL;
    for (i = 0; i < UCT_UTOFU_TNIS_MAX; ++i) {
        mem->target[i] = UCT_UTOFU_STADD_NONE;
    }

    /* One target tells now whether this memory can be registered at all; the others follow when a key is packed. */
    status = uct_utofu_mem_target_stadd(md, mem, 0, &stadd);
    if (status != UCS_OK) {
        ucs_log(silent ? UCS_LOG_LEVEL_DIAG : UCS_LOG_LEVEL_ERROR, "utofu: cannot register %zu bytes at %p: %s",
                length, address, ucs_status_string(status));
        return status;
    }

    pthread_mutex_lock(&md->lock);
    ucs_list_add_tail(&md->mems, &mem->list);
    pthread_mutex_unlock(&md->lock);
    return UCS_OK;
}

void uct_utofu_mem_cleanup(uct_utofu_md_t *md, uct_utofu_mem_t *mem)
{
    unsigned i;

    pthread_mutex_lock(&md->lock);
    ucs_list_del(&mem->list);
    for (i = 0; i < md->num_targets; ++i) {
        if (mem->target[i] != UCT_UTOFU_STADD_NONE) {
            utofu_dereg_mem(md->target[i].vcq, mem->target[i], 0);
        }
    }
    for (i = 0; (mem->local != NULL) && (i < UCT_UTOFU_IFACES_MAX); ++i) {
        if (mem->local[i] != UCT_UTOFU_STADD_NONE) {
            utofu_dereg_mem(md->iface[i]->vcq, mem->local[i], 0);
        }
    }
    pthread_mutex_unlock(&md->lock);
    ucs_free(mem->local);
}

/* Others may look at the table while it is made: it is filled before it is shown. */
static utofu_stadd_t *uct_utofu_mem_local_table(uct_utofu_mem_t *mem)
{
    utofu_stadd_t *table = mem->local;
    unsigned i;

    if (table == NULL) {
        table = ucs_malloc(UCT_UTOFU_IFACES_MAX * sizeof(*table), "utofu_local_stadds");
        for (i = 0; (table != NULL) && (i < UCT_UTOFU_IFACES_MAX); ++i) {
            table[i] = UCT_UTOFU_STADD_NONE;
        }
        __atomic_store_n(&mem->local, table, __ATOMIC_RELEASE);
    }
    return table;
}

ucs_status_t uct_utofu_mem_add_local(uct_utofu_iface_t *iface, uct_utofu_mem_t *mem)
{
    uct_utofu_md_t *md  = uct_utofu_iface_md(iface);
    ucs_status_t status = UCS_ERR_NO_MEMORY;
    utofu_stadd_t *table;

    pthread_mutex_lock(&md->lock);
    table = uct_utofu_mem_local_table(mem);
    if (table != NULL) {
        status = uct_utofu_mem_register(iface->vcq, mem, &table[iface->index]);
    }
    pthread_mutex_unlock(&md->lock);
    return status;
}

/*
 * Memory that peers reach fastest is a shared mapping of an open file: on one host they can map it too. On hardware
 * it is memory like any other.
 */
ucs_status_t uct_utofu_mem_alloc(uct_md_h tl_md, size_t *length_p, void **address_p,
                                 ucs_memory_type_t mem_type, unsigned flags, const char *alloc_name,
                                 uct_mem_h *memh_p)
{
    uct_utofu_md_t *md = ucs_derived_of(tl_md, uct_utofu_md_t);
    size_t length      = ucs_align_up(*length_p, ucs_get_page_size());
    ucs_status_t status;
    uct_utofu_mem_t *mem;
    void *address;
    int fd;

    if ((mem_type != UCS_MEMORY_TYPE_HOST) || (flags & UCT_MD_MEM_FLAG_FIXED)) {
        return UCS_ERR_UNSUPPORTED;
    }

    mem = ucs_malloc(sizeof(*mem), "utofu_mem");
    if (mem == NULL) {
        return UCS_ERR_NO_MEMORY;
    }

    status = UCS_ERR_NO_MEMORY;
    fd     = memfd_create(alloc_name, MFD_CLOEXEC);
    if ((fd < 0) || (fchmod(fd, S_IRUSR | S_IWUSR) != 0) || (ftruncate(fd, length) != 0)) {
        ucs_error("utofu: cannot allocate %zu bytes for %s: %m", length, alloc_name);
        goto err_free;
    }

    address = ucs_mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0, alloc_name);
    if (address == MAP_FAILED) {
        ucs_error("utofu: cannot map %zu bytes for %s: %m", length, alloc_name);
        goto err_free;
    }

    status = uct_utofu_mem_init(md, mem, address, length, flags & UCT_MD_MEM_FLAG_HIDE_ERRORS);
    if (status != UCS_OK) {
        goto err_unmap;
    }

    mem->fd    = fd;
    *length_p  = length;
    *address_p = address;
    *memh_p    = mem;
    return UCS_OK;

err_unmap:
    ucs_munmap(address, length);
err_free:
    if (fd >= 0) {
        close(fd);
    }
    ucs_free(mem);
    return status;
}

ucs_status_t uct_utofu_mem_free(uct_md_h tl_md, uct_mem_h memh)
{
    uct_utofu_mem_t *mem = memh;

    uct_utofu_mem_cleanup(ucs_derived_of(tl_md, uct_utofu_md_t), mem);
    ucs_munmap(mem->address, mem->length);
    close(mem->fd);
    ucs_free(mem);
    return UCS_OK;
}

ucs_status_t uct_utofu_mem_reg(uct_md_h tl_md, void *address, size_t length, unsigned flags,
                               uct_mem_h *memh_p)
{
    uct_utofu_mem_t *mem = ucs_malloc(sizeof(*mem), "utofu_mem");
    ucs_status_t status;

    if (mem == NULL) {
        return UCS_ERR_NO_MEMORY;
    }
    status = uct_utofu_mem_init(ucs_derived_of(tl_md, uct_utofu_md_t), mem, address, length,
                                flags & UCT_MD_MEM_FLAG_HIDE_ERRORS);
    if (status != UCS_OK) {
        ucs_free(mem);
        return status;
    }
    *memh_p = mem;
    return UCS_OK;
}

ucs_status_t uct_utofu_mem_dereg(uct_md_h tl_md, const uct_md_mem_dereg_params_t *params)
{
    UCT_MD_MEM_DEREG_CHECK_PARAMS(params, 0);

    uct_utofu_mem_cleanup(ucs_derived_of(tl_md, uct_utofu_md_t), params->memh);
    ucs_free(params->memh);
    return UCS_OK;
}

ucs_status_t uct_utofu_mem_rcache_reg(uct_md_h tl_md, void *address, size_t length, unsigned flags,
                                      uct_mem_h *memh_p)
{
    uct_utofu_md_t *md = ucs_derived_of(tl_md, uct_utofu_md_t);
    ucs_rcache_region_t *region;
    ucs_status_t status;

    status = ucs_rcache_get(md->rcache, address, length, PROT_READ | PROT_WRITE, &flags, &region);
    if (status == UCS_OK) {
        *memh_p = &ucs_derived_of(region, uct_utofu_region_t)->mem;
    }
    return status;
}

ucs_status_t uct_utofu_mem_rcache_dereg(uct_md_h tl_md, const uct_md_mem_dereg_params_t *params)
{
    uct_utofu_md_t *md = ucs_derived_of(tl_md, uct_utofu_md_t);

    UCT_MD_MEM_DEREG_CHECK_PARAMS(params, 0);

    ucs_rcache_region_put(md->rcache, &ucs_container_of(params->memh, uct_utofu_region_t, mem)->super);
    return UCS_OK;
}

static ucs_status_t uct_utofu_rcache_reg_cb(void *context, ucs_rcache_t *rcache, void *arg,
                                            ucs_rcache_region_t *region, uint16_t rcache_flags)
{
    unsigned flags = *(unsigned *)arg;

    return uct_utofu_mem_init(context, &ucs_derived_of(region, uct_utofu_region_t)->mem,
                              (void *)region->super.start, region->super.end - region->super.start,
                              (flags & UCT_MD_MEM_FLAG_HIDE_ERRORS) ||
                                      (rcache_flags & UCS_RCACHE_MEM_REG_HIDE_ERRORS));
}

static void uct_utofu_rcache_dereg_cb(void *context, ucs_rcache_t *rcache, ucs_rcache_region_t *region)
{
    uct_utofu_mem_cleanup(context, &ucs_derived_of(region, uct_utofu_region_t)->mem);
}

static void uct_utofu_rcache_dump_cb(void *context, ucs_rcache_t *rcache, ucs_rcache_region_t *region,
                                     char *buf, size_t max)
{
    snprintf(buf, max, "stadd %#lx", ucs_derived_of(region, uct_utofu_region_t)->mem.target[0]);
}

ucs_status_t uct_utofu_mem_rcache_create(uct_utofu_md_t *md, const uct_md_rcache_config_t *config)
{
    static const ucs_rcache_ops_t ops = {.mem_reg     = uct_utofu_rcache_reg_cb,
                                         .mem_dereg   = uct_utofu_rcache_dereg_cb,
                                         .dump_region = uct_utofu_rcache_dump_cb};
    ucs_rcache_params_t params;

    uct_md_set_rcache_params(&params, config);
    params.region_struct_size = sizeof(uct_utofu_region_t);
    params.max_alignment      = ucs_get_page_size();
    params.ucm_events         = UCM_EVENT_VM_UNMAPPED;
    params.context            = md;
    params.ops                = &ops;
    params.flags              = UCS_RCACHE_FLAG_PURGE_ON_FORK;
    return ucs_rcache_create(&params, "utofu", NULL, &md->rcache);
}

ucs_status_t uct_utofu_mkey_pack(uct_md_h tl_md, uct_mem_h memh, const uct_md_mkey_pack_params_t *params,
                                 void *rkey_buffer)
{
    uct_utofu_md_t *md    = ucs_derived_of(tl_md, uct_utofu_md_t);
    uct_utofu_mem_t *mem  = memh;
    uct_utofu_rkey_t rkey  = {{0}};
    utofu_stadd_t stadd;
    ucs_status_t status;
    unsigned i;

    for (i = 0; i < md->num_targets; ++i) {
        status = uct_utofu_mem_target_stadd(md, mem, i, &stadd);
        if (status != UCS_OK) {
            return status;
        }
        rkey.delta[i] = stadd - (uintptr_t)mem->address;
    }
    memcpy(rkey_buffer, &rkey, sizeof(rkey));
    return UCS_OK;
}
