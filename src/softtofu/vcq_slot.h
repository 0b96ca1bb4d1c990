/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file vcq_slot.h
 * Which CQ and component a new VCQ gets, under the hardware's numbers, and what frees them.
 *
 * Plain VCQs share CQs, exclusive ones have one to themselves. So that exclusive VCQs find CQs for as long as
 * possible, plain ones of a TNI gather on few CQs, and exclusive ones take from the other end.
 */
#ifndef SOFTTOFU_VCQ_SLOT_H
#define SOFTTOFU_VCQ_SLOT_H

#include "softtofu/device.h"

/** cmp of softtofu_vcq_slot_take: any that is free. */
#define SOFTTOFU_CMP_ANY SOFTTOFU_CMP_IDS

/**
 * Take a free slot on @a tni of the device's node.
 * @param[in,out] cmp  Component wanted, or SOFTTOFU_CMP_ANY; the one taken.
 * @param[out] cq      CQ taken.
 * @return UTOFU_SUCCESS, or
 *   UTOFU_ERR_FULL          - no slot is left on this TNI
 *   UTOFU_ERR_NOT_AVAILABLE - slots are left, but exclusive: none on an unused CQ; @a cmp given: none on the CQ
 *                             that this process uses by default
 *   UTOFU_ERR_USED          - @a cmp is taken on the CQ that this process uses by default
 */
int softtofu_vcq_slot_take(struct softtofu_device *device, unsigned tni, bool exclusive, unsigned *cmp,
                           unsigned *cq);

/** Free slot @a cmp of @a cq and the registrations that its owner @a rank made on it. */
void softtofu_vcq_slot_free(struct softtofu_cq *cq, unsigned cmp, unsigned rank);

/** CQ on which a process of this node makes its plain VCQs, as the vendor's library distributes processes. */
unsigned softtofu_cq_default(unsigned ppn, unsigned rank_in_node);

#endif
