/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules. Where only a guess is possible they lean towards silence: once anything of a peer has arrived at this process,
 * whatever was posted before it counts as answered.
 */
#include "softtofu/check.h"

#include "softtofu/mrq.h"
#include "softtofu/watch.h"

#include <stdlib.h>

/* Its address names a thread. */
static _Thread_local char thread_mark;

/* What others have sent to this process: other processes, and its other VCQs. */
static uint64_t arrivals(const struct softtofu_vcq *vcq)
{
    return atomic_load(&vcq->device->process->arrivals) - atomic_load(&vcq->watch->check->self_sent);
}

/* @return The CQ and component that an id names, NULL if there is no such place. */
static struct softtofu_cq *find_cq(const struct softtofu_vcq *vcq, uint64_t vcq_id, unsigned *cmp)
{
    const struct softtofu_fabric *fabric = &vcq->device->fabric;
    struct softtofu_vcq_place place;
    int32_t node;

    if (!softtofu_vcq_id_decode(vcq_id & ~SOFTTOFU_ID_PATH_MASK, &place))
        return NULL;
    node = torus_map_find(softtofu_fabric_map(fabric), place.coords);
    if (node < 0)
        return NULL;
    *cmp = place.cmp;
    return &softtofu_fabric_node(fabric, (unsigned)node)->cq[place.tni][place.cq];
}

/* Before it is executed: who is reached by polling memory must find that something came. */
void softtofu_check_count(struct softtofu_vcq *vcq, const struct softtofu_command *command)
{
    unsigned cmp, rank;
    struct softtofu_cq *cq = find_cq(vcq, command->rmt_vcq_id, &cmp);

    if (cq == NULL || command->kind == SOFTTOFU_COMMAND_NOP || command->kind == SOFTTOFU_COMMAND_GET)
        return;
    rank = atomic_load(&cq->vcq[cmp].process);
    if (rank >= vcq->device->fabric.head->processes_max)
        return;
    if (rank == vcq->device->rank)
        atomic_fetch_add(&vcq->watch->check->self_sent, 1);
    atomic_fetch_add(&softtofu_fabric_process(&vcq->device->fabric, rank)->arrivals, 1);
}

void softtofu_check_enter(struct softtofu_vcq *vcq, const char *call)
{
    struct softtofu_check *check = vcq->watch->check;

    if (!check->shared) {
        const void *other = atomic_exchange(&check->user, &thread_mark);
        if (other != NULL && other != &thread_mark) {
            pthread_mutex_lock(&check->mutex);
            softtofu_check_report(check, SOFTTOFU_FINDING_THREADS, call,
                                  "another thread is in a call on VCQ %#lx, which damages a queue of hardware: give "
                                  "each thread a VCQ, or make it with UTOFU_VCQ_FLAG_THREAD_SAFE",
                                  (unsigned long)vcq->id);
            pthread_mutex_unlock(&check->mutex);
        }
    }
}

static void leave(struct softtofu_check *check)
{
    atomic_store(&check->user, NULL);
}

/* @param whose  "local" or "remote". A STADD that was never registered is left to the error that the device gives. */
static void check_stadd(struct softtofu_vcq *vcq, const struct softtofu_command *command, uint64_t vcq_id,
                        uint64_t stadd, const char *whose, enum softtofu_finding finding)
{
    unsigned cmp = 0, number = softtofu_stadd_stag(stadd);
    struct softtofu_cq *cq = find_cq(vcq, vcq_id, &cmp);
    const char *what       = NULL;
    const struct softtofu_stag *stag;

    if (cq == NULL || (atomic_load(&cq->vcq[cmp].generation) & 1) == 0)
        return;
    if (softtofu_stadd_cq(stadd) != (vcq_id & 0xff) || number >= SOFTTOFU_STAGS) {
        what = "is of another CQ";
    } else {
        uint32_t generation;
        stag       = &cq->stag[number];
        generation = atomic_load(&stag->generation);
        if ((generation & 1) != 0 && atomic_load(&stag->owner) != softtofu_stag_owner(atomic_load(&cq->vcq[cmp].process), cmp))
            what = "was registered on another VCQ";
        else if ((generation & 1) == 0 && generation != 0 && number >= SOFTTOFU_STAG_DYNAMIC)
            what = "was deregistered";
    }
    if (what != NULL)
        softtofu_check_report(vcq->watch->check, finding, vcq->watch->check->call,
                              "%s STADD %#lx %s: register the memory on VCQ %#lx, and keep it registered until the "
                              "command (%zu bytes) is done",
                              whose, (unsigned long)stadd, what, (unsigned long)vcq_id, command->length);
}

static void check_stadds(struct softtofu_vcq *vcq, const struct softtofu_command *command)
{
    if (command->kind == SOFTTOFU_COMMAND_PUT || command->kind == SOFTTOFU_COMMAND_GET)
        check_stadd(vcq, command, vcq->id, command->lcl_stadd, "local", SOFTTOFU_FINDING_LOCAL_STADD);
    if (command->kind != SOFTTOFU_COMMAND_NOP)
        check_stadd(vcq, command, command->rmt_vcq_id & ~SOFTTOFU_ID_PATH_MASK, command->rmt_stadd, "remote",
                    SOFTTOFU_FINDING_REMOTE_STADD);
}

static bool is_put(const struct softtofu_pending *p)
{
    return p->kind == SOFTTOFU_COMMAND_PUT || p->kind == SOFTTOFU_COMMAND_PIGGYBACK;
}

/* Data that a flag may belong to: too long for a flag itself, and without a notice that tells of it. */
static bool is_data(const struct softtofu_pending *p)
{
    return is_put(p) && p->length > sizeof(uint64_t) &&
           (p->flags & UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE) == 0;
}

static bool is_flag(const struct softtofu_pending *p)
{
    return p->kind == SOFTTOFU_COMMAND_ATOMIC ||
           (is_put(p) && (p->length <= sizeof(uint64_t) ||
                          (p->flags & UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE) != 0));
}

static bool overlap(const struct softtofu_pending *a, const struct softtofu_pending *b)
{
    return a->rmt_stadd < b->rmt_stadd + b->length && b->rmt_stadd < a->rmt_stadd + a->length;
}

/* Whether it matters which of two commands on the same memory is first. */
static bool conflict(const struct softtofu_pending *first, const struct softtofu_pending *second)
{
    return (is_put(first) || first->kind == SOFTTOFU_COMMAND_ATOMIC) &&
           !(first->kind == SOFTTOFU_COMMAND_ATOMIC && second->kind == SOFTTOFU_COMMAND_ATOMIC);
}

static void check_order(struct softtofu_check *check, const struct softtofu_pending *now)
{
    const struct softtofu_pending *p;

    for (unsigned i = 0; (p = softtofu_pending_next(&check->pending, &i)) != NULL;) {
        if (p->arrivals != now->arrivals)
            return; /* Nor do older ones count. */
        if (p->kind == SOFTTOFU_COMMAND_NOP || p->done || p->vcq_id != now->vcq_id ||
            softtofu_pending_ordered(p, now))
            continue;
        if (overlap(p, now) && conflict(p, now)) {
            softtofu_check_report(check, SOFTTOFU_FINDING_OVERLAP, check->call,
                                  "it touches memory at STADD %#lx that an earlier command writes which is not known to be "
                                  "done: hardware may do them in any order; give both "
                                  "UTOFU_ONESIDED_FLAG_STRONG_ORDER, or poll the earlier one's local MRQ notice first",
                                  (unsigned long)now->rmt_stadd);
            return;
        }
        if (is_flag(now) && is_data(p)) {
            softtofu_check_report(check, SOFTTOFU_FINDING_FLAG, check->call,
                                  "it may arrive before the %zu bytes put to the same VCQ earlier: if it tells of them, "
                                  "give both UTOFU_ONESIDED_FLAG_STRONG_ORDER, or poll the put's local MRQ notice first",
                                  p->length);
            return;
        }
    }
}

static void check_refused(struct softtofu_check *check, const struct softtofu_command *command, int result)
{
    if (result == UTOFU_ERR_INVALID_EDATA)
        softtofu_check_report(check, SOFTTOFU_FINDING_EDATA, check->call,
                              "edata %#lx is more than a byte, which hardware may find out only when it is polled: keep "
                              "it below 256",
                              (unsigned long)command->edata);
    if (result == UTOFU_ERR_INVALID_STADD && command->kind == SOFTTOFU_COMMAND_ATOMIC)
        softtofu_check_report(check, SOFTTOFU_FINDING_ALIGNMENT, check->call,
                              "STADD %#lx is not aligned to the %zu bytes of the word: align atomics naturally",
                              (unsigned long)command->rmt_stadd, command->length);
}

static void note_mrq(struct softtofu_check *check)
{
    const struct softtofu_vcq *vcq = check->vcq;
    uint64_t tail = atomic_load_explicit(&vcq->slot->mrq_tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&vcq->slot->mrq_head, memory_order_relaxed);
    uint64_t wait = softtofu_notice_ring_count(&vcq->notices) + (tail > head ? tail - head : 0);

    if (wait > check->mrq_most)
        check->mrq_most = wait;
}

void softtofu_check_command(struct softtofu_vcq *vcq, const struct softtofu_command *command, int result)
{
    struct softtofu_check *check   = vcq->watch->check;
    struct softtofu_pending now    = softtofu_pending_make(command, arrivals(vcq));

    pthread_mutex_lock(&check->mutex);
    check->call = softtofu_command_call(command);
    if (result == UTOFU_SUCCESS) {
        check_stadds(vcq, command);
        check_order(check, &now);
        softtofu_pending_add(&check->pending, &now);
    } else {
        check_refused(check, command, result);
    }
    note_mrq(check);
    pthread_mutex_unlock(&check->mutex);
    leave(check);
}

void softtofu_check_tcq(struct softtofu_vcq *vcq, int status, void *const *cbdata)
{
    struct softtofu_check *check = vcq->watch->check;

    if (status != UTOFU_ERR_NOT_FOUND) {
        pthread_mutex_lock(&check->mutex);
        softtofu_pending_sent(&check->pending, *cbdata);
        pthread_mutex_unlock(&check->mutex);
    }
    leave(check);
}

void softtofu_check_mrq(struct softtofu_vcq *vcq, int status, const struct utofu_mrq_notice *notice)
{
    struct softtofu_check *check = vcq->watch->check;

    if (status != UTOFU_ERR_NOT_FOUND) {
        pthread_mutex_lock(&check->mutex);
        note_mrq(check);
        softtofu_pending_done(&check->pending, notice);
        pthread_mutex_unlock(&check->mutex);
    }
    leave(check);
}

void softtofu_check_register(struct softtofu_vcq *vcq, const void *addr, size_t size, uint64_t stadd)
{
    struct softtofu_check *check            = vcq->watch->check;
    struct softtofu_checked_memory *memory = malloc(sizeof(*memory));

    if (memory == NULL)
        return;
    pthread_mutex_lock(&check->mutex);
    *memory = (struct softtofu_checked_memory){check->memory, stadd, addr, size};
    check->memory = memory;
    pthread_mutex_unlock(&check->mutex);
}

/* Whether the device may still use memory of [@a stadd, + @a size) for @a p. */
static bool in_use(const struct softtofu_vcq *vcq, const struct softtofu_pending *p, uint64_t stadd, size_t size)
{
    bool local = p->kind == SOFTTOFU_COMMAND_PUT || p->kind == SOFTTOFU_COMMAND_GET;

    return local && p->lcl_stadd - stadd < size && p->arrivals == arrivals(vcq) &&
           !(p->kind == SOFTTOFU_COMMAND_GET ? p->done : p->sent);
}

void softtofu_check_deregister(struct softtofu_vcq *vcq, uint64_t stadd)
{
    struct softtofu_check *check            = vcq->watch->check;
    struct softtofu_checked_memory **place = &check->memory, *memory;
    const struct softtofu_pending *p;

    pthread_mutex_lock(&check->mutex);
    while (*place != NULL && (*place)->stadd != stadd)
        place = &(*place)->next;
    memory = *place;
    if (memory != NULL) {
        for (unsigned i = 0; (p = softtofu_pending_next(&check->pending, &i)) != NULL;) {
            if (in_use(vcq, p, stadd, memory->size))
                softtofu_check_report(check, SOFTTOFU_FINDING_DEREGISTER, "utofu_dereg_mem",
                                      "a %s of %zu bytes %s it is not known to be done: poll its %s notice first",
                                      p->kind == SOFTTOFU_COMMAND_GET ? "get" : "put", p->length,
                                      p->kind == SOFTTOFU_COMMAND_GET ? "into" : "from",
                                      p->kind == SOFTTOFU_COMMAND_GET ? "local MRQ" : "TCQ");
        }
        *place = memory->next;
        free(memory);
    }
    pthread_mutex_unlock(&check->mutex);
}

void softtofu_check_remains(struct softtofu_check *check, const char *when)
{
    const struct softtofu_vcq *vcq = check->vcq;
    size_t tcq = softtofu_notice_ring_count(&vcq->tcq);
    size_t mrq = softtofu_notice_ring_count(&vcq->notices) +
                 softtofu_mrq_count(vcq->queue.ring, vcq->mrq_mask + 1, vcq->mrq_head);

    if (tcq + mrq > 0)
        softtofu_check_report(check, SOFTTOFU_FINDING_UNREAD, when,
                              "VCQ %#lx, made at %s, has %zu TCQ and %zu MRQ notices that nobody polled: poll what was "
                              "asked for, or do not ask",
                              (unsigned long)vcq->id, check->site, tcq, mrq);
    if (check->mrq_most > (uint64_t)(vcq->mrq_mask + 1) / 2)
        softtofu_check_report(check, SOFTTOFU_FINDING_MRQ, when,
                              "up to %lu of %u entries of the MRQ of VCQ %#lx, made at %s, were in use: one that "
                              "overflows ends the program on hardware; poll more often, or bound what peers send",
                              (unsigned long)check->mrq_most, vcq->mrq_mask + 1, (unsigned long)vcq->id, check->site);
}
