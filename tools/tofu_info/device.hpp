/* SPDX-License-Identifier: BSD-3-Clause */
/* The network interfaces (TNIs) and what they can do, as any uTofu program learns it. */
#ifndef TOFU_INFO_DEVICE_HPP
#define TOFU_INFO_DEVICE_HPP

#include <optional>
#include <string>
#include <vector>

#include "utofu.h"

namespace tofu_info
{

struct Tni {
    utofu_tni_id_t id;
    utofu_onesided_caps caps;
    std::optional<utofu_barrier_caps> barrier; /* Not there if it has no barrier part. */
};

struct Device {
    int tofu_version[2];  /* Major, minor: of the interconnect. */
    int utofu_version[2]; /* Of the programming interface. */
    std::vector<Tni> tnis;
    std::string problem; /* Why there are no TNIs; empty if there are. */
};

Device read_device();

/* Names of the bits in utofu_onesided_caps::flags and ::armw_ops, joined by blanks. */
std::string flag_names(unsigned long flags);
std::string armw_names(unsigned long armw_ops);

/* The same of utofu_barrier_caps::reduce_ops. */
std::string reduce_names(unsigned long reduce_ops);

} // namespace tofu_info

#endif
