/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file image.h
 * Commands as they lie in a TOQ: what utofu_prepare_*() writes, programs keep and patch, and utofu_post_toq() reads.
 *
 * An entry is four 64-bit words, laid out as public code that patches entries of the hardware finds them; where that is
 * silent, as it fits:
 *
 *     word 0   63..56 TNI, c, b, a as in a VCQ id | 55..32 z, y, x | 31..28 path | 27..24 SPS
 *              23..16 MTU in 32 B, or operation of an atomic
 *              15..8 enum softtofu_image_kind | 7..0 enum softtofu_image_flag
 *     word 1   55..32 length | 31..28 CQ, 27..24 component field of the target | 23..16 edata
 *              13..8 low bits of the flags | 7..0 gap
 *     word 2   remote STADD
 *     word 3   local STADD, or the first 8 bytes of a piggybacked payload, or the operand of an atomic
 *
 * What an entry has no room for lies in one before it, of kind BUFFER: bytes 8..31 of a payload in words 1 to 3, or in
 * word 1 what a compare-and-swap compares with. A nop is zeros, but for its flags.
 */
#ifndef SOFTTOFU_IMAGE_H
#define SOFTTOFU_IMAGE_H

#include "softtofu/train.h"

/** Bytes of an entry; commands have one or two. */
#define SOFTTOFU_IMAGE_ENTRY 32u

enum softtofu_image_kind {
    SOFTTOFU_IMAGE_NOP       = 0,
    SOFTTOFU_IMAGE_PUT       = 1,
    SOFTTOFU_IMAGE_BUFFER    = 2,
    SOFTTOFU_IMAGE_PIGGYBACK = 3,
    SOFTTOFU_IMAGE_GET       = 4,
    SOFTTOFU_IMAGE_ARMW      = 14
};

enum softtofu_image_flag {
    SOFTTOFU_IMAGE_DELAY_START      = 1,
    SOFTTOFU_IMAGE_TCQ_NOTICE       = 2,
    SOFTTOFU_IMAGE_LOCAL_MRQ_NOTICE = 4
};

/** Write the image of @a command, with the pacing of @a train, to @a desc. @return Its bytes: 32 or 64. */
size_t softtofu_image_write(const struct softtofu_command *command, const struct softtofu_train *train, void *desc);

/**
 * Read the first command from @a size bytes of images.
 * @param[out] command  But for call and cbdata. Its data, if any, are in @a payload.
 * @return Its bytes, or 0: there is no command, a cut one, or one with parts that no command has.
 */
size_t softtofu_image_read(const void *desc, size_t size, struct softtofu_command *command,
                           uint8_t payload[SOFTTOFU_PIGGYBACK_MAX]);

#endif
