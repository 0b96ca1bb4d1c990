/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring exchange with barrier gates instead of notices: each rank puts a value into the next rank's memory and
 * starts a barrier, after which all values have arrived. The gates form a ring, too: a signal goes round once to gather
 * all ranks and once more to tell them, so each rank needs a start/end gate and two relay gates. Nothing is exchanged
 * beforehand: on a fresh node the gates of a rank are BG 0, 16 and 17, so peers can work out each other's ids.
 *
 *     cc ring_barrier.c -ltofucom -o ring_barrier && tofu-run -n 12 --shape 1x1x1x2x3x2 ./ring_barrier 12
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utofu.h>

enum { TNI = 0, CQ = 0, COMPONENT = 7, STAG = 1, ROUNDS = 10 };
enum { END = 0, GATHER = 16, TELL = 17 }; /* BGs. */

static void check(int code, const char *call)
{
    if (code != UTOFU_SUCCESS) {
        fprintf(stderr, "%s failed with uTofu error %d\n", call, code);
        exit(1);
    }
}
#define CHECK(call) check(call, #call)

/* Node r is at a,b,c = the r-th place of one 2x3x2 unit, one process a node. */
static utofu_vbg_id_t gate(int rank, unsigned bg)
{
    return (uint64_t)TNI << 61 | (uint64_t)(rank % 2) << 59 | (uint64_t)(rank / 2 % 3) << 57 |
           (uint64_t)(rank / 6) << 56 | bg;
}

/* Gather: 0 -> 1 -> ... -> last; then tell: last -> 0 -> 1 -> ... */
static void wire_gates(int rank, int ranks)
{
    const utofu_vbg_id_t none = UTOFU_VBG_ID_NULL;
    const int first = rank == 0, last = rank == ranks - 1;
    struct utofu_vbg_setting end = {gate(rank, END), gate(rank, TELL), none, gate(rank, GATHER), none, {0}};
    struct utofu_vbg_setting gather = {
            gate(rank, GATHER), gate(rank, END),          first ? none : gate(rank - 1, GATHER), none,
            last ? gate(0, TELL) : gate(rank + 1, GATHER), {0}};
    struct utofu_vbg_setting tell = {
            gate(rank, TELL), none, first ? gate(ranks - 1, GATHER) : gate(rank - 1, TELL), gate(rank, END),
            last ? none : gate(rank + 1, TELL), {0}};
    struct utofu_vbg_setting settings[3];
    utofu_vbg_id_t ids[3];

    CHECK(utofu_alloc_vbg(TNI, 3, 0, ids));
    if (ids[0] != end.vbg_id || ids[1] != gather.vbg_id || ids[2] != tell.vbg_id) {
        fprintf(stderr, "rank %d was given other gates than its peers expect\n", rank);
        exit(1);
    }
    settings[0] = end;
    settings[1] = gather;
    settings[2] = tell;
    for (int i = 0; i < 3; i++)
        memset(settings[i].dst_path_coords, UTOFU_PATH_COORD_NULL, sizeof(settings[i].dst_path_coords));
    CHECK(utofu_set_vbg(settings, 3));
}

static void barrier(int rank)
{
    int code;

    CHECK(utofu_barrier(gate(rank, END), 0));
    do {
        code = utofu_poll_barrier(gate(rank, END), 0);
    } while (code == UTOFU_ERR_NOT_COMPLETED);
    check(code, "utofu_poll_barrier");
}

/* Put and wait until it is in the target's memory. @return What the notice said. */
static int put(utofu_vcq_hdl_t vcq, int to, size_t word, uint64_t value)
{
    uint8_t coords[6] = {0, 0, 0, (uint8_t)(to / 6), (uint8_t)(to / 2 % 3), (uint8_t)(to % 2)};
    struct utofu_mrq_notice notice;
    utofu_vcq_id_t id;
    utofu_stadd_t stadd;
    int code;

    CHECK(utofu_construct_vcq_id(coords, TNI, CQ, COMPONENT, &id));
    CHECK(utofu_query_stadd(id, STAG, &stadd));
    CHECK(utofu_put_piggyback8(vcq, id, value, stadd + word * sizeof(value), sizeof(value), 0,
                               UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE, NULL));
    do {
        code = utofu_poll_mrq(vcq, 0, &notice);
    } while (code == UTOFU_ERR_NOT_FOUND);
    return code;
}

/* Before the first barrier all must have set their gates: each tells rank 0, and that tells all. */
static void meet(utofu_vcq_hdl_t vcq, volatile uint64_t *words, int rank, int ranks)
{
    while (put(vcq, 0, (size_t)(2 + rank), 1) != UTOFU_SUCCESS) {
    }
    for (int peer = 0; rank == 0 && peer < ranks; peer++) {
        while (words[2 + peer] == 0) {
        }
    }
    for (int peer = 0; rank == 0 && peer < ranks; peer++)
        check(put(vcq, peer, 1, 1), "utofu_put_piggyback8");
    while (words[1] == 0) {
    }
}

int main(int argc, char **argv)
{
    static uint64_t words[64] __attribute__((aligned(256))); /* The value, go, and who is ready. */
    volatile uint64_t *arrived = words;
    int ranks = argc > 1 ? atoi(argv[1]) : 12, rank, wrong = 0;
    utofu_stadd_t stadd;
    utofu_vcq_hdl_t vcq;
    uint8_t coords[6];

    CHECK(utofu_query_my_coords(coords));
    rank = (coords[3] * 3 + coords[4]) * 2 + coords[5];
    CHECK(utofu_create_vcq_with_cmp_id(TNI, COMPONENT, 0, &vcq));
    CHECK(utofu_reg_mem_with_stag(vcq, words, sizeof(words), STAG, 0, &stadd));
    wire_gates(rank, ranks);
    meet(vcq, words, rank, ranks);

    for (uint64_t round = 1; round <= ROUNDS; round++) {
        check(put(vcq, (rank + 1) % ranks, 0, round << 8 | (uint64_t)rank), "utofu_put_piggyback8");
        barrier(rank); /* All have put. */
        wrong += arrived[0] != (round << 8 | (uint64_t)((rank + ranks - 1) % ranks));
        barrier(rank); /* All have looked. */
    }
    if (rank == 0 && wrong == 0)
        printf("%d rounds of %d ranks, each with what its neighbour sent\n", ROUNDS, ranks);
    return wrong != 0;
}
