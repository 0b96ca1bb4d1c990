/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file arena.h
 * The memory of the heap: one anonymous file (memfd), mapped shared and sparse. The file stays open, so that the
 * software device recognises the heap as memory that peers can map.
 */
#ifndef TOFUHEAP_ARENA_H
#define TOFUHEAP_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct heap_arena {
    uintptr_t start; /**< Aligned to HEAP_ARENA_ALIGNMENT. */
    size_t size;     /**< Of the address space; 0: there is no arena. */
    int fd;
    ino_t inode; /**< Of the file: tells whether the program has closed the descriptor. */
};

/** What mimalloc wants, and the unit of the size. */
#define HEAP_ARENA_ALIGNMENT ((size_t)64 << 20)

/** The one of this process. Set before the first thread starts, and by a fork in the child. */
extern struct heap_arena heap_arena;

/** Whether @a address is in the arena. Threads: any. */
static inline bool heap_arena_holds(const void *address)
{
    return (uintptr_t)address - heap_arena.start < heap_arena.size;
}

/**
 * Make the arena of this process.
 * @param size  Bytes, a multiple of HEAP_ARENA_ALIGNMENT.
 * @return 0, or -1 with errno set.
 */
int heap_arena_make(size_t size);

/** Undo heap_arena_make(). */
void heap_arena_discard(void);

/**
 * Copy what the arena holds into a new file. Takes time in proportion to the memory in use.
 * @return Its descriptor, or -1 with errno set; EBADF: the program has closed the arena's own.
 */
int heap_arena_copy(void);

/**
 * In a child: let file @a fd, made by heap_arena_copy(), take the place of the arena's.
 * @return 0, or -1 with errno set.
 */
int heap_arena_adopt(int fd);

#endif
