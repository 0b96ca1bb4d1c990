/* SPDX-License-Identifier: BSD-3-Clause */
/* A fabric seen from outside: what softtofu.h offers to tools. */
#include "softtofu/fabric.h"
#include "softtofu/log.h"
#include "softtofu/mrq.h"
#include "softtofu/process.h"

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
    const struct torus_map *map      = softtofu_fabric_map(&view->fabric);
    struct stat status               = {0};

    memset(info, 0, sizeof(*info));
    fstat(view->fabric.fd, &status);
    memcpy(info->name, head->job, sizeof(info->name));
    memcpy(info->shape, map->job.shape.size, sizeof(info->shape));
    memcpy(info->view, map->job.view.size, sizeof(info->view));
    torus_wrap_format(map->job.wrap, info->wrap);
    info->view_dims     = map->job.view.dims;
    info->nodes         = map->nodes;
    info->processes_max = head->processes_max;
    info->ppn           = map->job.ppn;
    info->memory_bytes  = (size_t)status.st_blocks * 512;
    info->mrq_depth     = head->mrq_depth;
    info->toq_depth     = head->toq_depth;
}

int softtofu_view_process(const softtofu_view_t *view, unsigned rank, struct softtofu_process_info *info)
{
    const struct torus_map *map = softtofu_fabric_map(&view->fabric);
    const struct softtofu_process *process;
    struct torus_place place;

    if (rank >= map->job.ranks)
        return -1;
    place              = torus_map_place(map, rank);
    process            = softtofu_fabric_process(&view->fabric, rank);
    info->state        = atomic_load(&process->state);
    info->pid          = atomic_load(&process->pid);
    info->rank_in_node = place.slot;
    torus_map_coords(map, place.node, info->coords);
    memset(info->logical, 0, sizeof(info->logical));
    torus_map_logical(map, place.node, info->logical);
    if (info->state == SOFTTOFU_PROCESS_ALIVE && !softtofu_process_alive(process))
        info->state = SOFTTOFU_PROCESS_DEAD;
    return 0;
}

int softtofu_view_node(const softtofu_view_t *view, unsigned node, uint8_t coords[6])
{
    const struct torus_map *map = softtofu_fabric_map(&view->fabric);

    if (node >= map->nodes)
        return -1;
    torus_map_coords(map, node, coords);
    return 0;
}

/* The queue area is read through a mapping of the moment: watching must not keep 4 MiB a VCQ mapped. */
static void read_queue(const softtofu_view_t *view, size_t index, const struct softtofu_vcq_slot *slot,
                       struct softtofu_vcq_info *info)
{
    struct softtofu_queue queue;

    if (softtofu_fabric_map_queue(&view->fabric, index, &queue) != 0)
        return;
    softtofu_queue_sum(&view->fabric, &queue, &info->sent_ops, &info->sent_bytes);
    info->sent_ops -= atomic_load(&slot->ops_before);
    info->sent_bytes -= atomic_load(&slot->bytes_before);
    info->mrq_unread =
            softtofu_mrq_count(queue.ring, view->fabric.head->mrq_depth, atomic_load(&slot->mrq_head));
    softtofu_fabric_unmap_queue(&view->fabric, &queue);
}

static const struct softtofu_vcq_slot *find_slot(const softtofu_view_t *view, size_t index, unsigned *node,
                                                 uint64_t *vcq_id)
{
    struct softtofu_vcq_place place;

    *node     = (unsigned)(index / SOFTTOFU_NODE_VCQS);
    place.tni = (uint8_t)(index / (SOFTTOFU_CQ_IDS * SOFTTOFU_CMP_IDS) % SOFTTOFU_TNIS);
    place.cq  = (uint8_t)(index / SOFTTOFU_CMP_IDS % SOFTTOFU_CQ_IDS);
    place.cmp = (uint8_t)(index % SOFTTOFU_CMP_IDS);
    torus_map_coords(softtofu_fabric_map(&view->fabric), *node, place.coords);
    *vcq_id = softtofu_vcq_id_encode(&place);
    return &softtofu_fabric_node(&view->fabric, *node)->cq[place.tni][place.cq].vcq[place.cmp];
}

int softtofu_view_next_vcq(const softtofu_view_t *view, size_t *cursor, struct softtofu_vcq_info *info)
{
    size_t end = (size_t)view->fabric.head->nodes * SOFTTOFU_NODE_VCQS;

    for (; *cursor < end; ++*cursor) {
        unsigned node;
        uint64_t vcq_id;
        const struct softtofu_vcq_slot *slot = find_slot(view, *cursor, &node, &vcq_id);
        if ((atomic_load(&slot->generation) & 1) == 0)
            continue;
        memset(info, 0, sizeof(*info));
        info->vcq_id    = vcq_id;
        info->rank      = atomic_load(&slot->process);
        info->exclusive = (int)atomic_load(&slot->exclusive);
        read_queue(view, (*cursor)++, slot, info);
        return 1;
    }
    return 0;
}

static void copy_traffic(const struct softtofu_queue *queue, unsigned nodes, struct softtofu_traffic *traffic)
{
    for (unsigned node = 0; node < nodes; node++) {
        const struct softtofu_traffic *from = &queue->traffic[node];
        traffic[node] = (struct softtofu_traffic){
                .ops       = __atomic_load_n(&from->ops, __ATOMIC_RELAXED),
                .bytes     = __atomic_load_n(&from->bytes, __ATOMIC_RELAXED),
                .get_ops   = __atomic_load_n(&from->get_ops, __ATOMIC_RELAXED),
                .get_bytes = __atomic_load_n(&from->get_bytes, __ATOMIC_RELAXED)};
    }
}

int softtofu_view_next_sender(const softtofu_view_t *view, size_t *cursor, struct softtofu_sender_info *info,
                              struct softtofu_traffic *traffic)
{
    const unsigned nodes = view->fabric.head->nodes;
    size_t end           = (size_t)nodes * SOFTTOFU_NODE_VCQS;
    struct softtofu_queue queue;

    for (; *cursor < end; ++*cursor) {
        const struct softtofu_vcq_slot *slot = find_slot(view, *cursor, &info->node, &info->vcq_id);
        uint32_t generation                  = atomic_load(&slot->generation);
        if (generation == 0)
            continue; /* Never used: looking at its counters would give them memory. */
        if (softtofu_fabric_map_queue(&view->fabric, *cursor, &queue) != 0)
            return -1;
        info->rank = atomic_load(&slot->process);
        info->live = generation & 1;
        copy_traffic(&queue, nodes, traffic);
        softtofu_fabric_unmap_queue(&view->fabric, &queue);
        ++*cursor;
        return 1;
    }
    return 0;
}
