/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file segment.h
 * Tells mapped memory from attached memory: a range is *mapped* if it lies in a shared mapping of a file that
 * this process still holds open for reading and writing.
 */
#ifndef SOFTTOFU_SEGMENT_H
#define SOFTTOFU_SEGMENT_H

#include "softtofu/device.h"

/** Kind of a range of memory. */
enum softtofu_memory_kind {
    SOFTTOFU_MEMORY_UNKNOWN,  /**< The kernel could not be asked: no descriptor or memory is left. */
    SOFTTOFU_MEMORY_UNMAPPED, /**< Part of it does not exist. */
    SOFTTOFU_MEMORY_ATTACHED, /**< Peers reach it by cross-memory attach. */
    SOFTTOFU_MEMORY_MAPPED    /**< Peers map its file. */
};

/**
 * Classify a range and, if it is mapped, publish its file to peers until softtofu_segment_release().
 * @param[out] segment  Index in the own slot; SOFTTOFU_SEGMENT_NONE unless mapped.
 * @param[out] offset   Of the first byte in the file.
 * Threads: any. Asks the kernel: some microseconds, before Linux 6.11 tens of them.
 */
enum softtofu_memory_kind softtofu_segment_find(struct softtofu_device *device, const void *addr,
                                                size_t size, uint16_t *segment, uint64_t *offset);

/** Undo one softtofu_segment_find() that gave @a segment; SOFTTOFU_SEGMENT_NONE is ignored. Threads: any. */
void softtofu_segment_release(struct softtofu_device *device, uint16_t segment);

#endif
