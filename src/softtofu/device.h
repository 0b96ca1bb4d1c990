/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file device.h
 * This process' place on the software Tofu-D: the job it is in, its rank and node. Made by the first call that
 * needs it, undone when the process exits.
 */
#ifndef SOFTTOFU_DEVICE_H
#define SOFTTOFU_DEVICE_H

#include "softtofu/fabric.h"
#include "softtofu/fault.h"
#include "softtofu/peer.h"

#include <stdbool.h>

struct softtofu_vbg;

struct softtofu_device {
    struct softtofu_fabric fabric;
    struct softtofu_peers *peers;
    struct softtofu_process *process; /**< Own slot. */
    unsigned rank, node, rank_in_node;
    uint8_t coords[TORUS_AXES];
    uint64_t place; /**< The coordinates as they are in ids. */
    bool attach_allowed; /**< SOFTTOFU_ATTACH. */
    bool abort_on_overflow; /**< SOFTTOFU_MRQ_OVERFLOW. */
    struct softtofu_fault_plan fault_plan; /**< SOFTTOFU_FAULT. */
    struct softtofu_fault create_fault;    /**< Faults that creations of VCQs are to have. */
    pthread_mutex_t memory_mutex; /**< Guards the own slot's segments. */
    pthread_mutex_t queues_mutex; /**< Guards create_fault, and additions to the next. */
    _Atomic(struct softtofu_mrq_entry *) *queues; /**< Mapped queue areas by VCQ number; NULL: not yet. */
    struct softtofu_vbg *vbgs; /**< By TNI and gate: those of the own node that this process may have. */
};

/** The device once it is attached; NULL before, and in a forked child. */
extern _Atomic(struct softtofu_device *) softtofu_device_attached;

/** Attach, if nobody has. @return As softtofu_device(). */
struct softtofu_device *softtofu_device_attach(void);

/**
 * The device, attached on the first call. After a fork the child attaches for itself.
 * @return NULL if this process cannot be part of a job; the reason was logged by the first such call.
 * Threads: any.
 */
static inline struct softtofu_device *softtofu_device(void)
{
    /* Acquire: pairs with the release that follows attaching. */
    struct softtofu_device *device = atomic_load_explicit(&softtofu_device_attached, memory_order_acquire);

    return __builtin_expect(device != NULL, 1) ? device : softtofu_device_attach();
}

/** A VCQ is about to be created. @return UTOFU_SUCCESS, or with which fault. */
int softtofu_device_create_fault(struct softtofu_device *device);

/** The queue area of VCQ number @a index, mapped on first use and for good. @return Whether it could be. */
bool softtofu_device_queue(struct softtofu_device *device, size_t index, struct softtofu_queue *queue);

#endif
