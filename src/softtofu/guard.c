/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

_Atomic uint32_t softtofu_guard_losses;

/* Only ever grows at its head: the handler may walk it at any time. */
static _Atomic(struct softtofu_guard *) guards;
static struct sigaction previous;

static struct softtofu_guard *find(uintptr_t address)
{
    struct softtofu_guard *guard = atomic_load(&guards);

    while (guard != NULL && address - atomic_load(&guard->start) >= atomic_load(&guard->size))
        guard = guard->next;
    return guard;
}

/* The whole mapping goes, not the page: that suits pages of every size, and is mapped anew if part of it is left. */
static bool replace(struct softtofu_guard *guard)
{
    int error = errno;
    void *memory;

    if (!atomic_exchange(&guard->lost, true))
        atomic_fetch_add(&softtofu_guard_losses, 1);
    memory = mmap((void *)atomic_load(&guard->start), atomic_load(&guard->size), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    errno = error;
    return memory != MAP_FAILED;
}

static void pass_on(int number, siginfo_t *info, void *context)
{
    if ((previous.sa_flags & SA_SIGINFO) != 0) {
        previous.sa_sigaction(number, info, context);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(number);
    } else {
        /* The access is repeated, and ends the process as if nobody had been here. One sent by kill() is repeated, too. */
        sigaction(SIGBUS, &previous, NULL);
        if (info->si_code <= 0)
            raise(SIGBUS);
    }
}

static void handle(int number, siginfo_t *info, void *context)
{
    struct softtofu_guard *guard = info->si_code > 0 ? find((uintptr_t)info->si_addr) : NULL;

    if (guard == NULL || !replace(guard))
        pass_on(number, info, context);
}

static void install(void)
{
    static bool installed;
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

    if (!installed)
        sigaction(SIGBUS, &action, &previous);
    installed = true;
}

/* @return A guard that is not in use, or NULL. */
static struct softtofu_guard *take_used(void)
{
    struct softtofu_guard *guard = atomic_load(&guards);

    while (guard != NULL && atomic_load(&guard->size) != 0)
        guard = guard->next;
    return guard;
}

struct softtofu_guard *softtofu_guard_begin(void *start, size_t size)
{
    struct softtofu_guard *guard = take_used();

    install();
    if (guard == NULL) {
        guard = calloc(1, sizeof(*guard));
        if (guard == NULL)
            return NULL;
        guard->next = atomic_load(&guards);
        atomic_store(&guards, guard);
    }
    atomic_store(&guard->start, (uintptr_t)start);
    atomic_store(&guard->size, size);
    return guard;
}

void softtofu_guard_end(struct softtofu_guard *guard)
{
    if (!atomic_load(&guard->lost))
        atomic_store(&guard->size, 0);
}

bool softtofu_guard_lost(uintptr_t address)
{
    const struct softtofu_guard *guard = find(address);

    return guard != NULL && atomic_load(&guard->lost);
}
