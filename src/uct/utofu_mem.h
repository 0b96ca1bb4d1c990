/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_mem.h
 * A range of memory: registered on target VCQs for peers, and on the VCQ of each interface that uses it as a local
 * buffer, on first use.
 */
#ifndef UCT_UTOFU_MEM_H
#define UCT_UTOFU_MEM_H

#include "utofu_md.h"

struct uct_utofu_mem {
    ucs_list_link_t list; /**< In the md. */
    void *address;
    size_t length;
    int fd; /**< Of the file behind memory that mem_alloc made; -1 for others'. */
    utofu_stadd_t target[UCT_UTOFU_TNIS_MAX]; /**< UCT_UTOFU_STADD_NONE: not registered there. */
    /** By interface number; NULL until an interface uses the memory. Each entry is written by its interface. */
    utofu_stadd_t *local;
};

#define UCT_UTOFU_STADD_NONE UINT64_MAX

/**
 * Prepare a range and register it on the first target.
 * @param[in] silent  Do not log why it fails.
 */
ucs_status_t uct_utofu_mem_init(uct_utofu_md_t *md, uct_utofu_mem_t *mem, void *address, size_t length,
                                int silent);
void uct_utofu_mem_cleanup(uct_utofu_md_t *md, uct_utofu_mem_t *mem);

/** STADD of the range's first byte on target number @a index, registered there on first use. */
ucs_status_t uct_utofu_mem_target_stadd(uct_utofu_md_t *md, uct_utofu_mem_t *mem, unsigned index,
                                        utofu_stadd_t *stadd_p);

/** Register the range on @a iface's VCQ. Called once per range and interface, by the next function. */
ucs_status_t uct_utofu_mem_add_local(uct_utofu_iface_t *iface, uct_utofu_mem_t *mem);

ucs_status_t uct_utofu_mem_alloc(uct_md_h md, size_t *length_p, void **address_p, ucs_memory_type_t mem_type,
                                 unsigned flags, const char *alloc_name, uct_mem_h *memh_p);
ucs_status_t uct_utofu_mem_free(uct_md_h md, uct_mem_h memh);
ucs_status_t uct_utofu_mem_reg(uct_md_h md, void *address, size_t length, unsigned flags, uct_mem_h *memh_p);
ucs_status_t uct_utofu_mem_dereg(uct_md_h md, const uct_md_mem_dereg_params_t *params);
ucs_status_t uct_utofu_mem_rcache_reg(uct_md_h md, void *address, size_t length, unsigned flags,
                                      uct_mem_h *memh_p);
ucs_status_t uct_utofu_mem_rcache_dereg(uct_md_h md, const uct_md_mem_dereg_params_t *params);
ucs_status_t uct_utofu_mkey_pack(uct_md_h md, uct_mem_h memh, const uct_md_mkey_pack_params_t *params,
                                 void *rkey_buffer);

/** Make, and destroy, the cache of registrations, which UCX empties of memory that is unmapped. */
ucs_status_t uct_utofu_mem_rcache_create(uct_utofu_md_t *md, const uct_md_rcache_config_t *config);

#endif
