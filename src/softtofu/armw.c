/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic read-modify-writes. */
#include "softtofu/api.h"
#include "softtofu/command.h"

/** What the four calls share. */
struct arguments {
    utofu_vcq_hdl_t vcq_hdl;
    utofu_vcq_id_t rmt_vcq_id;
    utofu_stadd_t rmt_stadd;
    uint64_t edata;
    unsigned long flags;
    void *cbdata;
};

static int run(const struct arguments *arguments, const struct softtofu_atomic *atomic)
{
    const struct softtofu_command command = {.kind       = SOFTTOFU_COMMAND_ATOMIC,
                                             .flags      = arguments->flags,
                                             .rmt_vcq_id = arguments->rmt_vcq_id,
                                             .rmt_stadd  = arguments->rmt_stadd,
                                             .length     = atomic->bytes,
                                             .edata      = arguments->edata,
                                             .cbdata     = arguments->cbdata,
                                             .atomic     = *atomic};

    /* The low bits of a STADD are those of the address. */
    if (arguments->rmt_stadd % atomic->bytes != 0)
        return UTOFU_ERR_INVALID_STADD;
    return softtofu_command_run(arguments->vcq_hdl, &command);
}

static int run_armw(const struct arguments *arguments, enum utofu_armw_op op, unsigned bytes,
                    uint64_t operand)
{
    const struct softtofu_atomic atomic = {.op = (int)op, .bytes = bytes, .operand = operand};

    if ((int)op < UTOFU_ARMW_OP_SWAP || (int)op > UTOFU_ARMW_OP_OR)
        return UTOFU_ERR_INVALID_OP;
    return run(arguments, &atomic);
}

static int run_cswap(const struct arguments *arguments, unsigned bytes, uint64_t compare,
                     uint64_t operand)
{
    const struct softtofu_atomic atomic = {
            .op = SOFTTOFU_CSWAP, .bytes = bytes, .operand = operand, .compare = compare};

    return run(arguments, &atomic);
}

int putofu_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                 uint32_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags,
                 void *cbdata)
{
    const struct arguments arguments = {vcq_hdl, rmt_vcq_id, rmt_stadd, edata, flags, cbdata};
    return softtofu_told(run_armw(&arguments, armw_op, 4, op_value));
}
SOFTTOFU_TWIN(armw4);

int putofu_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
                 uint64_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags,
                 void *cbdata)
{
    const struct arguments arguments = {vcq_hdl, rmt_vcq_id, rmt_stadd, edata, flags, cbdata};
    return softtofu_told(run_armw(&arguments, armw_op, 8, op_value));
}
SOFTTOFU_TWIN(armw8);

int putofu_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint32_t old_value,
                  uint32_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                  unsigned long int flags, void *cbdata)
{
    const struct arguments arguments = {vcq_hdl, rmt_vcq_id, rmt_stadd, edata, flags, cbdata};
    return softtofu_told(run_cswap(&arguments, 4, old_value, new_value));
}
SOFTTOFU_TWIN(cswap4);

int putofu_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t old_value,
                  uint64_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
                  unsigned long int flags, void *cbdata)
{
    const struct arguments arguments = {vcq_hdl, rmt_vcq_id, rmt_stadd, edata, flags, cbdata};
    return softtofu_told(run_cswap(&arguments, 8, old_value, new_value));
}
SOFTTOFU_TWIN(cswap8);
