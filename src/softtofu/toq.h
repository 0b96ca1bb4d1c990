/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file toq.h
 * The transmit order queue: commands that were posted and not executed yet.
 *
 * Most commands never lie here: they are executed in the call that posts them. Those wait that
 * UTOFU_ONESIDED_FLAG_DELAY_START holds back, those of a session-mode VCQ that no put has released, what is left of a
 * train of commands when a target's MRQ is full, those that SOFTTOFU_FAULT delays, and everything that is posted behind
 * one that waits. While commands wait, and in session mode or with faults always, the VCQ's `queued` is set: it leads
 * all commands and polls here.
 */
#ifndef SOFTTOFU_TOQ_H
#define SOFTTOFU_TOQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct softtofu_command;
struct softtofu_toq_entry;
struct softtofu_vcq;

struct softtofu_toq {
    struct softtofu_toq_entry *entry; /**< NULL until a command had to wait. */
    uint32_t head, tail; /**< Commands executed, and posted, since the VCQ was made; of those that came by here. */
    uint32_t started;    /**< Commands before this one may run, as far as DELAY_START is concerned. */
    uint32_t size;       /**< Entries allocated, a power of two; 0 at first. */
};

/** Commands that wait. */
static inline uint32_t softtofu_toq_count(const struct softtofu_toq *toq)
{
    return toq->tail - toq->head;
}

/** Gives command @a i of several. */
typedef struct softtofu_command (*softtofu_toq_source_t)(const void *source, size_t i);

/**
 * Post checked commands one behind the other: all or none. They are executed at once as far as they may be; the others
 * wait. Assumes that the caller has the VCQ's lock, and number <= the TOQ's depth.
 * @return UTOFU_SUCCESS; UTOFU_ERR_BUSY - so many wait that these do not fit, or the first found a queue full;
 *         UTOFU_ERR_OUT_OF_MEMORY.
 */
int softtofu_toq_post(struct softtofu_vcq *vcq, size_t number, softtofu_toq_source_t get, const void *source);

/** Execute what waits and may run, in order. @return Whether it has run, or waits for a time; else a command found a
 *  queue full. */
bool softtofu_toq_drain(struct softtofu_vcq *vcq);

/** Until when the first command is held back by a fault, by softtofu_fault_clock(); 0: it is not. */
uint64_t softtofu_toq_due(const struct softtofu_vcq *vcq);

/** As softtofu_toq_drain(), and let DELAY_START hold nothing back any more: for polls. */
void softtofu_toq_start(struct softtofu_vcq *vcq);

/** Drop what waits. */
void softtofu_toq_cleanup(struct softtofu_vcq *vcq);

#endif
