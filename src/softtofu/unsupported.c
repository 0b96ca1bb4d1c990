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
UNSUPPORTED(barrier, (utofu_vbg_id_t vbg_id, unsigned long int flags))
UNSUPPORTED(reduce_uint64, (utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, uint64_t data[], size_t num_data, unsigned long int flags))
UNSUPPORTED(reduce_double, (utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, double data[], size_t num_data, unsigned long int flags))
UNSUPPORTED(poll_barrier, (utofu_vbg_id_t vbg_id, unsigned long int flags))
UNSUPPORTED(poll_reduce_uint64, (utofu_vbg_id_t vbg_id, unsigned long int flags, uint64_t data[]))
UNSUPPORTED(poll_reduce_double, (utofu_vbg_id_t vbg_id, unsigned long int flags, double data[]))
/* clang-format on */
