/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file check.h
 * SOFTTOFU_CHECK=strict: finds what works on the software device and breaks on hardware. docs/checks.md tells users
 * what is found, by which rule, and what cannot be. Called through watch.h only.
 *
 *     check.c         on or off, reports and their count, life of the account that is kept of each VCQ
 *     check_rules.c   what is looked at in each call
 *     pending.c       commands of a VCQ that nobody knows to be done
 */
#ifndef SOFTTOFU_CHECK_H
#define SOFTTOFU_CHECK_H

#include "softtofu/command.h"
#include "softtofu/pending.h"
#include "softtofu/vcq.h"

/* X(identifier, "what the summary calls it") */
#define SOFTTOFU_FINDINGS(X)                                                                       \
    X(THREADS, "VCQ used by two threads at once")                                                  \
    X(LOCAL_STADD, "local STADD not of the VCQ")                                                   \
    X(REMOTE_STADD, "remote STADD not of the target")                                              \
    X(FLAG, "flag that may overtake its data")                                                     \
    X(OVERLAP, "unordered commands on the same memory")                                            \
    X(DEREGISTER, "memory deregistered while in use")                                              \
    X(ALIGNMENT, "unaligned atomic")                                                               \
    X(EDATA, "edata of more than a byte")                                                          \
    X(MRQ, "MRQ nearly full")                                                                      \
    X(UNREAD, "notices never polled")                                                              \
    X(LEAK, "VCQ never freed")                                                                     \
    X(VBG_LEAK, "VBG never freed")

enum softtofu_finding {
#define X(id, text) SOFTTOFU_FINDING_##id,
    SOFTTOFU_FINDINGS(X)
#undef X
    SOFTTOFU_FINDING_COUNT
};

#define SOFTTOFU_SITE_MAX 96

/** Call of a report when the process exits. */
#define SOFTTOFU_AT_EXIT "exit"

/** Memory that is registered. */
struct softtofu_checked_memory {
    struct softtofu_checked_memory *next;
    uint64_t stadd;
    const void *address;
    size_t size;
};

/** The account of one VCQ. */
struct softtofu_check {
    pthread_mutex_t mutex;       /**< Guards all but user: the program may use the VCQ wrongly. */
    bool shared;                 /**< Threads may use the VCQ at once. */
    _Atomic(const void *) user;  /**< Identifies the thread in a call; NULL: none. */
    const char *call;            /**< That the last one in began. */
    uint32_t reported;           /**< Bits of findings that were told. */
    _Atomic uint64_t self_sent;  /**< Arrivals at this process that the VCQ itself caused. */
    uint64_t mrq_most;           /**< Notices that waited in the MRQ at once. */
    struct softtofu_pending_ring pending;
    struct softtofu_checked_memory *memory;
    struct softtofu_vcq *vcq;
    char site[SOFTTOFU_SITE_MAX]; /**< Where it was made. */
    struct softtofu_check *next, *previous;
};

int softtofu_check_start(struct softtofu_device *device);
bool softtofu_check_on(void);
/** The process exits. @param device  That the gates are on which it still has. */
void softtofu_check_end(struct softtofu_device *device);
void softtofu_check_forget(void);

/** @return NULL if no memory is left. */
struct softtofu_check *softtofu_check_vcq(struct softtofu_vcq *vcq, unsigned long flags);
void softtofu_check_free(struct softtofu_vcq *vcq, struct softtofu_check *check);

/** Count a finding and, once for each VCQ, tell it: "softtofu: check: rank 0: CALL at PROGRAM+0x..: ...". */
void softtofu_check_report(struct softtofu_check *check, enum softtofu_finding finding, const char *call,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The rules. Threads: any. */
void softtofu_check_enter(struct softtofu_vcq *vcq, const char *call);
void softtofu_check_count(struct softtofu_vcq *vcq, const struct softtofu_command *command);
void softtofu_check_command(struct softtofu_vcq *vcq, const struct softtofu_command *command, int result);
void softtofu_check_tcq(struct softtofu_vcq *vcq, int status, void *const *cbdata);
void softtofu_check_mrq(struct softtofu_vcq *vcq, int status, const struct utofu_mrq_notice *notice);
void softtofu_check_register(struct softtofu_vcq *vcq, const void *addr, size_t size, uint64_t stadd);
void softtofu_check_deregister(struct softtofu_vcq *vcq, uint64_t stadd);

/** What is left at the end of a VCQ: notices nobody read, and how full its MRQ was. Assumes check->mutex is held. */
void softtofu_check_remains(struct softtofu_check *check, const char *when);

#endif
