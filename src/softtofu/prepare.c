/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands written ahead into memory of the caller. */
#include "softtofu/api.h"
#include "softtofu/image.h"

/* The images of a train lie end to end. */
static int prepare(utofu_vcq_hdl_t handle, const struct softtofu_train *train, char *desc, size_t *desc_size)
{
    const struct softtofu_vcq *vcq = softtofu_vcq(handle);
    int result;

    if (vcq == NULL)
        return UTOFU_ERR_INVALID_VCQ_HDL;
    if (desc == NULL || desc_size == NULL)
        return UTOFU_ERR_INVALID_POINTER;
    result = softtofu_train_check(train, vcq->tcq.depth);
    if (result != UTOFU_SUCCESS)
        return result;
    if (train->first.kind != SOFTTOFU_COMMAND_NOP &&
        !softtofu_target_valid(&vcq->device->fabric, train->first.rmt_vcq_id))
        return UTOFU_ERR_INVALID_VCQ_ID;
    *desc_size = 0;
    for (size_t i = 0; i < train->number; i++) {
        struct softtofu_command block = softtofu_train_block(train, i);
        *desc_size += softtofu_image_write(&block, train, desc + *desc_size);
    }
    return UTOFU_SUCCESS;
}

int putofu_prepare_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                       utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                       void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {.first = SOFTTOFU_TRANSFER(PUT), .number = 1};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_put);

int putofu_prepare_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                           utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                           size_t mtu, size_t gap, void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(PUT), .number = 1, .mtu = mtu, .gap = gap};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_put_gap);

int putofu_prepare_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                              utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                              uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(PUT), .stride = stride, .number = num_blocks};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_put_stride);

int putofu_prepare_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                                  utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                                  uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *desc,
                                  size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(PUT), .stride = stride, .number = num_blocks, .mtu = mtu, .gap = gap};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_put_stride_gap);

int putofu_prepare_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
                                 utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                                 unsigned long int flags, void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {.first  = SOFTTOFU_PIGGYBACK(lcl_data), .number = 1};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_put_piggyback);

int putofu_prepare_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data,
                                  utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                                  void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {.first = SOFTTOFU_PIGGYBACK(&lcl_data), .number = 1};

    if (length > sizeof(lcl_data))
        return softtofu_told(UTOFU_ERR_INVALID_SIZE);
    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_put_piggyback8);

int putofu_prepare_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                       utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                       void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {.first = SOFTTOFU_TRANSFER(GET), .number = 1};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_get);

int putofu_prepare_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                           utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
                           size_t mtu, size_t gap, void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(GET), .number = 1, .mtu = mtu, .gap = gap};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_get_gap);

int putofu_prepare_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                              utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                              uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(GET), .stride = stride, .number = num_blocks};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_get_stride);

int putofu_prepare_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
                                  utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
                                  uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *desc,
                                  size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_TRANSFER(GET), .stride = stride, .number = num_blocks, .mtu = mtu, .gap = gap};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_get_stride_gap);

int putofu_prepare_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                         uint32_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags,
                         void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_ATOMIC(4, softtofu_armw_op(armw_op), op_value, 0), .number = 1};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_armw4);

int putofu_prepare_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                         uint64_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags,
                         void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_ATOMIC(8, softtofu_armw_op(armw_op), op_value, 0), .number = 1};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_armw8);

int putofu_prepare_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint32_t old_value,
                          uint32_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                          unsigned long int flags, void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_ATOMIC(4, SOFTTOFU_CSWAP, new_value, old_value), .number = 1};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_cswap4);

int putofu_prepare_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t old_value,
                          uint64_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                          unsigned long int flags, void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = SOFTTOFU_ATOMIC(8, SOFTTOFU_CSWAP, new_value, old_value), .number = 1};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_cswap8);

int putofu_prepare_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void *desc, size_t *desc_size)
{
    const struct softtofu_train train = {
            .first = {.call = __func__, .kind = SOFTTOFU_COMMAND_NOP, .flags = flags}, .number = 1};

    return softtofu_told(prepare(vcq_hdl, &train, desc, desc_size));
}
SOFTTOFU_TWIN(prepare_nop);
