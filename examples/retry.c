/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two ranks put words into each other's memory and survive every failure that can be survived: a full queue, a target
 * that is not there yet, a command that the network gave up. Node r is at a = r, one process a node. docs/faults.md
 * explains it. Try it with failures that one can count on:
 *
 *     cc retry.c -ltofucom -o retry
 *     SOFTTOFU_FAULT=busy=0.2,error=0.1:MRQ_RMT_MEMORY,seed=7 tofu-run -n 2 --shape 1x1x1x2x1x1 ./retry
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <utofu.h>

enum { TNI = 0, CQ = 0, COMPONENT = 7, STAG = 1, PUTS = 100, PATIENCE_S = 20 };

static int received, busy, failed;

static void check(int code, const char *call)
{
    if (code != UTOFU_SUCCESS) {
        fprintf(stderr, "%s failed with uTofu error %d\n", call, code);
        exit(1);
    }
}
#define CHECK(call) check(call, #call)

/* Failures that may pass. All others are the program's own mistakes, or final. */
static int may_pass(int code)
{
    return code == UTOFU_ERR_MRQ_PEER || /* Is not there yet. When it is dead, patience ends. */
           code == UTOFU_ERR_MRQ_RMT_STADD || code == UTOFU_ERR_MRQ_RMT_MEMORY ||
           code == UTOFU_ERR_MRQ_OTHER || code == UTOFU_ERR_TCQ_OTHER;
}

/* Look at both queues once. @return UTOFU_ERR_NOT_FOUND, or how the only put under way ended. */
static int look(utofu_vcq_hdl_t vcq)
{
    struct utofu_mrq_notice notice;
    void *cbdata;
    int code = utofu_poll_tcq(vcq, 0, &cbdata);

    if (code != UTOFU_SUCCESS && code != UTOFU_ERR_NOT_FOUND)
        return code; /* It was not sent, and the MRQ will not tell of it. */
    code = utofu_poll_mrq(vcq, 0, &notice);
    if (code == UTOFU_SUCCESS && notice.notice_type == UTOFU_MRQ_TYPE_RMT_PUT) {
        received++;
        return UTOFU_ERR_NOT_FOUND;
    }
    return code;
}

static int put_once(utofu_vcq_hdl_t vcq, utofu_vcq_id_t id, utofu_stadd_t stadd, uint64_t value)
{
    const unsigned long notices =
            UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
    int code;

    while ((code = utofu_put_piggyback(vcq, id, &value, stadd, sizeof(value), 0, notices, NULL)) ==
           UTOFU_ERR_BUSY) {
        busy++;
        look(vcq); /* Polling makes room; nothing of ours is under way. */
    }
    check(code, "utofu_put_piggyback"); /* Anything else is wrong with the arguments. */
    do {
        code = look(vcq);
    } while (code == UTOFU_ERR_NOT_FOUND);
    return code;
}

static void put(utofu_vcq_hdl_t vcq, utofu_vcq_id_t id, utofu_stadd_t stadd, uint64_t value)
{
    const time_t deadline = time(NULL) + PATIENCE_S;
    int code;

    while ((code = put_once(vcq, id, stadd, value)) != UTOFU_SUCCESS) {
        failed++;
        if (!may_pass(code) || time(NULL) > deadline)
            check(code, "a put");
    }
}

int main(void)
{
    static uint64_t word __attribute__((aligned(256))); /* Reserved STags want whole cache lines of A64FX. */
    uint8_t coords[6];
    utofu_stadd_t own, stadd;
    utofu_vcq_hdl_t vcq;
    utofu_vcq_id_t id;
    int rank;

    CHECK(utofu_query_my_coords(coords));
    rank      = coords[3];
    coords[3] = (uint8_t)!rank;
    CHECK(utofu_create_vcq_with_cmp_id(TNI, COMPONENT, 0, &vcq));
    CHECK(utofu_reg_mem_with_stag(vcq, &word, sizeof(word), STAG, 0, &own));
    CHECK(utofu_construct_vcq_id(coords, TNI, CQ, COMPONENT, &id));
    CHECK(utofu_query_stadd(id, STAG, &stadd));

    for (uint64_t i = 1; i <= PUTS; i++)
        put(vcq, id, stadd, i);
    while (received < PUTS)
        look(vcq);
    printf("rank %d: %d puts came, the last with %lu; %d times busy, %d puts repeated\n", rank, received,
           (unsigned long)word, busy, failed);

    CHECK(utofu_dereg_mem(vcq, own, 0));
    CHECK(utofu_free_vcq(vcq));
    return received == PUTS && word == PUTS ? 0 : 1;
}
