/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file trace_file.h
 * A file of trace events: a JSON array, an event a line. Each thread gathers events in a buffer of its own, without a lock,
 * and writes it out by one system call when it is full; appending keeps lines of several threads apart. A process that is
 * killed loses what its buffers hold; the file then lacks its "]", which readers of the format allow.
 */
#ifndef SOFTTOFU_TRACE_FILE_H
#define SOFTTOFU_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct softtofu_trace_event {
    const char *name; /**< Constant. */
    uint64_t began, took; /**< Nanoseconds. */
    uint64_t vcq_id;  /**< VCQ or VBG that the call was made on. */
    uint64_t peer_id; /**< Other VCQ, or 0. */
    uint64_t bytes;
    uint64_t arrow;   /**< Number of an arrow that begins or ends here, or 0. */
    uint64_t flags;
    int result;
    bool arrow_ends;
};

/** Begin a file. @return 0, or -1 with one line logged. */
int softtofu_trace_file_open(const char *path, unsigned rank, const char *process_name);

/** Add an event. Threads: any. */
void softtofu_trace_file_add(const struct softtofu_trace_event *event);

/** Write what the buffers hold and end the array. Threads that go on are ignored. */
void softtofu_trace_file_close(void);

/** After a fork, in the child: leave the file to the parent. */
void softtofu_trace_file_forget(void);

#endif
