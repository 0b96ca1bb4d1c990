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
    const char *call; /**< __func__ of the public call that it comes from. */
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

/** Initialiser of a put or get, from arguments by the names that utofu.h gives them; more fields may follow. */
#define SOFTTOFU_TRANSFER(kind_, ...)                                                              \
    {                                                                                              \
        .call = __func__, .kind = SOFTTOFU_COMMAND_##kind_, .flags = flags,                        \
        .rmt_vcq_id = rmt_vcq_id, .rmt_stadd = rmt_stadd, .lcl_stadd = lcl_stadd,                  \
        .length = length, .edata = edata, __VA_ARGS__                                              \
    }

/** Initialiser of a put of the bytes at @a data_, likewise. */
#define SOFTTOFU_PIGGYBACK(data_, ...)                                                             \
    {                                                                                              \
        .call = __func__, .kind = SOFTTOFU_COMMAND_PIGGYBACK, .flags = flags,                      \
        .rmt_vcq_id = rmt_vcq_id, .rmt_stadd = rmt_stadd, .data = (data_), .length = length,       \
        .edata = edata, __VA_ARGS__                                                                \
    }

/** Initialiser of an atomic, likewise. */
#define SOFTTOFU_ATOMIC(bytes_, op_, operand_, compare_, ...)                                      \
    {                                                                                              \
        .call = __func__, .kind = SOFTTOFU_COMMAND_ATOMIC, .flags = flags,                         \
        .rmt_vcq_id = rmt_vcq_id, .rmt_stadd = rmt_stadd, .length = (bytes_), .edata = edata,      \
        .atomic = {.op = (op_), .bytes = (bytes_), .operand = (operand_), .compare = (compare_)},  \
        __VA_ARGS__                                                                                \
    }

/** @return @a op, or SOFTTOFU_OP_INVALID. */
static inline int softtofu_armw_op(enum utofu_armw_op op)
{
    return (int)op >= UTOFU_ARMW_OP_SWAP && (int)op <= UTOFU_ARMW_OP_OR ? (int)op : SOFTTOFU_OP_INVALID;
}

/**
 * Check and post a command. It is executed at once, unless it has to wait in the TOQ.
 * @return UTOFU_SUCCESS: posted, and its failure if any is in a completion queue; UTOFU_ERR_BUSY: a queue is full and
 *         nothing was done; UTOFU_ERR_INVALID_*, UTOFU_ERR_OUT_OF_MEMORY: nothing was done.
 */
int softtofu_command_run(utofu_vcq_hdl_t handle, const struct softtofu_command *command);

/** @return "utofu_...": the public call that @a command comes from. */
static inline const char *softtofu_command_call(const struct softtofu_command *command)
{
    return command->call + 1;
}

/**
 * What can be wrong with a command on its own.
 * @return UTOFU_SUCCESS, or UTOFU_ERR_INVALID_FLAGS, _EDATA, _SIZE, _POINTER, _OP or _STADD.
 */
int softtofu_command_check(const struct softtofu_command *command);

/** Execute a checked command now. Assumes that the caller has the VCQ's lock. @return As softtofu_command_run(). */
int softtofu_command_execute(struct softtofu_vcq *vcq, const struct softtofu_command *command);

/**
 * Execute a command that waited in the TOQ. What is wrong with it now can only be told in the TCQ.
 * @return Whether it is done; else a queue is full.
 */
bool softtofu_command_run_waiting(struct softtofu_vcq *vcq, const struct softtofu_command *command);

/** Tell, as if the device had found out, that a command failed with UTOFU_ERR_TCQ_* or UTOFU_ERR_MRQ_*. @return As
 *  softtofu_command_run_waiting(). */
bool softtofu_command_fail(struct softtofu_vcq *vcq, const struct softtofu_command *command, int status);

#endif
