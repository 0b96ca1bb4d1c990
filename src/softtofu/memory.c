/* SPDX-License-Identifier: BSD-3-Clause */
/* Registration of memory: STags, and the STADDs that name bytes behind them. */
#include "softtofu/api.h"
#include "softtofu/memory.h"

#include "softtofu/log.h"
#include "softtofu/segment.h"
#include "softtofu/vcq.h"
#include "softtofu/watch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utofu.h>

/* @return Why peers could not reach attached memory of this process, or NULL if they can. */
static const char *attach_forbidden(const struct softtofu_device *device)
{
    char byte = 0, copy;
    struct iovec local = {.iov_base = &copy, .iov_len = 1}, remote = {.iov_base = &byte, .iov_len = 1};
    FILE *file;
    int scope = 0;

    if (!device->attach_allowed)
        return "SOFTTOFU_ATTACH=no forbids it";
    if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != 1)
        return "the kernel or a container's filter forbids process_vm_readv";
    file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (file != NULL) {
        if (fscanf(file, "%d", &scope) != 1)
            scope = 0;
        fclose(file);
    }
    return scope >= 2 && geteuid() != 0 ? "kernel.yama.ptrace_scope is 2 or more" : NULL;
}

/* @return UTOFU_SUCCESS, or UTOFU_ERR_NOT_SUPPORTED with one line logged. */
static int check_attach(const struct softtofu_device *device, const void *addr, size_t size)
{
    const char *reason = attach_forbidden(device);

    if (reason == NULL)
        return UTOFU_SUCCESS;
    softtofu_error("cannot register %zu bytes at %p: they are not in a shared mapping of an open file, "
                   "and cross-memory attach is not possible: %s. Allow it, or put communication buffers "
                   "into memfd or shared memory",
                   size, addr, reason);
    return UTOFU_ERR_NOT_SUPPORTED;
}

/* Dynamic STags come in pairs: even for read and write, odd for read-only. @return 0: none is free. */
static unsigned choose_dynamic(struct softtofu_cq *cq, bool read_only)
{
    const unsigned count = SOFTTOFU_STAGS - SOFTTOFU_STAG_DYNAMIC;

    for (unsigned i = 0; i < count / 2; i++) {
        unsigned stag = SOFTTOFU_STAG_DYNAMIC + (cq->next_stag + 2 * i) % count + read_only;
        if ((atomic_load(&cq->stag[stag].generation) & 1) == 0) {
            cq->next_stag = (stag - SOFTTOFU_STAG_DYNAMIC - read_only + 2) % count;
            return stag;
        }
    }
    return 0;
}

static void publish(struct softtofu_vcq *vcq, unsigned number, const void *addr, uint64_t size,
                    uint16_t segment, uint64_t offset)
{
    struct softtofu_cq *cq     = vcq->shared_cq;
    struct softtofu_stag *stag = &cq->stag[number];

    /* Release: who sees any of the new fields sees the even generation of before, too. Pairs with read_stag()'s fence. */
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&stag->owner, softtofu_stag_owner(vcq->device->rank, vcq->cmp),
                          memory_order_relaxed);
    atomic_store_explicit(&stag->segment, segment, memory_order_relaxed);
    atomic_store_explicit(&stag->address, (uintptr_t)addr, memory_order_relaxed);
    atomic_store_explicit(&stag->size, size, memory_order_relaxed);
    atomic_store_explicit(&stag->offset, offset, memory_order_relaxed);
    if (number >= atomic_load(&cq->stag_limit))
        atomic_store(&cq->stag_limit, number + 1);
    /* Release, for read_stag()'s acquire: who sees the odd generation sees the fields. */
    atomic_fetch_add_explicit(&stag->generation, 1, memory_order_release);
}

static int decide_fault(struct softtofu_vcq *vcq)
{
    int result;

    softtofu_vcq_lock(vcq);
    result = softtofu_fault_resource(&vcq->fault, SOFTTOFU_FAULT_REG_MEM);
    softtofu_vcq_unlock(vcq);
    return result;
}

/* @param number  A reserved STag of the table, or 0 for a dynamic one. */
static int enter(struct softtofu_vcq *vcq, void *addr, size_t size, unsigned number, bool read_only,
                 utofu_stadd_t *stadd)
{
    struct softtofu_device *device = vcq->device;
    uint16_t segment;
    uint64_t offset;
    int result = UTOFU_SUCCESS;

    if (softtofu_fault_on(&vcq->fault))
        result = decide_fault(vcq);
    if (result != UTOFU_SUCCESS)
        return result;
    switch (softtofu_segment_find(device, addr, size, &segment, &offset)) {
    case SOFTTOFU_MEMORY_UNKNOWN:
        return UTOFU_ERR_OUT_OF_MEMORY;
    case SOFTTOFU_MEMORY_UNMAPPED:
        return UTOFU_ERR_INVALID_ADDRESS;
    case SOFTTOFU_MEMORY_ATTACHED:
        result = check_attach(device, addr, size);
        break;
    case SOFTTOFU_MEMORY_MAPPED:
        break;
    }
    if (result != UTOFU_SUCCESS)
        return result;
    softtofu_lock(&vcq->shared_cq->mutex);
    if (number == 0)
        number = choose_dynamic(vcq->shared_cq, read_only);
    else if ((atomic_load(&vcq->shared_cq->stag[number].generation) & 1) != 0)
        result = UTOFU_ERR_USED;
    if (number == 0)
        result = UTOFU_ERR_FULL;
    if (result == UTOFU_SUCCESS)
        publish(vcq, number, addr, size | (read_only ? SOFTTOFU_STAG_READ_ONLY : 0), segment, offset);
    softtofu_unlock(&vcq->shared_cq->mutex);
    if (result != UTOFU_SUCCESS) {
        softtofu_segment_release(device, segment);
        return result;
    }
    *stadd = softtofu_stadd_encode(vcq->cq, number, softtofu_stadd_offset(number, addr));
    softtofu_watch_register(vcq, addr, size, *stadd);
    return UTOFU_SUCCESS;
}

/* @return UTOFU_SUCCESS with @a vcq set, or what is wrong with the arguments. */
static int check(utofu_vcq_hdl_t handle, const void *addr, size_t size, unsigned long flags,
                 const utofu_stadd_t *stadd, struct softtofu_vcq **vcq)
{
    *vcq = softtofu_vcq(handle);
    if (*vcq == NULL)
        return UTOFU_ERR_INVALID_VCQ_HDL;
    if (stadd == NULL)
        return UTOFU_ERR_INVALID_POINTER;
    if (addr == NULL || (uintptr_t)addr + size < (uintptr_t)addr)
        return UTOFU_ERR_INVALID_ADDRESS;
    if (size == 0 || size >= UINT64_C(1) << 39)
        return UTOFU_ERR_INVALID_SIZE;
    return (flags & ~UTOFU_REG_MEM_FLAG_READ_ONLY) != 0 ? UTOFU_ERR_INVALID_FLAGS : UTOFU_SUCCESS;
}

int putofu_reg_mem(utofu_vcq_hdl_t handle, void *addr, size_t size, unsigned long int flags,
                   utofu_stadd_t *stadd)
{
    struct softtofu_vcq *vcq;
    int result = check(handle, addr, size, flags, stadd, &vcq);

    return result != UTOFU_SUCCESS
                   ? result
                   : enter(vcq, addr, size, 0, (flags & UTOFU_REG_MEM_FLAG_READ_ONLY) != 0, stadd);
}
SOFTTOFU_TWIN(reg_mem);

int putofu_reg_mem_with_stag(utofu_vcq_hdl_t handle, void *addr, size_t size, unsigned int stag,
                             unsigned long int flags, utofu_stadd_t *stadd)
{
    struct softtofu_vcq *vcq;
    int result = check(handle, addr, size, flags, stadd, &vcq);

    if (result != UTOFU_SUCCESS)
        return softtofu_told(result);
    if (stag >= SOFTTOFU_STAGS_RESERVED)
        return softtofu_told(UTOFU_ERR_INVALID_STAG);
    if ((uintptr_t)addr % SOFTTOFU_CACHE_LINE != 0)
        return softtofu_told(UTOFU_ERR_INVALID_ADDRESS);
    return enter(vcq, addr, size, softtofu_stag_reserved(vcq->cmp, stag),
                 (flags & UTOFU_REG_MEM_FLAG_READ_ONLY) != 0, stadd);
}
SOFTTOFU_TWIN(reg_mem_with_stag);

int putofu_query_stadd(utofu_vcq_id_t vcq_id, unsigned int stag, utofu_stadd_t *stadd)
{
    struct softtofu_vcq_place place;

    if (stadd == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_POINTER);
    if (!softtofu_vcq_id_decode(vcq_id, &place))
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_ID);
    if (stag >= SOFTTOFU_STAGS_RESERVED)
        return softtofu_told(UTOFU_ERR_INVALID_STAG);
    *stadd = softtofu_stadd_encode(place.cq, softtofu_stag_reserved(place.cmp, stag), 0);
    return UTOFU_SUCCESS;
}
SOFTTOFU_TWIN(query_stadd);

/* Assumes that the caller has the CQ's mutex. */
static int remove_locked(struct softtofu_vcq *vcq, uint64_t stadd, uint16_t *segment)
{
    struct softtofu_stag *stag = &vcq->shared_cq->stag[softtofu_stadd_stag(stadd)];
    unsigned number            = softtofu_stadd_stag(stadd);

    if ((atomic_load(&stag->generation) & 1) == 0 ||
        atomic_load(&stag->owner) != softtofu_stag_owner(vcq->device->rank, vcq->cmp) ||
        stadd != softtofu_stadd_encode(vcq->cq, number,
                                       softtofu_stadd_offset(number, (void *)atomic_load(&stag->address))))
        return UTOFU_ERR_INVALID_STADD;
    *segment = atomic_load(&stag->segment);
    atomic_fetch_add(&stag->generation, 1);
    return UTOFU_SUCCESS;
}

int putofu_dereg_mem(utofu_vcq_hdl_t handle, utofu_stadd_t stadd, unsigned long int flags)
{
    struct softtofu_vcq *vcq = softtofu_vcq(handle);
    uint16_t segment;
    int result;

    if (vcq == NULL)
        return softtofu_told(UTOFU_ERR_INVALID_VCQ_HDL);
    if (flags != 0)
        return softtofu_told(UTOFU_ERR_INVALID_FLAGS);
    if (softtofu_stadd_cq(stadd) != vcq->cq || softtofu_stadd_stag(stadd) >= SOFTTOFU_STAGS)
        return softtofu_told(UTOFU_ERR_INVALID_STADD);
    softtofu_lock(&vcq->shared_cq->mutex);
    result = remove_locked(vcq, stadd, &segment);
    softtofu_unlock(&vcq->shared_cq->mutex);
    if (result == UTOFU_SUCCESS) {
        softtofu_watch_deregister(vcq, stadd);
        softtofu_segment_release(vcq->device, segment);
    }
    return softtofu_told(result);
}
SOFTTOFU_TWIN(dereg_mem);

void softtofu_memory_release_all(struct softtofu_vcq *vcq)
{
    struct softtofu_cq *cq = vcq->shared_cq;
    uint16_t owner         = softtofu_stag_owner(vcq->device->rank, vcq->cmp);
    unsigned reserved      = softtofu_stag_reserved(vcq->cmp, 0);
    unsigned limit         = atomic_load(&cq->stag_limit);

    softtofu_lock(&cq->mutex);
    for (unsigned i = reserved; i < limit; i++) {
        struct softtofu_stag *stag = &cq->stag[i];
        if ((atomic_load(&stag->generation) & 1) == 0 || atomic_load(&stag->owner) != owner)
            continue;
        atomic_fetch_add(&stag->generation, 1);
        softtofu_segment_release(vcq->device, atomic_load(&stag->segment));
    }
    softtofu_unlock(&cq->mutex);
}
