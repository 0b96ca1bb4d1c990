/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file limits.h
 * The sizes of Tofu-D that programs can meet, as known from public material, and those of the software device.
 * Everything here is a number that one may want to change in one place.
 */
#ifndef SOFTTOFU_LIMITS_H
#define SOFTTOFU_LIMITS_H

enum {
    SOFTTOFU_TNIS      = 6,  /**< Network interfaces of a node. */
    SOFTTOFU_CQ_IDS    = 11, /**< CQ ids 0..10 can belong to users; 11 is the kernel's. */
    SOFTTOFU_CQS       = 9,  /**< CQs of a TNI that users get, see softtofu_cq_usable[]. */
    SOFTTOFU_CMP_IDS   = 8,  /**< Component ids, so VCQs, of a CQ. */
    SOFTTOFU_NODE_CQS  = SOFTTOFU_TNIS * SOFTTOFU_CQ_IDS,
    SOFTTOFU_NODE_VCQS = SOFTTOFU_NODE_CQS * SOFTTOFU_CMP_IDS,

    SOFTTOFU_PPN_MAX       = 48,   /**< One process a core of A64FX. */
    SOFTTOFU_PROCESSES_MAX = 4096, /**< Ranks of a job on one host: 12 bits in an MRQ entry. */
    SOFTTOFU_SEGMENTS_MAX  = 256,  /**< Files whose shared mappings a process registers. */

    SOFTTOFU_STAGS_RESERVED = 256,   /**< STags a VCQ for reg_mem_with_stag. */
    SOFTTOFU_STAG_DYNAMIC   = 4096,  /**< First STag that reg_mem hands out; below: 16 components x 256. */
    SOFTTOFU_STAGS          = 16384, /**< STag table of a CQ; hardware has 8192, 16384 or 32768. */

    SOFTTOFU_GATES           = 48, /**< Barrier gates (BGs) of a TNI. */
    SOFTTOFU_START_GATES     = 16, /**< Of these, ids 0..15 can start and end an operation. */
    SOFTTOFU_NODE_GATES      = SOFTTOFU_TNIS * SOFTTOFU_GATES,
    SOFTTOFU_BARRIER_UINT64S = 6, /**< Elements of a reduction. */
    SOFTTOFU_BARRIER_DOUBLES = 3,

    SOFTTOFU_PUTGET_MAX    = 16777215, /**< Bytes of a put or get: 24 bits of the descriptor. */
    SOFTTOFU_PIGGYBACK_MAX = 32,       /**< Bytes in a descriptor. */
    SOFTTOFU_EDATA_MAX     = 255,      /**< One byte. */
    SOFTTOFU_MTU_MAX       = 1920,
    SOFTTOFU_GAP_MAX       = 255,
    SOFTTOFU_CACHE_LINE    = 256, /**< Of A64FX, and the alignment of reserved STags. */
    SOFTTOFU_TOQ_DESC_SIZE = 64,

    SOFTTOFU_TOQ_DEPTH = 2048,   /**< Default entries of a TOQ and so of a TCQ. */
    SOFTTOFU_MRQ_DEPTH = 131072, /**< Default entries of an MRQ. */

    /** Polls without a notice between two looks at the clock, and the least time between two looks for dead peers. */
    SOFTTOFU_IDLE_POLLS    = 16,
    SOFTTOFU_PEERS_LOOK_MS = 10,

    /** Polls that find the MRQ's head claimed, before its producer is looked for in /proc. */
    SOFTTOFU_STUCK_POLLS = 16384,

    /** Distance that keeps two writers apart on the host: two lines, because lines are prefetched in pairs. */
    SOFTTOFU_HOST_LINE = 128
};

#endif
