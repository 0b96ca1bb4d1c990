/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/fork.h"

#include "heap/arena.h"
#include "heap/gate.h"
#include "heap/heap.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* As shells say that something could not be started. */
#define STATUS_NO_HEAP 127

/* From the first handler to the second the gate is closed, and there is a copy or an error. */
static bool copying;
static int copy = -1;
static int copy_error;

/* Registered first, so run last before a fork and first after it: other handlers may use the heap. */
static void before(void)
{
    if (heap_arena.size == 0)
        return;
    heap_gate_close();
    copying    = true;
    copy       = heap_arena_copy();
    copy_error = copy < 0 ? errno : 0;
}

static void after_in_parent(void)
{
    if (!copying)
        return;
    if (copy >= 0)
        close(copy);
    copying = false;
    heap_gate_open();
}

static void after_in_child(void)
{
    if (!copying)
        return;
    if (copy >= 0 && heap_arena_adopt(copy) != 0)
        copy_error = errno;
    if (copy_error != 0) {
        heap_say("a forked child ends, for its heap could not be copied: %s. Free memory and descriptors, keep "
                 "the heap's open, or give --no-heap",
                 copy_error);
        _exit(STATUS_NO_HEAP);
    }
    copying = false;
    heap_gate_open_in_child();
}

int heap_fork_watch(void)
{
    return pthread_atfork(before, after_in_parent, after_in_child);
}
