/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file pending.h
 * Commands of one VCQ of which the program cannot know whether they are done: no notice of them was polled, nor one that
 * implies it. For the check only; the device itself executes commands at once. Not thread safe.
 */
#ifndef SOFTTOFU_PENDING_H
#define SOFTTOFU_PENDING_H

#include "softtofu/command.h"

struct softtofu_pending {
    enum softtofu_command_kind kind;
    unsigned long flags;
    uint64_t vcq_id; /**< Target, without path bits. */
    unsigned path;   /**< 0: default. */
    uint64_t rmt_stadd, lcl_stadd;
    size_t length;
    void *cbdata;
    uint64_t arrivals; /**< What peers had sent to this process when it was posted. */
    bool sent;         /**< Known to have left. */
    bool done;         /**< Known to be done at the target. */
    bool told;         /**< Its TCQ notice was polled. */
};

/** The last commands; what falls out is taken for done. */
#define SOFTTOFU_PENDING_MAX 512u

struct softtofu_pending_ring {
    struct softtofu_pending entry[SOFTTOFU_PENDING_MAX];
    uint64_t count; /**< Ever added. */
};

/** @return The account of @a command, which is not added. */
struct softtofu_pending softtofu_pending_make(const struct softtofu_command *command, uint64_t arrivals);

void softtofu_pending_add(struct softtofu_pending_ring *ring, const struct softtofu_pending *pending);

/** A TCQ notice was polled: its command has left, and so have those posted before. */
void softtofu_pending_sent(struct softtofu_pending_ring *ring, const void *cbdata);

/** A notice of an own command was polled: it is done, and with STRONG_ORDER those that it came after. */
void softtofu_pending_done(struct softtofu_pending_ring *ring, const struct utofu_mrq_notice *notice);

/** Whether hardware does @a second after @a first: both strongly ordered, to the same VCQ, on one path. */
bool softtofu_pending_ordered(const struct softtofu_pending *first, const struct softtofu_pending *second);

/** Walk the ring, newest first. @param[in,out] i  Start with 0. @return NULL at the end. */
const struct softtofu_pending *softtofu_pending_next(const struct softtofu_pending_ring *ring, unsigned *i);

#endif
