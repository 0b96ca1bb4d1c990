/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file peer.h
 * What this process knows of the ranks it has to do with: a handle that tells when they die, and their mapped
 * memory. Filled on first use. Threads: any; there is one lock, and none of this is on a fast path.
 */
#ifndef SOFTTOFU_PEER_H
#define SOFTTOFU_PEER_H

#include "softtofu/fabric.h"

#include <stdbool.h>

struct softtofu_peers; /* Opaque: all of them. */

/** @return NULL if no memory is left. */
struct softtofu_peers *softtofu_peers_create(const struct softtofu_fabric *fabric);
void softtofu_peers_destroy(struct softtofu_peers *peers);

/**
 * Watch @a rank, so that softtofu_peers_check() finds its death.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_MRQ_PEER      - it is dead, and has been reaped
 *   UTOFU_ERR_OUT_OF_MEMORY - no memory or descriptor is left to watch it
 */
int softtofu_peer_watch(struct softtofu_peers *peers, unsigned rank);

/**
 * Where the byte at @a offset of segment @a segment of @a rank's files is in this process. Maps the file on
 * first use, and anew when it has grown. The address stays valid; it no longer shows the peer's memory once the
 * peer has deregistered it.
 * @param[in] size  Bytes from @a offset on that must be reachable.
 * @return NULL: the peer is gone, has closed the file, or the file is shorter.
 */
char *softtofu_peer_memory(struct softtofu_peers *peers, unsigned rank, unsigned segment,
                           uint64_t offset, uint64_t size);

/**
 * Reap those of the watched ranks that died, and give back memory that peers deregistered. One system call, every few
 * milliseconds; else, and while another thread does it, a look at the clock.
 */
void softtofu_peers_check(struct softtofu_peers *peers);

#endif
