/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/session.h"

#include "softtofu/toq.h"
#include "softtofu/vcq.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* How long to wait for a target's MRQ to get room, and the longest sleep altogether: a bound on any wake-up lost to the
 * death of the process that was to give it. */
#define RETRY_NS (1000 * 1000)
#define SLEEP_NS (100 * 1000 * 1000)

static void sleep_while_waiting(struct softtofu_vcq_slot *slot, long nanoseconds)
{
    const struct timespec limit = {.tv_nsec = nanoseconds};

    syscall(SYS_futex, &slot->session_waiting, FUTEX_WAIT, 1, &limit, NULL, 0);
}

void softtofu_session_wake(struct softtofu_vcq_slot *slot)
{
    if (atomic_exchange(&slot->session_waiting, 0) != 0)
        syscall(SYS_futex, &slot->session_waiting, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void softtofu_session_release(struct softtofu_vcq_slot *slot, uint32_t number)
{
    if (atomic_load_explicit(&slot->session, memory_order_relaxed) == 0)
        return;
    /*
     * Release, for softtofu_session_released(). And in one order with the thread's store to session_waiting: either it
     * sees the new offset before it sleeps, or this sees that it is about to.
     */
    atomic_fetch_add(&slot->session_released, number);
    if (atomic_load(&slot->session_waiting) != 0)
        softtofu_session_wake(slot);
}

/* @return Whether everything that may run has run. @param[out] seen  Session offset before. */
static bool progress(struct softtofu_vcq *vcq, uint32_t *seen)
{
    bool done;

    softtofu_vcq_lock(vcq);
    *seen = atomic_load(&vcq->slot->session_released);
    done  = softtofu_toq_drain(vcq);
    softtofu_vcq_unlock(vcq);
    return done;
}

/* How long to sleep at most: who has a command held back from now on wakes a thread that is about to sleep. */
static long sleep_limit(struct softtofu_vcq *vcq, bool done)
{
    const long limit = done ? SLEEP_NS : RETRY_NS;
    uint64_t due, now;

    if (!softtofu_fault_on(&vcq->fault))
        return limit;
    softtofu_vcq_lock(vcq);
    due = softtofu_toq_due(vcq);
    softtofu_vcq_unlock(vcq);
    if (due == 0)
        return limit;
    now = softtofu_fault_clock();
    if (due <= now)
        return 0;
    return due - now < (uint64_t)limit ? (long)(due - now) : limit;
}

static void *run(void *argument)
{
    struct softtofu_vcq *vcq       = argument;
    struct softtofu_vcq_slot *slot = vcq->slot;

    while (!atomic_load(&vcq->session_over)) {
        uint32_t seen;
        bool done = progress(vcq, &seen);

        atomic_store(&slot->session_waiting, 1);
        if (atomic_load(&slot->session_released) == seen && !atomic_load(&vcq->session_over))
            sleep_while_waiting(slot, sleep_limit(vcq, done));
        atomic_store(&slot->session_waiting, 0);
    }
    return NULL;
}

bool softtofu_session_begin(struct softtofu_vcq *vcq, bool session)
{
    sigset_t all, before;
    int error;

    vcq->session = session;
    /* Signals are the program's own threads' business. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&vcq->session_thread, NULL, run, vcq);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        vcq->session = false;
        return false;
    }
    vcq->threaded = true;
    atomic_store_explicit(&vcq->slot->session, session, memory_order_relaxed);
    return true;
}

void softtofu_session_end(struct softtofu_vcq *vcq)
{
    if (!vcq->threaded)
        return;
    atomic_store(&vcq->slot->session, 0);
    atomic_store(&vcq->session_over, true);
    softtofu_session_wake(vcq->slot);
    pthread_join(vcq->session_thread, NULL);
    vcq->session  = false;
    vcq->threaded = false;
}
