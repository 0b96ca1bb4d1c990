/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_md.h
 * The memory domain: a target VCQ on each TNI, which owns everything that peers may reach, and the cache of
 * registrations.
 */
#ifndef UCT_UTOFU_MD_H
#define UCT_UTOFU_MD_H

#include "utofu_def.h"

#include <ucs/datastruct/list.h>
#include <ucs/memory/rcache.h>
#include <ucs/type/init_once.h>
#include <uct/base/uct_md.h>

#include <pthread.h>

typedef struct uct_utofu_md_config {
    uct_md_config_t super;
    char *job;
    ucs_ternary_auto_value_t rcache_enable;
    uct_md_rcache_config_t rcache;
} uct_utofu_md_config_t;

/** A VCQ that peers aim at. */
typedef struct uct_utofu_target {
    utofu_vcq_hdl_t vcq;
    utofu_vcq_id_t id;
    utofu_tni_id_t tni;
} uct_utofu_target_t;

struct uct_utofu_md {
    uct_md_t super;
    uint64_t job; /**< Hash of the job's identity: peers of another job are out of reach. */
    uint8_t coords[6];
    unsigned num_targets;
    uct_utofu_target_t target[UCT_UTOFU_TNIS_MAX];

    /**
     * Guards registration: the list of memory, who uses which interface number, and the calls that register.
     * Recursive, because UCX may release memory from within a hook of munmap. Data paths take it only when an
     * interface meets memory for the first time.
     */
    pthread_mutex_t lock;
    ucs_list_link_t mems;
    uct_utofu_iface_t *iface[UCT_UTOFU_IFACES_MAX];
    unsigned next_iface; /**< Spreads interfaces over TNIs. */
    ucs_rcache_t *rcache; /**< NULL: switched off. */
};

extern ucs_config_field_t uct_utofu_md_config_table[];

ucs_status_t uct_utofu_md_open(uct_component_t *component, const char *name, const uct_md_config_t *config,
                               uct_md_h *md_p);

/** Take a free interface number for @a iface. @return It, or -1 if all are taken. */
int uct_utofu_md_add_iface(uct_utofu_md_t *md, uct_utofu_iface_t *iface);

/** Forget @a iface and all registrations on its VCQ, which the caller frees next. */
void uct_utofu_md_remove_iface(uct_utofu_md_t *md, uct_utofu_iface_t *iface);

#endif
