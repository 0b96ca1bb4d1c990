/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/trace.h"

#include "softtofu/env.h"
#include "softtofu/log.h"
#include "softtofu/trace_file.h"
#include "softtofu/watch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Peers of a VCQ whose notices get arrows; a power of two. More of them go without. */
#define PEERS_MAX 1024u

/* How many notices went to, and came from, a VCQ. Both ends count alike, so both know an arrow's number. */
struct peer {
    _Atomic uint64_t vcq_id; /* 0: free. */
    _Atomic uint64_t sent, received;
};

struct softtofu_trace {
    struct peer peer[PEERS_MAX];
};

static bool on;

static bool append(char *path, size_t *length, const char *text)
{
    size_t more = strlen(text);

    if (*length + more >= PATH_MAX)
        return false;
    memcpy(path + *length, text, more + 1);
    *length += more;
    return true;
}

/* Put rank and process id for %r and %p. @return Whether it fits; @a named tells whether there was any. */
static bool expand(const char *pattern, unsigned rank, char *path, bool *named)
{
    size_t length = 0;
    char text[24];
    bool fits = true;

    *named  = false;
    path[0] = '\0';
    for (const char *c = pattern; *c != '\0' && fits; c++) {
        if (c[0] == '%' && (c[1] == 'r' || c[1] == 'p')) {
            snprintf(text, sizeof(text), "%d", c[1] == 'r' ? (int)rank : (int)getpid());
            *named = true;
            c++;
        } else {
            snprintf(text, sizeof(text), "%c", *c);
        }
        fits = append(path, &length, text);
    }
    return fits;
}

/* FILE.json becomes FILE.RANK.json unless the name says where the rank goes. */
static int choose_path(const char *pattern, unsigned rank, char *path)
{
    char with_rank[PATH_MAX];
    const char *dot = strrchr(pattern, '.');
    size_t stem     = dot != NULL && strchr(dot, '/') == NULL ? (size_t)(dot - pattern) : strlen(pattern);
    bool named, fits = expand(pattern, rank, path, &named);

    if (fits && !named) {
        int length = snprintf(with_rank, sizeof(with_rank), "%.*s.%%r%s", (int)stem, pattern, pattern + stem);
        fits = length < (int)sizeof(with_rank) && expand(with_rank, rank, path, &named);
    }
    if (!fits)
        softtofu_error("SOFTTOFU_TRACE names a path that is too long: shorten it");
    return fits ? 0 : -1;
}

int softtofu_trace_start(const struct softtofu_device *device)
{
    const char *pattern = softtofu_env_string(SOFTTOFU_ENV_TRACE);
    const uint8_t *n    = device->coords;
    char path[PATH_MAX], name[64];

    if (*pattern == '\0')
        return 0;
    snprintf(name, sizeof(name), "rank %u on node %u,%u,%u,%u,%u,%u", device->rank, n[0], n[1], n[2], n[3], n[4],
             n[5]);
    if (choose_path(pattern, device->rank, path) != 0 ||
        softtofu_trace_file_open(path, device->rank, name) != 0)
        return -1;
    on = true;
    return 0;
}

bool softtofu_trace_on(void)
{
    return on;
}

void softtofu_trace_end(void)
{
    softtofu_trace_file_close();
}

void softtofu_trace_forget(void)
{
    on = false;
    softtofu_trace_file_forget();
}

uint64_t softtofu_trace_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct softtofu_trace *softtofu_trace_vcq(const struct softtofu_vcq *vcq)
{
    (void)vcq;
    return calloc(1, sizeof(struct softtofu_trace));
}

void softtofu_trace_free(struct softtofu_trace *trace)
{
    free(trace);
}

/* @return NULL: there is no room for another. */
static struct peer *find_peer(struct softtofu_trace *trace, uint64_t vcq_id)
{
    unsigned first = (unsigned)(vcq_id * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    for (unsigned i = 0; i < PEERS_MAX; i++) {
        struct peer *peer = &trace->peer[(first + i) % PEERS_MAX];
        uint64_t id       = 0;
        if (atomic_compare_exchange_strong(&peer->vcq_id, &id, vcq_id) || id == vcq_id)
            return peer;
    }
    return NULL;
}

/* Number of the @a n-th notice from one VCQ to another. */
static uint64_t arrow_number(uint64_t from, uint64_t to, uint64_t n)
{
    uint64_t mixed = from * UINT64_C(0x9e3779b97f4a7c15) ^ (to + n) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (mixed ^ mixed >> 29) | 1;
}

static struct softtofu_trace_event begin_event(uint64_t id, const char *name, int result, uint64_t began,
                                               uint64_t ended)
{
    return (struct softtofu_trace_event){
            .name = name, .began = began, .took = ended - began, .vcq_id = id, .result = result};
}

void softtofu_trace_gate(const char *name, uint64_t vbg_id, int result, uint64_t began)
{
    struct softtofu_trace_event event = begin_event(vbg_id, name, result, began, softtofu_trace_now());

    softtofu_trace_file_add(&event);
}

void softtofu_trace_command(struct softtofu_vcq *vcq, const struct softtofu_command *command, int result,
                            uint64_t began, uint64_t ended)
{
    struct softtofu_trace_event event =
            begin_event(vcq->id, softtofu_command_call(command), result, began, ended);
    struct peer *peer;

    event.peer_id = command->rmt_vcq_id & ~SOFTTOFU_ID_PATH_MASK;
    event.bytes   = command->length;
    event.flags   = command->flags;
    if (result == UTOFU_SUCCESS && (command->flags & UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE) != 0 &&
        (peer = find_peer(vcq->watch->trace, event.peer_id)) != NULL)
        event.arrow = arrow_number(vcq->id, event.peer_id, atomic_fetch_add(&peer->sent, 1));
    softtofu_trace_file_add(&event);
}

void softtofu_trace_tcq(struct softtofu_vcq *vcq, int status, uint64_t began)
{
    struct softtofu_trace_event event =
            begin_event(vcq->id, "utofu_poll_tcq", status, began, softtofu_trace_now());

    softtofu_trace_file_add(&event);
}

static bool is_remote(const struct utofu_mrq_notice *notice)
{
    return notice->notice_type == UTOFU_MRQ_TYPE_RMT_PUT || notice->notice_type == UTOFU_MRQ_TYPE_RMT_GET ||
           notice->notice_type == UTOFU_MRQ_TYPE_RMT_ARMW;
}

void softtofu_trace_mrq(struct softtofu_vcq *vcq, int status, const struct utofu_mrq_notice *notice,
                        uint64_t began)
{
    struct softtofu_trace_event event =
            begin_event(vcq->id, "utofu_poll_mrq", status, began, softtofu_trace_now());
    struct peer *peer;

    event.peer_id = notice->vcq_id;
    if (is_remote(notice) && (peer = find_peer(vcq->watch->trace, notice->vcq_id)) != NULL) {
        event.arrow      = arrow_number(notice->vcq_id, vcq->id, atomic_fetch_add(&peer->received, 1));
        event.arrow_ends = true;
    }
    softtofu_trace_file_add(&event);
}
