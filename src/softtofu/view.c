/* SPDX-License-Identifier: BSD-3-Clause */
/* A fabric seen from outside: what softtofu.h offers to tools. */
#include "softtofu/fabric.h"
#include "softtofu/log.h"
#include "softtofu/mrq.h"
#include "softtofu/process.h"
#include "torus/rank_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct softtofu_view {
    struct softtofu_fabric fabric;
};

static int finish(int result, softtofu_view_t *made, softtofu_view_t **view)
{
    softtofu_error_release();
    if (result != 0) {
        free(made);
        made = NULL;
    }
    *view = made;
    return result;
}

int softtofu_job_create(const struct softtofu_job_spec *spec, softtofu_view_t **view, char *message,
                        size_t message_size)
{
    softtofu_view_t *made = calloc(1, sizeof(*made));

    softtofu_error_capture(message, message_size);
    if (made == NULL) {
        softtofu_error("no memory is left");
        return finish(-1, made, view);
    }
    return finish(softtofu_fabric_create(&made->fabric, spec), made, view);
}

int softtofu_view_open(const char *name, softtofu_view_t **view, char *message, size_t message_size)
{
    softtofu_view_t *made = calloc(1, sizeof(*made));

    softtofu_error_capture(message, message_size);
    if (made == NULL) {
        softtofu_error("no memory is left");
        return finish(-1, made, view);
    }
    return finish(softtofu_fabric_open(&made->fabric, name), made, view);
}

void softtofu_view_close(softtofu_view_t *view)
{
    if (view != NULL)
        softtofu_fabric_close(&view->fabric);
    free(view);
}

void softtofu_view_job(const softtofu_view_t *view, struct softtofu_job_info *info)
{
    const struct softtofu_head *head = view->fabric.head;
    struct stat status               = {0};

    memset(info, 0, sizeof(*info));
    fstat(view->fabric.fd, &status);
    memcpy(info->name, head->job, sizeof(info->name));
    memcpy(info->shape, head->shape.size, sizeof(info->shape));
    info->processes_max = head->processes_max;
    info->ppn           = head->ppn;
    info->memory_bytes  = (size_t)status.st_blocks * 512;
    info->mrq_depth     = head->mrq_depth;
    info->toq_depth     = head->toq_depth;
}

int softtofu_view_process(const softtofu_view_t *view, unsigned rank, struct softtofu_process_info *info)
{
    const struct softtofu_head *head = view->fabric.head;
    const struct softtofu_process *process;

    if (rank >= head->processes_max)
        return -1;
    process            = softtofu_fabric_process(&view->fabric, rank);
    info->state        = atomic_load(&process->state);
    info->pid          = atomic_load(&process->pid);
    info->rank_in_node = rank % head->ppn;
    torus_node_coords(&head->shape, rank / head->ppn, info->coords);
    if (info->state == SOFTTOFU_PROCESS_ALIVE && !softtofu_process_alive(process))
        info->state = SOFTTOFU_PROCESS_DEAD;
    return 0;
}

/* The queue area is read through a mapping of the moment: watching must not keep 4 MiB a VCQ mapped. */
static void read_queue(const softtofu_view_t *view, size_t index, const struct softtofu_vcq_slot *slot,
                       struct softtofu_vcq_info *info)
{
    const struct softtofu_head *head = view->fabric.head;
    struct softtofu_queue queue;

    if (softtofu_fabric_map_queue(&view->fabric, index, &queue) != 0)
        return;
    for (unsigned node = 0; node < head->nodes; node++) {
        info->sent_ops += __atomic_load_n(&queue.traffic[node].ops, __ATOMIC_RELAXED);
        info->sent_bytes += __atomic_load_n(&queue.traffic[node].bytes, __ATOMIC_RELAXED);
    }
    info->mrq_unread = softtofu_mrq_count(queue.ring, head->mrq_depth, atomic_load(&slot->mrq_head));
    softtofu_fabric_unmap_queue(&view->fabric, &queue);
}

int softtofu_view_next_vcq(const softtofu_view_t *view, size_t *cursor, struct softtofu_vcq_info *info)
{
    const struct softtofu_head *head = view->fabric.head;
    size_t end                       = (size_t)head->nodes * SOFTTOFU_NODE_VCQS;

    for (; *cursor < end; ++*cursor) {
        struct softtofu_vcq_place place;
        unsigned node = (unsigned)(*cursor / SOFTTOFU_NODE_VCQS);
        place.tni     = (uint8_t)(*cursor / (SOFTTOFU_CQ_IDS * SOFTTOFU_CMP_IDS) % SOFTTOFU_TNIS);
        place.cq      = (uint8_t)(*cursor / SOFTTOFU_CMP_IDS % SOFTTOFU_CQ_IDS);
        place.cmp     = (uint8_t)(*cursor % SOFTTOFU_CMP_IDS);
        const struct softtofu_vcq_slot *slot =
                &softtofu_fabric_node(&view->fabric, node)->cq[place.tni][place.cq].vcq[place.cmp];
        if ((atomic_load(&slot->generation) & 1) == 0)
            continue;
        torus_node_coords(&head->shape, node, place.coords);
        memset(info, 0, sizeof(*info));
        info->vcq_id    = softtofu_vcq_id_encode(&place);
        info->rank      = atomic_load(&slot->process);
        info->exclusive = (int)atomic_load(&slot->exclusive);
        read_queue(view, (*cursor)++, slot, info);
        return 1;
    }
    return 0;
}
