/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file train.h
 * A train of commands: a strided put or get is one command for each of its blocks. A command on its own is a train of
 * one, so that what can be said of strides need not be said twice.
 */
#ifndef SOFTTOFU_TRAIN_H
#define SOFTTOFU_TRAIN_H

#include "softtofu/command.h"

struct softtofu_train {
    struct softtofu_command first; /**< Block 0; only the last block gives its TCQ notice. */
    size_t stride; /**< Bytes from block to block on both sides. */
    size_t number; /**< Of blocks. */
    size_t mtu, gap; /**< How packets are to be injected, which the software device only checks; 0: not said. */
};

/** Check arguments. @param depth  Of the TOQ. @return As softtofu_command_check(), or UTOFU_ERR_INVALID_NUMBER. */
int softtofu_train_check(const struct softtofu_train *train, size_t depth);

/** Block @a i. */
struct softtofu_command softtofu_train_block(const struct softtofu_train *train, size_t i);

/** Check and post: all blocks, or none. @return As softtofu_command_run(), or UTOFU_ERR_INVALID_NUMBER. */
int softtofu_train_run(utofu_vcq_hdl_t handle, const struct softtofu_train *train);

#endif
