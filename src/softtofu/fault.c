/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/fault.h"

#include "softtofu/command.h"

#include <assert.h>
#include <time.h>

static_assert((int)SOFTTOFU_FAULT_NOP == SOFTTOFU_COMMAND_NOP &&
                      (int)SOFTTOFU_FAULT_PUT == SOFTTOFU_COMMAND_PUT &&
                      (int)SOFTTOFU_FAULT_PIGGYBACK == SOFTTOFU_COMMAND_PIGGYBACK &&
                      (int)SOFTTOFU_FAULT_GET == SOFTTOFU_COMMAND_GET &&
                      (int)SOFTTOFU_FAULT_ARMW == SOFTTOFU_COMMAND_ATOMIC,
              "kinds of faults begin with those of commands");

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void softtofu_fault_begin(struct softtofu_fault *fault, const struct softtofu_fault_plan *plan,
                          unsigned rank, uint64_t id)
{
    uint64_t state = plan->seed;

    *fault = (struct softtofu_fault){0};
    if (!plan->on || (plan->rank >= 0 && plan->rank != (long)rank))
        return;
    state        = splitmix64(&state) ^ rank;
    state        = splitmix64(&state) ^ id;
    fault->plan  = plan;
    fault->state = splitmix64(&state);
}

static bool selected(const struct softtofu_fault *fault, unsigned kind)
{
    return (fault->plan->only >> kind & 1) != 0;
}

/* The generator takes a step in any case: what one kind of fault does must not change what another will do. */
static bool strikes(struct softtofu_fault *fault, unsigned kind, double chance)
{
    bool hit = (double)(splitmix64(&fault->state) >> 11) * 0x1p-53 < chance;

    if (!hit || !selected(fault, kind) || fault->calls <= fault->plan->after ||
        fault->done >= fault->plan->count)
        return false;
    fault->done++;
    return true;
}

bool softtofu_fault_refuses(struct softtofu_fault *fault, unsigned kind)
{
    fault->calls += selected(fault, kind);
    return strikes(fault, kind, fault->plan->busy);
}

void softtofu_fault_fate(struct softtofu_fault *fault, unsigned kind, int *status, uint64_t *delay_ns)
{
    const struct softtofu_fault_plan *plan = fault->plan;
    /* A nop has no target, so nothing that a target could tell. */
    bool can_fail = kind != SOFTTOFU_FAULT_NOP || plan->error_code >= UTOFU_ERR_TCQ_LENGTH;

    *status   = strikes(fault, kind, can_fail ? plan->error : 0) ? plan->error_code : UTOFU_SUCCESS;
    *delay_ns = strikes(fault, kind, plan->delay) ? plan->delay_ns : 0;
}

int softtofu_fault_resource(struct softtofu_fault *fault, enum softtofu_fault_kind kind)
{
    fault->calls += selected(fault, kind);
    return strikes(fault, kind, fault->plan->full) ? fault->plan->full_code : UTOFU_SUCCESS;
}

uint64_t softtofu_fault_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
