/* SPDX-License-Identifier: BSD-3-Clause */
#include "utofu_rma.h"

#include "utofu_ep.h"
#include "utofu_mem.h"

#include <uct/base/uct_iov.inl>

/* What put_short leaves to others: lengths that no descriptor holds, and a gate that is not open. */
static UCS_F_NOINLINE ucs_status_t uct_utofu_ep_put_short_slow(uct_utofu_ep_t *ep, const void *buffer,
                                                               unsigned length, uint64_t remote_addr,
                                                               uct_rkey_t rkey)
{
    ucs_status_t status;
    int ret;

    UCT_CHECK_LENGTH(length, 0, UCT_UTOFU_SHORT_MAX, "put_short");
    status = uct_utofu_ep_enter(ep);
    if ((status != UCS_OK) || (length == 0)) {
        return status;
    }
    ret = utofu_put_piggyback(ep->vcq, ep->target, (void *)buffer, uct_utofu_ep_stadd(ep, remote_addr, rkey), length, 0,
                              UCT_UTOFU_ORDER, NULL);
    return ucs_likely(ret == UTOFU_SUCCESS) ? UCS_OK : uct_utofu_ep_post_failed(ep, ret);
}

ucs_status_t uct_utofu_ep_put_short(uct_ep_h tl_ep, const void *buffer, unsigned length, uint64_t remote_addr,
                                    uct_rkey_t rkey)
{
    uct_utofu_ep_t *ep = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    int ret;

    UCT_TL_EP_STAT_OP(&ep->super, PUT, SHORT, length);
    if (ucs_unlikely((length - 1 >= UCT_UTOFU_SHORT_MAX) || (ep->gate != 0))) {
        return uct_utofu_ep_put_short_slow(ep, buffer, length, remote_addr, rkey);
    }
    ret = utofu_put_piggyback(ep->vcq, ep->target, (void *)buffer, uct_utofu_ep_stadd(ep, remote_addr, rkey), length, 0,
                              UCT_UTOFU_ORDER, NULL);
    return ucs_likely(ret == UTOFU_SUCCESS) ? UCS_OK : uct_utofu_ep_post_failed(ep, ret);
}

static ssize_t uct_utofu_ep_put_desc(uct_utofu_ep_t *ep, uct_utofu_desc_t *desc, size_t length,
                                     uint64_t remote_addr, uct_rkey_t rkey)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    utofu_stadd_t stadd;
    int ret;

    if (length == 0) { /* Then there may be no key, either. */
        ucs_mpool_put_inline(desc);
        return 0;
    }
    stadd = uct_utofu_ep_stadd(ep, remote_addr, rkey);
    if (length <= UCT_UTOFU_SHORT_MAX) {
        ret = utofu_put_piggyback(ep->vcq, ep->target, desc->data, stadd, length, 0, UCT_UTOFU_ORDER, NULL);
        ucs_mpool_put_inline(desc);
        return (ret == UTOFU_SUCCESS) ? (ssize_t)length : uct_utofu_ep_post_failed(ep, ret);
    }
    ret = utofu_put(ep->vcq, ep->target, desc->stadd, stadd, length, 0,
                    UCT_UTOFU_ORDER | UTOFU_ONESIDED_FLAG_TCQ_NOTICE, &desc->op);
    if (ucs_unlikely(ret != UTOFU_SUCCESS)) {
        ucs_mpool_put_inline(desc);
        return uct_utofu_ep_post_failed(ep, ret);
    }
    uct_utofu_op_posted_tx(iface, &desc->op);
    uct_utofu_op_try(iface, &desc->op);
    return length;
}

ssize_t uct_utofu_ep_put_bcopy(uct_ep_h tl_ep, uct_pack_callback_t pack_cb, void *arg, uint64_t remote_addr,
                               uct_rkey_t rkey)
{
    uct_utofu_ep_t *ep       = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    ucs_status_t status      = uct_utofu_ep_enter(ep);
    uct_utofu_desc_t *desc;
    size_t length;

    if (ucs_unlikely(status != UCS_OK)) {
        return status;
    }
    desc = ucs_mpool_get_inline(&iface->tx_descs);
    if (ucs_unlikely(desc == NULL)) {
        return uct_utofu_ep_no_resource(ep);
    }
    length = pack_cb(desc->data, arg);
    UCT_TL_EP_STAT_OP(&ep->super, PUT, BCOPY, length);
    return uct_utofu_ep_put_desc(ep, desc, length, remote_addr, rkey);
}

/* The local STADD of a user's buffer: registered on this interface's VCQ the first time. */
static ucs_status_t uct_utofu_local_stadd(uct_utofu_iface_t *iface, const uct_iov_t *iov, utofu_stadd_t *stadd_p)
{
    uct_utofu_mem_t *mem = iov->memh;
    utofu_stadd_t *table = __atomic_load_n(&mem->local, __ATOMIC_ACQUIRE);
    ucs_status_t status;

    if (ucs_unlikely((table == NULL) || (table[iface->index] == UCT_UTOFU_STADD_NONE))) {
        status = uct_utofu_mem_add_local(iface, mem);
        if (status != UCS_OK) {
            return status;
        }
        table = mem->local;
    }
    *stadd_p = table[iface->index] + UCS_PTR_BYTE_DIFF(mem->address, iov->buffer);
    return UCS_OK;
}

/* What put_zcopy and get_zcopy begin with: gate, address and operation. */
static ucs_status_t uct_utofu_ep_prepare_zcopy(uct_utofu_ep_t *ep, const uct_iov_t *iov, utofu_stadd_t *local_p,
                                               uct_utofu_op_t **op_p)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    ucs_status_t status      = uct_utofu_ep_enter(ep);

    if (ucs_likely(status == UCS_OK)) {
        status = uct_utofu_local_stadd(iface, iov, local_p);
    }
    if (ucs_likely(status == UCS_OK)) {
        *op_p  = uct_utofu_op_get(iface);
        status = (*op_p == NULL) ? UCS_ERR_NO_MEMORY : UCS_OK;
    }
    return status;
}

ucs_status_t uct_utofu_ep_put_zcopy(uct_ep_h tl_ep, const uct_iov_t *iov, size_t iovcnt, uint64_t remote_addr,
                                    uct_rkey_t rkey, uct_completion_t *comp)
{
    uct_utofu_ep_t *ep       = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    size_t length            = uct_iov_total_length(iov, iovcnt);
    utofu_stadd_t local;
    uct_utofu_op_t *op;
    ucs_status_t status;
    int ret;

    UCT_CHECK_IOV_SIZE(iovcnt, 1ul, "put_zcopy");
    UCT_CHECK_LENGTH(length, 0, UCT_UTOFU_ZCOPY_MAX, "put_zcopy");
    if (length == 0) {
        return UCS_OK;
    }
    status = uct_utofu_ep_prepare_zcopy(ep, iov, &local, &op);
    if (ucs_unlikely(status != UCS_OK)) {
        return status;
    }
    ret = utofu_put(ep->vcq, ep->target, local, uct_utofu_ep_stadd(ep, remote_addr, rkey), length, 0,
                    UCT_UTOFU_ORDER | UTOFU_ONESIDED_FLAG_TCQ_NOTICE, op);
    if (ucs_unlikely(ret != UTOFU_SUCCESS)) {
        ucs_mpool_put_inline(op);
        return uct_utofu_ep_post_failed(ep, ret);
    }
    UCT_TL_EP_STAT_OP(&ep->super, PUT, ZCOPY, length);
    op->comp = comp;
    uct_utofu_op_posted_tx(iface, op);
    return uct_utofu_op_try(iface, op);
}

/* Post a get into @a local. Releases @a op if that fails. */
static ucs_status_t uct_utofu_ep_post_get(uct_utofu_ep_t *ep, uct_utofu_op_t *op, utofu_stadd_t local,
                                          utofu_stadd_t remote, size_t length, uct_completion_t *comp)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    int ret                  = utofu_get(ep->vcq, ep->target, local, remote, length, 0,
                                         UCT_UTOFU_ORDER | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE, NULL);

    if (ucs_unlikely(ret != UTOFU_SUCCESS)) {
        ucs_mpool_put_inline(op);
        return uct_utofu_ep_post_failed(ep, ret);
    }
    op->key  = local + length;
    op->ep   = ep;
    op->comp = comp;
    uct_utofu_op_add_get(&iface->ops, op);
    uct_utofu_op_posted(iface, op);
    return uct_utofu_op_try(iface, op);
}

ucs_status_t uct_utofu_ep_get_zcopy(uct_ep_h tl_ep, const uct_iov_t *iov, size_t iovcnt, uint64_t remote_addr,
                                    uct_rkey_t rkey, uct_completion_t *comp)
{
    uct_utofu_ep_t *ep = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    size_t length      = uct_iov_total_length(iov, iovcnt);
    utofu_stadd_t local;
    uct_utofu_op_t *op;
    ucs_status_t status;

    UCT_CHECK_IOV_SIZE(iovcnt, 1ul, "get_zcopy");
    UCT_CHECK_LENGTH(length, 0, UCT_UTOFU_ZCOPY_MAX, "get_zcopy");
    if (length == 0) {
        return UCS_OK;
    }
    status = uct_utofu_ep_prepare_zcopy(ep, iov, &local, &op);
    if (ucs_unlikely(status != UCS_OK)) {
        return status;
    }
    UCT_TL_EP_STAT_OP(&ep->super, GET, ZCOPY, length);
    return uct_utofu_ep_post_get(ep, op, local, uct_utofu_ep_stadd(ep, remote_addr, rkey), length, comp);
}

static void uct_utofu_get_bcopy_complete(uct_utofu_op_t *op)
{
    uct_utofu_desc_t *desc = ucs_container_of(op, uct_utofu_desc_t, op);

    if (ucs_likely(op->status == UCS_OK)) {
        op->get.unpack_cb(op->get.arg, desc->data, op->get.length);
    }
    op->complete = uct_utofu_op_complete_default;
    uct_utofu_op_complete_default(op);
}

ucs_status_t uct_utofu_ep_get_bcopy(uct_ep_h tl_ep, uct_unpack_callback_t unpack_cb, void *arg, size_t length,
                                    uint64_t remote_addr, uct_rkey_t rkey, uct_completion_t *comp)
{
    uct_utofu_ep_t *ep       = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    uct_utofu_desc_t *desc;
    ucs_status_t status;

    UCT_CHECK_LENGTH(length, 0, iface->config.seg_size, "get_bcopy");
    if (ucs_unlikely(length == 0)) {
        return UCS_OK;
    }
    status = uct_utofu_ep_enter(ep);
    if (ucs_unlikely(status != UCS_OK)) {
        return status;
    }
    desc = ucs_mpool_get_inline(&iface->tx_descs);
    if (ucs_unlikely(desc == NULL)) {
        return uct_utofu_ep_no_resource(ep);
    }
    UCT_TL_EP_STAT_OP(&ep->super, GET, BCOPY, length);
    desc->op.complete      = uct_utofu_get_bcopy_complete;
    desc->op.get.unpack_cb = unpack_cb;
    desc->op.get.arg       = arg;
    desc->op.get.length    = length;
    return uct_utofu_ep_post_get(ep, &desc->op, desc->stadd, uct_utofu_ep_stadd(ep, remote_addr, rkey), length,
                                 comp);
}
