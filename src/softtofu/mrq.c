/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/mrq.h"

#include "softtofu/process.h"

#include <string.h>

enum { FREE, CLAIMED, READY, VOID, STATE_MASK = 3 };

#define TYPE_SHIFT     2
#define EDATA_SHIFT    8
#define PRODUCER_SHIFT 16
#define LAP_SHIFT      32
#define LAP_MASK       (UINT64_C(0xffffffff) << LAP_SHIFT)

static uint64_t lap_of(const struct softtofu_vcq *vcq, uint64_t position)
{
    return position >> vcq->mrq_shift << LAP_SHIFT;
}

/* Rank, and four bits of its epoch: a rank's dead process is not taken for its living successor. */
static uint64_t producer_of(const struct softtofu_device *device)
{
    uint64_t epoch = atomic_load_explicit(&device->process->epoch, memory_order_relaxed) & 0xf;
    return (device->rank | epoch << 12) << PRODUCER_SHIFT;
}

/* Another thread or process may have moved the hint further; moving it back would only cost time. */
static void advance_hint(struct softtofu_vcq_slot *slot, uint64_t tail)
{
    if (atomic_load_explicit(&slot->mrq_tail, memory_order_relaxed) < tail)
        atomic_store_explicit(&slot->mrq_tail, tail, memory_order_relaxed);
}

/*
 * Where to begin: the hint, unless nobody has claimed the entry before it. Then it was set by a producer that still
 * had the last VCQ of this slot in mind; the owner's head is always a place from where the tail can be found.
 */
static uint64_t find_tail(const struct softtofu_vcq *vcq, const struct softtofu_target *target)
{
    uint64_t tail = atomic_load_explicit(&target->slot->mrq_tail, memory_order_relaxed);
    uint64_t word, lap;

    /* The entry before it was claimed by this very VCQ: no need to fetch it from the owner's cache. */
    if (tail == 0 || tail == target->mrq_tail)
        return tail;
    word = atomic_load_explicit(&target->queue.ring[(tail - 1) & vcq->mrq_mask].word, memory_order_relaxed);
    lap  = lap_of(vcq, tail - 1);
    if (word != (lap | FREE) && (int32_t)((word >> LAP_SHIFT) - (lap >> LAP_SHIFT)) >= 0)
        return tail;
    tail = atomic_load_explicit(&target->slot->mrq_head, memory_order_relaxed);
    atomic_store_explicit(&target->slot->mrq_tail, tail, memory_order_relaxed);
    return tail;
}

bool softtofu_mrq_claim(const struct softtofu_vcq *vcq, struct softtofu_target *target,
                        struct softtofu_mrq_claim *claim)
{
    uint64_t tail = find_tail(vcq, target);

    for (;; tail++) {
        struct softtofu_mrq_entry *entry = &target->queue.ring[tail & vcq->mrq_mask];
        uint64_t lap                     = lap_of(vcq, tail);
        uint64_t word                    = lap | FREE;
        /* Acquire: the owner has finished reading the entry's last contents. */
        if (atomic_compare_exchange_strong_explicit(&entry->word, &word,
                                                    lap | producer_of(vcq->device) | CLAIMED,
                                                    memory_order_acquire, memory_order_relaxed)) {
            advance_hint(target->slot, tail + 1);
            target->mrq_tail = tail + 1;
            claim->entry = entry;
            claim->lap   = lap;
            return true;
        }
        if ((int32_t)((word >> LAP_SHIFT) - (lap >> LAP_SHIFT)) < 0)
            return false; /* Still unread since the last lap: the ring is full. */
    }
}

void softtofu_mrq_publish(const struct softtofu_mrq_claim *claim, uint64_t vcq_id, unsigned type,
                          uint64_t edata, uint64_t stadd)
{
    atomic_store_explicit(&claim->entry->vcq_id, vcq_id, memory_order_relaxed);
    atomic_store_explicit(&claim->entry->stadd, stadd, memory_order_relaxed);
    /* Release: the notice is seen after the data that it tells of, and after its own fields. */
    atomic_store_explicit(&claim->entry->word,
                          claim->lap | (edata & 0xff) << EDATA_SHIFT | type << TYPE_SHIFT | READY,
                          memory_order_release);
}

void softtofu_mrq_void(const struct softtofu_mrq_claim *claim)
{
    atomic_store_explicit(&claim->entry->word, claim->lap | VOID, memory_order_release);
}

/* @return Whether the process that made a claim cannot complete it any more. */
static bool producer_died(const struct softtofu_device *device, uint64_t word)
{
    unsigned rank = word >> PRODUCER_SHIFT & 0xfff;
    const struct softtofu_process *process;

    if (rank >= device->fabric.head->processes_max)
        return true;
    process = softtofu_fabric_process(&device->fabric, rank);
    return (atomic_load(&process->epoch) & 0xf) != (word >> (PRODUCER_SHIFT + 12) & 0xf) ||
           !softtofu_process_alive(process);
}

/* A claim at the head that does not become a notice holds up the queue: see, now and then, who made it. */
static bool take_back(struct softtofu_vcq *vcq, struct softtofu_mrq_entry *entry, uint64_t word)
{
    if (++vcq->stuck_polls < SOFTTOFU_STUCK_POLLS)
        return false;
    vcq->stuck_polls = 0;
    return producer_died(vcq->device, word) &&
           atomic_compare_exchange_strong_explicit(&entry->word, &word,
                                                   (word & LAP_MASK) | VOID, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static void fill(struct utofu_mrq_notice *notice, const struct softtofu_mrq_entry *entry,
                 uint64_t word)
{
    uint64_t stadd = atomic_load_explicit(&entry->stadd, memory_order_relaxed);

    memset(notice, 0, sizeof(*notice));
    notice->notice_type = word >> TYPE_SHIFT & 0x3f;
    notice->edata       = word >> EDATA_SHIFT & 0xff;
    notice->vcq_id      = atomic_load_explicit(&entry->vcq_id, memory_order_relaxed);
    /* Programs look for the touched address in any of the three. */
    notice->rmt_value = stadd;
    notice->lcl_stadd = stadd;
    notice->rmt_stadd = stadd;
}

static void free_head(struct softtofu_vcq *vcq, struct softtofu_mrq_entry *entry)
{
    atomic_store_explicit(&entry->word, lap_of(vcq, vcq->mrq_head) + (UINT64_C(1) << LAP_SHIFT) + FREE,
                          memory_order_release);
    vcq->mrq_head++;
    vcq->stuck_polls = 0;
    atomic_store_explicit(&vcq->slot->mrq_head, vcq->mrq_head, memory_order_relaxed);
}

bool softtofu_mrq_take(struct softtofu_vcq *vcq, struct utofu_mrq_notice *notice)
{
    for (;;) {
        struct softtofu_mrq_entry *entry = &vcq->queue.ring[vcq->mrq_head & vcq->mrq_mask];
        uint64_t word = atomic_load_explicit(&entry->word, memory_order_acquire);
        uint64_t lap  = lap_of(vcq, vcq->mrq_head);
        bool ready    = (word & LAP_MASK) == lap && (word & STATE_MASK) == READY;

        if (word == (lap | FREE))
            return false;
        if ((word & LAP_MASK) == lap && (word & STATE_MASK) == CLAIMED) {
            if (!take_back(vcq, entry, word))
                return false;
            continue;
        }
        /* What else is not READY is VOID, or was left by a producer that still wrote to the slot's last VCQ. */
        if (ready)
            fill(notice, entry, word);
        free_head(vcq, entry);
        if (ready)
            return true;
    }
}

size_t softtofu_mrq_count(const struct softtofu_mrq_entry *ring, uint32_t depth, uint64_t head)
{
    uint32_t shift = (uint32_t)__builtin_ctz(depth);
    size_t count   = 0;

    for (uint64_t i = head; i < head + depth; i++) {
        uint64_t word = atomic_load_explicit(&ring[i & (depth - 1)].word, memory_order_acquire);
        unsigned state = word & STATE_MASK;
        if ((word & LAP_MASK) != i >> shift << LAP_SHIFT || state == FREE || state == CLAIMED)
            break;
        count += state == READY; /* Taking skips VOID ones. */
    }
    return count;
}
