/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_ep.h
 * An endpoint: the target VCQ of a peer's interface, and what is under way there. Connected without any exchange.
 */
#ifndef UCT_UTOFU_EP_H
#define UCT_UTOFU_EP_H

#include "utofu_iface.h"

#include <ucs/datastruct/arbiter.h>

/** Why an operation must take the careful way; 0 lets it go straight to the queue. */
enum {
    UCT_UTOFU_EP_CLEAN   = UCS_BIT(0), /**< No put since the last flush: the first one enters the dirty list. */
    UCT_UTOFU_EP_PENDING = UCS_BIT(1), /**< Requests wait: nothing may overtake them. */
    UCT_UTOFU_EP_FAILED  = UCS_BIT(2)  /**< The peer is gone. */
};

/** Where the sending of the next active message stands. */
typedef enum {
    UCT_UTOFU_AM_IDLE,    /**< Nothing is known. */
    UCT_UTOFU_AM_ASKED,   /**< A fetch-add for a ticket is under way. */
    UCT_UTOFU_AM_TICKET,  /**< Has a ticket; its slot may still be in use. */
    UCT_UTOFU_AM_CLAIMING,/**< A compare-and-swap on the slot is under way. */
    UCT_UTOFU_AM_CLAIMED  /**< The slot is this endpoint's. */
} uct_utofu_am_state_t;

struct uct_utofu_ep {
    uct_base_ep_t super;
    utofu_vcq_hdl_t vcq;    /**< The interface's, to be near. */
    utofu_vcq_id_t target;
    uint8_t target_index;   /**< Its number in remote keys. */
    uint8_t gate;           /**< UCT_UTOFU_EP_*. */
    uint8_t dispatching;    /**< A pending request is being tried: it may pass the gate. */
    uint8_t blocked;        /**< The last operation found no resource... */
    uint64_t blocked_at;    /**< ...when the interface had progressed this far. */
    unsigned num_ops;       /**< Posted or finished, but not yet told. */
    ucs_list_link_t ops;    /**< Posted, in order of issue. */
    ucs_list_link_t list;   /**< In the interface. */
    ucs_list_link_t dirty;  /**< In the interface, while not CLEAN. */
    ucs_list_link_t failed; /**< In the interface, while FAILED and UCX has not been told. */
    ucs_arbiter_group_t pending;
    ucs_status_t failure;   /**< Why FAILED. */
    struct {
        uct_utofu_am_state_t state;
        uint32_t unused;      /**< Progress calls in which a claimed slot was not used. */
        uint64_t ticket;      /**< Position in the peer's ring. */
        uint64_t ring;        /**< STADD of the peer's ring. */
        uint32_t queue_len, seg_size;
        ucs_list_link_t claim; /**< In the interface, while CLAIMED. */
    } am;
};

UCS_CLASS_DECLARE_NEW_FUNC(uct_utofu_ep_t, uct_ep_t, const uct_ep_params_t *);
UCS_CLASS_DECLARE_DELETE_FUNC(uct_utofu_ep_t, uct_ep_t);

static inline uct_utofu_iface_t *uct_utofu_ep_iface(const uct_utofu_ep_t *ep)
{
    return ucs_derived_of(ep->super.super.iface, uct_utofu_iface_t);
}

/** STADD of a remote address. */
static inline utofu_stadd_t uct_utofu_ep_stadd(const uct_utofu_ep_t *ep, uint64_t remote_addr, uct_rkey_t rkey)
{
    return remote_addr + ((const uct_utofu_rkey_t *)rkey)->delta[ep->target_index];
}

/**
 * The careful way through the gate.
 * @return UCS_OK: go on; UCS_ERR_NO_RESOURCE: requests are pending; or why the peer is gone.
 */
ucs_status_t uct_utofu_ep_pass_gate(uct_utofu_ep_t *ep);

/** Before anything is posted: whether it may be. */
static UCS_F_ALWAYS_INLINE ucs_status_t uct_utofu_ep_enter(uct_utofu_ep_t *ep)
{
    return ucs_likely(ep->gate == 0) ? UCS_OK : uct_utofu_ep_pass_gate(ep);
}

/** Turn the return code of a post into a status, and remember if there was no resource. */
ucs_status_t uct_utofu_ep_post_failed(uct_utofu_ep_t *ep, int ret);

/** Remember that there was no resource. @return UCS_ERR_NO_RESOURCE. */
ucs_status_t uct_utofu_ep_no_resource(uct_utofu_ep_t *ep);

/** The peer is gone: refuse new work. UCX is told in progress, since it takes the endpoint apart at once. */
void uct_utofu_ep_set_failed(uct_utofu_ep_t *ep, ucs_status_t status);

/** Tell UCX of endpoints that have failed. Called from progress. @return Their number. */
unsigned uct_utofu_ep_tell_failures(uct_utofu_iface_t *iface);

ucs_status_t uct_utofu_ep_pending_add(uct_ep_h tl_ep, uct_pending_req_t *req, unsigned flags);
void uct_utofu_ep_pending_purge(uct_ep_h tl_ep, uct_pending_purge_callback_t cb, void *arg);
ucs_arbiter_cb_result_t uct_utofu_ep_dispatch(ucs_arbiter_t *arbiter, ucs_arbiter_group_t *group,
                                              ucs_arbiter_elem_t *elem, void *arg);

ucs_status_t uct_utofu_ep_flush(uct_ep_h tl_ep, unsigned flags, uct_completion_t *comp);
ucs_status_t uct_utofu_ep_fence(uct_ep_h tl_ep, unsigned flags);
ucs_status_t uct_utofu_ep_check(uct_ep_h tl_ep, unsigned flags, uct_completion_t *comp);

#endif
