/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file layout.h
 * What lies in the fabric, the one memory object that the processes of a job share.
 *
 *     head | map | process[processes_max] | node[nodes] | queue area of VCQ 0 | of VCQ 1 | ...
 *            each node: cq[tni][id] with its VCQ slots and its STag table; barrier gates and their signals
 *            each queue area: MRQ ring, then, from the next page on, the traffic counters, which outlive the VCQ
 *
 * The map (torus/map.h) says which rank is on which node; nodes without ranks are not in the fabric.
 * The file is sparse: what no VCQ uses occupies nothing. All before the queue areas (the *directory*) is mapped
 * whole by everybody; queue areas one by one by those who use them.
 *
 * Everything that one process writes while another may read it is atomic, or guarded by a generation that is.
 */
#ifndef SOFTTOFU_LAYOUT_H
#define SOFTTOFU_LAYOUT_H

#include "softtofu.h"
#include "softtofu/limits.h"
#include "softtofu/reduce.h"
#include "torus/map.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

/** Changes whenever anything in this file does. */
#define SOFTTOFU_LAYOUT_VERSION 7u
#define SOFTTOFU_LAYOUT_MAGIC   UINT64_C(0x554b4954464f5446)

struct softtofu_head {
    _Atomic uint64_t magic; /**< Written last: a fabric without it is not ready. */
    uint32_t version;
    uint32_t processes_max;
    uint32_t nodes; /**< Nodes with processes, not all of the shape. */
    uint32_t mrq_depth, toq_depth; /**< Powers of two. */
    char job[SOFTTOFU_JOB_NAME_MAX];
    uint64_t map_offset, processes_offset, nodes_offset, queues_offset;
    uint64_t queue_bytes; /**< Of one queue area. */
    uint64_t ring_bytes;  /**< Of the MRQ ring at its head. */
    uint64_t bytes;       /**< Of the file. */
    /** Guards who owns which rank, CQ and VCQ. Robust: survives the death of its holder. */
    pthread_mutex_t mutex;
    /** Serialises atomics on attached memory, which no CPU instruction reaches. Robust. */
    pthread_mutex_t attached_atomics;
};

/** A file of which a process has registered shared mappings. Valid while generation is odd and unchanged. */
struct softtofu_segment {
    _Atomic uint32_t generation;
    _Atomic int fd; /**< In the owner; peers open /proc/PID/fd/FD. */
    _Atomic uint64_t device, inode;
    uint64_t registrations; /**< For the owner: that lie in it; the last one closes it. */
};

/** A rank. */
struct softtofu_process {
    alignas(SOFTTOFU_HOST_LINE) _Atomic uint32_t state; /**< enum softtofu_process_state. */
    _Atomic uint32_t epoch;     /**< Attachments so far; tells a rank from its successor. */
    _Atomic int32_t pid;
    _Atomic uint64_t start_time; /**< Of the process, from /proc: tells it from a later one with its pid. */
    _Atomic uint32_t segments; /**< Highest number ever in use, plus one. */
    _Atomic uint64_t arrivals; /**< Commands that peers aimed at it, counted by those under a check. */
    struct softtofu_segment segment[SOFTTOFU_SEGMENTS_MAX];
};

/** An entry of a CQ's STag table; the fields are valid while generation is odd and unchanged. */
struct softtofu_stag {
    _Atomic uint32_t generation; /**< Odd: registered. Even: free. */
    _Atomic uint16_t owner;      /**< softtofu_stag_owner() of its rank and component. */
    _Atomic uint16_t segment;    /**< SOFTTOFU_SEGMENT_NONE: attached memory. */
    _Atomic uint64_t address;    /**< Of the first byte, in the owner. */
    _Atomic uint64_t size;       /**< Bytes; bit 63 set: read-only. */
    _Atomic uint64_t offset;     /**< Of the first byte in the segment's file. */
};

/** Who registered: 12 bits of rank, 3 of component id. */
static inline uint16_t softtofu_stag_owner(unsigned rank, unsigned cmp)
{
    return (uint16_t)(rank | cmp << 12);
}

static inline unsigned softtofu_stag_owner_rank(uint16_t owner)
{
    return owner & 0xfff;
}

#define SOFTTOFU_SEGMENT_NONE   UINT16_MAX
#define SOFTTOFU_STAG_READ_ONLY (UINT64_C(1) << 63)

/** A VCQ as everybody sees it. */
struct softtofu_vcq_slot {
    alignas(SOFTTOFU_HOST_LINE) _Atomic uint32_t generation; /**< Odd: live. */
    _Atomic uint32_t process;                                /**< Owner's rank. */
    _Atomic uint32_t exclusive;
    _Atomic uint32_t session;          /**< In session mode; see session.h for the next two. */
    _Atomic uint32_t session_released; /**< Session offset: puts of peers add to it. */
    _Atomic uint32_t session_waiting;  /**< A futex: the owner's thread sleeps, or is about to. */
    /** Where peers begin to look for a free MRQ entry; may lag behind. On a line of its own: peers write it. */
    alignas(SOFTTOFU_HOST_LINE) _Atomic uint64_t mrq_tail;
    /** How far the owner has read, for those who look from outside. */
    alignas(SOFTTOFU_HOST_LINE) _Atomic uint64_t mrq_head;
    _Atomic uint64_t ops_before, bytes_before; /**< Traffic of the place before this VCQ. */
};

struct softtofu_cq {
    pthread_mutex_t mutex; /**< Guards which STags are taken. Robust. */
    uint32_t next_stag;    /**< Where to look for a free one: STags are reused as late as possible. */
    _Atomic uint32_t stag_limit; /**< No dynamic STag from here on was ever taken: not worth looking at. */
    struct softtofu_vcq_slot vcq[SOFTTOFU_CMP_IDS];
    struct softtofu_stag stag[SOFTTOFU_STAGS];
};

/**
 * A barrier gate; see gate.h for what word says. Everybody who may bring it a signal writes word, and all that the
 * way of a signal needs lies beside it, on one line. Gates are named by their number in the fabric, see gate.h.
 */
struct softtofu_gate {
    alignas(SOFTTOFU_HOST_LINE) _Atomic uint64_t word;
    _Atomic uint32_t src[2], dst[2]; /**< Gates that it is wired to, by side. */
    /** Generations of those gates when the owner first started; 0: not known yet. */
    _Atomic uint16_t src_generation[2], dst_generation[2];
    _Atomic uint32_t link[3];    /**< In the list of work of whoever has it in hand: sides of a held signal, firing. */
    _Atomic uint16_t owner;      /**< Rank. */
    _Atomic uint16_t helper[2];  /**< Who carries on with the held signal of that side. */
    _Atomic uint16_t helper_generation[2]; /**< Of this gate, when that began. */
    _Atomic uint8_t held;                  /**< Kind of the signal that is held. */
    _Atomic uint64_t early[2]; /**< Senders of signals that came before the gate was set. */
};

/** What a gate has sent last, in turn into one and the other, as the receiver may still read the one before. */
struct softtofu_gate_signals {
    alignas(SOFTTOFU_HOST_LINE) uint64_t first[SOFTTOFU_SIGNAL_WORDS];
    alignas(SOFTTOFU_HOST_LINE) uint64_t second[SOFTTOFU_SIGNAL_WORDS];
};

struct softtofu_node {
    struct softtofu_cq cq[SOFTTOFU_TNIS][SOFTTOFU_CQ_IDS];
    _Atomic uint64_t gates_taken[SOFTTOFU_TNIS]; /**< Bit by gate. Guarded by the head's mutex. */
    struct softtofu_gate gate[SOFTTOFU_NODE_GATES];
    struct softtofu_gate_signals signals[SOFTTOFU_NODE_GATES];
};

/** An entry of the shared part of an MRQ; see mrq.h for the states of word. */
struct softtofu_mrq_entry {
    _Atomic uint64_t word;
    _Atomic uint64_t vcq_id;
    _Atomic uint64_t stadd;
    _Atomic uint64_t value;
};

/*
 * struct softtofu_traffic of softtofu.h: written by the VCQ's user alone and read by onlookers in other processes, to whom
 * an aligned word is either old or new. Plain, because then counting is one instruction.
 */
static inline void softtofu_traffic_count(struct softtofu_traffic *traffic, uint64_t bytes)
{
    traffic->ops++;
    traffic->bytes += bytes;
}

static inline void softtofu_traffic_count_get(struct softtofu_traffic *traffic, uint64_t bytes)
{
    traffic->get_ops++;
    traffic->get_bytes += bytes;
}

#endif
