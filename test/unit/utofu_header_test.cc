/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * utofu.h is a contract with binaries that were compiled elsewhere: every value, layout and type
 * that it declares is written down here a second time, as published.
 */
#include "utofu.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <type_traits>
#include <vector>

namespace
{

struct row {
    const char *name;
    unsigned long long actual, expected;
};

#define ROW(name, expected)                                                                        \
    {                                                                                              \
#name, (unsigned long long)(name), (unsigned long long)(expected)                          \
    }

const std::vector<row> constants = {
        ROW(UTOFU_VERSION_MAJOR, 1),
        ROW(UTOFU_VERSION_MINOR, 0),
        ROW(UTOFU_VBG_ID_NULL, 0xffffffffffffffff),
        ROW(UTOFU_PATH_COORD_NULL, 0xff),
        ROW(UTOFU_ONESIDED_CAP_FLAG_SESSION_MODE, 0x1),
        ROW(UTOFU_ONESIDED_CAP_FLAG_ARMW, 0x2),
        ROW(UTOFU_ONESIDED_CAP_ARMW_OP_CSWAP, 0x1),
        ROW(UTOFU_ONESIDED_CAP_ARMW_OP_SWAP, 0x2),
        ROW(UTOFU_ONESIDED_CAP_ARMW_OP_ADD, 0x4),
        ROW(UTOFU_ONESIDED_CAP_ARMW_OP_XOR, 0x8),
        ROW(UTOFU_ONESIDED_CAP_ARMW_OP_AND, 0x10),
        ROW(UTOFU_ONESIDED_CAP_ARMW_OP_OR, 0x20),
        ROW(UTOFU_BARRIER_CAP_REDUCE_OP_BARRIER, 0x2),
        ROW(UTOFU_BARRIER_CAP_REDUCE_OP_BAND, 0x4),
        ROW(UTOFU_BARRIER_CAP_REDUCE_OP_BOR, 0x8),
        ROW(UTOFU_BARRIER_CAP_REDUCE_OP_BXOR, 0x10),
        ROW(UTOFU_BARRIER_CAP_REDUCE_OP_MAX, 0x20),
        ROW(UTOFU_BARRIER_CAP_REDUCE_OP_MAXLOC, 0x40),
        ROW(UTOFU_BARRIER_CAP_REDUCE_OP_SUM, 0x80),
        ROW(UTOFU_BARRIER_CAP_REDUCE_OP_BFPSUM, 0x100),
        ROW(UTOFU_VCQ_FLAG_THREAD_SAFE, 0x1),
        ROW(UTOFU_VCQ_FLAG_EXCLUSIVE, 0x2),
        ROW(UTOFU_VCQ_FLAG_SESSION_MODE, 0x4),
        ROW(UTOFU_VBG_FLAG_THREAD_SAFE, 0x1),
        ROW(UTOFU_REG_MEM_FLAG_READ_ONLY, 0x1),
        ROW(UTOFU_ONESIDED_FLAG_STRONG_ORDER, 0x1),
        ROW(UTOFU_ONESIDED_FLAG_PACKET_RESPONSE, 0x2),
        ROW(UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE, 0x4),
        ROW(UTOFU_ONESIDED_FLAG_PADDING, 0x8),
        ROW(UTOFU_ONESIDED_FLAG_CACHE_INJECTION, 0x20),
        ROW(UTOFU_ONESIDED_FLAG_DELAY_START, 0x100),
        ROW(UTOFU_ONESIDED_FLAG_TCQ_NOTICE, 0x4000),
        ROW(UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE, 0x8000),
        ROW(UTOFU_ONESIDED_FLAG_SPS(0), 0),
        ROW(UTOFU_ONESIDED_FLAG_SPS(1), 0x1000000),
        ROW(UTOFU_ONESIDED_FLAG_SPS(15), 0xf000000),
        ROW(UTOFU_ONESIDED_FLAG_PATH(0), 0),
        ROW(UTOFU_ONESIDED_FLAG_PATH(1), 0x10000000),
        ROW(UTOFU_ONESIDED_FLAG_PATH(15), 0xf0000000),
};

const std::vector<row> return_codes = {
        ROW(UTOFU_SUCCESS, 0),
        ROW(UTOFU_ERR_NOT_FOUND, -1),
        ROW(UTOFU_ERR_NOT_COMPLETED, -2),
        ROW(UTOFU_ERR_NOT_PROCESSED, -3),
        ROW(UTOFU_ERR_BUSY, -4),
        ROW(UTOFU_ERR_USED, -5),
        ROW(UTOFU_ERR_FULL, -6),
        ROW(UTOFU_ERR_NOT_AVAILABLE, -7),
        ROW(UTOFU_ERR_NOT_SUPPORTED, -8),
        ROW(UTOFU_ERR_TCQ_OTHER, -128),
        ROW(UTOFU_ERR_TCQ_DESC, -129),
        ROW(UTOFU_ERR_TCQ_MEMORY, -130),
        ROW(UTOFU_ERR_TCQ_STADD, -131),
        ROW(UTOFU_ERR_TCQ_LENGTH, -132),
        ROW(UTOFU_ERR_MRQ_OTHER, -192),
        ROW(UTOFU_ERR_MRQ_PEER, -193),
        ROW(UTOFU_ERR_MRQ_LCL_MEMORY, -194),
        ROW(UTOFU_ERR_MRQ_RMT_MEMORY, -195),
        ROW(UTOFU_ERR_MRQ_LCL_STADD, -196),
        ROW(UTOFU_ERR_MRQ_RMT_STADD, -197),
        ROW(UTOFU_ERR_MRQ_LCL_LENGTH, -198),
        ROW(UTOFU_ERR_MRQ_RMT_LENGTH, -199),
        ROW(UTOFU_ERR_BARRIER_OTHER, -256),
        ROW(UTOFU_ERR_BARRIER_MISMATCH, -257),
        ROW(UTOFU_ERR_INVALID_ARG, -512),
        ROW(UTOFU_ERR_INVALID_POINTER, -513),
        ROW(UTOFU_ERR_INVALID_FLAGS, -514),
        ROW(UTOFU_ERR_INVALID_COORDS, -515),
        ROW(UTOFU_ERR_INVALID_PATH, -516),
        ROW(UTOFU_ERR_INVALID_TNI_ID, -517),
        ROW(UTOFU_ERR_INVALID_CQ_ID, -518),
        ROW(UTOFU_ERR_INVALID_BG_ID, -519),
        ROW(UTOFU_ERR_INVALID_CMP_ID, -520),
        ROW(UTOFU_ERR_INVALID_VCQ_HDL, -521),
        ROW(UTOFU_ERR_INVALID_VCQ_ID, -522),
        ROW(UTOFU_ERR_INVALID_VBG_ID, -523),
        ROW(UTOFU_ERR_INVALID_PATH_ID, -524),
        ROW(UTOFU_ERR_INVALID_STADD, -525),
        ROW(UTOFU_ERR_INVALID_ADDRESS, -526),
        ROW(UTOFU_ERR_INVALID_SIZE, -527),
        ROW(UTOFU_ERR_INVALID_STAG, -528),
        ROW(UTOFU_ERR_INVALID_EDATA, -529),
        ROW(UTOFU_ERR_INVALID_NUMBER, -530),
        ROW(UTOFU_ERR_INVALID_OP, -531),
        ROW(UTOFU_ERR_INVALID_DESC, -532),
        ROW(UTOFU_ERR_INVALID_DATA, -533),
        ROW(UTOFU_ERR_OUT_OF_RESOURCE, -640),
        ROW(UTOFU_ERR_OUT_OF_MEMORY, -641),
        ROW(UTOFU_ERR_FATAL, -768),
};

const std::vector<row> enumerators = {
        ROW(UTOFU_ARMW_OP_SWAP, 1),      ROW(UTOFU_ARMW_OP_ADD, 2),
        ROW(UTOFU_ARMW_OP_XOR, 3),       ROW(UTOFU_ARMW_OP_AND, 4),
        ROW(UTOFU_ARMW_OP_OR, 5),        ROW(UTOFU_REDUCE_OP_BARRIER, 1),
        ROW(UTOFU_REDUCE_OP_BAND, 2),    ROW(UTOFU_REDUCE_OP_BOR, 3),
        ROW(UTOFU_REDUCE_OP_BXOR, 4),    ROW(UTOFU_REDUCE_OP_MAX, 5),
        ROW(UTOFU_REDUCE_OP_MAXLOC, 6),  ROW(UTOFU_REDUCE_OP_SUM, 7),
        ROW(UTOFU_REDUCE_OP_BFPSUM, 8),  ROW(UTOFU_MRQ_TYPE_LCL_PUT, 0),
        ROW(UTOFU_MRQ_TYPE_RMT_PUT, 1),  ROW(UTOFU_MRQ_TYPE_LCL_GET, 2),
        ROW(UTOFU_MRQ_TYPE_RMT_GET, 3),  ROW(UTOFU_MRQ_TYPE_LCL_ARMW, 4),
        ROW(UTOFU_MRQ_TYPE_RMT_ARMW, 5),
};

#define SIZE(type, bytes)                                                                          \
    {                                                                                              \
        "sizeof(" #type ")", sizeof(type), bytes                                                   \
    }
#define OFFSET(type, field, bytes)                                                                 \
    {                                                                                              \
#type "." #field, offsetof(type, field), bytes                                             \
    }

const std::vector<row> layouts = {
        SIZE(utofu_onesided_caps, 88),
        OFFSET(utofu_onesided_caps, flags, 0),
        OFFSET(utofu_onesided_caps, armw_ops, 8),
        OFFSET(utofu_onesided_caps, num_cmp_ids, 16),
        OFFSET(utofu_onesided_caps, num_reserved_stags, 20),
        OFFSET(utofu_onesided_caps, cache_line_size, 24),
        OFFSET(utofu_onesided_caps, stag_address_alignment, 32),
        OFFSET(utofu_onesided_caps, max_toq_desc_size, 40),
        OFFSET(utofu_onesided_caps, max_putget_size, 48),
        OFFSET(utofu_onesided_caps, max_piggyback_size, 56),
        OFFSET(utofu_onesided_caps, max_edata_size, 64),
        OFFSET(utofu_onesided_caps, max_mtu, 72),
        OFFSET(utofu_onesided_caps, max_gap, 80),
        SIZE(utofu_barrier_caps, 32),
        OFFSET(utofu_barrier_caps, flags, 0),
        OFFSET(utofu_barrier_caps, reduce_ops, 8),
        OFFSET(utofu_barrier_caps, max_uint64_reduction, 16),
        OFFSET(utofu_barrier_caps, max_double_reduction, 24),
        SIZE(utofu_vbg_setting, 48),
        OFFSET(utofu_vbg_setting, vbg_id, 0),
        OFFSET(utofu_vbg_setting, src_lcl_vbg_id, 8),
        OFFSET(utofu_vbg_setting, src_rmt_vbg_id, 16),
        OFFSET(utofu_vbg_setting, dst_lcl_vbg_id, 24),
        OFFSET(utofu_vbg_setting, dst_rmt_vbg_id, 32),
        OFFSET(utofu_vbg_setting, dst_path_coords, 40),
        SIZE(utofu_mrq_notice, 64),
        OFFSET(utofu_mrq_notice, notice_type, 0),
        OFFSET(utofu_mrq_notice, padding1, 1),
        OFFSET(utofu_mrq_notice, vcq_id, 8),
        OFFSET(utofu_mrq_notice, edata, 16),
        OFFSET(utofu_mrq_notice, rmt_value, 24),
        OFFSET(utofu_mrq_notice, lcl_stadd, 32),
        OFFSET(utofu_mrq_notice, rmt_stadd, 40),
        OFFSET(utofu_mrq_notice, reserved, 48),
        SIZE(utofu_return_code, sizeof(int)),
        SIZE(utofu_armw_op, sizeof(int)),
        SIZE(utofu_reduce_op, sizeof(int)),
        SIZE(utofu_mrq_notice_type, sizeof(int)),
};

void expect_rows(const std::vector<row> &rows)
{
    for (const row &r : rows)
        EXPECT_EQ(r.actual, r.expected) << r.name;
}

TEST(utofu_header, constants_are_as_published)
{
    expect_rows(constants);
}

TEST(utofu_header, return_codes_are_as_published)
{
    expect_rows(return_codes);
    std::set<unsigned long long> distinct;
    for (const row &r : return_codes)
        distinct.insert(r.actual);
    EXPECT_EQ(distinct.size(), 49u);
}

TEST(utofu_header, enumerators_are_as_published)
{
    expect_rows(enumerators);
}

TEST(utofu_header, layouts_are_as_published)
{
    expect_rows(layouts);
}

/* The bit of an operation in the capabilities is the value of its enumerator. */
TEST(utofu_header, reduce_bits_follow_the_enumerators)
{
    EXPECT_EQ(UTOFU_BARRIER_CAP_REDUCE_OP_BARRIER, 1UL << UTOFU_REDUCE_OP_BARRIER);
    EXPECT_EQ(UTOFU_BARRIER_CAP_REDUCE_OP_BFPSUM, 1UL << UTOFU_REDUCE_OP_BFPSUM);
}

/* Programs pass any integer, also narrow, signed and compound ones; the upper bits must survive. */
TEST(utofu_header, flag_macros_take_any_expression)
{
    const utofu_path_id_t path_id = 0xf;
    const int none = 0;
    EXPECT_EQ(UTOFU_ONESIDED_FLAG_PATH(path_id), 0xf0000000UL);
    EXPECT_EQ(UTOFU_ONESIDED_FLAG_PATH(path_id) | UTOFU_ONESIDED_FLAG_SPS(1), 0xf1000000UL);
    EXPECT_EQ(UTOFU_ONESIDED_FLAG_SPS(1 | 2), 0x3000000UL);
    EXPECT_EQ(UTOFU_ONESIDED_FLAG_SPS(none ? 1 : 2), 0x2000000UL);
}

template <class A, class B> constexpr bool same = std::is_same<A, B>::value;

static_assert(same<utofu_tni_id_t, uint16_t>);
static_assert(same<utofu_cq_id_t, uint16_t>);
static_assert(same<utofu_bg_id_t, uint16_t>);
static_assert(same<utofu_cmp_id_t, uint16_t>);
static_assert(same<utofu_vcq_hdl_t, uintptr_t>);
static_assert(same<utofu_vcq_id_t, uint64_t>);
static_assert(same<utofu_vbg_id_t, uint64_t>);
static_assert(same<utofu_stadd_t, uint64_t>);
static_assert(same<utofu_path_id_t, uint8_t>);
static_assert(same<decltype(UTOFU_VBG_ID_NULL), utofu_vbg_id_t>);
static_assert(same<decltype(UTOFU_PATH_COORD_NULL), uint8_t>);
static_assert(same<decltype(UTOFU_ONESIDED_FLAG_SPS(1)), unsigned long int>);
static_assert(same<decltype(UTOFU_ONESIDED_FLAG_PATH(1)), unsigned long int>);

static_assert(same<decltype(utofu_onesided_caps::flags), unsigned long int>);
static_assert(same<decltype(utofu_onesided_caps::armw_ops), unsigned long int>);
static_assert(same<decltype(utofu_onesided_caps::num_cmp_ids), unsigned int>);
static_assert(same<decltype(utofu_onesided_caps::num_reserved_stags), unsigned int>);
static_assert(same<decltype(utofu_onesided_caps::max_gap), size_t>);
static_assert(same<decltype(utofu_barrier_caps::flags), unsigned long int>);
static_assert(same<decltype(utofu_barrier_caps::reduce_ops), unsigned long int>);
static_assert(same<decltype(utofu_vbg_setting::dst_path_coords), uint8_t[3]>);
static_assert(same<decltype(utofu_mrq_notice::notice_type), uint8_t>);
static_assert(same<decltype(utofu_mrq_notice::padding1), uint8_t[7]>);
static_assert(same<decltype(utofu_mrq_notice::reserved), uint64_t[2]>);

/* Prototypes. u8, u16, u32, u64: exactly the types that the vendor's header comes down to. */
using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using hdl = uintptr_t;
using flags = unsigned long int;
using armw = enum utofu_armw_op;
using redop = enum utofu_reduce_op;

#define PROTOTYPE(function, ...) static_assert(same<decltype(function), __VA_ARGS__>, #function)

PROTOTYPE(utofu_get_onesided_tnis, int(u16 **, size_t *));
PROTOTYPE(utofu_get_barrier_tnis, int(u16 **, size_t *));
PROTOTYPE(utofu_query_onesided_caps, int(u16, struct utofu_onesided_caps **));
PROTOTYPE(utofu_query_barrier_caps, int(u16, struct utofu_barrier_caps **));

PROTOTYPE(utofu_create_vcq, int(u16, flags, hdl *));
PROTOTYPE(utofu_create_vcq_with_cmp_id, int(u16, u16, flags, hdl *));
PROTOTYPE(utofu_free_vcq, int(hdl));
PROTOTYPE(utofu_query_vcq_id, int(hdl, u64 *));
PROTOTYPE(utofu_construct_vcq_id, int(u8 *, u16, u16, u16, u64 *));
PROTOTYPE(utofu_set_vcq_id_path, int(u64 *, u8 *));
PROTOTYPE(utofu_query_vcq_info, int(u64, u8 *, u16 *, u16 *, u16 *));

PROTOTYPE(utofu_alloc_vbg, int(u16, size_t, flags, u64 *));
PROTOTYPE(utofu_free_vbg, int(u64 *, size_t));
PROTOTYPE(utofu_set_vbg, int(struct utofu_vbg_setting *, size_t));
PROTOTYPE(utofu_query_vbg_info, int(u64, u8 *, u16 *, u16 *, u16 *));
PROTOTYPE(utofu_get_path_id, int(u64, u8 *, u8 *));
PROTOTYPE(utofu_get_path_coords, int(u64, u8, u8 *));

PROTOTYPE(utofu_reg_mem, int(hdl, void *, size_t, flags, u64 *));
PROTOTYPE(utofu_reg_mem_with_stag, int(hdl, void *, size_t, unsigned int, flags, u64 *));
PROTOTYPE(utofu_query_stadd, int(u64, unsigned int, u64 *));
PROTOTYPE(utofu_dereg_mem, int(hdl, u64, flags));

/* One-sided commands: each has a twin that prepares it, with the image instead of cbdata. */
#define COMMAND(name, ...)                                                                         \
    PROTOTYPE(utofu_##name, int(__VA_ARGS__, void *));                                             \
    PROTOTYPE(utofu_prepare_##name, int(__VA_ARGS__, void *, size_t *))

COMMAND(put, hdl, u64, u64, u64, size_t, u64, flags);
COMMAND(put_gap, hdl, u64, u64, u64, size_t, u64, flags, size_t, size_t);
COMMAND(put_stride, hdl, u64, u64, u64, size_t, size_t, size_t, u64, flags);
COMMAND(put_stride_gap, hdl, u64, u64, u64, size_t, size_t, size_t, u64, flags, size_t, size_t);
COMMAND(put_piggyback, hdl, u64, void *, u64, size_t, u64, flags);
COMMAND(put_piggyback8, hdl, u64, u64, u64, size_t, u64, flags);
COMMAND(get, hdl, u64, u64, u64, size_t, u64, flags);
COMMAND(get_gap, hdl, u64, u64, u64, size_t, u64, flags, size_t, size_t);
COMMAND(get_stride, hdl, u64, u64, u64, size_t, size_t, size_t, u64, flags);
COMMAND(get_stride_gap, hdl, u64, u64, u64, size_t, size_t, size_t, u64, flags, size_t, size_t);
COMMAND(armw4, hdl, u64, armw, u32, u64, u64, flags);
COMMAND(armw8, hdl, u64, armw, u64, u64, u64, flags);
COMMAND(cswap4, hdl, u64, u32, u32, u64, u64, flags);
COMMAND(cswap8, hdl, u64, u64, u64, u64, u64, flags);
COMMAND(nop, hdl, flags);

PROTOTYPE(utofu_post_toq, int(hdl, void *, size_t, void *));
PROTOTYPE(utofu_poll_tcq, int(hdl, flags, void **));
PROTOTYPE(utofu_poll_mrq, int(hdl, flags, struct utofu_mrq_notice *));
PROTOTYPE(utofu_query_num_unread_tcq, int(hdl, size_t *));
PROTOTYPE(utofu_query_num_unread_mrq, int(hdl, size_t *));

PROTOTYPE(utofu_barrier, int(u64, flags));
PROTOTYPE(utofu_reduce_uint64, int(u64, redop, u64 *, size_t, flags));
PROTOTYPE(utofu_reduce_double, int(u64, redop, double *, size_t, flags));
PROTOTYPE(utofu_poll_barrier, int(u64, flags));
PROTOTYPE(utofu_poll_reduce_uint64, int(u64, flags, u64 *));
PROTOTYPE(utofu_poll_reduce_double, int(u64, flags, double *));

PROTOTYPE(utofu_query_tofu_version, void(int *, int *));
PROTOTYPE(utofu_query_utofu_version, void(int *, int *));
PROTOTYPE(utofu_query_my_coords, int(u8 *));

} // namespace
