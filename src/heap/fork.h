/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file fork.h
 * A shared mapping is not copied by fork, so the heap is: the parent copies it before, and the child puts the copy in
 * its place. Neither waits for the other.
 */
#ifndef TOFUHEAP_FORK_H
#define TOFUHEAP_FORK_H

/** Watch forks from now on. @return 0, or an error number. */
int heap_fork_watch(void);

#endif
