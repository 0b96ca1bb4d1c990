/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file watch.h
 * Who looks over the program's shoulder: the check (check.h) and the trace (trace.h). Calls tell it what they do by the
 * functions here, one line each; while neither is on that is one test, and on the fast path of puts nothing, because a
 * watched VCQ has no fast path.
 */
#ifndef SOFTTOFU_WATCH_H
#define SOFTTOFU_WATCH_H

#include "softtofu/command.h"
#include "softtofu/vcq.h"

/** What is known of one VCQ; struct softtofu_vcq::watch. */
struct softtofu_watch {
    struct softtofu_check *check; /**< NULL: no check. */
    struct softtofu_trace *trace; /**< NULL: no trace. */
};

/** Read SOFTTOFU_CHECK and SOFTTOFU_TRACE for @a device. @return 0, or -1 with one line logged: a bad setting. */
int softtofu_watch_start(struct softtofu_device *device);

/** The process exits: sum up, and write what is left. */
void softtofu_watch_end(struct softtofu_device *device);

/** After a fork, in the child: what the parent saw is the parent's. */
void softtofu_watch_forget(void);

/** Watch a new VCQ if anything is on. @param flags  UTOFU_VCQ_FLAG_*. @return Whether there was memory. */
bool softtofu_watch_vcq(struct softtofu_vcq *vcq, unsigned long flags);

/** @a vcq is about to be freed. */
void softtofu_watch_free(struct softtofu_vcq *vcq);

void softtofu_watch_enter_slow(struct softtofu_vcq *vcq, const char *call, const struct softtofu_command *command,
                               uint64_t *began);
void softtofu_watch_command_slow(struct softtofu_vcq *vcq, const struct softtofu_command *command, int result,
                                 uint64_t began);
void softtofu_watch_enter_many_slow(struct softtofu_vcq *vcq, size_t number, softtofu_toq_source_t get,
                                    const void *source, uint64_t *began);
void softtofu_watch_commands_slow(struct softtofu_vcq *vcq, size_t number, softtofu_toq_source_t get,
                                  const void *source, int result, uint64_t began);
void softtofu_watch_tcq_slow(struct softtofu_vcq *vcq, int status, void *const *cbdata, uint64_t began);
void softtofu_watch_mrq_slow(struct softtofu_vcq *vcq, int status, const struct utofu_mrq_notice *notice,
                             uint64_t began);
void softtofu_watch_register_slow(struct softtofu_vcq *vcq, const void *addr, size_t size, uint64_t stadd);
void softtofu_watch_deregister_slow(struct softtofu_vcq *vcq, uint64_t stadd);

static inline bool softtofu_watched(const struct softtofu_vcq *vcq)
{
    return __builtin_expect(vcq->watch != NULL, 0);
}

/**
 * A call on @a vcq begins.
 * @param call     Its name if it polls.
 * @param command  That it posts, NULL if it polls.
 * @return When, for the function that ends it.
 */
static inline uint64_t softtofu_watch_enter(struct softtofu_vcq *vcq, const char *call,
                                            const struct softtofu_command *command)
{
    uint64_t began = 0;

    if (softtofu_watched(vcq))
        softtofu_watch_enter_slow(vcq, call, command, &began);
    return began;
}

/** A command was posted, or refused. @return @a result. */
static inline int softtofu_watch_command(struct softtofu_vcq *vcq, const struct softtofu_command *command,
                                         int result, uint64_t began)
{
    if (softtofu_watched(vcq))
        softtofu_watch_command_slow(vcq, command, result, began);
    return result;
}

/** softtofu_watch_enter() for a call that posts several commands, those of softtofu_toq_post(). */
static inline uint64_t softtofu_watch_enter_many(struct softtofu_vcq *vcq, size_t number,
                                                 softtofu_toq_source_t get, const void *source)
{
    uint64_t began = 0;

    if (softtofu_watched(vcq))
        softtofu_watch_enter_many_slow(vcq, number, get, source, &began);
    return began;
}

/** softtofu_watch_command() likewise. */
static inline int softtofu_watch_commands(struct softtofu_vcq *vcq, size_t number, softtofu_toq_source_t get,
                                          const void *source, int result, uint64_t began)
{
    if (softtofu_watched(vcq))
        softtofu_watch_commands_slow(vcq, number, get, source, result, began);
    return result;
}

/** The TCQ was polled. @param cbdata  Set unless @a status is UTOFU_ERR_NOT_FOUND. */
static inline void softtofu_watch_tcq(struct softtofu_vcq *vcq, int status, void *const *cbdata, uint64_t began)
{
    if (softtofu_watched(vcq))
        softtofu_watch_tcq_slow(vcq, status, cbdata, began);
}

/** The MRQ was polled. @param notice  Set unless @a status is UTOFU_ERR_NOT_FOUND. */
static inline void softtofu_watch_mrq(struct softtofu_vcq *vcq, int status,
                                      const struct utofu_mrq_notice *notice, uint64_t began)
{
    if (softtofu_watched(vcq))
        softtofu_watch_mrq_slow(vcq, status, notice, began);
}

/** Memory was registered. */
static inline void softtofu_watch_register(struct softtofu_vcq *vcq, const void *addr, size_t size,
                                           uint64_t stadd)
{
    if (softtofu_watched(vcq))
        softtofu_watch_register_slow(vcq, addr, size, stadd);
}

/** Memory was deregistered. */
static inline void softtofu_watch_deregister(struct softtofu_vcq *vcq, uint64_t stadd)
{
    if (softtofu_watched(vcq))
        softtofu_watch_deregister_slow(vcq, stadd);
}

#endif
