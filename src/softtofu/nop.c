/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/command.h"

int utofu_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void *cbdata)
{
    const struct softtofu_command command = {
            .kind = SOFTTOFU_COMMAND_NOP, .flags = flags, .cbdata = cbdata};

    return softtofu_command_run(vcq_hdl, &command);
}
