/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file trace.h
 * SOFTTOFU_TRACE=FILE: what the process' VCQs did and when, as events of the Chrome trace format, which Perfetto shows.
 * Barriers and reductions are events, too. A process is a rank, a thread a thread. Polls that find nothing are left out.
 * An arrow leads from each command that asked for a remote notice to the poll that found it. Called through watch.h, and
 * by barrier.c.
 *
 *     trace.c        which events there are, and the arrows
 *     trace_file.c   a buffer for each thread, and the file
 */
#ifndef SOFTTOFU_TRACE_H
#define SOFTTOFU_TRACE_H

#include "softtofu/command.h"

int softtofu_trace_start(const struct softtofu_device *device);
bool softtofu_trace_on(void);
void softtofu_trace_end(void);
void softtofu_trace_forget(void);

/** Nanoseconds of CLOCK_MONOTONIC, which all processes of a host share. */
uint64_t softtofu_trace_now(void);

/** The account of a VCQ: its notices so far. @return NULL if no memory is left. */
struct softtofu_trace *softtofu_trace_vcq(const struct softtofu_vcq *vcq);
void softtofu_trace_free(struct softtofu_trace *trace);

/* A call that ends now; for gates all from the start to the poll that tells the end. Threads: any; none waits for
 * another. */
void softtofu_trace_command(struct softtofu_vcq *vcq, const struct softtofu_command *command, int result,
                            uint64_t began, uint64_t ended);
void softtofu_trace_gate(const char *name, uint64_t vbg_id, int result, uint64_t began);
void softtofu_trace_tcq(struct softtofu_vcq *vcq, int status, uint64_t began);
void softtofu_trace_mrq(struct softtofu_vcq *vcq, int status, const struct utofu_mrq_notice *notice,
                        uint64_t began);

#endif
