/* SPDX-License-Identifier: BSD-3-Clause */
#include "utofu_op.h"

#include "utofu_am.h"
#include "utofu_ep.h"
#include "utofu_iface.h"

static ucs_mpool_ops_t uct_utofu_op_mpool_ops = {.chunk_alloc   = ucs_mpool_chunk_malloc,
                                                 .chunk_release = ucs_mpool_chunk_free};

ucs_status_t uct_utofu_ops_init(uct_utofu_ops_t *ops)
{
    unsigned tag;

    ops->tx_posted  = 0;
    ops->unfinished = 0;
    ucs_list_head_init(&ops->done);
    ops->last_get = NULL;
    kh_init_inplace(uct_utofu_gets, &ops->gets);
    ops->num_free_tags = 0;
    for (tag = UCT_UTOFU_TAGS - 1; tag > 0; --tag) {
        ops->by_tag[tag]                     = NULL;
        ops->free_tags[ops->num_free_tags++] = tag;
    }
    ops->by_tag[0] = NULL;
    return ucs_mpool_init(&ops->mpool, 0, sizeof(uct_utofu_op_t), 0, UCS_SYS_CACHE_LINE_SIZE, 64, UINT_MAX,
                          &uct_utofu_op_mpool_ops, "utofu_ops");
}

void uct_utofu_ops_cleanup(uct_utofu_ops_t *ops)
{
    kh_destroy_inplace(uct_utofu_gets, &ops->gets);
    ucs_mpool_cleanup(&ops->mpool, 1);
}

uct_utofu_op_t *uct_utofu_op_get(uct_utofu_iface_t *iface)
{
    uct_utofu_op_t *op = ucs_mpool_get_inline(&iface->ops.mpool);

    if (ucs_likely(op != NULL)) {
        op->complete = uct_utofu_op_complete_default;
        op->is_flush = 0;
    }
    return op;
}

void uct_utofu_op_complete_default(uct_utofu_op_t *op)
{
    if (op->comp != NULL) {
        uct_invoke_completion(op->comp, op->status);
    }
    ucs_mpool_put_inline(op);
}

static void uct_utofu_ops_hash_get(uct_utofu_ops_t *ops, uct_utofu_op_t *op)
{
    int ret;
    khiter_t iter = kh_put(uct_utofu_gets, &ops->gets, op->key, &ret);

    if (ucs_unlikely(ret == UCS_KH_PUT_FAILED)) {
        ucs_fatal("utofu: no memory to remember a get that is under way");
    }
    op->next                   = (ret == UCS_KH_PUT_KEY_PRESENT) ? kh_value(&ops->gets, iter) : NULL;
    kh_value(&ops->gets, iter) = op;
}

void uct_utofu_op_add_get(uct_utofu_ops_t *ops, uct_utofu_op_t *op)
{
    if (ucs_unlikely(ops->last_get != NULL)) {
        uct_utofu_ops_hash_get(ops, ops->last_get);
    }
    ops->last_get = op;
}

/* The oldest of gets that end at one address: they are at the list's far end, and the last one posted is the newest. */
static uct_utofu_op_t *uct_utofu_ops_remove_get(uct_utofu_ops_t *ops, uint64_t key)
{
    khiter_t iter = (kh_size(&ops->gets) == 0) ? kh_end(&ops->gets) : kh_get(uct_utofu_gets, &ops->gets, key);
    uct_utofu_op_t *op, *newer = NULL;

    if (ucs_likely(iter == kh_end(&ops->gets))) {
        op = ops->last_get;
        if ((op == NULL) || (op->key != key)) {
            return NULL;
        }
        ops->last_get = NULL;
        return op;
    }
    for (op = kh_value(&ops->gets, iter); op->next != NULL; op = op->next) {
        newer = op;
    }
    if (newer != NULL) {
        newer->next = NULL;
    } else {
        kh_del(uct_utofu_gets, &ops->gets, iter);
    }
    return op;
}

void uct_utofu_op_posted(uct_utofu_iface_t *iface, uct_utofu_op_t *op)
{
    op->state  = UCT_UTOFU_OP_POSTED;
    op->status = UCS_OK;
    ++iface->ops.unfinished;
    if (op->ep != NULL) {
        ucs_list_add_tail(&op->ep->ops, &op->list);
        ++op->ep->num_ops;
    }
}

void uct_utofu_op_posted_tx(uct_utofu_iface_t *iface, uct_utofu_op_t *op)
{
    op->state  = UCT_UTOFU_OP_POSTED;
    op->status = UCS_OK;
    op->ep     = NULL;
    ++iface->ops.tx_posted;
    ++iface->ops.unfinished;
}

static void uct_utofu_op_queue(uct_utofu_iface_t *iface, uct_utofu_op_t *op)
{
    op->state = UCT_UTOFU_OP_QUEUED;
    ucs_list_add_tail(&iface->ops.done, &op->list);
}

/* A flush at the head of the endpoint's list has nothing left to wait for but its own notice. */
static void uct_utofu_ep_queue_flushes(uct_utofu_iface_t *iface, uct_utofu_ep_t *ep)
{
    uct_utofu_op_t *op;

    while (!ucs_list_is_empty(&ep->ops)) {
        op = ucs_list_head(&ep->ops, uct_utofu_op_t, list);
        if (!op->is_flush || !op->notified) {
            return;
        }
        ucs_list_del(&op->list);
        uct_utofu_op_queue(iface, op);
    }
}

static void uct_utofu_op_notified(uct_utofu_iface_t *iface, uct_utofu_op_t *op, ucs_status_t status)
{
    uct_utofu_ep_t *ep = op->ep;

    if (op->status == UCS_OK) {
        op->status = status; /* Else it was cancelled. */
    }
    if (ep == NULL) {
        uct_utofu_op_queue(iface, op);
        return;
    }
    if (op->is_flush) {
        op->notified = 1;
    } else {
        ucs_list_del(&op->list);
        uct_utofu_op_queue(iface, op);
    }
    uct_utofu_ep_queue_flushes(iface, ep);
}

static unsigned uct_utofu_ops_poll_tcq(uct_utofu_iface_t *iface)
{
    unsigned count = 0;
    uct_utofu_op_t *op;
    void *cbdata;
    int ret;

    while (iface->ops.tx_posted > 0) {
        ret = utofu_poll_tcq(iface->vcq, 0, &cbdata);
        if (ret == UTOFU_ERR_NOT_FOUND) {
            break;
        }
        ++count;
        --iface->ops.tx_posted;
        op         = cbdata;
        op->status = uct_utofu_status(ret);
        if (ucs_unlikely(ret != UTOFU_SUCCESS)) {
            ucs_error("utofu: transmission failed: uTofu error %d", ret);
        }
        uct_utofu_op_queue(iface, op);
    }
    return count;
}

/* A failure that no operation of ours waits for: the peer's endpoints learn of it. */
static void uct_utofu_iface_peer_failed(uct_utofu_iface_t *iface, const struct utofu_mrq_notice *notice, int ret)
{
    uct_utofu_ep_t *ep, *next;

    ucs_debug("utofu: VCQ %#lx answered with uTofu error %d", notice->vcq_id, ret);
    ucs_list_for_each_safe(ep, next, &iface->eps, list) {
        if (ep->target == notice->vcq_id) {
            uct_utofu_ep_set_failed(ep, uct_utofu_status(ret));
        }
    }
}

static void uct_utofu_ops_handle_notice(uct_utofu_iface_t *iface, const struct utofu_mrq_notice *notice, int ret)
{
    uct_utofu_op_t *op;

    if (notice->notice_type == UTOFU_MRQ_TYPE_LCL_GET) {
        op = uct_utofu_ops_remove_get(&iface->ops, notice->lcl_stadd);
    } else {
        op = iface->ops.by_tag[notice->edata & (UCT_UTOFU_TAGS - 1)];
        if (op != NULL) {
            uct_utofu_op_drop_tag(&iface->ops, op);
        }
    }
    if (op != NULL) {
        op->value = notice->rmt_value;
        uct_utofu_op_notified(iface, op, uct_utofu_status(ret));
    }
    if (ucs_unlikely(ret != UTOFU_SUCCESS)) {
        uct_utofu_iface_peer_failed(iface, notice, ret);
    }
}

static unsigned uct_utofu_ops_poll_mrq(uct_utofu_iface_t *iface, const uct_utofu_op_t *wanted)
{
    struct utofu_mrq_notice notice;
    unsigned count = 0;
    int ret;

    while ((ret = utofu_poll_mrq(iface->vcq, 0, &notice)) != UTOFU_ERR_NOT_FOUND) {
        ++count;
        uct_utofu_ops_handle_notice(iface, &notice, ret);
        if ((wanted != NULL) && (wanted->state == UCT_UTOFU_OP_QUEUED)) {
            break;
        }
    }
    return count;
}

unsigned uct_utofu_ops_poll(uct_utofu_iface_t *iface, const uct_utofu_op_t *op)
{
    unsigned count = uct_utofu_ops_poll_tcq(iface);

    if ((op == NULL) || (op->state != UCT_UTOFU_OP_QUEUED)) {
        count += uct_utofu_ops_poll_mrq(iface, op);
    }
    iface->progressed += count;
    return count;
}

/* Take a finished operation from the done list, and tell its user. */
static void uct_utofu_op_finish(uct_utofu_iface_t *iface, uct_utofu_op_t *op)
{
    ucs_list_del(&op->list);
    --iface->ops.unfinished;
    if (op->ep != NULL) {
        --op->ep->num_ops;
    }
    op->complete(op);
}

ucs_status_t uct_utofu_op_try(uct_utofu_iface_t *iface, uct_utofu_op_t *op)
{
    ucs_status_t status;

    uct_utofu_ops_poll(iface, op);
    if (op->state != UCT_UTOFU_OP_QUEUED) {
        return UCS_INPROGRESS;
    }
    status   = op->status;
    op->comp = NULL;
    uct_utofu_op_finish(iface, op);
    return status;
}

unsigned uct_utofu_ops_complete(uct_utofu_iface_t *iface)
{
    unsigned count = 0;

    while (!ucs_list_is_empty(&iface->ops.done)) {
        uct_utofu_op_finish(iface, ucs_list_head(&iface->ops.done, uct_utofu_op_t, list));
        ++count;
    }
    return count;
}

void uct_utofu_ops_fail(uct_utofu_ep_t *ep, ucs_status_t status, int silent)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    uct_utofu_op_t *op, *next;

    /* What the device still works on ends by its notice, which a dead peer's work gets too. */
    ucs_list_for_each_safe(op, next, &ep->ops, list) {
        op->status = status;
        if (silent) {
            op->comp = NULL;
        }
        ucs_list_del(&op->list);
        op->ep = NULL;
        --ep->num_ops;
        if (op->is_flush && op->notified) {
            uct_utofu_op_queue(iface, op); /* It waited only for those before it. */
        }
    }
    ucs_list_for_each_safe(op, next, &iface->ops.done, list) {
        if (op->ep == ep) {
            if (silent) {
                op->comp = NULL;
            }
            op->ep = NULL;
            --ep->num_ops;
        }
    }
}
