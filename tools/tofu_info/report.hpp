/* SPDX-License-Identifier: BSD-3-Clause */
/* What tofu-info was asked for, in the two forms it prints. */
#ifndef TOFU_INFO_REPORT_HPP
#define TOFU_INFO_REPORT_HPP

#include "device.hpp"
#include "job.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tofu_info
{

struct Setting {
    std::string name, type, default_value, help;
};

/* The library's table of environment variables. */
std::vector<Setting> read_settings();

/* Each part only if it was asked for. */
struct Report {
    std::optional<Device> device;
    std::optional<std::vector<Job>> jobs;
    std::optional<std::vector<Setting>> settings;
};

std::string to_text(const Report &report);
std::string to_json(const Report &report);

} // namespace tofu_info

#endif
