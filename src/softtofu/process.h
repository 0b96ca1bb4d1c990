/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file process.h
 * Ranks: who attaches to one, whether it lives, and what becomes of its queues when it does not.
 */
#ifndef SOFTTOFU_PROCESS_H
#define SOFTTOFU_PROCESS_H

#include "softtofu/fabric.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

/** Whether @a error says that descriptors or memory are short just now, and nothing about what was asked for. */
static inline bool softtofu_is_shortage(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM;
}

#define SOFTTOFU_START_UNKNOWN UINT64_MAX

/**
 * Start time of process @a pid in clock ticks since boot.
 * @return 0 if there is none, or it is a zombie; SOFTTOFU_START_UNKNOWN if descriptors or memory to look are short.
 */
uint64_t softtofu_process_start_time(int pid);

/** Whether the process that attached to @a process last has not detached and still runs, as far as can be told: who
 *  lacks descriptors must not take others for dead. Reads /proc. */
bool softtofu_process_alive(const struct softtofu_process *process);

/**
 * Attach this process to @a rank, or to the first free one.
 * @return The rank, or -1 with one line logged: a living process has it, none is free, or descriptors are short.
 */
int softtofu_process_attach(const struct softtofu_fabric *fabric, long rank);

/** Detach in order: frees the rank's VCQs, gates and registrations. */
void softtofu_process_detach(const struct softtofu_fabric *fabric, unsigned rank);

/**
 * If @a rank's process is gone without detaching, mark it dead and free what it had, so that work aimed at it
 * fails. @return Whether it is dead.
 */
bool softtofu_process_reap(const struct softtofu_fabric *fabric, unsigned rank);

#endif
