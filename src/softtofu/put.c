/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/api.h"
#include "softtofu/command.h"

/* What its longer ways call themselves. */
#define PIGGYBACK "putofu_put_piggyback"

/* Flags that need no more than the bytes moved: all others take the general way. */
#define SIMPLE_FLAGS                                                                               \
    (UTOFU_ONESIDED_FLAG_STRONG_ORDER | UTOFU_ONESIDED_FLAG_PACKET_RESPONSE |                      \
     UTOFU_ONESIDED_FLAG_PADDING | UTOFU_ONESIDED_FLAG_CACHE_INJECTION)

int putofu_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
               utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
               void *cbdata)
{
    const struct softtofu_command command = SOFTTOFU_TRANSFER(PUT, .cbdata = cbdata);

    return softtofu_told(softtofu_command_run(vcq_hdl, &command));
}
SOFTTOFU_TWIN(put);

__attribute__((noinline)) static int put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
                                                   void *lcl_data, utofu_stadd_t rmt_stadd,
                                                   size_t length, uint64_t edata,
                                                   unsigned long int flags, void *cbdata)
{
    struct softtofu_command command = SOFTTOFU_PIGGYBACK(lcl_data, .cbdata = cbdata);

    command.call = PIGGYBACK;
    return softtofu_tell(PIGGYBACK, softtofu_command_run(vcq_hdl, &command));
}

/* What makes a put other than simple, whatever it is aimed at. */
static inline bool is_simple(utofu_vcq_hdl_t vcq_hdl, const void *lcl_data, size_t length, uint64_t edata,
                             unsigned long flags)
{
    return (flags & ~SIMPLE_FLAGS) == 0 && length - 1 < SOFTTOFU_PIGGYBACK_MAX &&
           edata <= SOFTTOFU_EDATA_MAX && vcq_hdl != 0 && vcq_hdl % SOFTTOFU_HOST_LINE == 0 &&
           lcl_data != NULL;
}

static inline int put_simple(const struct softtofu_tlb_entry *entry, const void *lcl_data, uint64_t stadd,
                             size_t length)
{
    softtofu_link_store_small((char *)(stadd + entry->bias), lcl_data, length);
    softtofu_traffic_count(entry->traffic, length);
    return UTOFU_SUCCESS;
}

/*
 * The second shortest: to a target used before, but not by the last put. Not to be analysed together with its caller:
 * with a calling convention of its own, all arguments would be moved there first.
 */
__attribute__((noipa)) static int put_piggyback_cached(utofu_vcq_hdl_t vcq_hdl,
                                                          utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
                                                          utofu_stadd_t rmt_stadd, size_t length,
                                                          uint64_t edata, unsigned long int flags,
                                                          void *cbdata)
{
    struct softtofu_vcq *vcq = (struct softtofu_vcq *)vcq_hdl;
    const struct softtofu_tlb_entry *entry;

    if (is_simple(vcq_hdl, lcl_data, length, edata, flags)) {
        entry = &vcq->fast_tlb[softtofu_tlb_index(rmt_vcq_id, rmt_stadd)];
        if (softtofu_tlb_hit(entry, rmt_vcq_id, rmt_stadd, length)) {
            vcq->recent = entry;
            return put_simple(entry, lcl_data, rmt_stadd, length);
        }
    }
    return put_piggyback(vcq_hdl, rmt_vcq_id, lcl_data, rmt_stadd, length, edata, flags, cbdata);
}

/*
 * The shortest way of all: a plain put to where the last one went, into mapped memory. Whatever is not that - a notice,
 * a bad argument, a stale entry, a locked VCQ - fails one of the tests and goes a longer way, which finds out why.
 *
 * The last two parameters come on the stack, and volatile leaves them there for the longer way: else the compiler takes
 * them, and registers that it must save, along the short one.
 */
int putofu_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
                         utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                         unsigned long int volatile flags, void *volatile cbdata)
{
    const struct softtofu_tlb_entry *entry;

    if (__builtin_expect(is_simple(vcq_hdl, lcl_data, length, edata, flags), 1)) {
        entry = ((const struct softtofu_vcq *)vcq_hdl)->recent;
        /* Fast entries have room for any payload, so one comparison tells the range: the difference is not negative. */
        if (__builtin_expect(entry->vcq_id == rmt_vcq_id &&
                                     rmt_stadd - entry->first <= entry->size - length &&
                                     atomic_load_explicit(entry->generation, memory_order_relaxed) ==
                                             entry->valid,
                             1))
            return put_simple(entry, lcl_data, rmt_stadd, length);
    }
    return put_piggyback_cached(vcq_hdl, rmt_vcq_id, lcl_data, rmt_stadd, length, edata, flags, cbdata);
}
SOFTTOFU_TWIN(put_piggyback);

int putofu_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data,
                          utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
                          unsigned long int flags, void *cbdata)
{
    if (length > sizeof(lcl_data))
        return softtofu_told(UTOFU_ERR_INVALID_SIZE);
    return putofu_put_piggyback(vcq_hdl, rmt_vcq_id, &lcl_data, rmt_stadd, length, edata, flags, cbdata);
}
SOFTTOFU_TWIN(put_piggyback8);
