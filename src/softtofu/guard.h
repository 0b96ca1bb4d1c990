/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file guard.h
 * Peers' files may be truncated while they are mapped here: touching what is gone raises SIGBUS. A handler lets the
 * access go to memory of nobody and marks the mapping as lost, so that the operation, or a later look, tells of it.
 *
 * The handler is installed with the first mapping and passes on what is not its own. It works on any stack. A thread
 * that blocks SIGBUS is killed by the kernel, as without it; so is one whose program has put a handler in its place.
 */
#ifndef SOFTTOFU_GUARD_H
#define SOFTTOFU_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A mapping of a peer's file, as the handler knows it. */
struct softtofu_guard {
    _Atomic uintptr_t start;
    _Atomic size_t size; /**< 0: not in use. */
    _Atomic bool lost;   /**< Its memory is nobody's; for good. */
    struct softtofu_guard *next;
};

/** Mappings lost so far, in the whole process. */
extern _Atomic uint32_t softtofu_guard_losses;

/**
 * Guard a mapping. One thread at a time.
 * @return NULL if no memory is left. Stays until softtofu_guard_end(), or for good if it is lost.
 */
struct softtofu_guard *softtofu_guard_begin(void *start, size_t size);

/** The mapping is no peer's file any more. One thread at a time. */
void softtofu_guard_end(struct softtofu_guard *guard);

/** Whether @a address is in a lost mapping. Threads: any. */
bool softtofu_guard_lost(uintptr_t address);

#endif
