/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets in blocks, and with packets of a chosen size and distance. */
#include "softtofu/api.h"
#include "softtofu/train.h"

int putofu_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                   utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                   size_t mtu, size_t gap, void *cbdata)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(PUT, .cbdata = cbdata), .number = 1, .mtu = mtu, .gap = gap};

    return softtofu_told(softtofu_train_run(vcq_hdl, &train));
}
SOFTTOFU_TWIN(put_gap);

int putofu_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                      utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                      uint64_t edata, unsigned long int flags, void *cbdata)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(PUT, .cbdata = cbdata), .stride = stride, .number = num_blocks};

    return softtofu_told(softtofu_train_run(vcq_hdl, &train));
}
SOFTTOFU_TWIN(put_stride);

int putofu_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                          utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                          uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *cbdata)
{
    const struct softtofu_train train = {.first  = SOFTTOFU_TRANSFER(PUT, .cbdata = cbdata),
                                         .stride = stride,
                                         .number = num_blocks,
                                         .mtu    = mtu,
                                         .gap    = gap};

    return softtofu_told(softtofu_train_run(vcq_hdl, &train));
}
SOFTTOFU_TWIN(put_stride_gap);

int putofu_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                   utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                   size_t mtu, size_t gap, void *cbdata)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(GET, .cbdata = cbdata), .number = 1, .mtu = mtu, .gap = gap};

    return softtofu_told(softtofu_train_run(vcq_hdl, &train));
}
SOFTTOFU_TWIN(get_gap);

int putofu_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                      utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                      uint64_t edata, unsigned long int flags, void *cbdata)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(GET, .cbdata = cbdata), .stride = stride, .number = num_blocks};

    return softtofu_told(softtofu_train_run(vcq_hdl, &train));
}
SOFTTOFU_TWIN(get_stride);

int putofu_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                          utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                          uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *cbdata)
{
    const struct softtofu_train train = {.first  = SOFTTOFU_TRANSFER(GET, .cbdata = cbdata),
                                         .stride = stride,
                                         .number = num_blocks,
                                         .mtu    = mtu,
                                         .gap    = gap};

    return softtofu_told(softtofu_train_run(vcq_hdl, &train));
}
SOFTTOFU_TWIN(get_stride_gap);
