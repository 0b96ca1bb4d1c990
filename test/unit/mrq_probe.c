/* SPDX-License-Identifier: BSD-3-Clause */
#include "mrq_probe.h"

#include "softtofu/mrq.h"

static struct softtofu_vcq *vcq;
static struct softtofu_target *target;
static struct softtofu_mrq_claim claims[64];

bool mrq_probe_aim(utofu_vcq_hdl_t producer, utofu_vcq_id_t consumer)
{
    vcq = softtofu_vcq(producer);
    return vcq != NULL && softtofu_target_find(vcq, consumer, &target) == UTOFU_SUCCESS &&
           softtofu_target_map_queue(vcq, target);
}

bool mrq_probe_claim(unsigned claim)
{
    return softtofu_mrq_claim(vcq, target, &claims[claim]);
}

void mrq_probe_publish(unsigned claim, unsigned type, uint64_t edata, uint64_t stadd)
{
    softtofu_mrq_publish(&claims[claim], vcq->id, type, edata, stadd);
}

void mrq_probe_void(unsigned claim)
{
    softtofu_mrq_void(&claims[claim]);
}

void mrq_probe_set_hint(uint64_t tail)
{
    atomic_store(&target->slot->mrq_tail, tail);
}

void mrq_probe_lock(void)
{
    softtofu_lock(&vcq->device->fabric.head->attached_atomics);
}

void mrq_probe_unlock(void)
{
    softtofu_unlock(&vcq->device->fabric.head->attached_atomics);
}
