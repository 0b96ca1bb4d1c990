/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that this version of the software device does not have: strides and gaps, descriptors prepared ahead, and
 * barrier gates. They say so by UTOFU_ERR_NOT_SUPPORTED, which callers must expect of any device.
 */
#include "softtofu/api.h"

/* A call that takes its arguments and does nothing. */
#define UNSUPPORTED(name, arguments)                                                               \
    int putofu_##name arguments                                                                    \
    {                                                                                              \
        return softtofu_told(UTOFU_ERR_NOT_SUPPORTED);                                             \
    }                                                                                              \
    SOFTTOFU_TWIN(name);

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* clang-format off */
UNSUPPORTED(get_barrier_tnis, (utofu_tni_id_t **tni_ids, size_t *num_tnis))
UNSUPPORTED(query_barrier_caps, (utofu_tni_id_t tni_id, struct utofu_barrier_caps **tni_caps))
UNSUPPORTED(alloc_vbg, (utofu_tni_id_t tni_id, size_t num_vbgs, unsigned long int flags, utofu_vbg_id_t vbg_ids[]))
UNSUPPORTED(free_vbg, (utofu_vbg_id_t vbg_ids[], size_t num_vbgs))
UNSUPPORTED(set_vbg, (struct utofu_vbg_setting vbg_settings[], size_t num_vbg_settings))
UNSUPPORTED(query_vbg_info, (utofu_vbg_id_t vbg_id, uint8_t coords[], utofu_tni_id_t *tni_id, utofu_bg_id_t *bg_id, uint16_t *extra_val))
UNSUPPORTED(put_gap, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *cbdata))
UNSUPPORTED(put_stride, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags, void *cbdata))
UNSUPPORTED(put_stride_gap, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *cbdata))
UNSUPPORTED(get_gap, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *cbdata))
UNSUPPORTED(get_stride, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags, void *cbdata))
UNSUPPORTED(get_stride_gap, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *cbdata))
UNSUPPORTED(prepare_put, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_put_gap, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_put_stride, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_put_stride_gap, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_put_piggyback, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data, utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_put_piggyback8, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data, utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_get, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_get_gap, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_get_stride, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_get_stride_gap, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks, uint64_t edata, unsigned long int flags, size_t mtu, size_t gap, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_armw4, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op, uint32_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_armw8, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op, uint64_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_cswap4, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint32_t old_value, uint32_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_cswap8, (utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t old_value, uint64_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(prepare_nop, (utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void *desc, size_t *desc_size))
UNSUPPORTED(post_toq, (utofu_vcq_hdl_t vcq_hdl, void *desc, size_t desc_size, void *cbdata))
UNSUPPORTED(barrier, (utofu_vbg_id_t vbg_id, unsigned long int flags))
UNSUPPORTED(reduce_uint64, (utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, uint64_t data[], size_t num_data, unsigned long int flags))
UNSUPPORTED(reduce_double, (utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, double data[], size_t num_data, unsigned long int flags))
UNSUPPORTED(poll_barrier, (utofu_vbg_id_t vbg_id, unsigned long int flags))
UNSUPPORTED(poll_reduce_uint64, (utofu_vbg_id_t vbg_id, unsigned long int flags, uint64_t data[]))
UNSUPPORTED(poll_reduce_double, (utofu_vbg_id_t vbg_id, unsigned long int flags, double data[]))
/* clang-format on */
