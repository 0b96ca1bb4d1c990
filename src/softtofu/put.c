/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/command.h"

/* Flags that need no more than the bytes moved: all others take the general way. */
#define SIMPLE_FLAGS                                                                               \
    (UTOFU_ONESIDED_FLAG_STRONG_ORDER | UTOFU_ONESIDED_FLAG_PACKET_RESPONSE |                      \
     UTOFU_ONESIDED_FLAG_PADDING | UTOFU_ONESIDED_FLAG_CACHE_INJECTION | 0xf0000000ul /* PATH */)

int utofu_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
              utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
              void *cbdata)
{
    const struct softtofu_command command = {.kind       = SOFTTOFU_COMMAND_PUT,
                                             .flags      = flags,
                                             .rmt_vcq_id = rmt_vcq_id,
                                             .rmt_stadd  = rmt_stadd,
                                             .lcl_stadd  = lcl_stadd,
                                             .length     = length,
                                             .edata      = edata,
                                             .cbdata     = cbdata};

    if (length - 1 >= SOFTTOFU_PUTGET_MAX)
        return UTOFU_ERR_INVALID_SIZE;
    return softtofu_command_run(vcq_hdl, &command);
}

__attribute__((noinline)) static int put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                                                   const void *lcl_data, utofu_stadd_t rmt_stadd,
                                                   size_t length, uint64_t edata,
                                                   unsigned long int flags, void *cbdata)
{
    const struct softtofu_command command = {.kind       = SOFTTOFU_COMMAND_PIGGYBACK,
                                             .flags      = flags,
                                             .rmt_vcq_id = rmt_vcq_id,
                                             .rmt_stadd  = rmt_stadd,
                                             .data       = lcl_data,
                                             .length     = length,
                                             .edata      = edata,
                                             .cbdata     = cbdata};

    if (lcl_data == NULL)
        return UTOFU_ERR_INVALID_POINTER;
    if (length - 1 >= SOFTTOFU_PIGGYBACK_MAX)
        return UTOFU_ERR_INVALID_SIZE;
    return softtofu_command_run(vcq_hdl, &command);
}

/*
 * The shortest way of all. Whatever is not a plain put to mapped memory that the VCQ has used before - a notice, a
 * bad argument, a stale entry, a locked VCQ - fails one of the tests and goes the general way, which finds out why.
 */
int utofu_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
                        utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                        unsigned long int flags, void *cbdata)
{
    const struct softtofu_vcq *vcq = (const struct softtofu_vcq *)vcq_hdl;
    const struct softtofu_tlb_entry *entry;
    struct softtofu_traffic *traffic;

    if (__builtin_expect((flags & ~SIMPLE_FLAGS) != 0 || length - 1 >= SOFTTOFU_PIGGYBACK_MAX ||
                                 edata > SOFTTOFU_EDATA_MAX || vcq == NULL ||
                                 vcq_hdl % SOFTTOFU_HOST_LINE != 0 || lcl_data == NULL,
                         0))
        goto general;
    entry = &vcq->fast_tlb[softtofu_tlb_index(rmt_vcq_id, rmt_stadd)];
    if (__builtin_expect(!softtofu_tlb_hit(entry, rmt_vcq_id, rmt_stadd, length), 0))
        goto general;
    softtofu_link_store_small((char *)(rmt_stadd + entry->bias), lcl_data, length);
    traffic = entry->traffic;
    atomic_store_explicit(&traffic->ops,
                          atomic_load_explicit(&traffic->ops, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    atomic_store_explicit(&traffic->bytes,
                          atomic_load_explicit(&traffic->bytes, memory_order_relaxed) + length,
                          memory_order_relaxed);
    return UTOFU_SUCCESS;

general:
    return put_piggyback(vcq_hdl, rmt_vcq_id, lcl_data, rmt_stadd, length, edata, flags, cbdata);
}

int utofu_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data,
                         utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                         unsigned long int flags, void *cbdata)
{
    if (length > sizeof(lcl_data))
        return UTOFU_ERR_INVALID_SIZE;
    return utofu_put_piggyback(vcq_hdl, rmt_vcq_id, &lcl_data, rmt_stadd, length, edata, flags, cbdata);
}
