/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/api.h"
#include "softtofu/command.h"

int putofu_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
               utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long int flags,
               void *cbdata)
{
    const struct softtofu_command command = SOFTTOFU_TRANSFER(GET, .cbdata = cbdata);

    return softtofu_told(softtofu_command_run(vcq_hdl, &command));
}
SOFTTOFU_TWIN(get);
