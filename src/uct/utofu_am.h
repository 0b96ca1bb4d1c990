/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_am.h
 * Sending active messages into a peer's ring: ticket, claim, message. See utofu_ring.h.
 */
#ifndef UCT_UTOFU_AM_H
#define UCT_UTOFU_AM_H

#include "utofu_def.h"

ucs_status_t uct_utofu_ep_am_short(uct_ep_h tl_ep, uint8_t id, uint64_t header, const void *payload,
                                   unsigned length);
ssize_t uct_utofu_ep_am_bcopy(uct_ep_h tl_ep, uint8_t id, uct_pack_callback_t pack_cb, void *arg, unsigned flags);

/** Give back claimed slots that endpoints do not use after all. */
void uct_utofu_am_age_claims(uct_utofu_iface_t *iface);

/** Let go of what a dying endpoint holds of its peer's ring. */
void uct_utofu_am_ep_cleanup(uct_utofu_ep_t *ep);

/** A VCQ id in 30 bits, for a claim, and back. */
uint32_t uct_utofu_am_sender_encode(utofu_vcq_id_t id);
utofu_vcq_id_t uct_utofu_am_sender_decode(uint32_t sender);

#endif
