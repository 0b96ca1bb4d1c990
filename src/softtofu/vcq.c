/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of VCQs, and the calls that tell about them. */
#include "softtofu/api.h"
#include "softtofu/vcq.h"

#include "softtofu/memory.h"
#include "softtofu/mrq.h"
#include "softtofu/session.h"
#include "softtofu/vcq_slot.h"
#include "softtofu/watch.h"

#include <stdlib.h>
#include <string.h>

#define ALL_FLAGS                                                                                  \
    (UTOFU_VCQ_FLAG_THREAD_SAFE | UTOFU_VCQ_FLAG_EXCLUSIVE | UTOFU_VCQ_FLAG_SESSION_MODE)

static void set_place(struct softtofu_vcq *vcq, unsigned tni, unsigned cq, unsigned cmp)
{
    struct softtofu_device *device = vcq->device;
    struct softtofu_vcq_place place = {
            .tni = (uint8_t)tni, .cq = (uint8_t)cq, .cmp = (uint8_t)cmp};

    memcpy(place.coords, device->coords, sizeof(place.coords));
    vcq->id        = softtofu_vcq_id_encode(&place);
    vcq->tni       = (uint8_t)tni;
    vcq->cq        = (uint8_t)cq;
    vcq->cmp       = (uint8_t)cmp;
    vcq->shared_cq = &softtofu_fabric_node(&device->fabric, device->node)->cq[tni][cq];
    vcq->slot      = &vcq->shared_cq->vcq[cmp];
}

/* The counters belong to the place; onlookers subtract what other VCQs had there. */
static void note_traffic_before(struct softtofu_vcq *vcq)
{
    uint64_t ops, bytes;

    softtofu_queue_sum(&vcq->device->fabric, &vcq->queue, &ops, &bytes);
    atomic_store(&vcq->slot->ops_before, ops);
    atomic_store(&vcq->slot->bytes_before, bytes);
}

static int init(struct softtofu_vcq *vcq, unsigned long flags)
{
    const struct softtofu_head *head = vcq->device->fabric.head;
    const bool session               = (flags & UTOFU_VCQ_FLAG_SESSION_MODE) != 0;
    bool threaded;

    vcq->mrq_mask    = head->mrq_depth - 1;
    vcq->mrq_shift   = (uint32_t)__builtin_ctz(head->mrq_depth);
    softtofu_fault_begin(&vcq->fault, &vcq->device->fault_plan, vcq->device->rank, vcq->id);
    threaded    = session || (softtofu_fault_on(&vcq->fault) && vcq->fault.plan->delay > 0);
    vcq->locked = threaded || (flags & UTOFU_VCQ_FLAG_THREAD_SAFE) != 0;
    pthread_mutex_init(&vcq->mutex, NULL);
    softtofu_tlb_init(&vcq->tlb);
    softtofu_vcq_set_queued(vcq, session);
    if (softtofu_notice_ring_init(&vcq->tcq, head->toq_depth) != 0 ||
        softtofu_notice_ring_init(&vcq->notices, head->mrq_depth) != 0 ||
        !softtofu_device_queue(vcq->device,
                               softtofu_vcq_index(vcq->device->node, vcq->tni, vcq->cq, vcq->cmp),
                               &vcq->queue))
        return UTOFU_ERR_OUT_OF_MEMORY;
    note_traffic_before(vcq);
    if (!softtofu_watch_vcq(vcq, flags))
        return UTOFU_ERR_OUT_OF_MEMORY;
    if (threaded && !softtofu_session_begin(vcq, session))
        return UTOFU_ERR_OUT_OF_MEMORY;
    vcq->magic = SOFTTOFU_VCQ_MAGIC;
    return UTOFU_SUCCESS;
}

/* Freed VCQs keep their memory for the next ones, so that a stale handle is an error and not a crash. */
static struct {
    pthread_mutex_t mutex;
    struct softtofu_vcq *first;
} freed = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct softtofu_vcq *allocate(void)
{
    struct softtofu_vcq *vcq;

    pthread_mutex_lock(&freed.mutex);
    vcq = freed.first;
    if (vcq != NULL)
        freed.first = vcq->next;
    pthread_mutex_unlock(&freed.mutex);
    if (vcq == NULL)
        vcq = aligned_alloc(SOFTTOFU_HOST_LINE, sizeof(*vcq));
    if (vcq != NULL)
        memset(vcq, 0, sizeof(*vcq));
    return vcq;
}

static void cleanup(struct softtofu_vcq *vcq)
{
    softtofu_notice_ring_cleanup(&vcq->tcq);
    softtofu_notice_ring_cleanup(&vcq->notices);
    softtofu_targets_cleanup(vcq);
    softtofu_toq_cleanup(vcq);
    pthread_mutex_destroy(&vcq->mutex);
    vcq->magic    = 0;
    vcq->fast_tlb = softtofu_tlb_empty;
    vcq->recent   = softtofu_tlb_empty;
    pthread_mutex_lock(&freed.mutex);
    vcq->next   = freed.first;
    freed.first = vcq;
    pthread_mutex_unlock(&freed.mutex);
}

static void free_slot(struct softtofu_vcq *vcq)
{
    struct softtofu_device *device = vcq->device;

    softtofu_memory_release_all(vcq);
    softtofu_lock(&device->fabric.head->mutex);
    softtofu_vcq_slot_free(vcq->shared_cq, vcq->cmp, device->rank);
    softtofu_unlock(&device->fabric.head->mutex);
}

static int create(utofu_tni_id_t tni, unsigned cmp, unsigned long flags, utofu_vcq_hdl_t *handle)
{
    struct softtofu_device *device;
    struct softtofu_vcq *vcq;
    bool exclusive;
    unsigned cq;
    int result;

    if (tni >= SOFTTOFU_TNIS)
        return UTOFU_ERR_INVALID_TNI_ID;
    if ((flags & ~ALL_FLAGS) != 0)
        return UTOFU_ERR_INVALID_FLAGS;
    if (handle == NULL)
        return UTOFU_ERR_INVALID_POINTER;
    device = softtofu_device();
    if (device == NULL)
        return UTOFU_ERR_NOT_AVAILABLE;
    /* The session offset is the CQ's: a VCQ in session mode has it to itself, too. */
    exclusive = (flags & (UTOFU_VCQ_FLAG_EXCLUSIVE | UTOFU_VCQ_FLAG_SESSION_MODE)) != 0;
    result    = softtofu_device_create_fault(device);
    if (result != UTOFU_SUCCESS)
        return result;
    result = softtofu_vcq_slot_take(device, tni, exclusive, &cmp, &cq);
    if (result != UTOFU_SUCCESS)
        return result;
    vcq = allocate();
    if (vcq == NULL) {
        softtofu_lock(&device->fabric.head->mutex);
        softtofu_vcq_slot_free(&softtofu_fabric_node(&device->fabric, device->node)->cq[tni][cq], cmp,
                               device->rank);
        softtofu_unlock(&device->fabric.head->mutex);
        return UTOFU_ERR_OUT_OF_MEMORY;
    }
    vcq->device = device;
    set_place(vcq, tni, cq, cmp);
    result = init(vcq, flags);
    if (result != UTOFU_SUCCESS) {
        softtofu_watch_free(vcq);
        free_slot(vcq);
        cleanup(vcq);
        return result;
    }
    *handle = (utofu_vcq_hdl_t)vcq;
    return UTOFU_SUCCESS;
}

int putofu_create_vcq(utofu_tni_id_t tni_id, unsigned long int flags, utofu_vcq_hdl_t *vcq_hdl)
{
    return softtofu_told(create(tni_id, SOFTTOFU_CMP_ANY, flags, vcq_hdl));
}
SOFTTOFU_TWIN(create_vcq);

int putofu_create_vcq_with_cmp_id(utofu_tni_id_t tni_id, utofu_cmp_id_t cmp_id,
                                  unsigned long int flags, utofu_vcq_hdl_t *vcq_hdl)
{
    if (cmp_id >= SOFTTOFU_CMP_IDS)
        return softtofu_told(UTOFU_ERR_INVALID_CMP_ID);
    return softtofu_told(create(tni_id, cmp_id, flags, vcq_hdl));
}
SOFTTOFU_TWIN(create_vcq_with_cmp_id);

int putofu_free_vcq(utofu_vcq_hdl_t vcq_hdl)
{
    struct softtofu_vcq *vcq = softtofu_vcq(vcq_hdl);

    if (vcq == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_HDL);
    softtofu_session_end(vcq);
    softtofu_watch_free(vcq);
    free_slot(vcq);
    cleanup(vcq);
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(free_vcq);

int putofu_query_vcq_id(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t *vcq_id)
{
    struct softtofu_vcq *vcq = softtofu_vcq(vcq_hdl);

    if (vcq == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_HDL);
    if (vcq_id == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    *vcq_id = vcq->id;
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(query_vcq_id);

int putofu_query_num_unread_tcq(utofu_vcq_hdl_t vcq_hdl, size_t *count)
{
    struct softtofu_vcq *vcq = softtofu_vcq(vcq_hdl);

    if (vcq == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_HDL);
    if (count == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    softtofu_vcq_lock(vcq);
    *count = softtofu_notice_ring_count(&vcq->tcq);
    softtofu_vcq_unlock(vcq);
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(query_num_unread_tcq);

int putofu_query_num_unread_mrq(utofu_vcq_hdl_t vcq_hdl, size_t *count)
{
    struct softtofu_vcq *vcq = softtofu_vcq(vcq_hdl);

    if (vcq == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_HDL);
    if (count == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    softtofu_vcq_lock(vcq);
    *count = softtofu_notice_ring_count(&vcq->notices) +
             softtofu_mrq_count(vcq->queue.ring, vcq->mrq_mask + 1, vcq->mrq_head);
    softtofu_vcq_unlock(vcq);
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(query_num_unread_mrq);
