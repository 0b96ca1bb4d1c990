/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file proc_map.h
 * What the kernel says of this process' mappings, through /proc/self/maps: by one ioctl a mapping where there is
 * PROCMAP_QUERY (Linux 6.11), else by reading the text.
 */
#ifndef SOFTTOFU_PROC_MAP_H
#define SOFTTOFU_PROC_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** A mapping. */
struct softtofu_mapped_range {
    uintptr_t start, end;
    uint64_t device, inode; /**< Of its file; 0: it has none. */
    uint64_t offset;        /**< In the file. */
    bool shared;            /**< Shared, and writable. */
};

/** A walk through the mappings in ascending order. */
struct softtofu_proc_map {
    int fd;
    bool has_query;
    FILE *text; /**< NULL until it is read. */
};

/** @return Whether the mappings can be read; then end with softtofu_proc_map_close(). */
bool softtofu_proc_map_open(struct softtofu_proc_map *map);
void softtofu_proc_map_close(struct softtofu_proc_map *map);

/** Find the mapping of @a address, which lies behind the mapping that the call before found. @return Whether there is one. */
bool softtofu_proc_map_find(struct softtofu_proc_map *map, uintptr_t address,
                            struct softtofu_mapped_range *range);

/** @return Whether the mappings could not be read after all: what was not found may be there. */
static inline bool softtofu_proc_map_broken(const struct softtofu_proc_map *map)
{
    return !map->has_query && map->text == NULL;
}

#endif
