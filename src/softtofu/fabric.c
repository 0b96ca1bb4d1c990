/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/fabric.h"

#include "softtofu/env.h"
#include "softtofu/job.h"
#include "softtofu/log.h"
#include "softtofu/placement.h"
#include "softtofu/rendezvous.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Since parts of the file are mapped one by one. A page is 64 KiB on some ARM machines. */
static uint64_t round_to_pages(uint64_t bytes)
{
    return round_up(bytes, (uint64_t)sysconf(_SC_PAGESIZE));
}

void softtofu_lock(pthread_mutex_t *mutex)
{
    if (pthread_mutex_lock(mutex) == EOWNERDEAD)
        pthread_mutex_consistent(mutex);
}

void softtofu_unlock(pthread_mutex_t *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void init_mutex(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

static int depth_of(enum softtofu_env_id id, uint32_t *depth)
{
    unsigned long value;

    if (softtofu_env_count(id, 16, 2097152, &value) != 0)
        return -1;
    if ((value & (value - 1)) != 0) {
        softtofu_error("a queue depth of %lu is no power of two: correct SOFTTOFU_MRQ_DEPTH or "
                       "SOFTTOFU_TOQ_DEPTH",
                       value);
        return -1;
    }
    *depth = (uint32_t)value;
    return 0;
}

/* Work out everything that is fixed for the job's life. */
static int plan(const struct softtofu_job_spec *spec, const struct torus_map *map, struct softtofu_head *head)
{
    memset(head, 0, sizeof(*head));
    head->version       = SOFTTOFU_LAYOUT_VERSION;
    head->processes_max = spec->processes_max;
    head->nodes         = map->nodes;
    strcpy(head->job, spec->name);
    if (depth_of(SOFTTOFU_ENV_MRQ_DEPTH, &head->mrq_depth) != 0 ||
        depth_of(SOFTTOFU_ENV_TOQ_DEPTH, &head->toq_depth) != 0)
        return -1;

    head->map_offset       = round_up(sizeof(*head), SOFTTOFU_HOST_LINE);
    head->processes_offset = round_to_pages(head->map_offset + map->bytes);
    head->nodes_offset =
            round_to_pages(head->processes_offset + head->processes_max * sizeof(struct softtofu_process));
    head->queues_offset =
            round_to_pages(head->nodes_offset + head->nodes * sizeof(struct softtofu_node));
    head->ring_bytes  = round_to_pages(head->mrq_depth * sizeof(struct softtofu_mrq_entry));
    head->queue_bytes =
            head->ring_bytes + round_to_pages(head->nodes * sizeof(struct softtofu_traffic));
    head->bytes = head->queues_offset +
                  (uint64_t)head->nodes * SOFTTOFU_NODE_VCQS * head->queue_bytes;
    return 0;
}

static int map_directory(struct softtofu_fabric *fabric, size_t bytes)
{
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fabric->fd, 0);

    if (base == MAP_FAILED) {
        softtofu_error("cannot map %zu MiB of the job's fabric: %s; raise the limit of address space "
                       "(ulimit -v) or run fewer processes",
                       bytes >> 20, strerror(errno));
        return -1;
    }
    /* A core file of one rank need not hold every rank's queues. */
    madvise(base, bytes, MADV_DONTDUMP);
    fabric->head = base;
    return 0;
}

static void init_directory(struct softtofu_fabric *fabric, const struct softtofu_head *plan,
                           const struct torus_map *map)
{
    *fabric->head = *plan;
    memcpy((char *)fabric->head + plan->map_offset, map, map->bytes);
    init_mutex(&fabric->head->mutex);
    init_mutex(&fabric->head->attached_atomics);
    for (unsigned node = 0; node < plan->nodes; node++) {
        struct softtofu_cq *cqs = &softtofu_fabric_node(fabric, node)->cq[0][0];
        for (unsigned i = 0; i < SOFTTOFU_NODE_CQS; i++)
            init_mutex(&cqs[i].mutex);
    }
    atomic_store_explicit(&fabric->head->magic, SOFTTOFU_LAYOUT_MAGIC, memory_order_release);
}

/* A file size limit must be an error here, not the end of the program: its signal is held up and taken back. */
static int set_size(int fd, uint64_t bytes)
{
    const struct timespec now = {0};
    sigset_t limit, before;
    int result, error;

    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    result = ftruncate(fd, (off_t)bytes);
    error  = errno;
    if (result != 0 && error == EFBIG)
        sigtimedwait(&limit, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return result;
}

static int make_file(struct softtofu_fabric *fabric, const struct softtofu_head *plan)
{
    fabric->fd = memfd_create("softtofu-fabric", MFD_CLOEXEC);
    if (fabric->fd < 0 || fchmod(fabric->fd, 0600) != 0 ||
        set_size(fabric->fd, plan->bytes) != 0 ||
        /* Now, so that a lack of memory is an error here and not a SIGBUS in init_directory. */
        fallocate(fabric->fd, 0, 0, (off_t)plan->processes_offset) != 0) {
        softtofu_error("cannot make the fabric of job '%s': %s; free memory, or raise the limits of "
                       "memory, files and file size (ulimit -n, -f)",
                       plan->job, strerror(errno));
        return -1;
    }
    return 0;
}

static int make_fabric(struct softtofu_fabric *fabric, const struct softtofu_job_spec *spec,
                       const struct torus_map *map)
{
    struct softtofu_head planned;

    if (plan(spec, map, &planned) != 0 || make_file(fabric, &planned) != 0 ||
        map_directory(fabric, planned.queues_offset) != 0)
        return -1;
    init_directory(fabric, &planned, map);
    fabric->announcement = softtofu_announce(spec->name, fabric->fd);
    if (fabric->announcement >= 0)
        return 0;
    softtofu_error("cannot announce job '%s': %s", spec->name, strerror(errno));
    return -1;
}

/* Assumes that the caller has the job's lock. */
static int create_locked(struct softtofu_fabric *fabric, const struct softtofu_job_spec *spec)
{
    struct torus_map *map;
    int result;

    *fabric = (struct softtofu_fabric){.fd = -1, .announcement = -1};
    if (softtofu_job_check_name(spec->name) != 0)
        return -1;
    map = softtofu_placement(spec);
    if (map == NULL)
        return -1;
    result = make_fabric(fabric, spec, map);
    if (result != 0)
        softtofu_fabric_close(fabric);
    free(map);
    return result;
}

static int take_job_lock(const char *name)
{
    int lock = softtofu_lock_job(name);

    if (lock < 0)
        softtofu_error("cannot take the lock of job '%s': %s; is another process stopped while it "
                       "creates the job?",
                       name, strerror(errno));
    return lock;
}

int softtofu_fabric_create(struct softtofu_fabric *fabric, const struct softtofu_job_spec *spec)
{
    int lock, existing, result = -1;

    if (softtofu_job_check_name(spec->name) != 0)
        return -1;
    lock = take_job_lock(spec->name);
    if (lock < 0)
        return -1;
    existing = softtofu_find_fabric(spec->name);
    if (existing >= 0) {
        softtofu_error("job '%s' is running already: choose another name (--job)", spec->name);
        close(existing);
    } else {
        result = create_locked(fabric, spec);
    }
    close(lock);
    return result;
}

static int check_head(const char *name, int fd, struct softtofu_head *head)
{
    if (pread(fd, head, sizeof(*head), 0) != (ssize_t)sizeof(*head) ||
        atomic_load_explicit(&head->magic, memory_order_acquire) != SOFTTOFU_LAYOUT_MAGIC) {
        softtofu_error("job '%s' has no usable fabric", name);
        return -1;
    }
    if (head->version != SOFTTOFU_LAYOUT_VERSION) {
        softtofu_error("job '%s' runs another version of the software device (%u, this is %u): use "
                       "one libtofucom for the whole job",
                       name, head->version, SOFTTOFU_LAYOUT_VERSION);
        return -1;
    }
    return 0;
}

static int open_found(struct softtofu_fabric *fabric, const char *name, int fd)
{
    struct softtofu_head head;

    *fabric = (struct softtofu_fabric){.fd = fd, .announcement = -1};
    if (check_head(name, fd, &head) == 0 && map_directory(fabric, head.queues_offset) == 0) {
        fabric->announcement = softtofu_announce(name, fd);
        if (fabric->announcement >= 0)
            return 0;
        softtofu_error("cannot announce job '%s': %s", name, strerror(errno));
    }
    softtofu_fabric_close(fabric);
    return -1;
}

int softtofu_fabric_open(struct softtofu_fabric *fabric, const char *name)
{
    int fd = softtofu_find_fabric(name);

    if (fd < 0) {
        softtofu_error("no job '%s' of yours is running on this host: see tofu-info", name);
        return -1;
    }
    return open_found(fabric, name, fd);
}

int softtofu_fabric_join(struct softtofu_fabric *fabric, const struct softtofu_job_spec *spec)
{
    int fd = softtofu_find_fabric(spec->name);
    int lock, result;

    if (fd >= 0)
        return open_found(fabric, spec->name, fd);
    lock = take_job_lock(spec->name);
    if (lock < 0)
        return -1;
    fd     = softtofu_find_fabric(spec->name);
    result = fd >= 0 ? open_found(fabric, spec->name, fd) : create_locked(fabric, spec);
    close(lock);
    return result;
}

void softtofu_fabric_close(struct softtofu_fabric *fabric)
{
    if (fabric->head != NULL)
        munmap(fabric->head, fabric->head->queues_offset);
    if (fabric->announcement >= 0)
        close(fabric->announcement);
    if (fabric->fd >= 0)
        close(fabric->fd);
    *fabric = (struct softtofu_fabric){.fd = -1, .announcement = -1};
}

static off_t queue_offset(const struct softtofu_fabric *fabric, size_t index)
{
    return (off_t)(fabric->head->queues_offset + index * fabric->head->queue_bytes);
}

int softtofu_fabric_map_queue(const struct softtofu_fabric *fabric, size_t index,
                              struct softtofu_queue *queue)
{
    void *base = mmap(NULL, fabric->head->queue_bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, fabric->fd, queue_offset(fabric, index));

    if (base == MAP_FAILED)
        return -1;
    madvise(base, fabric->head->queue_bytes, MADV_DONTDUMP);
    queue->ring    = base;
    queue->traffic = softtofu_queue_traffic(fabric, queue->ring);
    return 0;
}

void softtofu_fabric_unmap_queue(const struct softtofu_fabric *fabric, struct softtofu_queue *queue)
{
    munmap(queue->ring, fabric->head->queue_bytes);
}

int softtofu_fabric_clear_ring(const struct softtofu_fabric *fabric, size_t index)
{
    return fallocate(fabric->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, queue_offset(fabric, index),
              (off_t)fabric->head->ring_bytes);
}

void softtofu_queue_sum(const struct softtofu_fabric *fabric, const struct softtofu_queue *queue, uint64_t *ops,
                        uint64_t *bytes)
{
    *ops   = 0;
    *bytes = 0;
    for (unsigned node = 0; node < fabric->head->nodes; node++) {
        const struct softtofu_traffic *traffic = &queue->traffic[node];
        *ops += __atomic_load_n(&traffic->ops, __ATOMIC_RELAXED) +
                __atomic_load_n(&traffic->get_ops, __ATOMIC_RELAXED);
        *bytes += __atomic_load_n(&traffic->bytes, __ATOMIC_RELAXED) +
                  __atomic_load_n(&traffic->get_bytes, __ATOMIC_RELAXED);
    }
}
