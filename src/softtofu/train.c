/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/train.h"

#include "softtofu/watch.h"

int softtofu_train_check(const struct softtofu_train *train, size_t depth)
{
    int result = softtofu_command_check(&train->first);

    if (result != UTOFU_SUCCESS)
        return result;
    if (train->mtu > SOFTTOFU_MTU_MAX || train->gap > SOFTTOFU_GAP_MAX)
        return UTOFU_ERR_INVALID_SIZE;
    return train->number - 1 >= depth ? UTOFU_ERR_INVALID_NUMBER : UTOFU_SUCCESS;
}

struct softtofu_command softtofu_train_block(const struct softtofu_train *train, size_t i)
{
    struct softtofu_command block = train->first;

    block.lcl_stadd += i * train->stride;
    block.rmt_stadd += i * train->stride;
    if (i + 1 < train->number)
        block.flags &= ~UTOFU_ONESIDED_FLAG_TCQ_NOTICE;
    return block;
}

static struct softtofu_command block_of(const void *train, size_t i)
{
    return softtofu_train_block(train, i);
}

int softtofu_train_run(utofu_vcq_hdl_t handle, const struct softtofu_train *train)
{
    struct softtofu_vcq *vcq = softtofu_vcq(handle);
    uint64_t began;
    int result;

    if (vcq == NULL)
        return UTOFU_ERR_INVALID_VCQ_HDL;
    result = softtofu_train_check(train, vcq->tcq.depth);
    if (result != UTOFU_SUCCESS)
        return softtofu_watch_command(vcq, &train->first, result, softtofu_watch_enter(vcq, NULL, &train->first));
    if (!softtofu_target_valid(&vcq->device->fabric, train->first.rmt_vcq_id))
        return UTOFU_ERR_INVALID_VCQ_ID;
    began = softtofu_watch_enter_many(vcq, train->number, block_of, train);
    softtofu_vcq_lock(vcq);
    result = softtofu_toq_post(vcq, train->number, block_of, train);
    softtofu_vcq_unlock(vcq);
    return softtofu_watch_commands(vcq, train->number, block_of, train, result, began);
}
