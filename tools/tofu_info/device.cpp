/* SPDX-License-Identifier: BSD-3-Clause */
#include "device.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace tofu_info
{

namespace
{

using BitName = std::pair<unsigned long, const char *>;

std::string names_of(unsigned long bits, const std::vector<BitName> &names)
{
    std::string text;
    for (const auto &[bit, name] : names) {
        if (bits & bit)
            text += (text.empty() ? "" : " ") + std::string(name);
    }
    return text;
}

/* The TNI lists are allocated for the caller. */
std::vector<utofu_tni_id_t> take_list(utofu_tni_id_t *ids, size_t count)
{
    std::vector<utofu_tni_id_t> list(ids, ids + count);
    std::free(ids);
    return list;
}

std::vector<utofu_tni_id_t> barrier_tnis()
{
    utofu_tni_id_t *ids = nullptr;
    size_t count = 0;

    if (utofu_get_barrier_tnis(&ids, &count) != UTOFU_SUCCESS)
        return {};
    return take_list(ids, count);
}

std::optional<utofu_barrier_caps> barrier_caps(const std::vector<utofu_tni_id_t> &with_barrier, utofu_tni_id_t id)
{
    utofu_barrier_caps *caps = nullptr; /* As those of the one-sided part. */

    if (std::find(with_barrier.begin(), with_barrier.end(), id) == with_barrier.end() ||
        utofu_query_barrier_caps(id, &caps) != UTOFU_SUCCESS)
        return std::nullopt;
    return *caps;
}

} // namespace

Device read_device()
{
    Device device;
    utofu_tni_id_t *ids = nullptr;
    size_t count = 0;

    utofu_query_tofu_version(&device.tofu_version[0], &device.tofu_version[1]);
    utofu_query_utofu_version(&device.utofu_version[0], &device.utofu_version[1]);

    const int error = utofu_get_onesided_tnis(&ids, &count);
    if (error != UTOFU_SUCCESS) {
        device.problem = fmt::format("utofu_get_onesided_tnis failed with code {}", error);
        return device;
    }
    const std::vector<utofu_tni_id_t> with_barrier = barrier_tnis();
    for (utofu_tni_id_t id : take_list(ids, count)) {
        utofu_onesided_caps *caps = nullptr; /* The library's own: constant, not to be freed. */
        if (utofu_query_onesided_caps(id, &caps) != UTOFU_SUCCESS)
            continue;
        device.tnis.push_back({id, *caps, barrier_caps(with_barrier, id)});
    }
    if (device.tnis.empty())
        device.problem = "no TNI can be used";
    return device;
}

std::string flag_names(unsigned long flags)
{
    return names_of(flags, {{UTOFU_ONESIDED_CAP_FLAG_SESSION_MODE, "session"},
                            {UTOFU_ONESIDED_CAP_FLAG_ARMW, "armw"}});
}

std::string armw_names(unsigned long armw_ops)
{
    return names_of(armw_ops, {{UTOFU_ONESIDED_CAP_ARMW_OP_CSWAP, "cswap"},
                               {UTOFU_ONESIDED_CAP_ARMW_OP_SWAP, "swap"},
                               {UTOFU_ONESIDED_CAP_ARMW_OP_ADD, "add"},
                               {UTOFU_ONESIDED_CAP_ARMW_OP_XOR, "xor"},
                               {UTOFU_ONESIDED_CAP_ARMW_OP_AND, "and"},
                               {UTOFU_ONESIDED_CAP_ARMW_OP_OR, "or"}});
}

std::string reduce_names(unsigned long reduce_ops)
{
    return names_of(reduce_ops, {{UTOFU_BARRIER_CAP_REDUCE_OP_BARRIER, "barrier"},
                                 {UTOFU_BARRIER_CAP_REDUCE_OP_BAND, "band"},
                                 {UTOFU_BARRIER_CAP_REDUCE_OP_BOR, "bor"},
                                 {UTOFU_BARRIER_CAP_REDUCE_OP_BXOR, "bxor"},
                                 {UTOFU_BARRIER_CAP_REDUCE_OP_MAX, "max"},
                                 {UTOFU_BARRIER_CAP_REDUCE_OP_MAXLOC, "maxloc"},
                                 {UTOFU_BARRIER_CAP_REDUCE_OP_SUM, "sum"},
                                 {UTOFU_BARRIER_CAP_REDUCE_OP_BFPSUM, "bfpsum"}});
}

} // namespace tofu_info
