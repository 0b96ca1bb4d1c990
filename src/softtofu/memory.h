/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file memory.h
 * Registration of memory, beyond the calls of utofu.h.
 */
#ifndef SOFTTOFU_MEMORY_H
#define SOFTTOFU_MEMORY_H

struct softtofu_vcq;

/** Undo every registration made on @a vcq that is still there. */
void softtofu_memory_release_all(struct softtofu_vcq *vcq);

#endif
