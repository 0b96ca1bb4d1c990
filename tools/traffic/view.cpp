/* SPDX-License-Identifier: BSD-3-Clause */
#include "view.hpp"

namespace traffic
{

View open_view(const std::string &job, std::string &message)
{
    softtofu_view_t *view = nullptr;
    char text[512] = "";

    if (softtofu_view_open(job.c_str(), &view, text, sizeof(text)) != 0)
        message = text;
    return View(view);
}

const char *state_name(softtofu_process_state state)
{
    switch (state) {
    case SOFTTOFU_PROCESS_ABSENT:
        return "absent";
    case SOFTTOFU_PROCESS_ALIVE:
        return "alive";
    case SOFTTOFU_PROCESS_EXITED:
        return "exited";
    case SOFTTOFU_PROCESS_DEAD:
        return "dead";
    }
    return "unknown";
}

} // namespace traffic
