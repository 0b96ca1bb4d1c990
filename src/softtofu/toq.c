/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/toq.h"

#include "softtofu/command.h"
#include "softtofu/session.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ENTRIES 16u

struct softtofu_toq_entry {
    struct softtofu_command command;
    int status;              /**< To tell instead of executing it: a fault; else UTOFU_SUCCESS. */
    uint64_t delay_ns, due;  /**< How long a fault holds it back when its turn comes, and until when then. */
    uint8_t payload[SOFTTOFU_PIGGYBACK_MAX];
};

static struct softtofu_toq_entry *at(const struct softtofu_toq *toq, uint32_t position)
{
    return &toq->entry[position & (toq->size - 1)];
}

static bool grow(struct softtofu_toq *toq, uint32_t least)
{
    struct softtofu_toq more = *toq;

    more.size = toq->size == 0 ? FIRST_ENTRIES : toq->size;
    while (more.size < least)
        more.size *= 2;
    more.entry = malloc(more.size * sizeof(*more.entry));
    if (more.entry == NULL)
        return false;
    for (uint32_t i = toq->head; i != toq->tail; i++)
        *at(&more, i) = *at(toq, i);
    free(toq->entry);
    *toq = more;
    return true;
}

/* @return UTOFU_SUCCESS: @a number more commands have room. */
static int reserve(struct softtofu_vcq *vcq, size_t number)
{
    struct softtofu_toq *toq = &vcq->toq;
    uint32_t waiting         = softtofu_toq_count(toq);

    if (number > vcq->tcq.depth - waiting)
        return UTOFU_ERR_BUSY;
    if (waiting + number > toq->size && !grow(toq, waiting + (uint32_t)number))
        return UTOFU_ERR_OUT_OF_MEMORY;
    return UTOFU_SUCCESS;
}

static void push(struct softtofu_vcq *vcq, const struct softtofu_command *command)
{
    struct softtofu_toq *toq         = &vcq->toq;
    struct softtofu_toq_entry *entry = at(toq, toq->tail++);

    entry->command  = *command;
    entry->status   = UTOFU_SUCCESS;
    entry->delay_ns = 0;
    entry->due      = 0;
    if (softtofu_fault_on(&vcq->fault))
        softtofu_fault_fate(&vcq->fault, command->kind, &entry->status, &entry->delay_ns);
    if (command->kind == SOFTTOFU_COMMAND_PIGGYBACK)
        memcpy(entry->payload, command->data, command->length);
    if ((command->flags & UTOFU_ONESIDED_FLAG_DELAY_START) == 0)
        toq->started = toq->tail;
    softtofu_vcq_set_queued(vcq, true);
}

/* Commands from the head on that may run now. */
static uint32_t runnable(const struct softtofu_vcq *vcq)
{
    const struct softtofu_toq *toq = &vcq->toq;
    uint32_t started               = toq->started - toq->head, released;

    if (!vcq->session)
        return started;
    released = softtofu_session_released(vcq->slot) - toq->head;
    return released < started ? released : started;
}

/* @return Whether a fault holds the command back for a while yet. */
static bool held_back(struct softtofu_vcq *vcq, struct softtofu_toq_entry *entry)
{
    uint64_t now;

    if (__builtin_expect(entry->delay_ns == 0, 1))
        return false;
    now = softtofu_fault_clock();
    if (entry->due == 0) {
        entry->due = now + entry->delay_ns;
        softtofu_session_wake(vcq->slot); /* The program may never look here again. */
    }
    return now < entry->due;
}

/* @return Whether the command is done; else a queue is full. */
static bool run(struct softtofu_vcq *vcq, struct softtofu_toq_entry *entry)
{
    if (entry->command.kind == SOFTTOFU_COMMAND_PIGGYBACK)
        entry->command.data = entry->payload;
    return entry->status == UTOFU_SUCCESS ? softtofu_command_run_waiting(vcq, &entry->command)
                                          : softtofu_command_fail(vcq, &entry->command, entry->status);
}

uint64_t softtofu_toq_due(const struct softtofu_vcq *vcq)
{
    return softtofu_toq_count(&vcq->toq) == 0 ? 0 : at(&vcq->toq, vcq->toq.head)->due;
}

bool softtofu_toq_drain(struct softtofu_vcq *vcq)
{
    struct softtofu_toq *toq = &vcq->toq;

    for (uint32_t left = runnable(vcq); left > 0; left--) {
        struct softtofu_toq_entry *entry = at(toq, toq->head);
        if (held_back(vcq, entry))
            return true;
        if (!run(vcq, entry))
            return false;
        toq->head++;
    }
    if (!vcq->session && softtofu_toq_count(toq) == 0)
        softtofu_vcq_set_queued(vcq, false);
    return true;
}

/*
 * Execute commands that nothing holds back without a detour by the queue.
 * @return Number of those done.  @param[out] result  Of the first, if it is not done.
 */
static size_t execute(struct softtofu_vcq *vcq, size_t number, softtofu_toq_source_t get, const void *source,
                      int *result)
{
    for (size_t done = 0; done < number; done++) {
        struct softtofu_command command = get(source, done);
        if ((command.flags & UTOFU_ONESIDED_FLAG_DELAY_START) != 0)
            return done;
        *result = softtofu_command_execute(vcq, &command);
        if (*result != UTOFU_SUCCESS) {
            if (done > 0)
                *result = UTOFU_SUCCESS; /* Then the others were posted, too: they wait. */
            return done;
        }
    }
    return number;
}

int softtofu_toq_post(struct softtofu_vcq *vcq, size_t number, softtofu_toq_source_t get, const void *source)
{
    size_t done = 0;
    int result;

    if (softtofu_fault_on(&vcq->fault) && softtofu_fault_refuses(&vcq->fault, get(source, 0).kind))
        return UTOFU_ERR_BUSY;
    result = reserve(vcq, number);
    if (result == UTOFU_SUCCESS && !vcq->queued)
        done = execute(vcq, number, get, source, &result);
    for (; result == UTOFU_SUCCESS && done < number; done++) {
        struct softtofu_command command = get(source, done);
        push(vcq, &command);
    }
    if (vcq->queued)
        softtofu_toq_drain(vcq);
    return result;
}

void softtofu_toq_start(struct softtofu_vcq *vcq)
{
    vcq->toq.started = vcq->toq.tail;
    softtofu_toq_drain(vcq);
}

void softtofu_toq_cleanup(struct softtofu_vcq *vcq)
{
    free(vcq->toq.entry);
    vcq->toq = (struct softtofu_toq){0};
}
