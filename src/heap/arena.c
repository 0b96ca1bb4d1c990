/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Out of the way of programs that count on low descriptors. */
#define FD_FLOOR 256

struct heap_arena heap_arena = {.fd = -1};

static void close_keeping_errno(int fd)
{
    int error = errno;

    close(fd);
    errno = error;
}

/* @return Descriptor of a new file that nobody can truncate and only this user can open, or -1. */
static int make_file(size_t size)
{
    int low = memfd_create("tofu-heap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int fd  = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, FD_FLOOR);

    if (low >= 0 && fd < 0)
        fd = low; /* RLIMIT_NOFILE is that small. */
    else if (low >= 0)
        close(low);
    if (fd >= 0 && (fchmod(fd, 0600) != 0 || ftruncate(fd, (off_t)size) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
        close_keeping_errno(fd);
        fd = -1;
    }
    return fd;
}

static int map_file(uintptr_t start, size_t size, int fd)
{
    struct stat status;

    if (fstat(fd, &status) != 0 || mmap((void *)start, size, PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0) == MAP_FAILED)
        return -1;
    madvise((void *)start, size, MADV_DONTDUMP);
    heap_arena = (struct heap_arena){.start = start, .size = size, .fd = fd, .inode = status.st_ino};
    return 0;
}

/* @return Address space aligned as needed, or 0. */
static uintptr_t reserve(size_t size)
{
    void *space = mmap(NULL, size + HEAP_ARENA_ALIGNMENT, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    uintptr_t start, begin = (uintptr_t)space;

    if (space == MAP_FAILED)
        return 0;
    start = (begin + HEAP_ARENA_ALIGNMENT - 1) & ~(HEAP_ARENA_ALIGNMENT - 1);
    if (start > begin)
        munmap(space, start - begin);
    munmap((void *)(start + size), begin + HEAP_ARENA_ALIGNMENT - start);
    return start;
}

int heap_arena_make(size_t size)
{
    uintptr_t start = reserve(size);
    int fd;

    if (start == 0)
        return -1;
    fd = make_file(size);
    if (fd < 0)
        goto err_unmap;
    if (map_file(start, size, fd) == 0)
        return 0;
    close_keeping_errno(fd);
err_unmap:
    munmap((void *)start, size);
    return -1;
}

void heap_arena_discard(void)
{
    munmap((void *)heap_arena.start, heap_arena.size);
    close(heap_arena.fd);
    heap_arena = (struct heap_arena){.fd = -1};
}

static int write_all(int fd, off_t from, off_t to)
{
    while (from < to) {
        ssize_t written = pwrite(fd, (const char *)heap_arena.start + from, (size_t)(to - from), from);
        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0)
            from += written;
    }
    return 0;
}

/* Only what the file holds: its holes are memory that was never used, or given back. */
static int copy_data(int to)
{
    off_t hole = 0, data;

    while ((data = lseek(heap_arena.fd, hole, SEEK_DATA)) >= 0) {
        hole = lseek(heap_arena.fd, data, SEEK_HOLE);
        if (hole < 0 || write_all(to, data, hole) != 0)
            return -1;
    }
    return errno == ENXIO ? 0 : -1;
}

int heap_arena_copy(void)
{
    struct stat status;
    int fd;

    if (fstat(heap_arena.fd, &status) != 0 || status.st_ino != heap_arena.inode) {
        errno = EBADF;
        return -1;
    }
    fd = make_file(heap_arena.size);
    if (fd >= 0 && copy_data(fd) != 0) {
        close_keeping_errno(fd);
        fd = -1;
    }
    return fd;
}

int heap_arena_adopt(int fd)
{
    int parents = heap_arena.fd;

    if (map_file(heap_arena.start, heap_arena.size, fd) != 0)
        return -1;
    close(parents);
    return 0;
}
