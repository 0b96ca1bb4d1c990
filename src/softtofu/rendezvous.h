/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file rendezvous.h
 * How processes find the fabric of a job, and leave nothing behind.
 *
 * The fabric is a memfd: it has no name. Whoever holds it binds a socket to the abstract address
 *
 *     @softtofu/UID/JOB/PID/FD
 *
 * and never listens on it: the address is the message. It says that the fabric is open in process PID as
 * descriptor FD, and it vanishes with the process, however that ends. A joiner looks the job up in
 * /proc/net/unix and opens /proc/PID/fd/FD. Creation is serialised by the address @softtofu/UID/JOB/lock.
 */
#ifndef SOFTTOFU_RENDEZVOUS_H
#define SOFTTOFU_RENDEZVOUS_H

#include "softtofu.h"

/** Announce that this process holds @a job's fabric as @a fd. @return A socket to keep, or -1 with errno. */
int softtofu_announce(const char *job, int fd);

/**
 * Take the right to create @a job's fabric, waiting for another that has it.
 * @return A socket; close it to let the next in. -1 with errno: ETIMEDOUT after 10 s.
 */
int softtofu_lock_job(const char *job);

/** Open the fabric of @a job through one of its holders. @return A descriptor, or -1 if nobody holds one. */
int softtofu_find_fabric(const char *job);

#endif
