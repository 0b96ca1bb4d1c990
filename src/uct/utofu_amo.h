/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_amo.h
 * Atomics of 32 and 64 bits, posted and fetching.
 */
#ifndef UCT_UTOFU_AMO_H
#define UCT_UTOFU_AMO_H

#include "utofu_def.h"

ucs_status_t uct_utofu_ep_atomic32_post(uct_ep_h tl_ep, unsigned opcode, uint32_t value, uint64_t remote_addr,
                                        uct_rkey_t rkey);
ucs_status_t uct_utofu_ep_atomic64_post(uct_ep_h tl_ep, unsigned opcode, uint64_t value, uint64_t remote_addr,
                                        uct_rkey_t rkey);
ucs_status_t uct_utofu_ep_atomic32_fetch(uct_ep_h tl_ep, unsigned opcode, uint32_t value, uint32_t *result,
                                         uint64_t remote_addr, uct_rkey_t rkey, uct_completion_t *comp);
ucs_status_t uct_utofu_ep_atomic64_fetch(uct_ep_h tl_ep, unsigned opcode, uint64_t value, uint64_t *result,
                                         uint64_t remote_addr, uct_rkey_t rkey, uct_completion_t *comp);
ucs_status_t uct_utofu_ep_atomic_cswap32(uct_ep_h tl_ep, uint32_t compare, uint32_t swap, uint64_t remote_addr,
                                         uct_rkey_t rkey, uint32_t *result, uct_completion_t *comp);
ucs_status_t uct_utofu_ep_atomic_cswap64(uct_ep_h tl_ep, uint64_t compare, uint64_t swap, uint64_t remote_addr,
                                         uct_rkey_t rkey, uint64_t *result, uct_completion_t *comp);

#endif
