/* SPDX-License-Identifier: BSD-3-Clause */
#include "utofu_am.h"

#include "utofu_ep.h"
#include "utofu_ring.h"

/** Progress calls for which a claimed slot may stay unused before it is given back. */
#define UCT_UTOFU_AM_CLAIM_AGE 10000

/* 5 bits each for x, y, z; 1, 2, 1 for a, b, c; 3 TNI; 4 CQ; 4 component: as wide as the hardware's own fields. */
uint32_t uct_utofu_am_sender_encode(utofu_vcq_id_t id)
{
    uint8_t c[8];
    utofu_tni_id_t tni;
    utofu_cq_id_t cq;
    uint16_t component;

    utofu_query_vcq_info(id, c, &tni, &cq, &component);
    return c[0] | ((uint32_t)c[1] << 5) | ((uint32_t)c[2] << 10) | ((uint32_t)c[3] << 15) |
           ((uint32_t)c[4] << 16) | ((uint32_t)c[5] << 18) | ((uint32_t)tni << 19) | ((uint32_t)cq << 22) |
           ((uint32_t)(component & 0xf) << 26);
}

utofu_vcq_id_t uct_utofu_am_sender_decode(uint32_t sender)
{
    uint8_t c[] = {sender & 0x1f,        (sender >> 5) & 0x1f, (sender >> 10) & 0x1f,
                   (sender >> 15) & 0x1, (sender >> 16) & 0x3, (sender >> 18) & 0x1};
    utofu_vcq_id_t id = 0;

    /* The component field is the component id with a mark above its three bits. */
    utofu_construct_vcq_id(c, (sender >> 19) & 0x7, (sender >> 22) & 0xf, (sender >> 26) & 0x7, &id);
    return id;
}

static utofu_stadd_t uct_utofu_am_word_stadd(const uct_utofu_ep_t *ep)
{
    return ep->am.ring + uct_utofu_slot_word_offset(ep->am.ticket, ep->am.queue_len, ep->am.seg_size);
}

static void uct_utofu_am_complete(uct_utofu_op_t *op)
{
    uct_utofu_ep_t *ep       = op->fetch.result;
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    uint64_t lap;

    if ((op->ep == NULL) || (op->status != UCS_OK)) {
        goto out; /* The endpoint is gone, or its peer. */
    }
    if (ep->am.state == UCT_UTOFU_AM_ASKED) {
        ep->am.ticket = op->value;
        ep->am.state  = UCT_UTOFU_AM_TICKET;
        goto out;
    }
    lap = uct_utofu_slot_lap(ep->am.ticket, ep->am.queue_len);
    if (op->value == lap) {
        ep->am.state  = UCT_UTOFU_AM_CLAIMED;
        ep->am.unused = 0;
        ucs_list_add_tail(&iface->claims, &ep->am.claim);
    } else if ((op->value >> 32) < (lap >> 32)) {
        ep->am.state = UCT_UTOFU_AM_TICKET; /* The ring is full: the slot has not been read yet. */
    } else {
        ep->am.state = UCT_UTOFU_AM_IDLE; /* The receiver gave this position up. */
    }
out:
    ucs_mpool_put_inline(op);
}

/* Post the fetch-add for a ticket, or the compare-and-swap that claims its slot. */
static int uct_utofu_am_post_step(uct_utofu_ep_t *ep, const uct_utofu_op_t *op)
{
    const unsigned long flags = UCT_UTOFU_ORDER | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
    uint64_t lap, claim;

    if (ep->am.state == UCT_UTOFU_AM_IDLE) {
        return utofu_armw8(ep->vcq, ep->target, UTOFU_ARMW_OP_ADD, 1, ep->am.ring + UCT_UTOFU_RING_TICKET_OFFSET,
                           op->tag, flags, NULL);
    }
    lap   = uct_utofu_slot_lap(ep->am.ticket, ep->am.queue_len);
    claim = lap | ((uint64_t)uct_utofu_ep_iface(ep)->sender << 2) | UCT_UTOFU_SLOT_CLAIMED;
    return utofu_cswap8(ep->vcq, ep->target, lap, claim, uct_utofu_am_word_stadd(ep), op->tag, flags, NULL);
}

/* One step towards a slot. @return UCS_OK: its answer is there; UCS_INPROGRESS: is to come; or an error. */
static ucs_status_t uct_utofu_am_step(uct_utofu_ep_t *ep)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    uct_utofu_op_t *op       = uct_utofu_op_get(iface);
    int ret;

    if (op == NULL) {
        return UCS_ERR_NO_MEMORY;
    }
    if (!uct_utofu_op_take_tag(&iface->ops, op)) {
        ucs_mpool_put_inline(op);
        return UCS_INPROGRESS;
    }
    ret = uct_utofu_am_post_step(ep, op);
    if (ret != UTOFU_SUCCESS) {
        uct_utofu_op_drop_tag(&iface->ops, op);
        ucs_mpool_put_inline(op);
        return (ret == UTOFU_ERR_BUSY) ? UCS_INPROGRESS : uct_utofu_ep_post_failed(ep, ret);
    }
    ep->am.state     = (ep->am.state == UCT_UTOFU_AM_IDLE) ? UCT_UTOFU_AM_ASKED : UCT_UTOFU_AM_CLAIMING;
    op->ep           = ep;
    op->comp         = NULL;
    op->complete     = uct_utofu_am_complete;
    op->fetch.result = ep;
    uct_utofu_op_posted(iface, op);
    return uct_utofu_op_try(iface, op);
}

/*
 * Get a slot of the peer's ring.
 * @return UCS_OK: ep->am.ticket is its position; UCS_ERR_NO_RESOURCE: not yet; or an error.
 */
static ucs_status_t uct_utofu_am_claim(uct_utofu_ep_t *ep)
{
    ucs_status_t status;
    uct_utofu_am_state_t before;

    while (ep->am.state != UCT_UTOFU_AM_CLAIMED) {
        before = ep->am.state;
        if ((before == UCT_UTOFU_AM_ASKED) || (before == UCT_UTOFU_AM_CLAIMING)) {
            return uct_utofu_ep_no_resource(ep);
        }
        status = uct_utofu_am_step(ep);
        if ((status != UCS_OK) && (status != UCS_INPROGRESS)) {
            return status;
        }
        /* An answer that is to come, or a full ring: later. */
        if ((status == UCS_INPROGRESS) ||
            ((before == UCT_UTOFU_AM_TICKET) && (ep->am.state == UCT_UTOFU_AM_TICKET))) {
            return uct_utofu_ep_no_resource(ep);
        }
    }
    return UCS_OK;
}

static void uct_utofu_am_release(uct_utofu_ep_t *ep)
{
    ucs_list_del(&ep->am.claim);
    ep->am.state = UCT_UTOFU_AM_IDLE;
}

/* Put a message that lies before its word in a registered buffer. The device has the buffer until it was sent. */
static ucs_status_t uct_utofu_am_put(uct_utofu_ep_t *ep, uct_utofu_desc_t *desc, uint8_t id, size_t length)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    size_t padded            = ucs_align_up_pow2(length, sizeof(uint64_t));
    int ret;

    *(uint64_t *)(desc->data + padded) =
            uct_utofu_slot_ready(uct_utofu_slot_lap(ep->am.ticket, ep->am.queue_len), id, length);
    ret = utofu_put(ep->vcq, ep->target, desc->stadd, uct_utofu_am_word_stadd(ep) - padded,
                    padded + sizeof(uint64_t), 0, UCT_UTOFU_ORDER | UTOFU_ONESIDED_FLAG_TCQ_NOTICE, &desc->op);
    if (ret != UTOFU_SUCCESS) {
        ucs_mpool_put_inline(desc);
        return uct_utofu_ep_post_failed(ep, ret);
    }
    uct_utofu_am_release(ep);
    uct_utofu_op_posted_tx(iface, &desc->op);
    uct_utofu_op_try(iface, &desc->op);
    return UCS_OK;
}

/* Header, payload and word fit into a descriptor. */
static ucs_status_t uct_utofu_am_put_short(uct_utofu_ep_t *ep, uint8_t id, uint64_t header, const void *payload,
                                           unsigned length)
{
    size_t total  = sizeof(header) + length;
    size_t padded = ucs_align_up_pow2(total, sizeof(uint64_t));
    uint64_t message[UCT_UTOFU_SHORT_MAX / sizeof(uint64_t)] = {header};
    int ret;

    memcpy(&message[1], payload, length);
    message[padded / sizeof(uint64_t)] =
            uct_utofu_slot_ready(uct_utofu_slot_lap(ep->am.ticket, ep->am.queue_len), id, total);
    ret = utofu_put_piggyback(ep->vcq, ep->target, message, uct_utofu_am_word_stadd(ep) - padded,
                              padded + sizeof(uint64_t), 0, UCT_UTOFU_ORDER, NULL);
    if (ret != UTOFU_SUCCESS) {
        return uct_utofu_ep_post_failed(ep, ret);
    }
    uct_utofu_am_release(ep);
    return UCS_OK;
}

/* Pass the gate, get a slot and a buffer. @return UCS_OK, or why not now. */
static ucs_status_t uct_utofu_am_prepare(uct_utofu_ep_t *ep, uct_utofu_desc_t **desc_p)
{
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    ucs_status_t status      = uct_utofu_ep_enter(ep);

    if (status == UCS_OK) {
        status = uct_utofu_am_claim(ep);
    }
    if ((status == UCS_OK) && (desc_p != NULL)) {
        *desc_p = ucs_mpool_get_inline(&iface->tx_descs);
        if (*desc_p == NULL) {
            return uct_utofu_ep_no_resource(ep);
        }
    }
    return status;
}

ucs_status_t uct_utofu_ep_am_short(uct_ep_h tl_ep, uint8_t id, uint64_t header, const void *payload,
                                   unsigned length)
{
    uct_utofu_ep_t *ep       = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    uct_utofu_iface_t *iface = uct_utofu_ep_iface(ep);
    int fits                 = (length <= UCT_UTOFU_SHORT_MAX - 2 * sizeof(uint64_t));
    uct_utofu_desc_t *desc   = NULL;
    ucs_status_t status;

    UCT_CHECK_AM_ID(id);
    UCT_CHECK_LENGTH(sizeof(header) + length, 0, iface->config.seg_size, "am_short");

    status = uct_utofu_am_prepare(ep, fits ? NULL : &desc);
    if (status != UCS_OK) {
        return status;
    }
    UCT_TL_EP_STAT_OP(&ep->super, AM, SHORT, sizeof(header) + length);
    if (fits) {
        return uct_utofu_am_put_short(ep, id, header, payload, length);
    }
    *(uint64_t *)desc->data = header;
    memcpy(desc->data + sizeof(header), payload, length);
    return uct_utofu_am_put(ep, desc, id, sizeof(header) + length);
}

ssize_t uct_utofu_ep_am_bcopy(uct_ep_h tl_ep, uint8_t id, uct_pack_callback_t pack_cb, void *arg, unsigned flags)
{
    uct_utofu_ep_t *ep = ucs_derived_of(tl_ep, uct_utofu_ep_t);
    uct_utofu_desc_t *desc;
    ucs_status_t status;
    size_t length;

    UCT_CHECK_AM_ID(id);

    status = uct_utofu_am_prepare(ep, &desc);
    if (status != UCS_OK) {
        return status;
    }
    length = pack_cb(desc->data, arg);
    status = uct_utofu_am_put(ep, desc, id, length);
    UCT_TL_EP_STAT_OP(&ep->super, AM, BCOPY, length);
    return (status == UCS_OK) ? (ssize_t)length : status;
}

/* Free the slot for the next lap. If the queue is full just now, the next call tries again. */
static int uct_utofu_am_give_back(uct_utofu_ep_t *ep)
{
    uint64_t next = uct_utofu_slot_lap(ep->am.ticket + ep->am.queue_len, ep->am.queue_len);

    if (utofu_put_piggyback(ep->vcq, ep->target, &next, uct_utofu_am_word_stadd(ep), sizeof(next), 0,
                            UCT_UTOFU_ORDER, NULL) != UTOFU_SUCCESS) {
        return 0;
    }
    uct_utofu_am_release(ep);
    return 1;
}

void uct_utofu_am_age_claims(uct_utofu_iface_t *iface)
{
    uct_utofu_ep_t *ep, *next;

    ucs_list_for_each_safe(ep, next, &iface->claims, am.claim) {
        if (++ep->am.unused > UCT_UTOFU_AM_CLAIM_AGE) {
            uct_utofu_am_give_back(ep);
        }
    }
}

void uct_utofu_am_ep_cleanup(uct_utofu_ep_t *ep)
{
    if ((ep->am.state == UCT_UTOFU_AM_CLAIMED) && !uct_utofu_am_give_back(ep)) {
        /* The receiver will find the claim of a VCQ that answers no more, or ours, which it cannot tell from a slow
         * one; its ring is a slot shorter until this interface closes. */
        ucs_debug("utofu: ep %p leaves a claimed slot behind", ep);
        uct_utofu_am_release(ep);
    }
}
