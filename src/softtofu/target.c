/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/target.h"

#include "softtofu/vcq.h"

#include <stdlib.h>
#include <utofu.h>

static unsigned hash(uint64_t vcq_id)
{
    return (unsigned)(vcq_id * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

static struct softtofu_target **find_slot(struct softtofu_targets *targets, uint64_t vcq_id)
{
    unsigned i = hash(vcq_id) & targets->mask;

    while (targets->slot[i] != NULL && targets->slot[i]->vcq_id != vcq_id)
        i = (i + 1) & targets->mask;
    return &targets->slot[i];
}

static bool make_room(struct softtofu_targets *targets)
{
    struct softtofu_targets grown = {.count = targets->count};

    if (targets->slot != NULL && 2 * targets->count <= targets->mask)
        return true;
    grown.mask = targets->slot == NULL ? 15 : 2 * targets->mask + 1;
    grown.slot = calloc(grown.mask + 1, sizeof(*grown.slot));
    if (grown.slot == NULL)
        return false;
    for (unsigned i = 0; targets->slot != NULL && i <= targets->mask; i++) {
        if (targets->slot[i] != NULL)
            *find_slot(&grown, targets->slot[i]->vcq_id) = targets->slot[i];
    }
    free(targets->slot);
    *targets = grown;
    return true;
}

/* @return Whether the id names a place in the job's shape. */
static bool locate(const struct softtofu_fabric *fabric, uint64_t vcq_id, struct softtofu_target *target)
{
    struct softtofu_vcq_place place;
    int32_t node;

    if (!softtofu_vcq_id_decode(vcq_id, &place))
        return false;
    node = torus_map_find(softtofu_fabric_map(fabric), place.coords);
    if (node == TORUS_MAP_OUTSIDE)
        return false;
    *target = (struct softtofu_target){.vcq_id = vcq_id};
    /* The shape may have nodes without processes: they have no queues either. */
    if (node != TORUS_MAP_EMPTY) {
        target->node      = (unsigned)node;
        target->shared_cq = &softtofu_fabric_node(fabric, target->node)->cq[place.tni][place.cq];
        target->slot      = &target->shared_cq->vcq[place.cmp];
        target->index     = softtofu_vcq_index(target->node, place.tni, place.cq, place.cmp);
    }
    return true;
}

bool softtofu_target_valid(const struct softtofu_fabric *fabric, uint64_t vcq_id)
{
    struct softtofu_target target;

    return locate(fabric, vcq_id & ~SOFTTOFU_ID_PATH_MASK, &target);
}

static int add(struct softtofu_vcq *vcq, uint64_t vcq_id, struct softtofu_target **target)
{
    struct softtofu_targets *targets = &vcq->tlb.targets;
    struct softtofu_target found;

    if (!locate(&vcq->device->fabric, vcq_id, &found))
        return UTOFU_ERR_INVALID_VCQ_ID;
    if (!make_room(targets) || (*target = malloc(sizeof(**target))) == NULL)
        return UTOFU_ERR_OUT_OF_MEMORY;
    **target = found;
    *find_slot(targets, vcq_id) = *target;
    targets->count++;
    return UTOFU_SUCCESS;
}

int softtofu_target_find(struct softtofu_vcq *vcq, uint64_t vcq_id, struct softtofu_target **found)
{
    struct softtofu_device *device = vcq->device;
    struct softtofu_target *target;
    uint32_t generation;
    int result = UTOFU_SUCCESS;

    vcq_id &= ~SOFTTOFU_ID_PATH_MASK;
    target = vcq->tlb.targets.slot == NULL ? NULL : *find_slot(&vcq->tlb.targets, vcq_id);
    if (target == NULL) {
        result = add(vcq, vcq_id, &target);
        if (result != UTOFU_SUCCESS)
            return result;
    }
    *found = target;
    if (target->slot == NULL)
        return UTOFU_ERR_MRQ_PEER;
    generation = atomic_load_explicit(&target->slot->generation, memory_order_acquire);
    if ((generation & 1) == 0)
        return UTOFU_ERR_MRQ_PEER;
    if (generation != target->generation) {
        unsigned rank = atomic_load(&target->slot->process);
        if (rank != device->rank)
            result = softtofu_peer_watch(device->peers, rank);
        if (result != UTOFU_SUCCESS)
            return result;
        target->rank       = rank;
        target->generation = generation;
        target->mrq_tail   = 0;
    }
    return UTOFU_SUCCESS;
}

bool softtofu_target_map_queue(struct softtofu_vcq *vcq, struct softtofu_target *target)
{
    return target->queue.ring != NULL ||
           softtofu_device_queue(vcq->device, target->index, &target->queue);
}

void softtofu_targets_cleanup(struct softtofu_vcq *vcq)
{
    struct softtofu_targets *targets = &vcq->tlb.targets;

    for (unsigned i = 0; targets->slot != NULL && i <= targets->mask; i++)
        free(targets->slot[i]);
    free(targets->slot);
}
