/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file utofu_profile.h
 *
 * The profiling interface of uTofu: each call utofu_NAME() of utofu.h has a twin putofu_NAME() with the same arguments,
 * which does the work. A profiler defines utofu_NAME() itself, in the program or in a library that is preloaded, does
 * what it wants to, and calls the twin:
 *
 *     int utofu_put_piggyback(utofu_vcq_hdl_t vcq, ...)
 *     {
 *         puts_so_far++;
 *         return putofu_put_piggyback(vcq, ...);
 *     }
 *
 * The library's own utofu_NAME() are weak, so that this works in a static link, too. The library never calls utofu_NAME()
 * itself: a profiler counts what the program asked for, once.
 */
#ifndef UTOFU_PROFILE_H
#define UTOFU_PROFILE_H

#include <utofu.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The twin's declaration: it has the type of the call. */
#define UTOFU_PROFILE_TWIN(name) extern __typeof__(utofu_##name) putofu_##name

UTOFU_PROFILE_TWIN(get_onesided_tnis);
UTOFU_PROFILE_TWIN(get_barrier_tnis);
UTOFU_PROFILE_TWIN(query_onesided_caps);
UTOFU_PROFILE_TWIN(query_barrier_caps);
UTOFU_PROFILE_TWIN(create_vcq);
UTOFU_PROFILE_TWIN(create_vcq_with_cmp_id);
UTOFU_PROFILE_TWIN(free_vcq);
UTOFU_PROFILE_TWIN(query_vcq_id);
UTOFU_PROFILE_TWIN(construct_vcq_id);
UTOFU_PROFILE_TWIN(set_vcq_id_path);
UTOFU_PROFILE_TWIN(query_vcq_info);
UTOFU_PROFILE_TWIN(alloc_vbg);
UTOFU_PROFILE_TWIN(free_vbg);
UTOFU_PROFILE_TWIN(set_vbg);
UTOFU_PROFILE_TWIN(query_vbg_info);
UTOFU_PROFILE_TWIN(get_path_id);
UTOFU_PROFILE_TWIN(get_path_coords);
UTOFU_PROFILE_TWIN(reg_mem);
UTOFU_PROFILE_TWIN(reg_mem_with_stag);
UTOFU_PROFILE_TWIN(query_stadd);
UTOFU_PROFILE_TWIN(dereg_mem);
UTOFU_PROFILE_TWIN(put);
UTOFU_PROFILE_TWIN(put_gap);
UTOFU_PROFILE_TWIN(put_stride);
UTOFU_PROFILE_TWIN(put_stride_gap);
UTOFU_PROFILE_TWIN(put_piggyback);
UTOFU_PROFILE_TWIN(put_piggyback8);
UTOFU_PROFILE_TWIN(get);
UTOFU_PROFILE_TWIN(get_gap);
UTOFU_PROFILE_TWIN(get_stride);
UTOFU_PROFILE_TWIN(get_stride_gap);
UTOFU_PROFILE_TWIN(armw4);
UTOFU_PROFILE_TWIN(armw8);
UTOFU_PROFILE_TWIN(cswap4);
UTOFU_PROFILE_TWIN(cswap8);
UTOFU_PROFILE_TWIN(nop);
UTOFU_PROFILE_TWIN(prepare_put);
UTOFU_PROFILE_TWIN(prepare_put_gap);
UTOFU_PROFILE_TWIN(prepare_put_stride);
UTOFU_PROFILE_TWIN(prepare_put_stride_gap);
UTOFU_PROFILE_TWIN(prepare_put_piggyback);
UTOFU_PROFILE_TWIN(prepare_put_piggyback8);
UTOFU_PROFILE_TWIN(prepare_get);
UTOFU_PROFILE_TWIN(prepare_get_gap);
UTOFU_PROFILE_TWIN(prepare_get_stride);
UTOFU_PROFILE_TWIN(prepare_get_stride_gap);
UTOFU_PROFILE_TWIN(prepare_armw4);
UTOFU_PROFILE_TWIN(prepare_armw8);
UTOFU_PROFILE_TWIN(prepare_cswap4);
UTOFU_PROFILE_TWIN(prepare_cswap8);
UTOFU_PROFILE_TWIN(prepare_nop);
UTOFU_PROFILE_TWIN(post_toq);
UTOFU_PROFILE_TWIN(poll_tcq);
UTOFU_PROFILE_TWIN(poll_mrq);
UTOFU_PROFILE_TWIN(query_num_unread_tcq);
UTOFU_PROFILE_TWIN(query_num_unread_mrq);
UTOFU_PROFILE_TWIN(barrier);
UTOFU_PROFILE_TWIN(reduce_uint64);
UTOFU_PROFILE_TWIN(reduce_double);
UTOFU_PROFILE_TWIN(poll_barrier);
UTOFU_PROFILE_TWIN(poll_reduce_uint64);
UTOFU_PROFILE_TWIN(poll_reduce_double);
UTOFU_PROFILE_TWIN(query_tofu_version);
UTOFU_PROFILE_TWIN(query_utofu_version);
UTOFU_PROFILE_TWIN(query_my_coords);

#undef UTOFU_PROFILE_TWIN

#ifdef __cplusplus
}
#endif

#endif /* UTOFU_PROFILE_H */
