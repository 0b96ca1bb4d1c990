/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file heap.h
 * The heap as a whole: whether it is there, and how it speaks.
 */
#ifndef TOFUHEAP_HEAP_H
#define TOFUHEAP_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>

#define HEAP_STATE_READY 1

extern _Atomic int heap_state;

/** Set the heap up if this is the first call. @return Whether it is there. Threads: any. */
bool heap_is_set_up(void);

/** Whether @a caller is in code of the C library or the dynamic linker. Assumes that the heap is set up. */
bool heap_is_system(const void *caller);

/** Whether a call of malloc from the code at @a caller gets memory of the arena. */
static inline bool heap_serves(const void *caller)
{
    return (__builtin_expect(atomic_load_explicit(&heap_state, memory_order_acquire) == HEAP_STATE_READY, 1) ||
            heap_is_set_up()) &&
           !heap_is_system(caller);
}

/**
 * The calling thread is about to use the allocator: see to it that the allocator learns of the thread's end, inside the
 * gate.
 */
void heap_thread_used(void);

/** Write one line to stderr; "%s" in @a text stands for error number @a error. Needs no memory. */
void heap_say(const char *text, int error);

#endif
