/* SPDX-License-Identifier: BSD-3-Clause */
/* utofu.h and utofu_profile.h must compile alone, twice, as strict C++17, with the linkage of C. */
#include "utofu.h"
#include "utofu.h"
#include "utofu_profile.h"
#include "utofu_profile.h"

/* A declaration with C linkage does not compile if the header gave the name another one. */
extern "C" int utofu_query_my_coords(uint8_t coords[]);

namespace header_cxx17
{

static_assert(UTOFU_VBG_ID_NULL == ~utofu_vbg_id_t(0), "a constant of the id's own type");
static_assert(UTOFU_ONESIDED_FLAG_PATH(utofu_path_id_t(15)) == 0xf0000000UL, "no sign, no loss");

int codes_are_ints()
{
    const utofu_return_code busy = UTOFU_ERR_BUSY;
    return busy;
}

} // namespace header_cxx17
