/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/command.h"

#include "softtofu/log.h"
#include "softtofu/mrq.h"
#include "softtofu/session.h"
#include "softtofu/watch.h"

#define ALL_FLAGS                                                                                  \
    (UTOFU_ONESIDED_FLAG_STRONG_ORDER | UTOFU_ONESIDED_FLAG_PACKET_RESPONSE |                      \
     UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_PADDING |                         \
     UTOFU_ONESIDED_FLAG_CACHE_INJECTION | UTOFU_ONESIDED_FLAG_DELAY_START |                       \
     UTOFU_ONESIDED_FLAG_TCQ_NOTICE | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE | 0xf000000ul /* SPS */ | \
     0xf0000000ul /* PATH */)

/* Two kinds of notice for each kind of command. */
static const uint8_t local_type[] = {
        [SOFTTOFU_COMMAND_PUT]       = UTOFU_MRQ_TYPE_LCL_PUT,
        [SOFTTOFU_COMMAND_PIGGYBACK] = UTOFU_MRQ_TYPE_LCL_PUT,
        [SOFTTOFU_COMMAND_GET]       = UTOFU_MRQ_TYPE_LCL_GET,
        [SOFTTOFU_COMMAND_ATOMIC]    = UTOFU_MRQ_TYPE_LCL_ARMW,
};
#define REMOTE_TYPE(kind) (local_type[kind] + 1u)

static int check_atomic(const struct softtofu_command *command)
{
    if (command->atomic.op == SOFTTOFU_OP_INVALID)
        return UTOFU_ERR_INVALID_OP;
    /* The low bits of a STADD are those of the address. */
    return command->rmt_stadd % command->atomic.bytes != 0 ? UTOFU_ERR_INVALID_STADD : UTOFU_SUCCESS;
}

static bool is_put(const struct softtofu_command *command)
{
    return command->kind == SOFTTOFU_COMMAND_PUT || command->kind == SOFTTOFU_COMMAND_PIGGYBACK;
}

int softtofu_command_check(const struct softtofu_command *command)
{
    if ((command->flags & ~ALL_FLAGS) != 0)
        return UTOFU_ERR_INVALID_FLAGS;
    if (command->edata > SOFTTOFU_EDATA_MAX)
        return UTOFU_ERR_INVALID_EDATA;
    switch (command->kind) {
    case SOFTTOFU_COMMAND_PUT:
    case SOFTTOFU_COMMAND_GET:
        return command->length - 1 >= SOFTTOFU_PUTGET_MAX ? UTOFU_ERR_INVALID_SIZE : UTOFU_SUCCESS;
    case SOFTTOFU_COMMAND_PIGGYBACK:
        if (command->data == NULL)
            return UTOFU_ERR_INVALID_POINTER;
        return command->length - 1 >= SOFTTOFU_PIGGYBACK_MAX ? UTOFU_ERR_INVALID_SIZE : UTOFU_SUCCESS;
    case SOFTTOFU_COMMAND_ATOMIC:
        return check_atomic(command);
    default:
        return UTOFU_SUCCESS;
    }
}

static void complete_transmit(struct softtofu_vcq *vcq, const struct softtofu_command *command,
                              int status)
{
    struct softtofu_notice *notice;

    if (status == UTOFU_SUCCESS && (command->flags & UTOFU_ONESIDED_FLAG_TCQ_NOTICE) == 0)
        return;
    notice         = softtofu_notice_ring_push(&vcq->tcq);
    notice->status = status;
    notice->cbdata = command->cbdata;
}

static void complete_local(struct softtofu_vcq *vcq, const struct softtofu_command *command, int status,
                           uint64_t before)
{
    struct softtofu_notice *notice;
    uint64_t advance = command->kind == SOFTTOFU_COMMAND_ATOMIC ? 0 : command->length;

    if (status == UTOFU_SUCCESS && (command->flags & UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE) == 0)
        return;
    notice            = softtofu_notice_ring_push(&vcq->notices);
    notice->status    = status;
    notice->type      = local_type[command->kind];
    notice->edata     = (uint8_t)command->edata;
    notice->vcq_id    = command->rmt_vcq_id & ~SOFTTOFU_ID_PATH_MASK;
    notice->lcl_stadd = command->kind == SOFTTOFU_COMMAND_GET ? command->lcl_stadd + advance : 0;
    notice->rmt_stadd = command->rmt_stadd + advance;
    notice->rmt_value = before;
}

/* The look-up speaks of the remote side; at the transmitting side its findings have other names. */
static int transmit_status(int status)
{
    switch (status) {
    case UTOFU_ERR_OUT_OF_MEMORY:
        return status;
    case UTOFU_ERR_MRQ_RMT_STADD:
        return UTOFU_ERR_TCQ_STADD;
    case UTOFU_ERR_MRQ_RMT_LENGTH:
        return UTOFU_ERR_TCQ_LENGTH;
    default:
        return UTOFU_ERR_TCQ_MEMORY;
    }
}

/* softtofu_tlb_find(), with the common case in line. */
static inline int find_way(struct softtofu_vcq *vcq, uint64_t vcq_id, uint64_t stadd, uint64_t length,
                           struct softtofu_tlb_entry **entry)
{
    *entry = &vcq->tlb.entry[softtofu_tlb_index(vcq_id, stadd)];
    return __builtin_expect(softtofu_tlb_hit(*entry, vcq_id, stadd, length), 1)
                   ? UTOFU_SUCCESS
                   : softtofu_tlb_find(vcq, vcq_id, stadd, length, entry);
}

/* Find the bytes of a local STADD. @return UTOFU_SUCCESS, UTOFU_ERR_OUT_OF_MEMORY, or status of a transmit error. */
static int find_local(struct softtofu_vcq *vcq, const struct softtofu_command *command, char **address)
{
    struct softtofu_tlb_entry *entry;
    int result = find_way(vcq, vcq->id, command->lcl_stadd, command->length, &entry);

    if (result == UTOFU_SUCCESS && command->kind == SOFTTOFU_COMMAND_GET && entry->read_only)
        result = UTOFU_ERR_MRQ_RMT_STADD;
    if (result != UTOFU_SUCCESS)
        return transmit_status(result);
    *address = (char *)(command->lcl_stadd + entry->bias);
    return UTOFU_SUCCESS;
}

static int move_attached(struct softtofu_vcq *vcq, const struct softtofu_command *command,
                         const struct softtofu_tlb_entry *entry, char *local, uint64_t *before)
{
    const struct softtofu_fabric *fabric   = &vcq->device->fabric;
    const struct softtofu_process *process = softtofu_fabric_process(fabric, entry->target->rank);
    uint64_t remote                        = command->rmt_stadd + entry->bias;

    switch (command->kind) {
    case SOFTTOFU_COMMAND_PIGGYBACK:
        return softtofu_link_write_attached(process, remote, command->data, command->length);
    case SOFTTOFU_COMMAND_PUT:
        return softtofu_link_write_attached(process, remote, local, command->length);
    case SOFTTOFU_COMMAND_GET:
        return softtofu_link_read_attached(process, local, remote, command->length);
    default:
        return softtofu_link_atomic_attached(fabric, process, &command->atomic, remote, before);
    }
}

static int move(struct softtofu_vcq *vcq, const struct softtofu_command *command,
                const struct softtofu_tlb_entry *entry, char *local, uint64_t *before)
{
    char *remote = (char *)(command->rmt_stadd + entry->bias);

    if (__builtin_expect(entry->attached, 0))
        return move_attached(vcq, command, entry, local, before);
    switch (command->kind) {
    case SOFTTOFU_COMMAND_PIGGYBACK:
        softtofu_link_store_small(remote, command->data, command->length);
        break;
    case SOFTTOFU_COMMAND_PUT:
        softtofu_link_store(remote, local, command->length);
        break;
    case SOFTTOFU_COMMAND_GET:
        softtofu_link_store(local, remote, command->length);
        break;
    default:
        *before = entry->locked ? softtofu_link_atomic_locked(&vcq->device->fabric, &command->atomic, remote)
                                : softtofu_link_atomic(&command->atomic, remote);
    }
    return UTOFU_SUCCESS;
}

/* Memory was lost, perhaps by this very command, whose bytes then went nowhere. @return The command's status. */
static int check_lost(const struct softtofu_command *command, const struct softtofu_tlb_entry *entry, int status)
{
    return entry->attached || !softtofu_guard_lost((uintptr_t)(command->rmt_stadd + entry->bias))
                   ? status
                   : UTOFU_ERR_MRQ_RMT_MEMORY;
}

/* @return UTOFU_SUCCESS: a remote notice can be given, or none is wanted; UTOFU_ERR_BUSY, UTOFU_ERR_OUT_OF_MEMORY. */
static int claim_notice(struct softtofu_vcq *vcq, const struct softtofu_command *command,
                         struct softtofu_target *target, struct softtofu_mrq_claim *claim)
{
    claim->entry = NULL;
    if ((command->flags & UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE) == 0)
        return UTOFU_SUCCESS;
    if (!softtofu_target_map_queue(vcq, target))
        return UTOFU_ERR_OUT_OF_MEMORY;
    if (softtofu_mrq_claim(vcq, target, claim))
        return UTOFU_SUCCESS;
    if (vcq->device->abort_on_overflow)
        softtofu_fatal("the MRQ of VCQ %#lx is full: on hardware notices would be lost now. Poll it more "
                       "often, ask for fewer notices, or set SOFTTOFU_MRQ_DEPTH",
                       (unsigned long)target->vcq_id);
    softtofu_vcq_idle(vcq);
    return UTOFU_ERR_BUSY;
}

/* End a claim: by a notice if the command succeeded. */
static void tell_target(const struct softtofu_vcq *vcq, const struct softtofu_command *command,
                        const struct softtofu_mrq_claim *claim, int status)
{
    uint64_t touched = command->kind == SOFTTOFU_COMMAND_ATOMIC ? command->rmt_stadd
                                                                : command->rmt_stadd + command->length;

    if (claim->entry == NULL)
        return;
    if (status == UTOFU_SUCCESS)
        softtofu_mrq_publish(claim, vcq->id, REMOTE_TYPE(command->kind), command->edata, touched);
    else
        softtofu_mrq_void(claim);
}

/* Move the bytes, then tell the target. @return The command's status; UTOFU_ERR_BUSY or _OUT_OF_MEMORY: not done. */
static int deliver(struct softtofu_vcq *vcq, const struct softtofu_command *command,
                   const struct softtofu_tlb_entry *entry, char *local, uint64_t *before)
{
    struct softtofu_mrq_claim claim;
    uint32_t sps = is_put(command) ? command->flags >> 24 & 0xf : 0;
    int status   = claim_notice(vcq, command, entry->target, &claim);

    if (status != UTOFU_SUCCESS)
        return status;
    status = move(vcq, command, entry, local, before);
    if (softtofu_vcq_has_lost(vcq))
        status = check_lost(command, entry, status);
    if ((claim.entry != NULL || __builtin_expect(sps != 0, 0)) && softtofu_target_gone(entry->target)) {
        status      = UTOFU_ERR_MRQ_PEER;
        claim.entry = NULL; /* It went with the queue. */
    }
    tell_target(vcq, command, &claim, status);
    if (__builtin_expect(sps != 0, 0) && status == UTOFU_SUCCESS)
        softtofu_session_release(entry->target->slot, sps);
    return status;
}

static int execute(struct softtofu_vcq *vcq, const struct softtofu_command *command, char *local)
{
    struct softtofu_tlb_entry *entry;
    uint64_t before = 0;
    int status = find_way(vcq, command->rmt_vcq_id, command->rmt_stadd, command->length, &entry);

    if (status == UTOFU_SUCCESS && entry->read_only && command->kind != SOFTTOFU_COMMAND_GET)
        status = UTOFU_ERR_MRQ_RMT_STADD;
    if (status == UTOFU_SUCCESS) {
        status = deliver(vcq, command, entry, local, &before);
        if (status == UTOFU_ERR_BUSY || status == UTOFU_ERR_OUT_OF_MEMORY)
            return status;
        (command->kind == SOFTTOFU_COMMAND_GET ? softtofu_traffic_count_get : softtofu_traffic_count)(
                entry->traffic, command->length);
        if (status == UTOFU_ERR_MRQ_RMT_MEMORY)
            softtofu_tlb_clear(entry); /* It may be there again, in another place. */
    }
    if (status == UTOFU_ERR_INVALID_VCQ_ID || status == UTOFU_ERR_OUT_OF_MEMORY)
        return status;
    complete_transmit(vcq, command, UTOFU_SUCCESS);
    complete_local(vcq, command, status, before);
    return UTOFU_SUCCESS;
}

/* Room for what may have to be told; a failure is told even if no notice was asked for. */
static bool has_room(struct softtofu_vcq *vcq)
{
    if (softtofu_notice_ring_room(&vcq->tcq) && softtofu_notice_ring_room(&vcq->notices))
        return true;
    softtofu_vcq_idle(vcq);
    return false;
}

int softtofu_command_execute(struct softtofu_vcq *vcq, const struct softtofu_command *command)
{
    char *local = NULL;
    int status  = UTOFU_SUCCESS;

    if (softtofu_vcq_has_lost(vcq))
        softtofu_tlb_drop_lost(vcq);
    if (!has_room(vcq))
        return UTOFU_ERR_BUSY;
    if (command->kind == SOFTTOFU_COMMAND_PUT || command->kind == SOFTTOFU_COMMAND_GET)
        status = find_local(vcq, command, &local);
    if (status == UTOFU_ERR_OUT_OF_MEMORY)
        return status;
    if (status == UTOFU_SUCCESS && command->kind != SOFTTOFU_COMMAND_NOP)
        return execute(vcq, command, local);
    complete_transmit(vcq, command, status);
    return UTOFU_SUCCESS;
}

bool softtofu_command_run_waiting(struct softtofu_vcq *vcq, const struct softtofu_command *command)
{
    int result = softtofu_command_execute(vcq, command);

    if (result == UTOFU_ERR_BUSY)
        return false;
    if (result != UTOFU_SUCCESS)
        complete_transmit(vcq, command, UTOFU_ERR_TCQ_OTHER);
    return true;
}

bool softtofu_command_fail(struct softtofu_vcq *vcq, const struct softtofu_command *command, int status)
{
    bool left = status <= UTOFU_ERR_MRQ_OTHER;

    if (!has_room(vcq))
        return false;
    complete_transmit(vcq, command, left ? UTOFU_SUCCESS : status);
    if (left)
        complete_local(vcq, command, status, 0);
    return true;
}

/* What the call would find out by executing it. */
static int check_target(struct softtofu_vcq *vcq, const struct softtofu_command *command)
{
    return command->kind == SOFTTOFU_COMMAND_NOP ||
                           softtofu_target_valid(&vcq->device->fabric, command->rmt_vcq_id)
                   ? UTOFU_SUCCESS
                   : UTOFU_ERR_INVALID_VCQ_ID;
}

static struct softtofu_command only(const void *command, size_t i)
{
    (void)i;
    return *(const struct softtofu_command *)command;
}

static int wait_in_turn(struct softtofu_vcq *vcq, const struct softtofu_command *command)
{
    int result = check_target(vcq, command);

    return result == UTOFU_SUCCESS ? softtofu_toq_post(vcq, 1, only, command) : result;
}

int softtofu_command_run(utofu_vcq_hdl_t handle, const struct softtofu_command *command)
{
    struct softtofu_vcq *vcq = softtofu_vcq(handle);
    int result               = softtofu_command_check(command);
    uint64_t began;

    if (vcq == NULL)
        return UTOFU_ERR_INVALID_VCQ_HDL;
    began = softtofu_watch_enter(vcq, NULL, command);
    if (result == UTOFU_SUCCESS) {
        softtofu_vcq_lock(vcq);
        if (__builtin_expect(vcq->queued || (command->flags & UTOFU_ONESIDED_FLAG_DELAY_START) != 0, 0))
            result = wait_in_turn(vcq, command);
        else
            result = softtofu_command_execute(vcq, command);
        softtofu_vcq_unlock(vcq);
    }
    return softtofu_watch_command(vcq, command, result, began);
}
