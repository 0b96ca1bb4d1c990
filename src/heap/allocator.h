/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file allocator.h
 * mimalloc, loaded at run time and out of the program's sight: a program without it still starts, and none finds the
 * malloc that it would define besides ours.
 */
#ifndef TOFUHEAP_ALLOCATOR_H
#define TOFUHEAP_ALLOCATOR_H

#include <stddef.h>

/** Functions of mimalloc.h; call them inside the gate. Those that give memory return NULL when the arena is full. */
struct heap_allocator {
    void *(*malloc)(size_t size);
    void *(*zalloc)(size_t size);
    void *(*aligned)(size_t size, size_t alignment);
    void *(*realloc)(void *block, size_t size);
    void (*free)(void *block);
    size_t (*usable_size)(const void *block);
    void (*thread_done)(void);
};

extern struct heap_allocator heap_allocator;

/**
 * Load mimalloc and let it take all memory from the arena.
 * @return NULL, or what is wrong.
 */
const char *heap_allocator_load(void);

#endif
