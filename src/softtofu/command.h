/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file command.h
 * A command as a TNI understands it, and its execution from end to end in the caller.
 */
#ifndef SOFTTOFU_COMMAND_H
#define SOFTTOFU_COMMAND_H

#include "softtofu/link.h"
#include "softtofu/vcq.h"

enum softtofu_command_kind {
    SOFTTOFU_COMMAND_NOP,
    SOFTTOFU_COMMAND_PUT,
    SOFTTOFU_COMMAND_PIGGYBACK,
    SOFTTOFU_COMMAND_GET,
    SOFTTOFU_COMMAND_ATOMIC
};

struct softtofu_command {
    enum softtofu_command_kind kind;
    unsigned long flags; /**< UTOFU_ONESIDED_FLAG_*. */
    uint64_t rmt_vcq_id;
    uint64_t rmt_stadd;
    uint64_t lcl_stadd; /**< PUT, GET. */
    const void *data;   /**< PIGGYBACK. */
    size_t length;      /**< Bytes; of the word for ATOMIC. */
    uint64_t edata;
    void *cbdata;
    struct softtofu_atomic atomic; /**< ATOMIC. */
};

/**
 * Check and execute a command.
 * @return UTOFU_SUCCESS: executed, or its failure is in a completion queue; UTOFU_ERR_BUSY: a queue is full and
 *         nothing was done; UTOFU_ERR_INVALID_*, UTOFU_ERR_OUT_OF_MEMORY: nothing was done.
 */
int softtofu_command_run(utofu_vcq_hdl_t handle, const struct softtofu_command *command);

/**
 * What can be wrong with the arguments that all commands share.
 * @return UTOFU_SUCCESS, UTOFU_ERR_INVALID_FLAGS or UTOFU_ERR_INVALID_EDATA.
 */
int softtofu_command_check(const struct softtofu_command *command);

#endif
