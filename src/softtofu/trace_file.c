/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/trace_file.h"

#include "softtofu/ident.h"
#include "softtofu/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS     1024u /* of a buffer */
#define EVENT_TEXT 512u  /* Bytes of an event and its arrow as text, at most. */

struct buffer {
    struct buffer *next;
    _Atomic bool taken;   /* By a thread that lives. */
    _Atomic bool writing; /* Its owner or the end of the process writes it out. */
    _Atomic unsigned count;
    int thread;
    struct softtofu_trace_event event[EVENTS];
};

static struct {
    _Atomic bool open;
    int fd;
    unsigned rank;
    pthread_key_t key;
    bool key_made;
    _Atomic(struct buffer *) buffers; /* All that were ever made; reused, never freed. */
} self = {.fd = -1};

static void put_text(const char *text, size_t length)
{
    while (length > 0) {
        ssize_t done = write(self.fd, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            if (atomic_exchange(&self.open, false))
                softtofu_error("cannot write the trace: %s; it ends here", strerror(errno));
            return;
        }
        text += done;
        length -= (size_t)done;
    }
}

static int coords_text(char *text, size_t size, uint64_t id)
{
    struct softtofu_vcq_place place;
    const uint8_t *n = place.coords;

    softtofu_vcq_id_decode(id, &place);
    return snprintf(text, size, "%u,%u,%u,%u,%u,%u", n[0], n[1], n[2], n[3], n[4], n[5]);
}

static size_t format_arrow(char *text, const struct softtofu_trace_event *event, int thread)
{
    /* Where the call's bar is: an arrow is tied to the bar that covers its time. */
    uint64_t time = event->arrow_ends && event->took > 0 ? event->began + event->took - 1 : event->began;

    return (size_t)snprintf(text, EVENT_TEXT / 2,
                            "{\"name\":\"notice\",\"cat\":\"utofu\",\"ph\":\"%s,\"id\":\"%#" PRIx64
                            "\",\"ts\":%" PRIu64 ".%03u,\"pid\":%u,\"tid\":%d},\n",
                            event->arrow_ends ? "f\",\"bp\":\"e\"" : "s\"", event->arrow, time / 1000,
                            (unsigned)(time % 1000), self.rank, thread);
}

static size_t format_event(char *text, const struct softtofu_trace_event *event, int thread)
{
    char peer[80] = "", coords[32];
    size_t length;

    if (event->peer_id != 0) {
        coords_text(coords, sizeof(coords), event->peer_id);
        snprintf(peer, sizeof(peer), "\"peer\":\"%#" PRIx64 "\",\"node\":\"%s\",", event->peer_id, coords);
    }
    length = (size_t)snprintf(
            text, EVENT_TEXT / 2 + EVENT_TEXT / 4,
            "{\"name\":\"%s\",\"cat\":\"utofu\",\"ph\":\"X\",\"ts\":%" PRIu64 ".%03u,\"dur\":%" PRIu64
            ".%03u,\"pid\":%u,\"tid\":%d,\"args\":{\"vcq\":\"%#" PRIx64 "\",\"tni\":%u,%s\"bytes\":%" PRIu64
            ",\"flags\":\"%#" PRIx64 "\",\"result\":%d}},\n",
            event->name, event->began / 1000, (unsigned)(event->began % 1000), event->took / 1000,
            (unsigned)(event->took % 1000), self.rank, thread, event->vcq_id, (unsigned)(event->vcq_id >> 61),
            peer, event->bytes, event->flags, event->result);
    return event->arrow != 0 ? length + format_arrow(text + length, event, thread) : length;
}

/* A stack holds this much, and a call that records its buffer's last event can wait for that long. */
static void write_out(struct buffer *buffer)
{
    char text[32768];
    size_t length  = 0;
    unsigned count = atomic_load_explicit(&buffer->count, memory_order_acquire);

    for (unsigned i = 0; i < count; i++) {
        length += format_event(text + length, &buffer->event[i], buffer->thread);
        if (length > sizeof(text) - EVENT_TEXT) {
            put_text(text, length);
            length = 0;
        }
    }
    put_text(text, length);
    atomic_store(&buffer->count, 0);
}

/* @return Whether the buffer is the caller's to write out: else the process ends and does it. */
static bool begin_writing(struct buffer *buffer)
{
    return !atomic_exchange(&buffer->writing, true);
}

/* A thread that is writing is waited for: nothing may follow the end of the array. */
static bool begin_writing_at_end(struct buffer *buffer)
{
    while (!begin_writing(buffer)) {
        if (buffer->thread == gettid())
            return false; /* A signal interrupted this thread's own writing, and its handler ends the process. */
        sched_yield();
    }
    return true;
}

static void thread_ends(void *argument)
{
    struct buffer *buffer = argument;

    if (atomic_load(&self.open) && begin_writing(buffer)) {
        write_out(buffer);
        atomic_store(&buffer->writing, false);
    }
    atomic_store(&buffer->taken, false);
}

static struct buffer *take_buffer(void)
{
    struct buffer *buffer = atomic_load(&self.buffers);

    while (buffer != NULL && atomic_exchange(&buffer->taken, true))
        buffer = buffer->next;
    if (buffer == NULL) {
        buffer = calloc(1, sizeof(*buffer));
        if (buffer == NULL)
            return NULL;
        atomic_store(&buffer->taken, true);
        buffer->next = atomic_load(&self.buffers);
        while (!atomic_compare_exchange_weak(&self.buffers, &buffer->next, buffer))
            ;
    }
    buffer->thread = gettid();
    pthread_setspecific(self.key, buffer);
    return buffer;
}

void softtofu_trace_file_add(const struct softtofu_trace_event *event)
{
    struct buffer *buffer;
    unsigned count;

    if (!atomic_load_explicit(&self.open, memory_order_acquire))
        return;
    buffer = pthread_getspecific(self.key);
    if (buffer == NULL && (buffer = take_buffer()) == NULL)
        return;
    count = atomic_load_explicit(&buffer->count, memory_order_relaxed);
    if (count == EVENTS) {
        if (!begin_writing(buffer))
            return;
        write_out(buffer);
        atomic_store(&buffer->writing, false);
        count = 0;
    }
    buffer->event[count] = *event;
    atomic_store_explicit(&buffer->count, count + 1, memory_order_release);
}

int softtofu_trace_file_open(const char *path, unsigned rank, const char *process_name)
{
    char head[512];
    int length;

    self.rank = rank;
    self.fd   = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (self.fd < 0) {
        softtofu_error("cannot write the trace %s: %s; correct or unset SOFTTOFU_TRACE", path, strerror(errno));
        return -1;
    }
    if (!self.key_made && pthread_key_create(&self.key, thread_ends) != 0) {
        softtofu_error("cannot trace: no thread keys are left");
        close(self.fd);
        return -1;
    }
    self.key_made = true;
    length = snprintf(head, sizeof(head),
                      "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"%s\"}},\n", rank,
                      process_name);
    atomic_store(&self.open, true);
    put_text(head, (size_t)length);
    return 0;
}

void softtofu_trace_file_close(void)
{
    char tail[128];
    int length;

    if (!atomic_load(&self.open))
        return;
    /* Buffers stay "writing": their threads drop what they still record. */
    for (struct buffer *b = atomic_load(&self.buffers); b != NULL; b = b->next) {
        if (begin_writing_at_end(b))
            write_out(b);
    }
    length = snprintf(tail, sizeof(tail),
                      "{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"sort_index\":%u}}\n]\n",
                      self.rank, self.rank);
    if (atomic_exchange(&self.open, false))
        put_text(tail, (size_t)length);
}

void softtofu_trace_file_forget(void)
{
    if (self.fd >= 0)
        close(self.fd);
    self.fd = -1;
    atomic_store(&self.open, false);
    atomic_store(&self.buffers, NULL);
    if (self.key_made)
        pthread_setspecific(self.key, NULL);
}
