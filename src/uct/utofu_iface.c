/* SPDX-License-Identifier: BSD-3-Clause */
#include "utofu_iface.h"

#include "utofu_am.h"
#include "utofu_amo.h"
#include "utofu_ep.h"
#include "utofu_mem.h"
#include "utofu_rma.h"

#include <ucs/sys/math.h>

/** Progress calls without anything under way between two looks at the MRQ, where failures of silent puts come. */
#define UCT_UTOFU_IDLE_POLL 64

ucs_config_field_t uct_utofu_iface_config_table[] = {
    /* Buffers come from the md, so that they are registered a chunk at a time and are memory of the fast kind. */
    {"", "ALLOC=md,mmap,heap", NULL, ucs_offsetof(uct_utofu_iface_config_t, super),
     UCS_CONFIG_TYPE_TABLE(uct_iface_config_table)},

    {"SEG_SIZE", "8k", "Largest active message, and largest put or get that is copied through a buffer.",
     ucs_offsetof(uct_utofu_iface_config_t, seg_size), UCS_CONFIG_TYPE_MEMUNITS},

    {"RX_QUEUE_LEN", "128",
     "Active messages that may wait in an interface's receive ring, from all peers together. A power of two.",
     ucs_offsetof(uct_utofu_iface_config_t, rx_queue_len), UCS_CONFIG_TYPE_UINT},

    UCT_IFACE_MPOOL_CONFIG_FIELDS("TX_", -1, 32, "send", ucs_offsetof(uct_utofu_iface_config_t, tx_mpool), ""),

    {NULL}};

static void uct_utofu_iface_query_rma(const uct_utofu_iface_t *iface, uct_iface_attr_t *attr)
{
    attr->cap.flags |= UCT_IFACE_FLAG_PUT_SHORT | UCT_IFACE_FLAG_PUT_BCOPY | UCT_IFACE_FLAG_PUT_ZCOPY |
                       UCT_IFACE_FLAG_GET_BCOPY | UCT_IFACE_FLAG_GET_ZCOPY;

    attr->cap.put.max_short       = UCT_UTOFU_SHORT_MAX;
    attr->cap.put.max_bcopy       = iface->config.seg_size;
    attr->cap.put.min_zcopy       = 0;
    attr->cap.put.max_zcopy       = UCT_UTOFU_ZCOPY_MAX;
    attr->cap.put.opt_zcopy_align = 1;
    attr->cap.put.align_mtu       = 1;
    attr->cap.put.max_iov         = 1;

    attr->cap.get.max_bcopy       = iface->config.seg_size;
    attr->cap.get.min_zcopy       = 0;
    attr->cap.get.max_zcopy       = UCT_UTOFU_ZCOPY_MAX;
    attr->cap.get.opt_zcopy_align = 1;
    attr->cap.get.align_mtu       = 1;
    attr->cap.get.max_iov         = 1;
}

static void uct_utofu_iface_query_amo(uct_iface_attr_t *attr)
{
    uint64_t op  = UCS_BIT(UCT_ATOMIC_OP_ADD) | UCS_BIT(UCT_ATOMIC_OP_AND) | UCS_BIT(UCT_ATOMIC_OP_OR) |
                   UCS_BIT(UCT_ATOMIC_OP_XOR);
    uint64_t fop = op | UCS_BIT(UCT_ATOMIC_OP_SWAP) | UCS_BIT(UCT_ATOMIC_OP_CSWAP);

    attr->cap.flags |= UCT_IFACE_FLAG_ATOMIC_DEVICE;
    attr->cap.atomic32.op_flags  = op;
    attr->cap.atomic64.op_flags  = op;
    attr->cap.atomic32.fop_flags = fop;
    attr->cap.atomic64.fop_flags = fop;
}

static ucs_status_t uct_utofu_iface_query(uct_iface_h tl_iface, uct_iface_attr_t *attr)
{
    uct_utofu_iface_t *iface = ucs_derived_of(tl_iface, uct_utofu_iface_t);

    uct_base_iface_query(&iface->super, attr);
    attr->iface_addr_len  = sizeof(uct_utofu_iface_addr_t);
    attr->device_addr_len = sizeof(uct_utofu_device_addr_t);
    attr->ep_addr_len     = 0;
    attr->max_conn_priv   = 0;
    attr->cap.flags       = UCT_IFACE_FLAG_CONNECT_TO_IFACE | UCT_IFACE_FLAG_PENDING | UCT_IFACE_FLAG_CB_SYNC |
                            UCT_IFACE_FLAG_EP_CHECK | UCT_IFACE_FLAG_ERRHANDLE_PEER_FAILURE |
                            UCT_IFACE_FLAG_AM_SHORT | UCT_IFACE_FLAG_AM_BCOPY;
    attr->cap.am.max_short       = iface->config.seg_size;
    attr->cap.am.max_bcopy       = iface->config.seg_size;
    attr->cap.am.opt_zcopy_align = 1;
    attr->cap.am.align_mtu       = 1;
    attr->cap.am.max_iov         = 1;
    uct_utofu_iface_query_rma(iface, attr);
    uct_utofu_iface_query_amo(attr);

    /* Published for Tofu-D: 0.49 us latency of an 8-byte put, 6.35 GB/s through one TNI. */
    attr->latency             = ucs_linear_func_make(490e-9, 0);
    attr->bandwidth.dedicated = 6350e6;
    attr->bandwidth.shared    = 0;
    attr->overhead            = 50e-9;
    attr->priority            = 0;
    return UCS_OK;
}

static ucs_status_t uct_utofu_iface_get_address(uct_iface_h tl_iface, uct_iface_addr_t *tl_addr)
{
    uct_utofu_iface_t *iface    = ucs_derived_of(tl_iface, uct_utofu_iface_t);
    uct_utofu_iface_addr_t addr = {.target       = uct_utofu_iface_md(iface)->target[iface->target_index].id,
                                   .ring         = iface->ring.stadd,
                                   .queue_len    = iface->ring.length,
                                   .seg_size     = iface->ring.seg_size,
                                   .target_index = iface->target_index};

    memcpy(tl_addr, &addr, sizeof(addr));
    return UCS_OK;
}

static ucs_status_t uct_utofu_iface_get_device_address(uct_iface_h tl_iface, uct_device_addr_t *tl_addr)
{
    uct_utofu_md_t *md           = uct_utofu_iface_md(ucs_derived_of(tl_iface, uct_utofu_iface_t));
    uct_utofu_device_addr_t addr = {.job = md->job};

    memcpy(addr.coords, md->coords, sizeof(addr.coords));
    memcpy(tl_addr, &addr, sizeof(addr));
    return UCS_OK;
}

static int uct_utofu_iface_is_reachable(const uct_iface_h tl_iface, const uct_device_addr_t *tl_addr,
                                        const uct_iface_addr_t *iface_addr)
{
    uct_utofu_md_t *md = uct_utofu_iface_md(ucs_derived_of(tl_iface, uct_utofu_iface_t));
    uct_utofu_device_addr_t addr;

    if (tl_addr == NULL) {
        return 0;
    }
    memcpy(&addr, tl_addr, sizeof(addr));
    return addr.job == md->job;
}

/* What need not be looked at in every progress call, unless something is under way. */
static UCS_F_NOINLINE unsigned uct_utofu_iface_progress_slow(uct_utofu_iface_t *iface)
{
    unsigned count;

    iface->idle = 0;
    count       = uct_utofu_ops_poll(iface, NULL);
    count      += uct_utofu_ops_complete(iface);
    count      += uct_utofu_ep_tell_failures(iface);
    uct_utofu_am_age_claims(iface);
    uct_utofu_ring_examine(iface);
    return count;
}

static unsigned uct_utofu_iface_progress(uct_iface_h tl_iface)
{
    uct_utofu_iface_t *iface = ucs_derived_of(tl_iface, uct_utofu_iface_t);
    unsigned count           = 0;

    if (ucs_unlikely(uct_utofu_ring_is_ready(&iface->ring))) {
        count = uct_utofu_ring_take(iface);
    }
    if (ucs_unlikely((iface->ops.unfinished != 0) || (++iface->idle == UCT_UTOFU_IDLE_POLL))) {
        count += uct_utofu_iface_progress_slow(iface);
    }
    if (ucs_unlikely(!ucs_arbiter_is_empty(&iface->arbiter))) {
        /* Who waits for a resource may wait for a peer that is gone, so look for failures each time. */
        count += uct_utofu_iface_progress_slow(iface);
        ucs_arbiter_dispatch(&iface->arbiter, 1, uct_utofu_ep_dispatch, &count);
    }
    return count;
}

static ucs_status_t uct_utofu_iface_flush(uct_iface_h tl_iface, unsigned flags, uct_completion_t *comp)
{
    uct_utofu_iface_t *iface = ucs_derived_of(tl_iface, uct_utofu_iface_t);
    ucs_status_t status, result = UCS_OK;
    uct_utofu_ep_t *ep, *next;

    if (comp != NULL) {
        return UCS_ERR_UNSUPPORTED;
    }
    ucs_list_for_each_safe(ep, next, &iface->dirty_eps, dirty) {
        status = uct_utofu_ep_flush(&ep->super.super, 0, NULL);
        /* What failed with its endpoint is told by the endpoint. */
        if (UCS_STATUS_IS_ERR(status) && (status != UCS_ERR_NO_RESOURCE) && !(ep->gate & UCT_UTOFU_EP_FAILED)) {
            return status;
        }
        if (status != UCS_OK) {
            result = UCS_INPROGRESS;
        }
    }
    /* Who waits by this for all to end also waits to hear what failed. */
    if ((iface->ops.unfinished != 0) || !ucs_list_is_empty(&iface->failed_eps)) {
        result = UCS_INPROGRESS;
    }
    return result;
}

static ucs_status_t uct_utofu_iface_fence(uct_iface_h tl_iface, unsigned flags)
{
    return UCS_OK;
}

static uct_iface_ops_t uct_utofu_iface_ops = {
    .ep_put_short             = uct_utofu_ep_put_short,
    .ep_put_bcopy             = uct_utofu_ep_put_bcopy,
    .ep_put_zcopy             = uct_utofu_ep_put_zcopy,
    .ep_get_bcopy             = uct_utofu_ep_get_bcopy,
    .ep_get_zcopy             = uct_utofu_ep_get_zcopy,
    .ep_am_short              = uct_utofu_ep_am_short,
    .ep_am_short_iov          = uct_base_ep_am_short_iov,
    .ep_am_bcopy              = uct_utofu_ep_am_bcopy,
    .ep_atomic32_post         = uct_utofu_ep_atomic32_post,
    .ep_atomic64_post         = uct_utofu_ep_atomic64_post,
    .ep_atomic32_fetch        = uct_utofu_ep_atomic32_fetch,
    .ep_atomic64_fetch        = uct_utofu_ep_atomic64_fetch,
    .ep_atomic_cswap32        = uct_utofu_ep_atomic_cswap32,
    .ep_atomic_cswap64        = uct_utofu_ep_atomic_cswap64,
    .ep_pending_add           = uct_utofu_ep_pending_add,
    .ep_pending_purge         = uct_utofu_ep_pending_purge,
    .ep_flush                 = uct_utofu_ep_flush,
    .ep_fence                 = uct_utofu_ep_fence,
    .ep_check                 = uct_utofu_ep_check,
    .ep_create                = UCS_CLASS_NEW_FUNC_NAME(uct_utofu_ep_t),
    .ep_destroy               = UCS_CLASS_DELETE_FUNC_NAME(uct_utofu_ep_t),
    .iface_flush              = uct_utofu_iface_flush,
    .iface_fence              = uct_utofu_iface_fence,
    .iface_progress_enable    = uct_base_iface_progress_enable,
    .iface_progress_disable   = uct_base_iface_progress_disable,
    .iface_progress           = uct_utofu_iface_progress,
    .iface_close              = UCS_CLASS_DELETE_FUNC_NAME(uct_utofu_iface_t),
    .iface_query              = uct_utofu_iface_query,
    .iface_get_device_address = uct_utofu_iface_get_device_address,
    .iface_get_address        = uct_utofu_iface_get_address,
    .iface_is_reachable       = uct_utofu_iface_is_reachable,
};

/* A VCQ alone on its CQ while there are any, then a shared one; TNI after TNI, starting where the last one ended. */
static ucs_status_t uct_utofu_iface_create_vcq(uct_utofu_iface_t *self, uct_utofu_md_t *md)
{
    static const unsigned long kinds[] = {UTOFU_VCQ_FLAG_EXCLUSIVE, 0};
    unsigned first                     = __atomic_fetch_add(&md->next_iface, 1, __ATOMIC_RELAXED);
    utofu_vcq_id_t id;
    unsigned kind, i, target;
    int ret = UTOFU_ERR_FULL;

    for (kind = 0; kind < ucs_static_array_size(kinds); ++kind) {
        for (i = 0; i < md->num_targets; ++i) {
            target = (first + i) % md->num_targets;
            ret    = utofu_create_vcq(md->target[target].tni, kinds[kind], &self->vcq);
            if (ret == UTOFU_SUCCESS) {
                utofu_query_vcq_id(self->vcq, &id);
                self->sender       = uct_utofu_am_sender_encode(id);
                self->target_index = target;
                return UCS_OK;
            }
        }
    }
    ucs_error("utofu: no VCQ is left on %u TNIs (uTofu error %d): use fewer workers per process or fewer "
              "processes per node", md->num_targets, ret);
    return uct_utofu_status(ret);
}

static void uct_utofu_desc_init(uct_iface_h tl_iface, void *obj, uct_mem_h memh)
{
    uct_utofu_iface_t *iface = ucs_derived_of(tl_iface, uct_utofu_iface_t);
    uct_utofu_desc_t *desc   = obj;
    uct_utofu_mem_t *mem     = memh;

    if (((mem->local == NULL) || (mem->local[iface->index] == UCT_UTOFU_STADD_NONE)) &&
        (uct_utofu_mem_add_local(iface, mem) != UCS_OK)) {
        ucs_fatal("utofu: cannot register a chunk of send buffers");
    }
    desc->stadd       = mem->local[iface->index] + UCS_PTR_BYTE_DIFF(mem->address, desc->data);
    desc->op.complete = uct_utofu_op_complete_default;
    desc->op.comp     = NULL;
    desc->op.is_flush = 0;
}

static ucs_status_t uct_utofu_iface_check_config(const uct_utofu_iface_config_t *config,
                                                 const uct_iface_params_t *params)
{
    size_t align, align_offset;

    if (!ucs_is_pow2(config->rx_queue_len) || (config->rx_queue_len < 2) || (config->seg_size < 64) ||
        (config->seg_size > UCS_MBYTE)) {
        ucs_error("utofu: UCX_UTOFU_RX_QUEUE_LEN=%u must be a power of two from 2 on, UCX_UTOFU_SEG_SIZE=%zu from 64 "
                  "bytes to 1 MB", config->rx_queue_len, config->seg_size);
        return UCS_ERR_INVALID_PARAM;
    }
    if ((params->field_mask & UCT_IFACE_PARAM_FIELD_AM_ALIGNMENT) && !ucs_is_pow2(params->am_alignment)) {
        ucs_error("utofu: alignment %zu of active messages is no power of two", params->am_alignment);
        return UCS_ERR_INVALID_PARAM;
    }
    /* Messages are handed over where they arrived, so an alignment can be checked but not chosen. */
    return uct_iface_param_am_alignment(params, config->seg_size, 0, 0, &align, &align_offset);
}

static UCS_CLASS_INIT_FUNC(uct_utofu_iface_t, uct_md_h tl_md, uct_worker_h worker, const uct_iface_params_t *params,
                           const uct_iface_config_t *tl_config)
{
    uct_utofu_iface_config_t *config = ucs_derived_of(tl_config, uct_utofu_iface_config_t);
    uct_utofu_md_t *md               = ucs_derived_of(tl_md, uct_utofu_md_t);
    ucs_status_t status;
    int index;

    UCS_CLASS_CALL_SUPER_INIT(uct_base_iface_t, &uct_utofu_iface_ops, &uct_base_iface_internal_ops, tl_md, worker,
                              params, tl_config
                              UCS_STATS_ARG((params->field_mask & UCT_IFACE_PARAM_FIELD_STATS_ROOT) ?
                                            params->stats_root : NULL)
                              UCS_STATS_ARG("utofu"));

    status = uct_utofu_iface_check_config(config, params);
    if (status != UCS_OK) {
        return status;
    }
    self->config.seg_size = config->seg_size;
    self->idle            = 0;
    self->progressed      = 0;
    ucs_list_head_init(&self->eps);
    ucs_list_head_init(&self->dirty_eps);
    ucs_list_head_init(&self->failed_eps);
    ucs_list_head_init(&self->claims);

    index = uct_utofu_md_add_iface(md, self);
    if (index < 0) {
        ucs_error("utofu: this process has %d interfaces already", UCT_UTOFU_IFACES_MAX);
        return UCS_ERR_EXCEEDS_LIMIT;
    }
    self->index = index;

    status = uct_utofu_iface_create_vcq(self, md);
    if (status != UCS_OK) {
        goto err_remove;
    }
    status = uct_utofu_ops_init(&self->ops);
    if (status != UCS_OK) {
        goto err_free_vcq;
    }
    status = uct_utofu_ring_init(self, config->rx_queue_len, config->seg_size);
    if (status != UCS_OK) {
        goto err_ops;
    }
    /* The word of a ring slot follows the data of a message. */
    status = uct_iface_mpool_init(&self->super, &self->tx_descs,
                                  sizeof(uct_utofu_desc_t) + config->seg_size + 2 * sizeof(uint64_t),
                                  sizeof(uct_utofu_desc_t), UCS_SYS_CACHE_LINE_SIZE, &config->tx_mpool, 32,
                                  uct_utofu_desc_init, "utofu_tx_descs");
    if (status != UCS_OK) {
        goto err_ring;
    }
    ucs_arbiter_init(&self->arbiter);
    return UCS_OK;

err_ring:
    uct_utofu_ring_cleanup(self);
err_ops:
    uct_utofu_ops_cleanup(&self->ops);
err_free_vcq:
    uct_utofu_md_remove_iface(md, self);
    utofu_free_vcq(self->vcq);
    return status;
err_remove:
    uct_utofu_md_remove_iface(md, self);
    return status;
}

static UCS_CLASS_CLEANUP_FUNC(uct_utofu_iface_t)
{
    uct_base_iface_progress_disable(&self->super.super, UCT_PROGRESS_SEND | UCT_PROGRESS_RECV);
    ucs_arbiter_cleanup(&self->arbiter);
    ucs_mpool_cleanup(&self->tx_descs, 0);
    uct_utofu_ring_cleanup(self);
    uct_utofu_ops_cleanup(&self->ops);
    uct_utofu_md_remove_iface(uct_utofu_iface_md(self), self);
    utofu_free_vcq(self->vcq);
}

UCS_CLASS_DEFINE(uct_utofu_iface_t, uct_base_iface_t);
UCS_CLASS_DEFINE_NEW_FUNC(uct_utofu_iface_t, uct_iface_t, uct_md_h, uct_worker_h, const uct_iface_params_t *,
                          const uct_iface_config_t *);
UCS_CLASS_DEFINE_DELETE_FUNC(uct_utofu_iface_t, uct_iface_t);
