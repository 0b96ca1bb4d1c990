/* SPDX-License-Identifier: BSD-3-Clause */
#include "utofu_ep.h"

#include "utofu_am.h"
#include "utofu_ring.h"

ucs_status_t uct_utofu_ep_pass_gate(uct_utofu_ep_t *ep)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);

    if (ep->gate & UCT_UTOFU_EP_FAILED) {
        return ep->failure;
    }
    if ((ep->gate & UCT_UTOFU_EP_PENDING) && !ep->dispatching) {
        return UCS_ERR_NO_RESOURCE;
    }
    if (ep->gate & UCT_UTOFU_EP_CLEAN) {
        ep->gate &= ~UCT_UTOFU_EP_CLEAN;
        ucs_list_add_tail(&iface->dirty_eps, &ep->dirty);
    }
    return UCS_OK;
}

ucs_status_t uct_utofu_ep_no_resource(uct_utofu_ep_t *ep)
{
    ep->blocked    = 1;
    ep->blocked_at = uct_utofu_ep_iface(ep)->progressed;
    return UCS_ERR_NO_RESOURCE;
}

ucs_status_t uct_utofu_ep_post_failed(uct_utofu_ep_t *ep, int ret)
{
    if (ret == UTOFU_ERR_BUSY) {
        return uct_utofu_ep_no_resource(ep);
    }
    ucs_error("utofu: posting to VCQ %#lx failed: uTofu error %d", ep->target, ret);
    return uct_utofu_status(ret);
}

static void uct_utofu_ep_set_clean(uct_utofu_ep_t *ep)
{
    if (!(ep->gate & UCT_UTOFU_EP_CLEAN)) {
        ep->gate |= UCT_UTOFU_EP_CLEAN;
        ucs_list_del(&ep->dirty);
    }
}

void uct_utofu_ep_set_failed(uct_utofu_ep_t *ep, ucs_status_t status)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);

    if (ep->gate & UCT_UTOFU_EP_FAILED) {
        return;
    }
    uct_utofu_ep_set_clean(ep);
    ep->gate |= UCT_UTOFU_EP_FAILED;
    ep->failure = status;
    ucs_list_add_tail(&iface->failed_eps, &ep->failed);
}

unsigned uct_utofu_ep_tell_failures(uct_utofu_iface_t *iface)
{
    unsigned count = 0;
    uct_utofu_ep_t *ep;

    while (!ucs_list_is_empty(&iface->failed_eps)) {
        ep = ucs_list_extract_head(&iface->failed_eps, uct_utofu_ep_t, failed);
        ucs_list_head_init(&ep->failed);
        /* May destroy the endpoint, and others. */
        uct_iface_handle_ep_err(&iface->super.super, &ep->super.super, ep->failure);
        ++count;
    }
    return count;
}

static UCS_CLASS_INIT_FUNC(uct_utofu_ep_t, const uct_ep_params_t *params)
{
    uct_utofu_iface_t *iface = ucs_derived_of(params->iface, uct_utofu_iface_t);
    uct_utofu_iface_addr_t addr;

    UCT_EP_PARAMS_CHECK_DEV_IFACE_ADDRS(params);
    UCS_CLASS_CALL_SUPER_INIT(uct_base_ep_t, &iface->super);

    memcpy(&addr, params->iface_addr, sizeof(addr));
    self->vcq          = iface->vcq;
    self->target       = addr.target;
    self->target_index = addr.target_index;
    self->gate         = UCT_UTOFU_EP_CLEAN;
    self->dispatching  = 0;
    self->blocked      = 0;
    self->num_ops      = 0;
    self->failure      = UCS_OK;
    self->am.state     = UCT_UTOFU_AM_IDLE;
    self->am.ring      = addr.ring;
    self->am.queue_len = addr.queue_len;
    self->am.seg_size  = addr.seg_size;
    ucs_list_head_init(&self->ops);
    ucs_list_head_init(&self->failed);
    ucs_arbiter_group_init(&self->pending);
    ucs_list_add_tail(&iface->eps, &self->list);
    return UCS_OK;
}

static UCS_CLASS_CLEANUP_FUNC(uct_utofu_ep_t)
{
    uct_utofu_am_ep_cleanup(self);
    uct_utofu_ops_fail(self, UCS_ERR_CANCELED, 1);
    uct_utofu_ep_pending_purge(&self->super.super, NULL, NULL);
    ucs_arbiter_group_cleanup(&self->pending);
    uct_utofu_ep_set_clean(self);
    ucs_list_del(&self->failed);
    ucs_list_del(&self->list);
}

UCS_CLASS_DEFINE(uct_utofu_ep_t, uct_base_ep_t);
UCS_CLASS_DEFINE_NEW_FUNC(uct_utofu_ep_t, uct_ep_t, const uct_ep_params_t *);
UCS_CLASS_DEFINE_DELETE_FUNC(uct_utofu_ep_t, uct_ep_t);

ucs_status_t uct_utofu_ep_pending_add(uct_ep_h tl_ep, uct_pending_req_t *req, unsigned flags)
{
    uct_utofu_ep_t *ep       = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);

    /* Only who has just found no resource may wait for one: others may find one at once. */
    if (ucs_arbiter_group_is_empty(&ep->pending) &&
        (!ep->blocked || (ep->blocked_at != iface->progressed))) {
        return UCS_ERR_BUSY;
    }
    uct_pending_req_arb_group_push(&ep->pending, req);
    ep->gate |= UCT_UTOFU_EP_PENDING;
    ucs_arbiter_group_schedule(&iface->arbiter, &ep->pending);
    return UCS_OK;
}

static void uct_utofu_ep_update_pending(uct_utofu_ep_t *ep)
{
    if (ucs_arbiter_group_is_empty(&ep->pending)) {
        ep->gate &= ~UCT_UTOFU_EP_PENDING;
    }
}

ucs_arbiter_cb_result_t uct_utofu_ep_dispatch(ucs_arbiter_t *arbiter, ucs_arbiter_group_t *group,
                                              ucs_arbiter_elem_t *elem, void *arg)
{
    uct_utofu_ep_t *ep     = ucs_container_of(group, uct_utofu_ep_t, pending);
    uct_pending_req_t *req = ucs_container_of(elem, uct_pending_req_t, priv);
    unsigned *count        = arg;
    ucs_status_t status;
    int last;

    last            = ucs_arbiter_elem_is_only(elem);
    ep->dispatching = 1;
    status          = req->func(req);
    ep->dispatching = 0;
    if (status == UCS_OK) {
        ++*count;
        if (last) {
            ep->gate &= ~UCT_UTOFU_EP_PENDING;
        }
        return UCS_ARBITER_CB_RESULT_REMOVE_ELEM;
    }
    if (status == UCS_INPROGRESS) {
        return UCS_ARBITER_CB_RESULT_NEXT_GROUP;
    }
    return UCS_ARBITER_CB_RESULT_RESCHED_GROUP;
}

static ucs_arbiter_cb_result_t uct_utofu_ep_purge_cb(ucs_arbiter_t *arbiter, ucs_arbiter_group_t *group,
                                                     ucs_arbiter_elem_t *elem, void *arg)
{
    uct_pending_req_t *req    = ucs_container_of(elem, uct_pending_req_t, priv);
    uct_purge_cb_args_t *args = arg;

    if (args->cb != NULL) {
        args->cb(req, args->arg);
    } else {
        ucs_debug("utofu: canceling user pending request %p", req);
    }
    return UCS_ARBITER_CB_RESULT_REMOVE_ELEM;
}

void uct_utofu_ep_pending_purge(uct_ep_h tl_ep, uct_pending_purge_callback_t cb, void *arg)
{
    uct_utofu_ep_t *ep       = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    uct_purge_cb_args_t args = {cb, arg};

    ucs_arbiter_group_purge(&iface->arbiter, &ep->pending, uct_utofu_ep_purge_cb, &args);
    uct_utofu_ep_update_pending(ep);
}

/*
 * A TCQ notice says only that a put has left, and a local MRQ notice for every put would halve the message rate. So
 * puts are strongly ordered, and a flush sends one noticed put behind them: its notice says that all have arrived.
 */
static ucs_status_t uct_utofu_ep_post_flush(uct_utofu_ep_t *ep, uct_completion_t *comp)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    uct_utofu_op_t *op       = uct_utofu_op_get(iface);
    uint64_t value           = 0;
    int ret;

    if (op == NULL) {
        return UCS_ERR_NO_MEMORY;
    }
    if (!uct_utofu_op_take_tag(&iface->ops, op)) {
        ucs_mpool_put_inline(op);
        return uct_utofu_ep_no_resource(ep);
    }
    ret = utofu_put_piggyback(ep->vcq, ep->target, &value, ep->am.ring + UCT_UTOFU_RING_FLUSH_OFFSET,
                              sizeof(value), op->tag, UCT_UTOFU_ORDER | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE,
                              op);
    if (ret != UTOFU_SUCCESS) {
        uct_utofu_op_drop_tag(&iface->ops, op);
        ucs_mpool_put_inline(op);
        return uct_utofu_ep_post_failed(ep, ret);
    }
    op->ep       = ep;
    op->comp     = comp;
    op->is_flush = 1;
    op->notified = 0;
    uct_utofu_ep_set_clean(ep);
    uct_utofu_op_posted(iface, op);
    return uct_utofu_op_try(iface, op);
}

ucs_status_t uct_utofu_ep_flush(uct_ep_h tl_ep, unsigned flags, uct_completion_t *comp)
{
    uct_utofu_ep_t *ep = ucs_derived_of(tl_ep, uct_utofu_ep_t);

    if (ucs_unlikely(flags & UCT_FLUSH_FLAG_CANCEL)) {
        uct_utofu_ep_pending_purge(tl_ep, NULL, NULL);
        uct_utofu_ops_fail(ep, UCS_ERR_CANCELED, 0);
        return UCS_OK;
    }
    if (ep->gate & UCT_UTOFU_EP_FAILED) {
        return ep->failure;
    }
    if ((ep->gate & UCT_UTOFU_EP_PENDING) && !ep->dispatching) {
        return UCS_ERR_NO_RESOURCE;
    }
    if ((ep->gate & UCT_UTOFU_EP_CLEAN) && (ep->num_ops == 0)) {
        return UCS_OK;
    }
    return uct_utofu_ep_post_flush(ep, comp);
}

/* All commands to a target are strongly ordered and executed one after the other: there is nothing to add. */
ucs_status_t uct_utofu_ep_fence(uct_ep_h tl_ep, unsigned flags)
{
    return UCS_OK;
}

/* A noticed put that nobody waits for: if the peer is gone, its notice tells. */
ucs_status_t uct_utofu_ep_check(uct_ep_h tl_ep, unsigned flags, uct_completion_t *comp)
{
    uct_utofu_ep_t *ep = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    uint64_t value     = 0;
    ucs_status_t status;
    int ret;

    UCT_EP_KEEPALIVE_CHECK_PARAM(flags, comp);
    status = uct_utofu_ep_enter(ep);
    if (status != UCS_OK) {
        return (status == UCS_ERR_NO_RESOURCE) ? UCS_OK : status;
    }
    ret = utofu_put_piggyback(ep->vcq, ep->target, &value, ep->am.ring + UCT_UTOFU_RING_FLUSH_OFFSET,
                              sizeof(value), 0, UCT_UTOFU_ORDER, NULL);
    return ((ret == UTOFU_SUCCESS) || (ret == UTOFU_ERR_BUSY)) ? UCS_OK : uct_utofu_ep_post_failed(ep, ret);
}
