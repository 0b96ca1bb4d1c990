/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file fault_plan.h
 * What SOFTTOFU_FAULT asks for. docs/faults.md tells users.
 *
 *     plan = item {"," item}
 *     item = "busy=" P | "delay=" P ":" TIME | "error=" P ":" CODE | "full=" P [":" CODE]
 *          | "only=" KIND {"|" KIND} | "rank=" N | "after=" N | "count=" N | "seed=" N
 *
 * P is a probability from 0 to 1, TIME a number with ns, us, ms or s, CODE a utofu_return_code without UTOFU_ERR_.
 * Spaces around items do not matter.
 */
#ifndef SOFTTOFU_FAULT_PLAN_H
#define SOFTTOFU_FAULT_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/** Longest delay, in nanoseconds. */
#define SOFTTOFU_FAULT_DELAY_MAX UINT64_C(60000000000)

/** What faults can befall; the first are those of enum softtofu_command_kind. */
enum softtofu_fault_kind {
    SOFTTOFU_FAULT_NOP,
    SOFTTOFU_FAULT_PUT,
    SOFTTOFU_FAULT_PIGGYBACK,
    SOFTTOFU_FAULT_GET,
    SOFTTOFU_FAULT_ARMW,
    SOFTTOFU_FAULT_REG_MEM,
    SOFTTOFU_FAULT_CREATE_VCQ,
    SOFTTOFU_FAULT_KINDS
};

struct softtofu_fault_plan {
    bool on;           /**< Anything is asked for. */
    double busy;       /**< Probability that a posting call returns UTOFU_ERR_BUSY. */
    double delay;      /**< That a command is held back for delay_ns. */
    double error;      /**< That a command is told as error_code instead of being executed. */
    double full;       /**< That a registration or creation returns full_code. */
    uint64_t delay_ns;
    int error_code;    /**< UTOFU_ERR_TCQ_* or UTOFU_ERR_MRQ_*. */
    int full_code;     /**< UTOFU_ERR_FULL or UTOFU_ERR_OUT_OF_MEMORY. */
    unsigned only;     /**< Bits of enum softtofu_fault_kind. */
    long rank;         /**< The only rank with faults; -1: all. */
    uint64_t after;    /**< Calls to leave alone first. */
    uint64_t count;    /**< Most faults. */
    uint64_t seed;
};

/**
 * Read a plan.
 * @param text  The variable's value; an empty one asks for nothing.
 * @return 0, or -1 with one line logged that says what is wrong and where.
 */
int softtofu_fault_plan_read(const char *text, struct softtofu_fault_plan *plan);

#endif
