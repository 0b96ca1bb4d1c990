/* SPDX-License-Identifier: BSD-3-Clause */
#include "utofu_amo.h"

#include "utofu_ep.h"

#define UCT_UTOFU_CSWAP (-1)

/** An atomic before it is posted. */
typedef struct {
    int op; /**< enum utofu_armw_op, or UCT_UTOFU_CSWAP. */
    uint8_t size;
    uint64_t value, compare;
    uint64_t remote_addr;
    uct_rkey_t rkey;
} uct_utofu_amo_t;

static int uct_utofu_armw_op(unsigned opcode)
{
    switch (opcode) {
    case UCT_ATOMIC_OP_ADD:
        return UTOFU_ARMW_OP_ADD;
    case UCT_ATOMIC_OP_AND:
        return UTOFU_ARMW_OP_AND;
    case UCT_ATOMIC_OP_OR:
        return UTOFU_ARMW_OP_OR;
    case UCT_ATOMIC_OP_XOR:
        return UTOFU_ARMW_OP_XOR;
    case UCT_ATOMIC_OP_SWAP:
        return UTOFU_ARMW_OP_SWAP;
    default:
        return 0;
    }
}

static int uct_utofu_amo_call(uct_utofu_ep_t *ep, const uct_utofu_amo_t *amo, uint8_t tag, unsigned long flags)
{
    utofu_stadd_t stadd = uct_utofu_ep_stadd(ep, amo->remote_addr, amo->rkey);

    if (amo->op == UCT_UTOFU_CSWAP) {
        return (amo->size == 4) ? utofu_cswap4(ep->vcq, ep->target, amo->compare, amo->value, stadd, tag, flags, NULL) :
                                  utofu_cswap8(ep->vcq, ep->target, amo->compare, amo->value, stadd, tag, flags, NULL);
    }
    return (amo->size == 4) ? utofu_armw4(ep->vcq, ep->target, amo->op, amo->value, stadd, tag, flags, NULL) :
                              utofu_armw8(ep->vcq, ep->target, amo->op, amo->value, stadd, tag, flags, NULL);
}

static ucs_status_t uct_utofu_amo_post(uct_ep_h tl_ep, const uct_utofu_amo_t *amo)
{
    uct_utofu_ep_t *ep  = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    ucs_status_t status = uct_utofu_ep_enter(ep);
    int ret;

    if (ucs_unlikely(amo->op == 0)) {
        return UCS_ERR_UNSUPPORTED;
    }
    if (ucs_unlikely(status != UCS_OK)) {
        return status;
    }
    ret = uct_utofu_amo_call(ep, amo, 0, UCT_UTOFU_ORDER);
    if (ucs_unlikely(ret != UTOFU_SUCCESS)) {
        return uct_utofu_ep_post_failed(ep, ret);
    }
    UCT_TL_EP_STAT_ATOMIC(&ep->super);
    return UCS_OK;
}

static void uct_utofu_amo_complete(uct_utofu_op_t *op)
{
    if (ucs_likely(op->status == UCS_OK)) {
        /* Little endian, like Tofu-D: the low bytes come first. */
        memcpy(op->fetch.result, &op->value, op->fetch.size);
    }
    uct_utofu_op_complete_default(op);
}

static ucs_status_t uct_utofu_amo_fetch(uct_ep_h tl_ep, const uct_utofu_amo_t *amo, void *result,
                                        uct_completion_t *comp)
{
    uct_utofu_ep_t *ep       = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    ucs_status_t status      = uct_utofu_ep_enter(ep);
    uct_utofu_op_t *op;
    int ret;

    if (ucs_unlikely(amo->op == 0)) {
        return UCS_ERR_UNSUPPORTED;
    }
    if (ucs_unlikely(status != UCS_OK)) {
        return status;
    }
    op = uct_utofu_op_get(iface);
    if (ucs_unlikely(op == NULL)) {
        return UCS_ERR_NO_MEMORY;
    }
    if (ucs_unlikely(!uct_utofu_op_take_tag(&iface->ops, op))) {
        ucs_mpool_put_inline(op);
        return uct_utofu_ep_no_resource(ep);
    }
    ret = uct_utofu_amo_call(ep, amo, op->tag, UCT_UTOFU_ORDER | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE);
    if (ucs_unlikely(ret != UTOFU_SUCCESS)) {
        uct_utofu_op_drop_tag(&iface->ops, op);
        ucs_mpool_put_inline(op);
        return uct_utofu_ep_post_failed(ep, ret);
    }
    UCT_TL_EP_STAT_ATOMIC(&ep->super);
    op->ep           = ep;
    op->comp         = comp;
    op->complete     = uct_utofu_amo_complete;
    op->fetch.result = result;
    op->fetch.size   = amo->size;
    uct_utofu_op_posted(iface, op);
    return uct_utofu_op_try(iface, op);
}

ucs_status_t uct_utofu_ep_atomic32_post(uct_ep_h tl_ep, unsigned opcode, uint32_t value, uint64_t remote_addr,
                                        uct_rkey_t rkey)
{
    uct_utofu_amo_t amo = {uct_utofu_armw_op(opcode), 4, value, 0, remote_addr, rkey};
    return uct_utofu_amo_post(tl_ep, &amo);
}

ucs_status_t uct_utofu_ep_atomic64_post(uct_ep_h tl_ep, unsigned opcode, uint64_t value, uint64_t remote_addr,
                                        uct_rkey_t rkey)
{
    uct_utofu_amo_t amo = {uct_utofu_armw_op(opcode), 8, value, 0, remote_addr, rkey};
    return uct_utofu_amo_post(tl_ep, &amo);
}

ucs_status_t uct_utofu_ep_atomic32_fetch(uct_ep_h tl_ep, unsigned opcode, uint32_t value, uint32_t *result,
                                         uint64_t remote_addr, uct_rkey_t rkey, uct_completion_t *comp)
{
    uct_utofu_amo_t amo = {uct_utofu_armw_op(opcode), 4, value, 0, remote_addr, rkey};
    return uct_utofu_amo_fetch(tl_ep, &amo, result, comp);
}

ucs_status_t uct_utofu_ep_atomic64_fetch(uct_ep_h tl_ep, unsigned opcode, uint64_t value, uint64_t *result,
                                         uint64_t remote_addr, uct_rkey_t rkey, uct_completion_t *comp)
{
    uct_utofu_amo_t amo = {uct_utofu_armw_op(opcode), 8, value, 0, remote_addr, rkey};
    return uct_utofu_amo_fetch(tl_ep, &amo, result, comp);
}

ucs_status_t uct_utofu_ep_atomic_cswap32(uct_ep_h tl_ep, uint32_t compare, uint32_t swap, uint64_t remote_addr,
                                         uct_rkey_t rkey, uint32_t *result, uct_completion_t *comp)
{
    uct_utofu_amo_t amo = {UCT_UTOFU_CSWAP, 4, swap, compare, remote_addr, rkey};
    return uct_utofu_amo_fetch(tl_ep, &amo, result, comp);
}

ucs_status_t uct_utofu_ep_atomic_cswap64(uct_ep_h tl_ep, uint64_t compare, uint64_t swap, uint64_t remote_addr,
                                         uct_rkey_t rkey, uint64_t *result, uct_completion_t *comp)
{
    uct_utofu_amo_t amo = {UCT_UTOFU_CSWAP, 8, swap, compare, remote_addr, rkey};
    return uct_utofu_amo_fetch(tl_ep, &amo, result, comp);
}
