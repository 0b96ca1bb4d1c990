/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank of any launcher's job, as a program of uTofu and jTofu is written: it asks jTofu where the next rank is and on
 * which path to reach it, puts its job's token there, and checks what the rank before it has put here. Ranks of two jobs
 * that met would read each other's token.
 *
 *     neighbour TOKEN    prints "rank R of N: token TOKEN, H hops"
 */
#include <jtofu.h>
#include <softtofu.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <utofu.h>

enum { TNI = 0, COMPONENT = 5, STAG = 3, JOB = 77 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        int code_ = (call);                                                                        \
        if (code_ < 0) {                                                                           \
            fprintf(stderr, "%s: %d\n", #call, code_);                                             \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static utofu_vcq_id_t id_of(jtofu_rank_t rank, utofu_path_id_t *path)
{
    union jtofu_phys_coords coords;
    union jtofu_path_coords paths[5];
    utofu_vcq_id_t id;
    size_t count;

    CHECK(jtofu_query_phys_coords(JOB, rank, &coords));
    CHECK(utofu_construct_vcq_id(coords.a, TNI, 0, COMPONENT, &id));
    CHECK(jtofu_query_onesided_paths(&coords, 5, paths, &count));
    CHECK(utofu_get_path_id(id, paths[0].a, path));
    return id;
}

static size_t hops_to(jtofu_rank_t rank)
{
    union jtofu_phys_coords coords;
    size_t hops;

    CHECK(jtofu_query_phys_coords(JOB, rank, &coords));
    CHECK(jtofu_query_onesided_hops(&coords, &hops));
    return hops;
}

static int wait_notice(utofu_vcq_hdl_t vcq, enum utofu_mrq_notice_type type)
{
    struct utofu_mrq_notice notice;
    int code;

    do {
        code = utofu_poll_mrq(vcq, 0, &notice);
    } while (code == UTOFU_ERR_NOT_FOUND || (code == UTOFU_SUCCESS && notice.notice_type != type));
    return code;
}

/* Until the other has registered its memory, a put to it fails: put again. */
static void put_token(utofu_vcq_hdl_t vcq, jtofu_rank_t rank, uint64_t token)
{
    utofu_path_id_t path;
    utofu_vcq_id_t id         = id_of(rank, &path);
    const unsigned long flags = UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_PATH(path);
    utofu_stadd_t stadd;

    CHECK(utofu_query_stadd(id, STAG, &stadd));
    do {
        CHECK(utofu_put_piggyback8(vcq, id, token, stadd, sizeof(token), 0, flags, NULL));
    } while (wait_notice(vcq, UTOFU_MRQ_TYPE_LCL_PUT) != UTOFU_SUCCESS);
}

int main(int argc, char **argv)
{
    /* Where the rank before this one puts its token. */
    static volatile uint64_t memory[32] __attribute__((aligned(256)));
    uint64_t token = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned rank, ranks;
    const void *own;
    void *mapinfo;
    size_t bytes;
    utofu_vcq_hdl_t vcq;
    utofu_stadd_t stadd;

    CHECK(softtofu_job_map(&own, &bytes, &rank));
    CHECK(jtofu_create_mapinfo_by_envvars(&mapinfo, &bytes, &ranks));
    CHECK(jtofu_initialize(JOB, rank, mapinfo));
    free(mapinfo);
    CHECK(utofu_create_vcq_with_cmp_id(TNI, COMPONENT, 0, &vcq));
    CHECK(utofu_reg_mem_with_stag(vcq, (void *)memory, sizeof(memory), STAG, 0, &stadd));
    put_token(vcq, (rank + 1) % ranks, token);
    while (memory[0] == 0)
        ;
    if (memory[0] != token) {
        fprintf(stderr, "rank %u read token %llu\n", rank, (unsigned long long)memory[0]);
        return 1;
    }
    printf("rank %u of %u: token %llu, %zu hops\n", rank, ranks, (unsigned long long)token, hops_to((rank + 1) % ranks));
    CHECK(utofu_dereg_mem(vcq, stadd, 0));
    CHECK(utofu_free_vcq(vcq));
    CHECK(jtofu_finalize());
    return 0;
}
