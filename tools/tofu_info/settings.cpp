/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.hpp"

namespace tofu_info
{

std::vector<Setting> read_settings()
{
    size_t count;
    const softtofu_env *table = softtofu_env_table(&count);
    std::vector<Setting> settings;

    for (size_t i = 0; i < count; i++)
        settings.push_back({table[i].name, table[i].type, table[i].default_value, table[i].help});
    return settings;
}

} // namespace tofu_info
