/* SPDX-License-Identifier: BSD-3-Clause */
/* The link between processes of one host. */
#include "softtofu/link.h"

#include <errno.h>
#include <sys/uio.h>

/* Pieces in which a long transfer becomes visible in order; each is moved as the C library likes. */
#define CHUNK 65536u

SOFTTOFU_LINK_RACY void softtofu_link_store_ordered(char *to, const char *from, size_t length)
{
    size_t last = softtofu_link_last((uintptr_t)to + length, length);
    char word[8];

    memcpy(word, from + length - last, last);
    memcpy(to, from, length - last);
    to += length - last;
    atomic_thread_fence(memory_order_release); /* See link.h. */
    switch (last) {
    case 8:
        memcpy(to, word, 8);
        break;
    case 4:
        memcpy(to, word, 4);
        break;
    case 2:
        memcpy(to, word, 2);
        break;
    default:
        *to = *word;
    }
}

SOFTTOFU_LINK_RACY void softtofu_link_store(char *to, const char *from, size_t length)
{
    if (to < from + length && from < to + length) {
        memmove(to, from, length); /* Within one process: nobody could tell an order. */
        return;
    }
    for (; length > CHUNK; length -= CHUNK, to += CHUNK, from += CHUNK) {
        memcpy(to, from, CHUNK);
        /* A receiver that acquires a byte of the next piece sees this one. */
        atomic_thread_fence(memory_order_release);
    }
    softtofu_link_store_ordered(to, from, length);
}

static int status_of(int error)
{
    return error == ESRCH ? UTOFU_ERR_MRQ_PEER : UTOFU_ERR_MRQ_RMT_MEMORY;
}

static int write_vectors(const struct softtofu_process *process, const struct iovec *remote, unsigned count,
                         const char *from)
{
    struct iovec local = {.iov_base = (void *)from, .iov_len = remote[0].iov_len};
    ssize_t moved;

    if (count == 2)
        local.iov_len += remote[1].iov_len;
    moved = process_vm_writev(atomic_load(&process->pid), &local, 1, remote, count, 0);
    if (moved < 0)
        return status_of(errno);
    return (size_t)moved == local.iov_len ? UTOFU_SUCCESS : UTOFU_ERR_MRQ_RMT_MEMORY;
}

/*
 * The kernel moves vector after vector, so one of its own makes the last bytes come last. Where stores are not seen in
 * order, the vectors are calls of their own, with a fence for the receiver's acquire between them.
 */
int softtofu_link_write_attached(const struct softtofu_process *process, uint64_t to, const void *from,
                                 size_t length)
{
    size_t tail                 = softtofu_link_last(to + length, length);
    const struct iovec remote[] = {{.iov_base = (void *)to, .iov_len = length - tail},
                                   {.iov_base = (void *)(to + length - tail), .iov_len = tail}};
    int result                  = UTOFU_SUCCESS;

    if (SOFTTOFU_LINK_STORES_IN_ORDER)
        return write_vectors(process, remote, 2, from);
    if (length > tail)
        result = write_vectors(process, remote, 1, from);
    if (result != UTOFU_SUCCESS)
        return result;
    atomic_thread_fence(memory_order_release);
    return write_vectors(process, &remote[1], 1, (const char *)from + length - tail);
}

int softtofu_link_read_attached(const struct softtofu_process *process, void *to, uint64_t from,
                                size_t length)
{
    struct iovec local  = {.iov_base = to, .iov_len = length};
    struct iovec remote = {.iov_base = (void *)from, .iov_len = length};
    ssize_t moved       = process_vm_readv(atomic_load(&process->pid), &local, 1, &remote, 1, 0);

    if (moved < 0)
        return status_of(errno);
    return (size_t)moved == length ? UTOFU_SUCCESS : UTOFU_ERR_MRQ_RMT_MEMORY;
}

/* The same operations for both widths. */
#define DEFINE_ATOMIC(bits)                                                                        \
    static uint64_t atomic##bits(const struct softtofu_atomic *a, uint##bits##_t *word)            \
    {                                                                                              \
        uint##bits##_t operand = (uint##bits##_t)a->operand;                                       \
        uint##bits##_t before  = (uint##bits##_t)a->compare;                                       \
                                                                                                   \
        switch (a->op) {                                                                           \
        case UTOFU_ARMW_OP_SWAP:                                                                   \
            return __atomic_exchange_n(word, operand, __ATOMIC_SEQ_CST);                           \
        case UTOFU_ARMW_OP_ADD:                                                                    \
            return __atomic_fetch_add(word, operand, __ATOMIC_SEQ_CST);                            \
        case UTOFU_ARMW_OP_XOR:                                                                    \
            return __atomic_fetch_xor(word, operand, __ATOMIC_SEQ_CST);                            \
        case UTOFU_ARMW_OP_AND:                                                                    \
            return __atomic_fetch_and(word, operand, __ATOMIC_SEQ_CST);                            \
        case UTOFU_ARMW_OP_OR:                                                                     \
            return __atomic_fetch_or(word, operand, __ATOMIC_SEQ_CST);                             \
        default:                                                                                   \
            __atomic_compare_exchange_n(word, &before, operand, 0, __ATOMIC_SEQ_CST,               \
                                        __ATOMIC_SEQ_CST);                                         \
            return before;                                                                         \
        }                                                                                          \
    }
DEFINE_ATOMIC(32)
DEFINE_ATOMIC(64)

uint64_t softtofu_link_atomic(const struct softtofu_atomic *atomic, void *word)
{
    return atomic->bytes == 4 ? atomic32(atomic, word) : atomic64(atomic, word);
}

uint64_t softtofu_link_atomic_locked(const struct softtofu_fabric *fabric,
                                     const struct softtofu_atomic *atomic, void *word)
{
    uint64_t before;

    softtofu_lock(&fabric->head->attached_atomics);
    before = softtofu_link_atomic(atomic, word);
    softtofu_unlock(&fabric->head->attached_atomics);
    return before;
}

int softtofu_link_atomic_attached(const struct softtofu_fabric *fabric,
                                  const struct softtofu_process *process,
                                  const struct softtofu_atomic *atomic, uint64_t word, uint64_t *before)
{
    union {
        uint32_t narrow;
        uint64_t wide;
    } copy = {0};
    int result;

    softtofu_lock(&fabric->head->attached_atomics);
    result = softtofu_link_read_attached(process, &copy, word, atomic->bytes);
    if (result == UTOFU_SUCCESS) {
        *before = softtofu_link_atomic(atomic, &copy);
        /* An exchange that failed must not write: a put, which takes no lock, may have come in between. */
        if (atomic->bytes == 4 ? copy.narrow != *before : copy.wide != *before)
            result = softtofu_link_write_attached(process, word, &copy, atomic->bytes);
    }
    softtofu_unlock(&fabric->head->attached_atomics);
    return result;
}
