/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/proc_map.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* As in linux/fs.h of 6.11, which the build may not have. */
struct query {
    uint64_t size, flags, address;
    uint64_t start, end, mapping_flags, page_size, offset, inode;
    uint32_t device_major, device_minor;
    uint32_t name_size, build_id_size;
    uint64_t name, build_id;
};
#define QUERY          _IOWR('f', 17, struct query)
#define QUERY_WRITABLE 0x02u
#define QUERY_SHARED   0x08u

bool softtofu_proc_map_open(struct softtofu_proc_map *map)
{
    *map = (struct softtofu_proc_map){.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), .has_query = true};
    return map->fd >= 0;
}

void softtofu_proc_map_close(struct softtofu_proc_map *map)
{
    if (map->text != NULL)
        fclose(map->text);
    else
        close(map->fd);
}

static bool parse_line(const char *text, struct softtofu_mapped_range *range)
{
    unsigned long long start, end, offset, inode;
    unsigned major_number, minor_number;
    char mode[5];

    if (sscanf(text, "%llx-%llx %4s %llx %x:%x %llu", &start, &end, mode, &offset, &major_number,
               &minor_number, &inode) != 7)
        return false;
    *range = (struct softtofu_mapped_range){.start  = start,
                                            .end    = end,
                                            .device = makedev(major_number, minor_number),
                                            .inode  = inode,
                                            .offset = offset,
                                            .shared = mode[3] == 's' && mode[1] == 'w'};
    return true;
}

static bool find_in_text(struct softtofu_proc_map *map, uintptr_t address, struct softtofu_mapped_range *range)
{
    char line[512];

    if (map->text == NULL)
        map->text = fdopen(map->fd, "r");
    while (map->text != NULL && fgets(line, sizeof(line), map->text) != NULL) {
        if (parse_line(line, range) && range->end > address)
            return range->start <= address;
    }
    return false;
}

bool softtofu_proc_map_find(struct softtofu_proc_map *map, uintptr_t address,
                            struct softtofu_mapped_range *range)
{
    struct query query = {.size = sizeof(query), .address = address};

    if (map->has_query && ioctl(map->fd, QUERY, &query) == 0) {
        *range = (struct softtofu_mapped_range){
                .start  = query.start,
                .end    = query.end,
                .device = makedev(query.device_major, query.device_minor),
                .inode  = query.inode,
                .offset = query.offset,
                .shared = (query.mapping_flags & QUERY_SHARED) != 0 && (query.mapping_flags & QUERY_WRITABLE) != 0};
        return true;
    }
    if (map->has_query && errno == ENOENT)
        return false;
    map->has_query = false; /* An older kernel, or a filter forbids it. */
    return find_in_text(map, address, range);
}
