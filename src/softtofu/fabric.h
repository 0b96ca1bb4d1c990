/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file fabric.h
 * A process' hold on a fabric: create it or join it, and find things in it.
 */
#ifndef SOFTTOFU_FABRIC_H
#define SOFTTOFU_FABRIC_H

#include "softtofu/ident.h"
#include "softtofu/layout.h"

#include <stdbool.h>

struct softtofu_fabric {
    struct softtofu_head *head; /**< The mapped directory. */
    int fd;
    int announcement;
};

/** A VCQ's queue area, mapped. */
struct softtofu_queue {
    struct softtofu_mrq_entry *ring;
    struct softtofu_traffic *traffic; /**< One a node. */
};

/** Create the fabric of @a spec. @return 0, or -1 with one line logged: it exists, or cannot be made. */
int softtofu_fabric_create(struct softtofu_fabric *fabric, const struct softtofu_job_spec *spec);

/** Join the fabric of job @a name. @return 0, or -1 with one line logged: nobody holds it, or it is not ours. */
int softtofu_fabric_open(struct softtofu_fabric *fabric, const char *name);

/** Join the fabric of @a spec's job, or create it. @return 0, or -1 with one line logged. */
int softtofu_fabric_join(struct softtofu_fabric *fabric, const struct softtofu_job_spec *spec);

void softtofu_fabric_close(struct softtofu_fabric *fabric);

/** Map the queue area of VCQ number @a index. @return 0, or -1 if no memory or address space is left. */
int softtofu_fabric_map_queue(const struct softtofu_fabric *fabric, size_t index,
                              struct softtofu_queue *queue);

void softtofu_fabric_unmap_queue(const struct softtofu_fabric *fabric, struct softtofu_queue *queue);

/** Return the memory of a queue area's MRQ ring, so that it reads as zeros. The traffic counters stay. */
int softtofu_fabric_clear_ring(const struct softtofu_fabric *fabric, size_t index);

/** The traffic counters of the queue area that begins with @a ring. */
static inline struct softtofu_traffic *softtofu_queue_traffic(const struct softtofu_fabric *fabric,
                                                              struct softtofu_mrq_entry *ring)
{
    return (struct softtofu_traffic *)((char *)ring + fabric->head->ring_bytes);
}

/** Add up @a queue's counters over all nodes. */
void softtofu_queue_sum(const struct softtofu_fabric *fabric, const struct softtofu_queue *queue, uint64_t *ops,
                        uint64_t *bytes);

/**
 * Lock a mutex of the fabric. One whose holder died is taken over: what it guards changes by single stores
 * whose halfway states are valid.
 */
void softtofu_lock(pthread_mutex_t *mutex);
void softtofu_unlock(pthread_mutex_t *mutex);

/** Where the ranks of the job are. */
static inline const struct torus_map *softtofu_fabric_map(const struct softtofu_fabric *fabric)
{
    return (const struct torus_map *)((const char *)fabric->head + fabric->head->map_offset);
}

static inline struct softtofu_process *softtofu_fabric_process(const struct softtofu_fabric *fabric,
                                                               unsigned rank)
{
    return (struct softtofu_process *)((char *)fabric->head + fabric->head->processes_offset) + rank;
}

static inline struct softtofu_node *softtofu_fabric_node(const struct softtofu_fabric *fabric,
                                                         unsigned node)
{
    return (struct softtofu_node *)((char *)fabric->head + fabric->head->nodes_offset) + node;
}

/** Number of a VCQ in the fabric, which is that of its queue area. */
static inline size_t softtofu_vcq_index(unsigned node, unsigned tni, unsigned cq, unsigned cmp)
{
    return (((size_t)node * SOFTTOFU_TNIS + tni) * SOFTTOFU_CQ_IDS + cq) * SOFTTOFU_CMP_IDS + cmp;
}

#endif
