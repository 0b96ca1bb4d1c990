/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap/gate.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Threads beyond as many share the last place, at the price of an atomic addition a passage. */
#define PLACES 1024
#define SHARED (PLACES - 1)

/** Where a thread tells that it is inside. */
struct place {
    alignas(64) _Atomic unsigned inside;
    _Atomic bool taken;
};

static struct place places[PLACES];
static _Atomic unsigned used = 1; /* No place from here on was ever taken, but the last. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* Who holds it may close. */
static _Atomic bool closed;
static bool fenced = true; /* Passages need fences: there is no membarrier. */

static __thread struct place *own;
static __thread unsigned depth; /* How often this thread is inside. */
static __thread bool closer;

void heap_gate_init(void)
{
    fenced = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
}

static struct place *take_place(void)
{
    for (unsigned i = 0; i < SHARED; i++) {
        unsigned seen = atomic_load(&used);
        if (atomic_exchange(&places[i].taken, true))
            continue;
        while (seen <= i && !atomic_compare_exchange_weak(&used, &seen, i + 1))
            ;
        return &places[i];
    }
    return &places[SHARED];
}

static inline bool is_shared(void)
{
    return own == &places[SHARED];
}

/* Sequentially consistent with the closer's: it sees this, or this thread sees that it has closed. */
static inline void tell_inside(void)
{
    depth++;
    if (is_shared())
        atomic_fetch_add(&own->inside, 1);
    else
        atomic_store_explicit(&own->inside, depth, memory_order_relaxed);
    if (fenced)
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
}

static inline void tell_outside(void)
{
    depth--;
    if (is_shared())
        atomic_fetch_sub(&own->inside, 1);
    else
        atomic_store_explicit(&own->inside, depth, memory_order_release);
}

__attribute__((noinline)) static void wait_until_open(void)
{
    while (atomic_load(&closed)) {
        tell_outside();
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        tell_inside();
    }
}

void heap_gate_enter(void)
{
    if (__builtin_expect(own == NULL, 0))
        own = take_place();
    tell_inside();
    if (__builtin_expect(atomic_load_explicit(&closed, memory_order_acquire), 0) && depth == 1 && !closer)
        wait_until_open();
}

void heap_gate_leave(void)
{
    tell_outside();
}

void heap_gate_forget_thread(void)
{
    struct place *place = own;

    if (place == NULL || depth > 0)
        return;
    own = NULL;
    if (place != &places[SHARED])
        atomic_store(&place->taken, false);
}

/* A signal handler may fork in the middle of malloc: nobody waits for himself. */
static void wait_until_empty(struct place *place)
{
    while (atomic_load(&place->inside) != (place == own ? depth : 0))
        sched_yield();
}

void heap_gate_close(void)
{
    pthread_mutex_lock(&mutex);
    closer = true;
    atomic_store(&closed, true);
    if (!fenced)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    /* A thread that takes its first place from here on finds the gate closed. */
    for (unsigned i = 0; i < atomic_load(&used); i++)
        wait_until_empty(&places[i]);
    wait_until_empty(&places[SHARED]);
}

void heap_gate_open(void)
{
    atomic_store(&closed, false);
    closer = false;
    pthread_mutex_unlock(&mutex);
}

void heap_gate_open_in_child(void)
{
    for (unsigned i = 0; i < PLACES; i++) {
        struct place *place = &places[i];
        atomic_store(&place->inside, place == own ? depth : 0);
        atomic_store(&place->taken, place == own);
    }
    heap_gate_init();
    pthread_mutex_init(&mutex, NULL);
    atomic_store(&closed, false);
    closer = false;
}
