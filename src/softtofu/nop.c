/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/api.h"
#include "softtofu/command.h"

int putofu_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void *cbdata)
{
    const struct softtofu_command command = {
            .call = __func__, .kind = SOFTTOFU_COMMAND_NOP, .flags = flags, .cbdata = cbdata};

    return softtofu_told(softtofu_command_run(vcq_hdl, &command));
}
SOFTTOFU_TWIN(nop);
