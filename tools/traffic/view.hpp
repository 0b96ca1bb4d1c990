/* SPDX-License-Identifier: BSD-3-Clause */
/* A look at a job's fabric, released at the end of its scope. */
#ifndef TRAFFIC_VIEW_HPP
#define TRAFFIC_VIEW_HPP

#include <memory>
#include <string>

#include "softtofu.h"

namespace traffic
{

struct CloseView {
    void operator()(softtofu_view_t *view) const
    {
        softtofu_view_close(view);
    }
};

using View = std::unique_ptr<softtofu_view_t, CloseView>;

/* Empty, with the library's @a message, if there is no such job or it cannot be looked at. */
View open_view(const std::string &job, std::string &message);

/* "absent", "alive", "exited" or "dead". */
const char *state_name(softtofu_process_state state);

} // namespace traffic

#endif
