/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/segment.h"

#include "softtofu/proc_map.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Duplicates of users' descriptors live up here, out of the way of programs that count on low ones. */
#define FD_FLOOR 256

/** What the kernel says of a range. */
struct range {
    enum softtofu_memory_kind kind;
    uint64_t device, inode, offset;
};

/* Add the mapping that continues the range at @a next: one file throughout, or the range is not mapped memory. */
static void add_part(struct range *range, const struct softtofu_mapped_range *part, uintptr_t addr, uintptr_t next)
{
    uint64_t offset = part->offset + (next - part->start);

    if (next == addr) {
        *range = (struct range){.kind   = part->shared ? SOFTTOFU_MEMORY_MAPPED
                                                       : SOFTTOFU_MEMORY_ATTACHED,
                                .device = part->device,
                                .inode  = part->inode,
                                .offset = offset};
    } else if (!part->shared || part->device != range->device || part->inode != range->inode ||
               offset != range->offset + (next - addr)) {
        range->kind = SOFTTOFU_MEMORY_ATTACHED;
    }
}

static struct range classify(uintptr_t addr, size_t size)
{
    struct range range = {.kind = SOFTTOFU_MEMORY_UNMAPPED};
    uintptr_t next = addr, end = addr + size;
    struct softtofu_proc_map map;
    struct softtofu_mapped_range part;

    if (!softtofu_proc_map_open(&map))
        return (struct range){.kind = SOFTTOFU_MEMORY_UNKNOWN};
    while (next < end && softtofu_proc_map_find(&map, next, &part)) {
        add_part(&range, &part, addr, next);
        next = part.end;
    }
    if (next < end)
        range.kind = softtofu_proc_map_broken(&map) ? SOFTTOFU_MEMORY_UNKNOWN : SOFTTOFU_MEMORY_UNMAPPED;
    softtofu_proc_map_close(&map);
    return range;
}

/* @return A descriptor of the file that is open for reading and writing, or -1. */
static int find_descriptor(const struct range *range)
{
    DIR *directory = opendir("/proc/self/fd");
    struct dirent *entry;
    struct stat status;
    int found = -1;

    if (directory == NULL)
        return -1;
    while (found < 0 && (entry = readdir(directory)) != NULL) {
        int fd = atoi(entry->d_name);
        if (entry->d_name[0] != '.' && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
            status.st_dev == range->device && status.st_ino == range->inode &&
            (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR)
            found = fd;
    }
    closedir(directory);
    return found;
}

/* @return Index of the file in the own slot, or of a free entry of it; SOFTTOFU_SEGMENT_NONE if all are taken. */
static uint16_t find_entry(const struct softtofu_process *process, const struct range *range)
{
    uint16_t free_entry = SOFTTOFU_SEGMENT_NONE;

    for (uint16_t i = 0; i < SOFTTOFU_SEGMENTS_MAX; i++) {
        const struct softtofu_segment *segment = &process->segment[i];
        if ((atomic_load(&segment->generation) & 1) == 0) {
            if (free_entry == SOFTTOFU_SEGMENT_NONE)
                free_entry = i;
        } else if (atomic_load(&segment->device) == range->device && atomic_load(&segment->inode) == range->inode) {
            return i;
        }
    }
    return free_entry;
}

/* Fill a free entry. */
static void publish(struct softtofu_segment *segment, const struct range *range, int fd)
{
    /* Release: who sees any of the new fields sees the even generation of before, too. Pairs with open_file()'s fence. */
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&segment->fd, fd, memory_order_relaxed);
    atomic_store_explicit(&segment->device, range->device, memory_order_relaxed);
    atomic_store_explicit(&segment->inode, range->inode, memory_order_relaxed);
    segment->registrations = 0;
    /* Release, for open_file()'s acquire: who sees the odd generation sees the fields. */
    atomic_fetch_add_explicit(&segment->generation, 1, memory_order_release);
}

static uint16_t register_locked(struct softtofu_process *process, const struct range *range)
{
    uint16_t index = find_entry(process, range);
    struct softtofu_segment *segment;
    int fd;

    if (index == SOFTTOFU_SEGMENT_NONE)
        return index;
    segment = &process->segment[index];
    if ((atomic_load(&segment->generation) & 1) == 0) {
        fd = find_descriptor(range);
        /* A duplicate, because the program may close its own at any time. */
        fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, FD_FLOOR) : -1;
        if (fd < 0)
            return SOFTTOFU_SEGMENT_NONE;
        if (atomic_load(&process->segments) <= index)
            atomic_store(&process->segments, index + 1u);
        publish(segment, range, fd);
    }
    segment->registrations++;
    return index;
}

void softtofu_segment_release(struct softtofu_device *device, uint16_t index)
{
    struct softtofu_segment *segment;

    if (index == SOFTTOFU_SEGMENT_NONE)
        return;
    pthread_mutex_lock(&device->memory_mutex);
    segment = &device->process->segment[index];
    if (--segment->registrations == 0) {
        /* Before the close: who opens another file by this descriptor finds another generation afterwards. */
        atomic_fetch_add(&segment->generation, 1);
        close(atomic_load(&segment->fd));
    }
    pthread_mutex_unlock(&device->memory_mutex);
}

enum softtofu_memory_kind softtofu_segment_find(struct softtofu_device *device, const void *addr,
                                                size_t size, uint16_t *segment, uint64_t *offset)
{
    struct range range = classify((uintptr_t)addr, size);

    *segment = SOFTTOFU_SEGMENT_NONE;
    *offset  = range.offset;
    if (range.kind != SOFTTOFU_MEMORY_MAPPED)
        return range.kind;
    pthread_mutex_lock(&device->memory_mutex);
    *segment = register_locked(device->process, &range);
    pthread_mutex_unlock(&device->memory_mutex);
    return *segment == SOFTTOFU_SEGMENT_NONE ? SOFTTOFU_MEMORY_ATTACHED : SOFTTOFU_MEMORY_MAPPED;
}
