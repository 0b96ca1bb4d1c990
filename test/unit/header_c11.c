/* SPDX-License-Identifier: BSD-3-Clause */
/* utofu.h and utofu_profile.h must compile alone, twice, as strict C11; and its sizes hold for C as well as for C++. */
#include "utofu.h"
#include "utofu.h"
#include "utofu_profile.h"
#include "utofu_profile.h"

_Static_assert(sizeof(struct utofu_onesided_caps) == 88, "onesided_caps");
_Static_assert(sizeof(struct utofu_barrier_caps) == 32, "barrier_caps");
_Static_assert(sizeof(struct utofu_vbg_setting) == 48, "vbg_setting");
_Static_assert(sizeof(struct utofu_mrq_notice) == 64, "mrq_notice");

/* Programs use the constants where C wants a constant expression, and pass any integer to the
 * macros. */
enum {
    strong_put = UTOFU_ONESIDED_FLAG_STRONG_ORDER | UTOFU_ONESIDED_FLAG_TCQ_NOTICE,
    released = UTOFU_ONESIDED_FLAG_SPS(1 | 2) >> 24
};
_Static_assert(released == 3, "an expression as argument");

/* The prototypes have no array bounds that C++ would not have, so arrays of C programs fit. */
int header_c11_query(utofu_vcq_id_t vcq_id);
int header_c11_query(utofu_vcq_id_t vcq_id)
{
    uint8_t coords[8];
    utofu_tni_id_t tni_id;
    utofu_cq_id_t cq_id;
    uint16_t extra_val;

    return utofu_query_vcq_info(vcq_id, coords, &tni_id, &cq_id, &extra_val) + strong_put;
}
