/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file vcq.h
 * A virtual control queue as its owner holds it. Nothing in here is shared with other processes, and no two VCQs
 * share a cache line, so threads with a VCQ each do not meet.
 */
#ifndef SOFTTOFU_VCQ_H
#define SOFTTOFU_VCQ_H

#include "softtofu/device.h"
#include "softtofu/fault.h"
#include "softtofu/guard.h"
#include "softtofu/notice_ring.h"
#include "softtofu/tlb.h"
#include "softtofu/toq.h"

struct softtofu_watch;

struct softtofu_vcq {
    alignas(SOFTTOFU_HOST_LINE) const struct softtofu_tlb_entry *recent; /**< That the last short put used. */
    struct softtofu_tlb_entry *fast_tlb; /**< tlb.entry, or an empty one if fast paths must not go. */
    uint64_t id;   /**< Without path bits. */
    uint32_t magic;
    bool locked; /**< Several threads may use it: with UTOFU_VCQ_FLAG_THREAD_SAFE, or a thread of its own. */
    bool queued; /**< Commands wait in the TOQ, or always go there first. */
    bool session; /**< In session mode. */
    uint8_t tni, cq, cmp;
    uint32_t idle_polls;  /**< Since the last look for dead peers. */
    uint32_t losses_seen; /**< softtofu_guard_losses when the table was last cleared of them. */
    uint32_t stuck_polls; /**< That found a claim at the MRQ's head. */
    struct softtofu_device *device;
    struct softtofu_vcq_slot *slot;
    struct softtofu_cq *shared_cq;
    struct softtofu_queue queue;
    uint64_t mrq_head; /**< Next entry of the MRQ ring to read. */
    uint32_t mrq_mask, mrq_shift; /**< Depth - 1 and log2 of the depth. */

    struct softtofu_notice_ring tcq;     /**< Transmit completions, up to the TOQ's depth. */
    struct softtofu_notice_ring notices; /**< The own operations' MRQ notices, up to the MRQ's depth. */
    pthread_mutex_t mutex;               /**< Used if locked. */
    struct softtofu_toq toq;
    struct softtofu_fault fault; /**< Faults that its commands and registrations are to have. */
    bool threaded;             /**< Has the next. */
    pthread_t session_thread;  /**< Executes what peers release, or what faults have held back long enough. */
    _Atomic bool session_over; /**< It is to end. */

    struct softtofu_watch *watch; /**< NULL: nobody watches. */
    struct softtofu_vcq *next;    /**< Among freed ones. */
    struct softtofu_tlb tlb;
};

#define SOFTTOFU_VCQ_MAGIC 0x76637131u

/**
 * The VCQ behind a handle.
 * @return NULL if the handle is NULL, not aligned as one, or of a VCQ that was freed.
 */
static inline struct softtofu_vcq *softtofu_vcq(uintptr_t handle)
{
    struct softtofu_vcq *vcq = (struct softtofu_vcq *)handle;

    if (vcq == NULL || handle % SOFTTOFU_HOST_LINE != 0 || vcq->magic != SOFTTOFU_VCQ_MAGIC)
        return NULL;
    return vcq;
}

static inline void softtofu_vcq_lock(struct softtofu_vcq *vcq)
{
    if (vcq->locked)
        pthread_mutex_lock(&vcq->mutex);
}

static inline void softtofu_vcq_unlock(struct softtofu_vcq *vcq)
{
    if (vcq->locked)
        pthread_mutex_unlock(&vcq->mutex);
}

/** Say whether commands wait in the TOQ: then no other may take a shortcut past them. */
static inline void softtofu_vcq_set_queued(struct softtofu_vcq *vcq, bool queued)
{
    /* Where faults are decided, all commands must go. */
    queued      = queued || softtofu_fault_on(&vcq->fault);
    vcq->queued = queued;
    /* Nor may one take a shortcut past the lock, or unseen. */
    vcq->fast_tlb = queued || vcq->locked || vcq->watch != NULL ? softtofu_tlb_empty : vcq->tlb.entry;
    vcq->recent   = vcq->fast_tlb;
}

/** Whether memory of a peer was lost that this VCQ may still count on. */
static inline bool softtofu_vcq_has_lost(const struct softtofu_vcq *vcq)
{
    return __builtin_expect(atomic_load_explicit(&softtofu_guard_losses, memory_order_relaxed) != vcq->losses_seen, 0);
}

/** Count an unsuccessful poll or a full queue; now and then look for dead peers and lost memory. */
static inline void softtofu_vcq_idle(struct softtofu_vcq *vcq)
{
    if (__builtin_expect(++vcq->idle_polls == SOFTTOFU_IDLE_POLLS, 0)) {
        vcq->idle_polls = 0;
        softtofu_peers_check(vcq->device->peers);
        if (softtofu_vcq_has_lost(vcq))
            softtofu_tlb_drop_lost(vcq);
    }
}

#endif
