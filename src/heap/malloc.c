/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * malloc and its family. A block is in the arena, or the C library's; its address tells which. The C library serves
 * what the heap does not: its own blocks, all blocks until the heap is set up, and what the arena has no room for.
 */
#include "heap/allocator.h"
#include "heap/arena.h"
#include "heap/gate.h"
#include "heap/heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

/* glibc's own, under the names that nobody overrides. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

EXPORT void *malloc(size_t size);
EXPORT void *calloc(size_t count, size_t size);
EXPORT void *realloc(void *block, size_t size);
EXPORT void *reallocarray(void *block, size_t count, size_t size);
EXPORT void free(void *block);
EXPORT void cfree(void *block);
EXPORT void *memalign(size_t alignment, size_t size);
EXPORT void *aligned_alloc(size_t alignment, size_t size);
EXPORT int posix_memalign(void **block, size_t alignment, size_t size);
EXPORT void *valloc(size_t size);
EXPORT void *pvalloc(size_t size);
EXPORT size_t malloc_usable_size(void *block);

static inline void enter(void)
{
    heap_thread_used();
    heap_gate_enter();
}

static void *allocate(const void *caller, size_t size)
{
    void *block = NULL;

    if (heap_serves(caller)) {
        enter();
        block = heap_allocator.malloc(size);
        heap_gate_leave();
    }
    return block != NULL ? block : __libc_malloc(size);
}

static void *allocate_aligned(const void *caller, size_t alignment, size_t size)
{
    void *block = NULL;

    if (heap_serves(caller)) {
        enter();
        block = heap_allocator.aligned(size, alignment);
        heap_gate_leave();
    }
    return block != NULL ? block : __libc_memalign(alignment, size);
}

static void release(void *block)
{
    int error = errno;

    enter();
    heap_allocator.free(block);
    heap_gate_leave();
    errno = error;
}

static size_t usable_size(const void *block)
{
    size_t size;

    enter();
    size = heap_allocator.usable_size(block);
    heap_gate_leave();
    return size;
}

/* The arena is full. @return The block, moved to the C library's heap; or NULL, with nothing changed. */
static void *move_out(void *block, size_t size)
{
    size_t old  = usable_size(block);
    void *moved = __libc_malloc(size);

    if (moved != NULL) {
        memcpy(moved, block, old < size ? old : size);
        release(block);
    }
    return moved;
}

static void *resize(const void *caller, void *block, size_t size)
{
    void *resized;

    if (block == NULL)
        return allocate(caller, size);
    if (!heap_arena_holds(block))
        return __libc_realloc(block, size);
    if (size == 0) { /* As glibc does. */
        release(block);
        return NULL;
    }
    enter();
    resized = heap_allocator.realloc(block, size);
    heap_gate_leave();
    return resized != NULL ? resized : move_out(block, size);
}

void *malloc(size_t size)
{
    return allocate(CALLER, size);
}

void *calloc(size_t count, size_t size)
{
    void *block = NULL;
    size_t bytes;

    if (heap_serves(CALLER) && !__builtin_mul_overflow(count, size, &bytes)) {
        enter();
        block = heap_allocator.zalloc(bytes);
        heap_gate_leave();
    }
    return block != NULL ? block : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return resize(CALLER, block, size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(CALLER, block, bytes);
}

void free(void *block)
{
    if (heap_arena_holds(block))
        release(block);
    else
        __libc_free(block);
}

void cfree(void *block)
{
    free(block);
}

void *memalign(size_t alignment, size_t size)
{
    return allocate_aligned(CALLER, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return allocate_aligned(CALLER, alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    int error = errno;
    void *made;

    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    made  = allocate_aligned(CALLER, alignment, size);
    errno = error;
    if (made == NULL)
        return ENOMEM;
    *block = made;
    return 0;
}

void *valloc(size_t size)
{
    return allocate_aligned(CALLER, (size_t)sysconf(_SC_PAGESIZE), size);
}

void *pvalloc(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return allocate_aligned(CALLER, page, (size + page - 1) & ~(page - 1));
}

size_t malloc_usable_size(void *block)
{
    static size_t (*_Atomic next)(void *);

    if (block == NULL)
        return 0;
    if (heap_arena_holds(block))
        return usable_size(block);
    if (next == NULL)
        next = (size_t(*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
    return next(block);
}

/* mimalloc says so when it begins to use a piece. Only used pieces go into a core dump: a dump writes holes, too. */
EXPORT int mprotect(void *address, size_t length, int protection)
{
    if (heap_arena_holds(address))
        syscall(SYS_madvise, address, length, MADV_DODUMP);
    return (int)syscall(SYS_mprotect, address, length, protection);
}

/* mimalloc gives memory back as it does with private memory, which leaves the pages of a shared file where they are. */
EXPORT int madvise(void *address, size_t length, int advice)
{
    if (heap_arena_holds(address) && (advice == MADV_DONTNEED || advice == MADV_FREE))
        advice = MADV_REMOVE;
    return (int)syscall(SYS_madvise, address, length, advice);
}
