/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/watch.h"

#include "softtofu/check.h"
#include "softtofu/trace.h"

#include <stdlib.h>

int softtofu_watch_start(struct softtofu_device *device)
{
    return softtofu_check_start(device) != 0 || softtofu_trace_start(device) != 0 ? -1 : 0;
}

void softtofu_watch_end(struct softtofu_device *device)
{
    softtofu_check_end(device);
    softtofu_trace_end();
}

void softtofu_watch_forget(void)
{
    softtofu_check_forget();
    softtofu_trace_forget();
}

bool softtofu_watch_vcq(struct softtofu_vcq *vcq, unsigned long flags)
{
    struct softtofu_watch *watch;

    if (!softtofu_check_on() && !softtofu_trace_on())
        return true;
    watch = calloc(1, sizeof(*watch));
    if (watch == NULL)
        return false;
    vcq->watch    = watch;
    watch->check  = softtofu_check_on() ? softtofu_check_vcq(vcq, flags) : NULL;
    watch->trace  = softtofu_trace_on() ? softtofu_trace_vcq(vcq) : NULL;
    vcq->fast_tlb = softtofu_tlb_empty;
    vcq->recent   = softtofu_tlb_empty;
    return (watch->check != NULL || !softtofu_check_on()) && (watch->trace != NULL || !softtofu_trace_on());
}

void softtofu_watch_free(struct softtofu_vcq *vcq)
{
    struct softtofu_watch *watch = vcq->watch;

    if (watch == NULL)
        return;
    if (watch->check != NULL)
        softtofu_check_free(vcq, watch->check);
    if (watch->trace != NULL)
        softtofu_trace_free(watch->trace);
    vcq->watch = NULL;
    free(watch);
}

void softtofu_watch_enter_slow(struct softtofu_vcq *vcq, const char *call, const struct softtofu_command *command,
                               uint64_t *began)
{
    if (vcq->watch->check != NULL)
        softtofu_check_enter(vcq, command != NULL ? softtofu_command_call(command) : call);
    if (vcq->watch->check != NULL && command != NULL)
        softtofu_check_count(vcq, command);
    if (vcq->watch->trace != NULL)
        *began = softtofu_trace_now();
}

void softtofu_watch_command_slow(struct softtofu_vcq *vcq, const struct softtofu_command *command, int result,
                                 uint64_t began)
{
    if (vcq->watch->trace != NULL)
        softtofu_trace_command(vcq, command, result, began, softtofu_trace_now());
    if (vcq->watch->check != NULL)
        softtofu_check_command(vcq, command, result);
}

void softtofu_watch_enter_many_slow(struct softtofu_vcq *vcq, size_t number, softtofu_toq_source_t get,
                                    const void *source, uint64_t *began)
{
    for (size_t i = 0; vcq->watch->check != NULL && i < number; i++) {
        struct softtofu_command command = get(source, i);
        if (i == 0)
            softtofu_check_enter(vcq, softtofu_command_call(&command));
        softtofu_check_count(vcq, &command);
    }
    if (vcq->watch->trace != NULL)
        *began = softtofu_trace_now();
}

/* In the trace the commands share the call's time. */
void softtofu_watch_commands_slow(struct softtofu_vcq *vcq, size_t number, softtofu_toq_source_t get,
                                  const void *source, int result, uint64_t began)
{
    uint64_t each = vcq->watch->trace != NULL ? (softtofu_trace_now() - began) / number : 0;

    for (size_t i = 0; i < number; i++) {
        struct softtofu_command command = get(source, i);
        if (vcq->watch->trace != NULL)
            softtofu_trace_command(vcq, &command, result, began + i * each, began + (i + 1) * each);
        if (vcq->watch->check != NULL)
            softtofu_check_command(vcq, &command, result);
    }
}

void softtofu_watch_tcq_slow(struct softtofu_vcq *vcq, int status, void *const *cbdata, uint64_t began)
{
    if (vcq->watch->trace != NULL && status != UTOFU_ERR_NOT_FOUND)
        softtofu_trace_tcq(vcq, status, began);
    if (vcq->watch->check != NULL)
        softtofu_check_tcq(vcq, status, cbdata);
}

void softtofu_watch_mrq_slow(struct softtofu_vcq *vcq, int status, const struct utofu_mrq_notice *notice,
                             uint64_t began)
{
    if (vcq->watch->trace != NULL && status != UTOFU_ERR_NOT_FOUND)
        softtofu_trace_mrq(vcq, status, notice, began);
    if (vcq->watch->check != NULL)
        softtofu_check_mrq(vcq, status, notice);
}

void softtofu_watch_register_slow(struct softtofu_vcq *vcq, const void *addr, size_t size, uint64_t stadd)
{
    if (vcq->watch->check != NULL)
        softtofu_check_register(vcq, addr, size, stadd);
}

void softtofu_watch_deregister_slow(struct softtofu_vcq *vcq, uint64_t stadd)
{
    if (vcq->watch->check != NULL)
        softtofu_check_deregister(vcq, stadd);
}
