/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic read-modify-writes. */
#include "softtofu/api.h"
#include "softtofu/command.h"

int putofu_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                 uint32_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags,
                 void *cbdata)
{
    const struct softtofu_command command =
            SOFTTOFU_ATOMIC(4, softtofu_armw_op(armw_op), op_value, 0, .cbdata = cbdata);

    return softtofu_told(softtofu_command_run(vcq_hdl, &command));
}
SOFTTOFU_TWIN(armw4);

int putofu_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                 uint64_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags,
                 void *cbdata)
{
    const struct softtofu_command command =
            SOFTTOFU_ATOMIC(8, softtofu_armw_op(armw_op), op_value, 0, .cbdata = cbdata);

    return softtofu_told(softtofu_command_run(vcq_hdl, &command));
}
SOFTTOFU_TWIN(armw8);

int putofu_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint32_t old_value,
                  uint32_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                  unsigned long int flags, void *cbdata)
{
    const struct softtofu_command command =
            SOFTTOFU_ATOMIC(4, SOFTTOFU_CSWAP, new_value, old_value, .cbdata = cbdata);

    return softtofu_told(softtofu_command_run(vcq_hdl, &command));
}
SOFTTOFU_TWIN(cswap4);

int putofu_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t old_value,
                  uint64_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                  unsigned long int flags, void *cbdata)
{
    const struct softtofu_command command =
            SOFTTOFU_ATOMIC(8, SOFTTOFU_CSWAP, new_value, old_value, .cbdata = cbdata);

    return softtofu_told(softtofu_command_run(vcq_hdl, &command));
}
SOFTTOFU_TWIN(cswap8);
