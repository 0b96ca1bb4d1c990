/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A token goes round all ranks by put: each waits for the notice that its memory was written, adds one, and puts the
 * token into the next rank's memory. Needs nothing but uTofu: ranks find each other because VCQ ids and the STADDs of
 * reserved STags can be computed. Node r is at a,b,c = the r-th place of one 2x3x2 unit, one process a node.
 *
 *     cc ring.c -ltofucom -o ring && tofu-run -n 12 --shape 1x1x1x2x3x2 ./ring 12
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <utofu.h>

enum { TNI = 0, CQ = 0, COMPONENT = 7, STAG = 1 };

static void check(int code, const char *call)
{
    if (code != UTOFU_SUCCESS) {
        fprintf(stderr, "%s failed with uTofu error %d\n", call, code);
        exit(1);
    }
}
#define CHECK(call) check(call, #call)

/* Wait for a notice of a kind. @return What the call said of it: UTOFU_SUCCESS or why a put of ours failed. */
static int wait_notice(utofu_vcq_hdl_t vcq, enum utofu_mrq_notice_type type)
{
    struct utofu_mrq_notice notice;
    int code;

    do {
        code = utofu_poll_mrq(vcq, 0, &notice);
    } while (code == UTOFU_ERR_NOT_FOUND || (code == UTOFU_SUCCESS && notice.notice_type != type));
    return code;
}

/* Until the next rank has made its VCQ and registered its memory, a put to it fails: put again. */
static void put_token(utofu_vcq_hdl_t vcq, int next, uint64_t value)
{
    uint8_t coords[6] = {0, 0, 0, (uint8_t)(next / 6), (uint8_t)(next / 2 % 3), (uint8_t)(next % 2)};
    const unsigned long notices =
            UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
    utofu_vcq_id_t id;
    utofu_stadd_t stadd;

    CHECK(utofu_construct_vcq_id(coords, TNI, CQ, COMPONENT, &id));
    CHECK(utofu_set_vcq_id_path(&id, NULL));
    CHECK(utofu_query_stadd(id, STAG, &stadd));
    do {
        CHECK(utofu_put_piggyback(vcq, id, &value, stadd, sizeof(value), 0, notices, NULL));
    } while (wait_notice(vcq, UTOFU_MRQ_TYPE_LCL_PUT) != UTOFU_SUCCESS);
}

int main(int argc, char **argv)
{
    static uint64_t token __attribute__((aligned(256))); /* Reserved STags want whole cache lines of A64FX. */
    int ranks = argc > 1 ? atoi(argv[1]) : 12, rank;
    utofu_stadd_t stadd;
    utofu_vcq_hdl_t vcq;
    uint8_t coords[6];

    CHECK(utofu_query_my_coords(coords));
    rank = (coords[3] * 3 + coords[4]) * 2 + coords[5];
    CHECK(utofu_create_vcq_with_cmp_id(TNI, COMPONENT, 0, &vcq));
    CHECK(utofu_reg_mem_with_stag(vcq, &token, sizeof(token), STAG, 0, &stadd));

    if (rank == 0)
        put_token(vcq, 1 % ranks, 1);
    CHECK(wait_notice(vcq, UTOFU_MRQ_TYPE_RMT_PUT));
    if (rank == 0)
        printf("the token came back after %lu hops\n", (unsigned long)token);
    else
        put_token(vcq, (rank + 1) % ranks, token + 1);

    CHECK(utofu_dereg_mem(vcq, stadd, 0));
    CHECK(utofu_free_vcq(vcq));
    return 0;
}
