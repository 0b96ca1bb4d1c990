/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_iface.h
 * An interface: one VCQ of its own, from which it issues everything, and one ring into which peers' active messages
 * arrive. UCX gives each worker its own interface and uses it from one thread at a time, so nothing here is locked.
 */
#ifndef UCT_UTOFU_IFACE_H
#define UCT_UTOFU_IFACE_H

#include "utofu_md.h"
#include "utofu_op.h"
#include "utofu_ring.h"

#include <ucs/datastruct/arbiter.h>
#include <ucs/datastruct/mpool.h>
#include <uct/base/uct_iface.h>

typedef struct uct_utofu_iface_config {
    uct_iface_config_t super;
    size_t seg_size;
    unsigned rx_queue_len;
    uct_iface_mpool_config_t tx_mpool;
} uct_utofu_iface_config_t;

/** What a peer must know of an interface, beyond its node. */
typedef struct uct_utofu_iface_addr {
    uint64_t target;   /**< VCQ id to aim at. */
    uint64_t ring;     /**< STADD of the receive ring there. */
    uint32_t queue_len;
    uint32_t seg_size;
    uint8_t target_index; /**< Which delta of a remote key belongs to the target. */
} UCS_S_PACKED uct_utofu_iface_addr_t;

typedef struct uct_utofu_device_addr {
    uint64_t job;
    uint8_t coords[6];
} UCS_S_PACKED uct_utofu_device_addr_t;

struct uct_utofu_iface {
    uct_base_iface_t super;
    utofu_vcq_hdl_t vcq;
    uct_utofu_ops_t ops;   /**< What is under way. */
    uct_utofu_ring_t ring; /**< What comes in. */
    ucs_arbiter_t arbiter; /**< What waits for resources. */
    ucs_mpool_t tx_descs;  /**< Registered buffers. */
    uint32_t sender;       /**< Own VCQ id, as claims name it. */
    unsigned index;        /**< Interface number in the md. */
    unsigned target_index; /**< Target that peers of this interface aim at. */
    unsigned idle;         /**< Progress calls since completions were last looked for without need. */
    uint64_t progressed;   /**< Counts what may have freed a resource. */
    ucs_list_link_t eps;
    ucs_list_link_t dirty_eps; /**< With puts that no flush follows yet. */
    ucs_list_link_t failed_eps; /**< Of whose failure UCX is to be told. */
    ucs_list_link_t claims;    /**< Endpoints with a ring slot that they do not use. */
    struct {
        size_t seg_size;
    } config;
};

UCS_CLASS_DECLARE_NEW_FUNC(uct_utofu_iface_t, uct_iface_t, uct_md_h, uct_worker_h, const uct_iface_params_t *,
                           const uct_iface_config_t *);
UCS_CLASS_DECLARE_DELETE_FUNC(uct_utofu_iface_t, uct_iface_t);

extern ucs_config_field_t uct_utofu_iface_config_table[];

static inline uct_utofu_md_t *uct_utofu_iface_md(const uct_utofu_iface_t *iface)
{
    return ucs_derived_of(iface->super.md, uct_utofu_md_t);
}

/** A buffer for bounced data, registered on the interface's VCQ. */
typedef struct uct_utofu_desc {
    uct_utofu_op_t op;
    utofu_stadd_t stadd; /**< Of the data. */
    char data[0];        /**< seg_size bytes and a ring word. */
} uct_utofu_desc_t;

#endif
