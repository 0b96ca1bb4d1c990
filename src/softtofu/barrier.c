/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers and reductions: starting, and asking whether they are done. */
#include "softtofu/api.h"
#include "softtofu/gate_table.h"
#include "softtofu/gate_watch.h"
#include "softtofu/trace.h"
#include "softtofu/vbg.h"

#include <string.h>
#include <time.h>

static void lock(struct softtofu_vbg *vbg)
{
    if (vbg->thread_safe)
        pthread_mutex_lock(&vbg->mutex);
}

static void unlock(struct softtofu_vbg *vbg)
{
    if (vbg->thread_safe)
        pthread_mutex_unlock(&vbg->mutex);
}

static uint64_t word_of(const struct softtofu_vbg *vbg)
{
    /* Acquire: the signals that it says are there can be read. */
    return atomic_load_explicit(&vbg->gate->word, memory_order_acquire);
}

/* The start/end gate of an id, and the device it is on. @return NULL if it is none of this process. */
static struct softtofu_vbg *find(utofu_vbg_id_t id, struct softtofu_device **device)
{
    struct softtofu_vbg *vbg;

    *device = softtofu_device();
    vbg     = *device == NULL ? NULL : softtofu_vbg(*device, id);
    return vbg != NULL && vbg->start ? vbg : NULL;
}

/* By the rules all processes have set their gates when the first starts: so now the neighbours are known. */
static void bind_gates(struct softtofu_device *device, struct softtofu_vbg *vbg)
{
    for (unsigned i = 0; i < vbg->count; i++)
        softtofu_gate_bind(&device->fabric, softtofu_vbg_member(device, vbg, i)->number);
    vbg->bound = true;
}

/** The elements of an operation that is to be started. */
struct elements {
    const uint64_t *integers;
    const double *doubles;
    size_t count;
};

static int start_locked(struct softtofu_device *device, struct softtofu_vbg *vbg, softtofu_kind_t kind,
                        const struct elements *elements)
{
    struct softtofu_hand hand = softtofu_vbg_hand(device);
    uint64_t word             = word_of(vbg);
    uint64_t *signal;

    if (!(word & SOFTTOFU_GATE_SET))
        return UTOFU_ERR_INVALID_VBG_ID;
    if (vbg->under_way)
        return UTOFU_ERR_BUSY;
    if (!vbg->bound)
        bind_gates(device, vbg);
    vbg->second = !vbg->second;
    signal      = softtofu_gate_signal(&device->fabric, vbg->number, vbg->second);
    if (elements->integers != NULL)
        memcpy(signal, elements->integers, elements->count * sizeof(*signal));
    else if (elements->doubles != NULL)
        softtofu_signal_of_doubles(elements->doubles, elements->count, signal);
    vbg->under_way = true;
    vbg->kind      = kind;
    vbg->began     = softtofu_trace_on() ? softtofu_trace_now() : 0;
    vbg->failed    = word & SOFTTOFU_GATE_FAULT;
    if (!vbg->failed)
        softtofu_gate_start(&hand, vbg->number, kind | (vbg->second ? SOFTTOFU_KIND_SECOND : 0));
    return UTOFU_SUCCESS;
}

static int start(utofu_vbg_id_t id, softtofu_kind_t kind, const struct elements *elements)
{
    struct softtofu_device *device;
    struct softtofu_vbg *vbg = find(id, &device);
    int result;

    if (vbg == NULL)
        return UTOFU_ERR_INVALID_VBG_ID;
    lock(vbg);
    result = start_locked(device, vbg, kind, elements);
    unlock(vbg);
    return result;
}

int putofu_barrier(utofu_vbg_id_t vbg_id, unsigned long int flags)
{
    const struct elements none = {0};

    if (flags != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    return softtofu_told(start(vbg_id, softtofu_kind(UTOFU_REDUCE_OP_BARRIER, 0), &none));
}
SOFTTOFU_TWIN(barrier);

int putofu_reduce_uint64(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, uint64_t data[], size_t num_data,
                         unsigned long int flags)
{
    const struct elements elements = {.integers = data, .count = num_data};

    if (op < UTOFU_REDUCE_OP_BAND || op > UTOFU_REDUCE_OP_SUM)
        return softtofu_told(UTOFU_ERR_INVALID_OP);
    if (data == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (num_data == 0 || num_data > SOFTTOFU_BARRIER_UINT64S || (op == UTOFU_REDUCE_OP_MAXLOC && num_data % 2 != 0))
        return softtofu_told(UTOFU_ERR_INVALID_NUMBER);
    if (flags != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    return softtofu_told(start(vbg_id, softtofu_kind(op, num_data), &elements));
}
SOFTTOFU_TWIN(reduce_uint64);

int putofu_reduce_double(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, double data[], size_t num_data,
                         unsigned long int flags)
{
    const struct elements elements = {.doubles = data, .count = num_data};

    if (op != UTOFU_REDUCE_OP_BFPSUM)
        return softtofu_told(UTOFU_ERR_INVALID_OP);
    if (data == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (num_data == 0 || num_data > SOFTTOFU_BARRIER_DOUBLES)
        return softtofu_told(UTOFU_ERR_INVALID_NUMBER);
    if (flags != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    return softtofu_told(start(vbg_id, softtofu_kind(op, num_data), &elements));
}
SOFTTOFU_TWIN(reduce_double);

/* The gates must be set anew. Saying so at each of them lets the other processes know soon. */
__attribute__((noinline)) static int fail(struct softtofu_device *device, struct softtofu_vbg *vbg)
{
    for (unsigned i = 0; i < vbg->count; i++) {
        uint32_t number            = softtofu_vbg_member(device, vbg, i)->number;
        struct softtofu_gate *gate = softtofu_gate_at(&device->fabric, number);
        softtofu_gate_mark_fault(gate, softtofu_gate_generation(atomic_load(&gate->word)));
    }
    vbg->under_way = false;
    return UTOFU_ERR_BARRIER_OTHER;
}

static int64_t coarse_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &now); /* Without a system call. */
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Look upstream when it is time: seldom enough that it does not matter how many gates that passes. */
__attribute__((noinline)) static bool waits_in_vain(struct softtofu_device *device, struct softtofu_vbg *vbg)
{
    const int64_t interval_ns = SOFTTOFU_PEERS_LOOK_MS * INT64_C(1000000);
    int64_t begin             = coarse_ns();
    bool in_vain;

    if (vbg->look_ns == 0 || begin < vbg->look_ns) {
        vbg->look_ns = vbg->look_ns == 0 ? begin + interval_ns : vbg->look_ns;
        return false;
    }
    in_vain      = softtofu_gate_in_vain(device, vbg->number);
    vbg->look_ns = begin + interval_ns + 16 * (coarse_ns() - begin);
    return in_vain;
}

/* Nothing has come yet. */
static int wait_on(struct softtofu_device *device, struct softtofu_vbg *vbg, uint64_t word)
{
    if (word & SOFTTOFU_GATE_FAULT)
        return fail(device, vbg);
    if (__builtin_expect(++vbg->idle_polls < SOFTTOFU_IDLE_POLLS, 1))
        return UTOFU_ERR_NOT_COMPLETED;
    vbg->idle_polls = 0;
    return waits_in_vain(device, vbg) ? fail(device, vbg) : UTOFU_ERR_NOT_COMPLETED;
}

/* Take the result, which is there. Out of line, to keep polls that find nothing short. */
__attribute__((noinline)) static int finish(struct softtofu_device *device, struct softtofu_vbg *vbg, uint64_t *result)
{
    struct softtofu_hand hand = softtofu_vbg_hand(device);
    softtofu_kind_t kind      = softtofu_gate_end(&hand, vbg->number, result);

    vbg->under_way = false;
    vbg->look_ns   = 0;
    if (kind == 0) { /* Nothing is sent into this gate: what comes out is what was put in. */
        kind = vbg->kind;
        softtofu_signal_copy(kind, softtofu_gate_signal(&device->fabric, vbg->number, vbg->second), result);
    }
    return kind == vbg->kind ? UTOFU_SUCCESS : UTOFU_ERR_BARRIER_MISMATCH;
}

static int poll_locked(struct softtofu_device *device, struct softtofu_vbg *vbg, uint64_t *result)
{
    uint64_t word = word_of(vbg);

    if (vbg->failed)
        return fail(device, vbg);
    if (softtofu_gate_complete(word) && (word & SOFTTOFU_GATE_PENDING_ANY) == 0)
        return finish(device, vbg, result);
    return wait_on(device, vbg, word);
}

static bool is_of_call(softtofu_kind_t kind, unsigned first_op, unsigned last_op)
{
    return (kind & 0xf) >= first_op && (kind & 0xf) <= last_op;
}

__attribute__((noinline)) static void trace(struct softtofu_vbg *vbg, utofu_vbg_id_t id, int status)
{
    unsigned op      = vbg->kind & 0xf;
    const char *name = op == UTOFU_REDUCE_OP_BARRIER  ? "utofu_barrier"
                       : op == UTOFU_REDUCE_OP_BFPSUM ? "utofu_reduce_double"
                                                      : "utofu_reduce_uint64";

    softtofu_trace_gate(name, id, status, vbg->began);
    vbg->began = 0;
}

/* Poll for an operation from @a first_op to @a last_op. @return The status; its kind. */
static int poll(utofu_vbg_id_t id, unsigned first_op, unsigned last_op, uint64_t *result, softtofu_kind_t *kind)
{
    struct softtofu_device *device;
    struct softtofu_vbg *vbg = find(id, &device);
    int status               = UTOFU_ERR_NOT_FOUND;

    if (vbg == NULL)
        return UTOFU_ERR_INVALID_VBG_ID;
    lock(vbg);
    *kind = vbg->kind;
    if (vbg->under_way && is_of_call(*kind, first_op, last_op))
        status = poll_locked(device, vbg, result);
    if (__builtin_expect(vbg->began != 0, 0) && !vbg->under_way)
        trace(vbg, id, status);
    unlock(vbg);
    return status;
}

int putofu_poll_barrier(utofu_vbg_id_t vbg_id, unsigned long int flags)
{
    uint64_t result[SOFTTOFU_SIGNAL_WORDS];
    softtofu_kind_t kind;

    if (flags != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    return softtofu_told(poll(vbg_id, UTOFU_REDUCE_OP_BARRIER, UTOFU_REDUCE_OP_BARRIER, result, &kind));
}
SOFTTOFU_TWIN(poll_barrier);

int putofu_poll_reduce_uint64(utofu_vbg_id_t vbg_id, unsigned long int flags, uint64_t data[])
{
    uint64_t result[SOFTTOFU_SIGNAL_WORDS];
    softtofu_kind_t kind;
    int status;

    if (flags != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    if (data == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    status = poll(vbg_id, UTOFU_REDUCE_OP_BAND, UTOFU_REDUCE_OP_SUM, result, &kind);
    if (status == UTOFU_SUCCESS)
        memcpy(data, result, softtofu_kind_elements(kind) * sizeof(*data));
    return softtofu_told(status);
}
SOFTTOFU_TWIN(poll_reduce_uint64);

int putofu_poll_reduce_double(utofu_vbg_id_t vbg_id, unsigned long int flags, double data[])
{
    uint64_t result[SOFTTOFU_SIGNAL_WORDS];
    softtofu_kind_t kind;
    int status;

    if (flags != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    if (data == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    status = poll(vbg_id, UTOFU_REDUCE_OP_BFPSUM, UTOFU_REDUCE_OP_BFPSUM, result, &kind);
    if (status == UTOFU_SUCCESS)
        softtofu_signal_to_doubles(result, softtofu_kind_elements(kind), data);
    return softtofu_told(status);
}
SOFTTOFU_TWIN(poll_reduce_double);
