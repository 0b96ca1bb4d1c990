/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions: the TCQ tells what has left, the MRQ what has arrived. */
#include "softtofu/api.h"
#include "softtofu/mrq.h"
#include "softtofu/watch.h"

#include <string.h>

int putofu_poll_tcq(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void **cbdata)
{
    struct softtofu_vcq *vcq = softtofu_vcq(vcq_hdl);
    const struct softtofu_notice *notice;
    int status = UTOFU_ERR_NOT_FOUND;
    uint64_t began;

    if (vcq == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_HDL);
    if (flags != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    if (cbdata == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    began = softtofu_watch_enter(vcq, "utofu_poll_tcq", NULL);
    softtofu_vcq_lock(vcq);
    if (__builtin_expect(vcq->queued, 0))
        softtofu_toq_start(vcq);
    notice = softtofu_notice_ring_pop(&vcq->tcq);
    if (notice != NULL) {
        *cbdata = notice->cbdata;
        status  = notice->status;
    } else {
        softtofu_vcq_idle(vcq);
    }
    softtofu_vcq_unlock(vcq);
    softtofu_watch_tcq(vcq, status, cbdata, began);
    return softtofu_told(status);
}
SOFTTOFU_TWIN(poll_tcq);

static int take_own(const struct softtofu_notice *own, struct utofu_mrq_notice *notice)
{
    memset(notice, 0, sizeof(*notice));
    notice->notice_type = own->type;
    notice->vcq_id      = own->vcq_id;
    notice->edata       = own->edata;
    notice->rmt_value   = own->rmt_value;
    notice->lcl_stadd   = own->lcl_stadd;
    notice->rmt_stadd   = own->rmt_stadd;
    return own->status;
}

int putofu_poll_mrq(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, struct utofu_mrq_notice *notice)
{
    struct softtofu_vcq *vcq = softtofu_vcq(vcq_hdl);
    const struct softtofu_notice *own;
    int status = UTOFU_ERR_NOT_FOUND;
    uint64_t began;

    if (vcq == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_HDL);
    if (flags != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    if (notice == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    began = softtofu_watch_enter(vcq, "utofu_poll_mrq", NULL);
    softtofu_vcq_lock(vcq);
    if (__builtin_expect(vcq->queued, 0))
        softtofu_toq_start(vcq);
    own = softtofu_notice_ring_pop(&vcq->notices);
    if (own != NULL)
        status = take_own(own, notice);
    else if (softtofu_mrq_take(vcq, notice))
        status = UTOFU_SUCCESS;
    else
        softtofu_vcq_idle(vcq);
    softtofu_vcq_unlock(vcq);
    softtofu_watch_mrq(vcq, status, notice, began);
    return softtofu_told(status);
}
SOFTTOFU_TWIN(poll_mrq);
