/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/peer.h"

#include "softtofu/guard.h"
#include "softtofu/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <utofu.h>

/** A peer's file, mapped from its first byte. */
struct mapping {
    char *base; /**< NULL: not mapped. */
    size_t size;
    uint32_t generation; /**< Of the segment that it shows. */
    struct softtofu_guard *guard;
};

struct peer {
    uint32_t epoch; /**< Of the process that the mappings belong to; 0: none yet. */
    struct mapping mapping[SOFTTOFU_SEGMENTS_MAX];
};

struct softtofu_peers {
    const struct softtofu_fabric *fabric;
    pthread_mutex_t mutex;
    struct peer **peer;     /**< By rank; NULL: not met yet. */
    struct pollfd *watched; /**< A pidfd each, dense. */
    unsigned *watched_rank;
    unsigned watched_count;
    _Atomic int64_t looked_ms; /**< When they were looked at last. */
};

struct softtofu_peers *softtofu_peers_create(const struct softtofu_fabric *fabric)
{
    struct softtofu_peers *peers = calloc(1, sizeof(*peers));
    size_t count                 = fabric->head->processes_max;

    if (peers == NULL)
        return NULL;
    peers->fabric       = fabric;
    peers->peer         = calloc(count, sizeof(*peers->peer));
    peers->watched      = calloc(count, sizeof(*peers->watched));
    peers->watched_rank = calloc(count, sizeof(*peers->watched_rank));
    pthread_mutex_init(&peers->mutex, NULL);
    if (peers->peer == NULL || peers->watched == NULL || peers->watched_rank == NULL) {
        softtofu_peers_destroy(peers);
        return NULL;
    }
    return peers;
}

/*
 * Give back a mapping's memory. Its addresses stay valid: a thread may be in the middle of a put to memory that
 * its owner has just deregistered, and must not crash for it.
 */
static void retire(struct mapping *mapping)
{
    if (mapping->base != NULL) {
        mmap(mapping->base, mapping->size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        softtofu_guard_end(mapping->guard);
    }
    *mapping = (struct mapping){0};
}

static void retire_all(struct peer *peer)
{
    for (unsigned i = 0; i < SOFTTOFU_SEGMENTS_MAX; i++)
        retire(&peer->mapping[i]);
}

static void retire_stale(struct peer *peer, const struct softtofu_process *process)
{
    unsigned count = atomic_load(&process->segments);

    for (unsigned i = 0; i < count; i++) {
        if (peer->mapping[i].base != NULL &&
            peer->mapping[i].generation != atomic_load(&process->segment[i].generation))
            retire(&peer->mapping[i]);
    }
}

void softtofu_peers_destroy(struct softtofu_peers *peers)
{
    for (unsigned i = 0; i < peers->watched_count; i++)
        close(peers->watched[i].fd);
    for (unsigned i = 0; peers->peer != NULL && i < peers->fabric->head->processes_max; i++) {
        if (peers->peer[i] != NULL)
            retire_all(peers->peer[i]);
        free(peers->peer[i]);
    }
    pthread_mutex_destroy(&peers->mutex);
    free(peers->watched_rank);
    free(peers->watched);
    free(peers->peer);
    free(peers);
}

static void unwatch(struct softtofu_peers *peers, unsigned position)
{
    unsigned last = --peers->watched_count;

    close(peers->watched[position].fd);
    peers->watched[position]      = peers->watched[last];
    peers->watched_rank[position] = peers->watched_rank[last];
}

/* Watch a living process. The start time is read after the pidfd exists, so it is that of the same process. */
static int watch(struct softtofu_peers *peers, unsigned rank)
{
    const struct softtofu_process *process = softtofu_fabric_process(peers->fabric, rank);
    int fd;

    for (unsigned i = 0; i < peers->watched_count; i++) {
        if (peers->watched_rank[i] == rank)
            unwatch(peers, i--);
    }
    fd = (int)syscall(SYS_pidfd_open, atomic_load(&process->pid), 0);
    if (fd < 0)
        return softtofu_is_shortage(errno) ? UTOFU_ERR_OUT_OF_MEMORY : UTOFU_ERR_MRQ_PEER;
    if (!softtofu_process_alive(process)) {
        close(fd);
        return UTOFU_ERR_MRQ_PEER;
    }
    peers->watched[peers->watched_count]      = (struct pollfd){.fd = fd, .events = POLLIN};
    peers->watched_rank[peers->watched_count] = rank;
    peers->watched_count++;
    return UTOFU_SUCCESS;
}

/* @param[out] met  What is known of the process that has @a rank now. @return As softtofu_peer_watch(). */
static int meet(struct softtofu_peers *peers, unsigned rank, struct peer **met)
{
    const struct softtofu_process *process = softtofu_fabric_process(peers->fabric, rank);
    uint32_t epoch                         = atomic_load(&process->epoch);
    struct peer *peer                      = peers->peer[rank];
    int result;

    *met = peer;
    if (atomic_load(&process->state) != SOFTTOFU_PROCESS_ALIVE)
        return UTOFU_ERR_MRQ_PEER;
    if (peer != NULL && peer->epoch == epoch)
        return UTOFU_SUCCESS;
    result = watch(peers, rank);
    if (result != UTOFU_SUCCESS)
        return result;
    if (peer == NULL)
        peer = peers->peer[rank] = calloc(1, sizeof(*peer));
    if (peer == NULL)
        return UTOFU_ERR_OUT_OF_MEMORY;
    retire_all(peer);
    peer->epoch = epoch;
    *met        = peer;
    return UTOFU_SUCCESS;
}

int softtofu_peer_watch(struct softtofu_peers *peers, unsigned rank)
{
    struct peer *peer;
    int result;

    pthread_mutex_lock(&peers->mutex);
    result = meet(peers, rank, &peer);
    pthread_mutex_unlock(&peers->mutex);
    if (result == UTOFU_ERR_MRQ_PEER)
        softtofu_process_reap(peers->fabric, rank);
    return result;
}

/* @return A guarded mapping of the whole file, or one with no base. */
static struct mapping map_whole(int fd, size_t size, uint32_t generation)
{
    void *base            = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    struct mapping result = {.base = base, .size = size, .generation = generation};

    if (base == MAP_FAILED)
        return (struct mapping){0};
    /* A core dump would write the holes of a sparse file, and it is not this process' memory. */
    madvise(base, size, MADV_DONTDUMP);
    result.guard = softtofu_guard_begin(base, size);
    if (result.guard == NULL) {
        munmap(base, size);
        return (struct mapping){0};
    }
    return result;
}

/* @return A descriptor of the file that the segment is of in @a generation, or -1 if none was found. */
static int open_file(const struct softtofu_process *process, const struct softtofu_segment *segment,
                     uint32_t *generation, struct stat *status)
{
    uint64_t device, inode;
    char path[64];
    int fd;

    /* Acquire, for publish()'s last release: the fields are not older than the generation. */
    *generation = atomic_load_explicit(&segment->generation, memory_order_acquire);
    device      = atomic_load_explicit(&segment->device, memory_order_relaxed);
    inode       = atomic_load_explicit(&segment->inode, memory_order_relaxed);
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", atomic_load(&process->pid),
             atomic_load_explicit(&segment->fd, memory_order_relaxed));
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return -1;
    /*
     * Acquire, for publish()'s fence: if a field is newer, the second look shows another generation; as it does if the
     * owner has closed the descriptor and what was opened is another file, maybe with the inode number of the first.
     */
    atomic_thread_fence(memory_order_acquire);
    if ((*generation & 1) != 0 &&
        atomic_load_explicit(&segment->generation, memory_order_relaxed) == *generation &&
        fstat(fd, status) == 0 && status->st_dev == device && status->st_ino == inode)
        return fd;
    close(fd);
    return -1;
}

/* What is open is the file, whatever becomes of the segment meanwhile: the mapping then is of an old generation. */
static void map_file(const struct softtofu_process *process, const struct softtofu_segment *segment,
                     struct mapping *mapping)
{
    uint32_t generation;
    struct stat status;
    int fd = open_file(process, segment, &generation, &status);

    if (fd < 0)
        return;
    if (status.st_size > 0)
        *mapping = map_whole(fd, (size_t)status.st_size, generation);
    close(fd);
}

/* A mapping that was lost no longer shows the file, of which a part may be left. */
static bool is_usable(const struct mapping *mapping, uint64_t end, uint32_t generation)
{
    return mapping->base != NULL && mapping->size >= end && mapping->generation == generation &&
           !atomic_load(&mapping->guard->lost);
}

static char *memory_locked(struct softtofu_peers *peers, unsigned rank, unsigned index, uint64_t end)
{
    const struct softtofu_process *process = softtofu_fabric_process(peers->fabric, rank);
    const struct softtofu_segment *segment = &process->segment[index];
    struct mapping *mapping;
    struct peer *peer;

    if (meet(peers, rank, &peer) != UTOFU_SUCCESS)
        return NULL;
    mapping = &peer->mapping[index];
    if (!is_usable(mapping, end, atomic_load(&segment->generation))) {
        /* A file that grew is mapped anew; users of the shorter mapping find the new one by and by. */
        if (mapping->base != NULL && mapping->generation == atomic_load(&segment->generation) &&
            !atomic_load(&mapping->guard->lost))
            *mapping = (struct mapping){0};
        retire(mapping);
        map_file(process, segment, mapping);
    }
    return mapping->size < end ? NULL : mapping->base;
}

char *softtofu_peer_memory(struct softtofu_peers *peers, unsigned rank, unsigned segment,
                           uint64_t offset, uint64_t size)
{
    char *base;

    pthread_mutex_lock(&peers->mutex);
    base = memory_locked(peers, rank, segment, offset + size);
    pthread_mutex_unlock(&peers->mutex);
    return base != NULL ? base + offset : NULL;
}

/* Who works hard polls seldom, who waits polls often: the time between two looks must not depend on that. */
static bool look_is_due(struct softtofu_peers *peers)
{
    struct timespec now;
    int64_t now_ms;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &now); /* Without a system call. */
    now_ms = now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
    if (now_ms - atomic_load_explicit(&peers->looked_ms, memory_order_relaxed) < SOFTTOFU_PEERS_LOOK_MS)
        return false;
    atomic_store_explicit(&peers->looked_ms, now_ms, memory_order_relaxed);
    return true;
}

/* @return Whether the process that was met, whose pidfd tells its death, is known as dead, or was before. */
static bool reaped(const struct softtofu_peers *peers, unsigned rank)
{
    const struct softtofu_process *process = softtofu_fabric_process(peers->fabric, rank);

    /* Else there was no descriptor to look for it in /proc: later. */
    return softtofu_process_reap(peers->fabric, rank) || atomic_load(&process->state) != SOFTTOFU_PROCESS_ALIVE ||
           peers->peer[rank] == NULL || peers->peer[rank]->epoch != atomic_load(&process->epoch);
}

void softtofu_peers_check(struct softtofu_peers *peers)
{
    if (!look_is_due(peers) || pthread_mutex_trylock(&peers->mutex) != 0)
        return;
    for (unsigned i = 0; i < peers->watched_count; i++) {
        unsigned rank = peers->watched_rank[i];
        if (peers->peer[rank] != NULL)
            retire_stale(peers->peer[rank], softtofu_fabric_process(peers->fabric, rank));
    }
    if (peers->watched_count > 0 && poll(peers->watched, peers->watched_count, 0) > 0) {
        for (unsigned i = 0; i < peers->watched_count; i++) {
            if (peers->watched[i].revents == 0)
                continue;
            if (reaped(peers, peers->watched_rank[i]))
                unwatch(peers, i--);
        }
    }
    pthread_mutex_unlock(&peers->mutex);
}
