/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file link.h
 * The only place where bytes leave a process: into mapped memory by stores, into attached memory by the kernel.
 *
 * Order is that of Tofu-D with STRONG_ORDER: a transfer is seen in ascending order as far as its last bytes are
 * seen last, and after everything that was moved before it. Alignment is the caller's care for atomics.
 */
#ifndef SOFTTOFU_LINK_H
#define SOFTTOFU_LINK_H

#include "softtofu/fabric.h"

#include <stdatomic.h>
#include <string.h>
#include <utofu.h>

/* As on hardware, receivers poll the very bytes that a put writes; the sanitizer would call that a race. */
#define SOFTTOFU_LINK_RACY __attribute__((no_sanitize("thread")))

/*
 * Whether the processor shows stores in program order, and a word at any address in one piece. Elsewhere, as on
 * 64-bit ARM, only an aligned word is seen whole, and what the kernel stores is in order only between calls.
 */
#ifdef __x86_64__
#define SOFTTOFU_LINK_STORES_IN_ORDER 1
#else
#define SOFTTOFU_LINK_STORES_IN_ORDER 0
#endif

/**
 * How many of the last bytes of a transfer that ends before @a end are one aligned word: what a receiver can poll as a
 * whole. @return 1, 2, 4 or 8, and not more than @a length.
 */
static inline size_t softtofu_link_last(uint64_t end, size_t length)
{
    size_t last = (size_t)(end & -end & 7);

    last = last == 0 ? 8 : last;
    while (last > length)
        last >>= 1;
    return last;
}

/**
 * Store the last bytes last, by one store that is seen whole. Assumes 1 <= @a length, and no overlap.
 * The release fence pairs with the acquire load by which a receiver polls those bytes: it orders the other bytes, and
 * everything that was moved before, in front of them.
 */
void softtofu_link_store_ordered(char *to, const char *from, size_t length);

/** Two overlapping stores of a power of two cover a length between it and its double; the last comes last. */
#define SOFTTOFU_LINK_PAIR(type, to, from, length)                                                 \
    do {                                                                                           \
        type head_, tail_;                                                                         \
        memcpy(&head_, (from), sizeof(type));                                                      \
        memcpy(&tail_, (const char *)(from) + (length) - sizeof(type), sizeof(type));              \
        memcpy((to), &head_, sizeof(type));                                                        \
        atomic_thread_fence(memory_order_release);                                                 \
        memcpy((char *)(to) + (length) - sizeof(type), &tail_, sizeof(type));                      \
    } while (0)

/** Store up to 8 bytes other than 8. Assumes 1 <= @a length < 8. */
SOFTTOFU_LINK_RACY static inline void softtofu_link_store_tiny(char *to, const char *from, size_t length)
{
    atomic_thread_fence(memory_order_release);
    if (length == 4)
        memcpy(to, from, 4);
    else if (length > 4)
        SOFTTOFU_LINK_PAIR(uint32_t, to, from, length);
    else if (length == 2)
        memcpy(to, from, 2);
    else if (length == 3)
        SOFTTOFU_LINK_PAIR(uint16_t, to, from, length);
    else
        *to = *from;
}

/** Store a descriptor's payload. Assumes 1 <= @a length <= 32. */
SOFTTOFU_LINK_RACY static inline void softtofu_link_store_small(char *to, const char *from, size_t length)
{
    uint64_t word;

    if (!SOFTTOFU_LINK_STORES_IN_ORDER && (length != 8 || (uintptr_t)to % 8 != 0)) {
        softtofu_link_store_ordered(to, from, length);
        return;
    }
    if (__builtin_expect(length == 8, 1)) {
        memcpy(&word, from, 8);
        /* Release, for the receiver's acquire: the data of earlier puts is seen first. No instruction on x86-64. */
        atomic_thread_fence(memory_order_release);
        memcpy(to, &word, 8);
        return;
    }
    if (length < 8) {
        softtofu_link_store_tiny(to, from, length);
        return;
    }
    for (; length > 16; length -= 8, to += 8, from += 8) {
        memcpy(&word, from, 8);
        memcpy(to, &word, 8);
    }
    SOFTTOFU_LINK_PAIR(uint64_t, to, from, length);
}

/** Move any number of bytes within this process' mappings. The ranges may overlap. */
void softtofu_link_store(char *to, const char *from, size_t length);

/**
 * Move bytes to, or from, attached memory of @a process. A system call a time.
 * @return UTOFU_SUCCESS; UTOFU_ERR_MRQ_PEER - the process is gone; UTOFU_ERR_MRQ_RMT_MEMORY - the memory is, or the
 *         kernel refuses.
 */
int softtofu_link_write_attached(const struct softtofu_process *process, uint64_t to, const void *from,
                                 size_t length);
int softtofu_link_read_attached(const struct softtofu_process *process, void *to, uint64_t from,
                                size_t length);

/** An atomic read-modify-write; cswap if @a op is SOFTTOFU_CSWAP. */
struct softtofu_atomic {
    int op;         /**< enum utofu_armw_op, SOFTTOFU_CSWAP or SOFTTOFU_OP_INVALID. */
    unsigned bytes; /**< 4 or 8. */
    uint64_t operand;
    uint64_t compare;
};

#define SOFTTOFU_CSWAP      0
#define SOFTTOFU_OP_INVALID (-1)

/** Apply to mapped memory: a CPU atomic. @return The value before. */
uint64_t softtofu_link_atomic(const struct softtofu_atomic *atomic, void *word);

/** Apply to memory of this process that peers attach to: their read and write must not come in between. */
uint64_t softtofu_link_atomic_locked(const struct softtofu_fabric *fabric,
                                     const struct softtofu_atomic *atomic, void *word);

/** Apply to attached memory, under the fabric's lock. @return As softtofu_link_write_attached(). */
int softtofu_link_atomic_attached(const struct softtofu_fabric *fabric,
                                  const struct softtofu_process *process,
                                  const struct softtofu_atomic *atomic, uint64_t word, uint64_t *before);

#endif
