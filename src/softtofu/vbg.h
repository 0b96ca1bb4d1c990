/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file vbg.h
 * The gates that this process has allocated, as it knows them. Nothing in here is shared with other processes.
 */
#ifndef SOFTTOFU_VBG_H
#define SOFTTOFU_VBG_H

#include "softtofu/device.h"
#include "softtofu/gate.h"

#include <utofu.h>

struct softtofu_vbg {
    alignas(SOFTTOFU_HOST_LINE) _Atomic bool allocated;
    bool start;       /**< A start/end gate: the first of its allocation. */
    bool thread_safe; /**< UTOFU_VBG_FLAG_THREAD_SAFE. */
    bool bound;       /**< Start gates: the gates of the allocation know their neighbours. */
    bool under_way;   /**< An operation has been started and not yet been told as done. */
    bool failed;      /**< It was started on a faulty gate. */
    bool second;      /**< Buffer of the operation's signal. */
    softtofu_kind_t kind;
    uint32_t number;     /**< In the fabric. */
    struct softtofu_gate *gate;
    uint32_t idle_polls; /**< Since the last look at the clock. */
    int64_t look_ns;     /**< When to look upstream next. */
    uint64_t began;      /**< When the operation was started, if that is traced; else 0. */
    struct softtofu_vbg *first; /**< Of its allocation. */
    uint8_t position;           /**< In its allocation. */
    uint8_t count;              /**< Of the allocation; in the first. */
    uint8_t gates[SOFTTOFU_GATES]; /**< Ids of the allocation; in the first. */
    pthread_mutex_t mutex;         /**< Used if thread_safe. */
};

/** @return This process' VBG of an id; NULL if it is none. */
static inline struct softtofu_vbg *softtofu_vbg(struct softtofu_device *device, utofu_vbg_id_t id)
{
    const uint64_t tni_mask = UINT64_C(7) << 61;
    unsigned tni = id >> 61, gate = id & 0x3f;
    struct softtofu_vbg *vbg;

    if ((id & ~(tni_mask | 0x3f)) != device->place || tni >= SOFTTOFU_TNIS ||
        gate >= SOFTTOFU_GATES)
        return NULL;
    vbg = &device->vbgs[tni * SOFTTOFU_GATES + gate];
    return atomic_load_explicit(&vbg->allocated, memory_order_acquire) ? vbg : NULL;
}

/** The process at work on gates. */
static inline struct softtofu_hand softtofu_vbg_hand(const struct softtofu_device *device)
{
    uint32_t epoch = atomic_load_explicit(&device->process->epoch, memory_order_relaxed);

    return (struct softtofu_hand){.fabric = &device->fabric, .name = softtofu_gate_name(device->rank, epoch)};
}

/** The gate at @a position of the allocation whose first is @a first. */
static inline struct softtofu_vbg *softtofu_vbg_member(struct softtofu_device *device, const struct softtofu_vbg *first,
                                                       unsigned position)
{
    unsigned tni = first->number / SOFTTOFU_GATES % SOFTTOFU_TNIS;

    return &device->vbgs[tni * SOFTTOFU_GATES + first->gates[position]];
}

#endif
