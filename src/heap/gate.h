/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file gate.h
 * Every thread passes the gate on its way into the allocator. Who forks closes it and waits until all are out: the
 * copy that the child gets then shows no operation of the allocator half done.
 *
 * A passage costs a few plain instructions: the closer pays for the order between them, by membarrier(2).
 */
#ifndef TOFUHEAP_GATE_H
#define TOFUHEAP_GATE_H

/** Prepare. Before the first thread. */
void heap_gate_init(void);

/** Enter, after waiting while another thread forks. May be nested, as a signal handler does that calls malloc. */
void heap_gate_enter(void);
void heap_gate_leave(void);

/** The calling thread ends soon. It may enter again nevertheless. */
void heap_gate_forget_thread(void);

/** Close for all other threads, and wait until they are out. One thread at a time; others wait for it. */
void heap_gate_close(void);

/** Open again, in the process that closed. */
void heap_gate_open(void);

/** Open in a child of that process: the other threads do not exist there. */
void heap_gate_open_in_child(void);

#endif
