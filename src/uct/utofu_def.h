/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_def.h
 * What all files of the transport share: limits, types' names, and the translation of uTofu's return codes.
 */
#ifndef UCT_UTOFU_DEF_H
#define UCT_UTOFU_DEF_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <ucs/arch/cpu.h>
#include <ucs/debug/log.h>
#include <ucs/sys/compiler.h>
#include <ucs/sys/math.h>
#include <ucs/type/status.h>
#include <uct/api/uct.h>

#include <stdint.h>
#include <utofu.h>

/** TNIs of a node: the most STADDs in a remote key, which so takes 48 bytes. */
#define UCT_UTOFU_TNIS_MAX 6

/** Interfaces of a process: 9 CQs with 8 VCQs each on every TNI. */
#define UCT_UTOFU_IFACES_MAX (UCT_UTOFU_TNIS_MAX * 9 * 8)

/** Bytes that travel in a descriptor. */
#define UCT_UTOFU_SHORT_MAX 32u

/** Bytes of one put or get. */
#define UCT_UTOFU_ZCOPY_MAX 16777215ul

/** Order of all commands: data before flags, flags before what flush sends behind them. */
#define UCT_UTOFU_ORDER UTOFU_ONESIDED_FLAG_STRONG_ORDER

/** Alignment that keeps words which different sides write apart on A64FX, whose cache line it is. */
#define UCT_UTOFU_LINE 256u

#define UCT_UTOFU_DEVICE_NAME "tofu0"

typedef struct uct_utofu_md uct_utofu_md_t;
typedef struct uct_utofu_iface uct_utofu_iface_t;
typedef struct uct_utofu_ep uct_utofu_ep_t;
typedef struct uct_utofu_mem uct_utofu_mem_t;
typedef struct uct_utofu_op uct_utofu_op_t;

/** What uct_rkey_t points to: add the delta of the peer's TNI to an address for its STADD there. */
typedef struct uct_utofu_rkey {
    uint64_t delta[UCT_UTOFU_TNIS_MAX];
} uct_utofu_rkey_t;

/**
 * Translate what uTofu returned. The one place where its codes become UCX's.
 * A peer that is gone and memory that is gone both end the connection.
 */
ucs_status_t uct_utofu_status(int utofu_code);

#endif
