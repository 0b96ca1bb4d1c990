/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/check.h"

#include "softtofu/env.h"
#include "softtofu/log.h"
#include "softtofu/site.h"
#include "softtofu/vbg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define X(id, text) [SOFTTOFU_FINDING_##id] = (text),
        SOFTTOFU_FINDINGS(X)
#undef X
};

static struct {
    bool on;
    bool abort;
    unsigned rank;
    pthread_mutex_t mutex; /* Guards the list. */
    struct softtofu_check *first;
    _Atomic unsigned long counts[SOFTTOFU_FINDING_COUNT];
} self = {.mutex = PTHREAD_MUTEX_INITIALIZER};

int softtofu_check_start(struct softtofu_device *device)
{
    const char *value = softtofu_env_string(SOFTTOFU_ENV_CHECK);

    self.abort = strcmp(value, "abort") == 0;
    self.on    = self.abort || strcmp(value, "strict") == 0;
    self.rank  = device->rank;
    if (self.on || strcmp(value, "off") == 0)
        return 0;
    softtofu_error("SOFTTOFU_CHECK=%s is none of 'off', 'strict' and 'abort': correct or unset it", value);
    return -1;
}

bool softtofu_check_on(void)
{
    return self.on;
}

void softtofu_check_forget(void)
{
    pthread_mutex_init(&self.mutex, NULL);
    self.on    = false;
    self.first = NULL;
    for (unsigned i = 0; i < SOFTTOFU_FINDING_COUNT; i++)
        atomic_store(&self.counts[i], 0);
}

void softtofu_check_report(struct softtofu_check *check, enum softtofu_finding finding, const char *call,
                           const char *format, ...)
{
    char text[512], site[SOFTTOFU_SITE_MAX];
    va_list args;

    atomic_fetch_add(&self.counts[finding], 1);
    if ((check->reported & 1u << finding) != 0)
        return;
    check->reported |= 1u << finding;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    softtofu_site(site, sizeof(site));
    if (strcmp(call, SOFTTOFU_AT_EXIT) == 0)
        softtofu_note("check", "rank %u: at exit: %s", self.rank, text);
    else
        softtofu_note("check", "rank %u: %s at %s: %s", self.rank, call, site, text);
    if (self.abort)
        abort();
}

struct softtofu_check *softtofu_check_vcq(struct softtofu_vcq *vcq, unsigned long flags)
{
    struct softtofu_check *check = calloc(1, sizeof(*check));

    if (check == NULL)
        return NULL;
    pthread_mutex_init(&check->mutex, NULL);
    check->vcq    = vcq;
    check->shared = (flags & UTOFU_VCQ_FLAG_THREAD_SAFE) != 0;
    softtofu_site(check->site, sizeof(check->site));
    pthread_mutex_lock(&self.mutex);
    check->next = self.first;
    if (self.first != NULL)
        self.first->previous = check;
    self.first = check;
    pthread_mutex_unlock(&self.mutex);
    return check;
}

void softtofu_check_free(struct softtofu_vcq *vcq, struct softtofu_check *check)
{
    (void)vcq;
    pthread_mutex_lock(&check->mutex);
    softtofu_check_remains(check, "utofu_free_vcq");
    pthread_mutex_unlock(&check->mutex);
    pthread_mutex_lock(&self.mutex);
    if (check->next != NULL)
        check->next->previous = check->previous;
    if (check->previous != NULL)
        check->previous->next = check->next;
    else
        self.first = check->next;
    pthread_mutex_unlock(&self.mutex);
    while (check->memory != NULL) {
        struct softtofu_checked_memory *memory = check->memory;
        check->memory = memory->next;
        free(memory);
    }
    pthread_mutex_destroy(&check->mutex);
    free(check);
}

static void report_leak(struct softtofu_check *check)
{
    size_t count = 0, bytes = 0;

    for (const struct softtofu_checked_memory *m = check->memory; m != NULL; m = m->next) {
        count++;
        bytes += m->size;
    }
    softtofu_check_report(check, SOFTTOFU_FINDING_LEAK, SOFTTOFU_AT_EXIT,
                          "VCQ %#lx, made at %s, was never freed, with %zu registrations of %zu bytes: "
                          "hardware keeps its queue taken until the job ends; call utofu_free_vcq",
                          (unsigned long)check->vcq->id, check->site, count, bytes);
}

static void summarize(void)
{
    char text[768] = "";
    size_t length  = 0;

    for (unsigned i = 0; i < SOFTTOFU_FINDING_COUNT; i++) {
        unsigned long count = atomic_load(&self.counts[i]);
        if (count > 0 && length < sizeof(text))
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s: %lu",
                                       length > 0 ? "; " : "", names[i], count);
    }
    if (length > 0)
        softtofu_note("check", "rank %u: in all: %s", self.rank, text);
}

/* Gates are not watched one by one: what is allocated at the end was never freed. */
static void report_gates(struct softtofu_device *device)
{
    for (unsigned i = 0; i < SOFTTOFU_NODE_GATES; i++) {
        const struct softtofu_vbg *vbg = &device->vbgs[i];
        if (!atomic_load(&vbg->allocated) || !vbg->start)
            continue;
        atomic_fetch_add(&self.counts[SOFTTOFU_FINDING_VBG_LEAK], 1);
        softtofu_note("check",
                      "rank %u: at exit: %u VBGs from %#lx on were never freed: hardware keeps gates taken until the "
                      "job ends, and there are few; call utofu_free_vbg",
                      self.rank, vbg->count,
                      (unsigned long)(device->place | (uint64_t)(i / SOFTTOFU_GATES) << 61 | i % SOFTTOFU_GATES));
        if (self.abort)
            abort();
    }
}

void softtofu_check_end(struct softtofu_device *device)
{
    if (!self.on)
        return;
    pthread_mutex_lock(&self.mutex);
    for (struct softtofu_check *check = self.first; check != NULL; check = check->next) {
        /* A thread may still be inside of a call: it is not waited for. */
        if (pthread_mutex_trylock(&check->mutex) != 0)
            continue;
        softtofu_check_remains(check, SOFTTOFU_AT_EXIT);
        report_leak(check);
        pthread_mutex_unlock(&check->mutex);
    }
    pthread_mutex_unlock(&self.mutex);
    report_gates(device);
    summarize();
}
