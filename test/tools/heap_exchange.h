/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs under tofu-run --heap do with their memory: one of two ranks puts into the other's. */
#ifndef TEST_TOOLS_HEAP_EXCHANGE_H
#define TEST_TOOLS_HEAP_EXCHANGE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <utofu.h>

enum { HEAP_BYTES = 4096, HEAP_COMPONENT = 7, HEAP_STAG = 1 };

static void require(int truth, const char *what)
{
    if (!truth) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
}
#define REQUIRE(truth) require(truth, #truth)

static int wait_notice(utofu_vcq_hdl_t vcq, int type)
{
    struct utofu_mrq_notice notice;
    int code;

    do {
        code = utofu_poll_mrq(vcq, 0, &notice);
    } while (code == UTOFU_ERR_NOT_FOUND || (code == UTOFU_SUCCESS && notice.notice_type != type));
    return code;
}

/* Each of two ranks, on nodes that differ along a, puts a word into the middle of the other's block. */
static inline void exchange(char *block, size_t size)
{
    const unsigned long notices = UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
    uint64_t *aligned = (uint64_t *)(((uintptr_t)block + size / 2) & ~(uintptr_t)255);
    uint64_t value;
    uint8_t coords[6];
    utofu_vcq_hdl_t vcq;
    utofu_vcq_id_t peer;
    utofu_stadd_t stadd;

    REQUIRE(utofu_query_my_coords(coords) == 0);
    value     = 100u + coords[3];
    coords[3] = !coords[3];
    REQUIRE(utofu_create_vcq_with_cmp_id(0, HEAP_COMPONENT, 0, &vcq) == 0);
    REQUIRE(utofu_reg_mem_with_stag(vcq, aligned, 256, HEAP_STAG, 0, &stadd) == 0);
    REQUIRE(utofu_construct_vcq_id(coords, 0, 0, HEAP_COMPONENT, &peer) == 0);
    REQUIRE(utofu_set_vcq_id_path(&peer, NULL) == 0);
    REQUIRE(utofu_query_stadd(peer, HEAP_STAG, &stadd) == 0);
    do {
        REQUIRE(utofu_put_piggyback(vcq, peer, &value, stadd, sizeof(value), 0, notices, NULL) == 0);
    } while (wait_notice(vcq, UTOFU_MRQ_TYPE_LCL_PUT) != UTOFU_SUCCESS);
    while (__atomic_load_n(aligned, __ATOMIC_ACQUIRE) != 100u + coords[3]) {
        struct utofu_mrq_notice notice;
        utofu_poll_mrq(vcq, 0, &notice);
    }
    printf("exchanged\n");
}

#endif
