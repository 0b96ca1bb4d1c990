/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file gate.h
 * A barrier gate: signals arrive, are combined, and go on.
 *
 * Nobody serves the gates. As with a put, whoever starts an operation does the work: it brings its signal to the next
 * gates, and where that was the last one missing it *fires* that gate, too, and so on. A process that has finished its
 * own part needs no CPU for the gates it owns.
 *
 * All that decides lies in one word of a gate:
 *
 *     63..48 generation, odd while allocated | 47..32 who fires it | 31..16 flags | 15..8 remote, 7..0 local input
 *
 * An input holds the kind of the signal that is there (0: none), and in bit 7 which of the sender's two buffers has its
 * elements. To send a signal is one exchange of that word: it leaves the kind and, if nothing is missing any more,
 * takes the gate (FIRING). To fire is one more, which empties the inputs. A barrier touches nothing else.
 *
 * An input has room for one signal, as in hardware. A sender that is an operation ahead *holds* its next one: it marks
 * the input (WAITER) and itself (PENDING) and goes away. Whoever empties the input brings the held signal in and
 * ends the sender's firing. So nothing overflows and nothing mixes, however fast some go and however the gates are
 * wired: a gate fires only when its last signals have been taken, and its two buffers alternate.
 *
 * A start/end gate sends when its process starts, and its inputs wait for that process's poll. It does not fire.
 *
 * Which input a signal belongs to is told by the receiver's setting, which names its sources, and not by where the
 * sender is. A gate that is allocated but not yet set keeps what comes, with the sender's number, and sorts it when it
 * is set. A signal that no setting names, or whose receiver is gone, is a FAULT of that gate, or of the sender.
 *
 * Deaths: what a process has in hand bears its name (FIRING, helper), so that others can tell; see gate_watch.h. No
 * gate's memory is used again while a living process fires it.
 */
#ifndef SOFTTOFU_GATE_H
#define SOFTTOFU_GATE_H

#include "softtofu/fabric.h"

enum softtofu_gate_side { SOFTTOFU_LOCAL, SOFTTOFU_REMOTE, SOFTTOFU_SIDES };

#define SOFTTOFU_GATE_NONE UINT32_MAX

#define SOFTTOFU_GATE_USES(side)    (UINT64_C(1) << (16 + (side))) /**< The input is wired. */
#define SOFTTOFU_GATE_WAITER(side)  (UINT64_C(1) << (18 + (side))) /**< A sender holds the next signal for it. */
#define SOFTTOFU_GATE_PENDING(side) (UINT64_C(1) << (20 + (side))) /**< It holds a signal for that side. */
#define SOFTTOFU_GATE_SET           (UINT64_C(1) << 22)            /**< Its wiring is valid. */
#define SOFTTOFU_GATE_START         (UINT64_C(1) << 23)            /**< A start/end gate. */
#define SOFTTOFU_GATE_FIRING        (UINT64_C(1) << 24)            /**< Somebody combines and sends. */
#define SOFTTOFU_GATE_FAULT         (UINT64_C(1) << 25) /**< It takes part in nothing until it is set again. */
#define SOFTTOFU_GATE_SECOND        (UINT64_C(1) << 26) /**< It sends from its second buffer next. */

#define SOFTTOFU_GATE_FIRER_SHIFT      32
#define SOFTTOFU_GATE_FIRER_MASK       (UINT64_C(0xffff) << SOFTTOFU_GATE_FIRER_SHIFT)
#define SOFTTOFU_GATE_GENERATION_SHIFT 48
#define SOFTTOFU_GATE_PENDING_ANY      (SOFTTOFU_GATE_PENDING(0) | SOFTTOFU_GATE_PENDING(1))
#define SOFTTOFU_GATE_WAITER_ANY       (SOFTTOFU_GATE_WAITER(0) | SOFTTOFU_GATE_WAITER(1))
#define SOFTTOFU_GATE_INPUTS           UINT64_C(0xffff)

#define SOFTTOFU_HELPER_NONE UINT16_MAX
#define SOFTTOFU_KIND_SECOND 0x80 /**< Bit of a kind: its elements are in the sender's second buffer. */

/** A process at work on gates. */
struct softtofu_hand {
    const struct softtofu_fabric *fabric;
    uint16_t name; /**< softtofu_gate_name() of the process. */
    uint32_t work; /**< Head of the list of what is still to do. */
};

/** Tells a process from others and from its predecessors: 12 bits of rank, 4 of epoch. */
static inline uint16_t softtofu_gate_name(unsigned rank, uint32_t epoch)
{
    return (uint16_t)(rank | (epoch & 0xf) << 12);
}

static inline uint32_t softtofu_gate_number(unsigned node, unsigned tni, unsigned gate)
{
    return (node * SOFTTOFU_TNIS + tni) * SOFTTOFU_GATES + gate;
}

static inline struct softtofu_gate *softtofu_gate_at(const struct softtofu_fabric *fabric, uint32_t number)
{
    return &softtofu_fabric_node(fabric, number / SOFTTOFU_NODE_GATES)->gate[number % SOFTTOFU_NODE_GATES];
}

/** Where the elements of gate @a number's signals lie; @a second: of those with an odd turn. */
static inline uint64_t *softtofu_gate_signal(const struct softtofu_fabric *fabric, uint32_t number, bool second)
{
    struct softtofu_gate_signals *signals =
            &softtofu_fabric_node(fabric, number / SOFTTOFU_NODE_GATES)->signals[number % SOFTTOFU_NODE_GATES];

    return second ? signals->second : signals->first;
}

static inline uint16_t softtofu_gate_generation(uint64_t word)
{
    return (uint16_t)(word >> SOFTTOFU_GATE_GENERATION_SHIFT);
}

/** The generation of the last allocation of a gate, which may have been freed since; 0: there was none. */
static inline uint16_t softtofu_gate_allocation(uint64_t word)
{
    uint16_t generation = softtofu_gate_generation(word);

    return generation == 0 ? 0 : (uint16_t)((generation - 1) | 1);
}

static inline softtofu_kind_t softtofu_gate_input(uint64_t word, unsigned side)
{
    return (softtofu_kind_t)(word >> 8 * side);
}

/** Whether all that a gate waits for is there. */
static inline bool softtofu_gate_complete(uint64_t word)
{
    return (!(word & SOFTTOFU_GATE_USES(0)) || softtofu_gate_input(word, 0) != 0) &&
           (!(word & SOFTTOFU_GATE_USES(1)) || softtofu_gate_input(word, 1) != 0);
}

/** Send a start gate's signal of @a kind, whose elements are in the buffer that @a kind tells, and do what follows. */
void softtofu_gate_start(struct softtofu_hand *hand, uint32_t number, softtofu_kind_t kind);

/**
 * Take what has arrived at an end gate, which is complete: combine it into @a result, make room, and do what follows.
 * @param[out] result  SOFTTOFU_SIGNAL_WORDS words.
 * @return Its kind, 0 if the gate has no sources.
 */
softtofu_kind_t softtofu_gate_end(struct softtofu_hand *hand, uint32_t number, uint64_t *result);

/** @return @a word, taken by the hand's process if it is that of a relay that can fire now. */
uint64_t softtofu_gate_taken(const struct softtofu_hand *hand, uint64_t word);

/** Fire gate @a number, which the caller has taken by setting FIRING and its name, and do what follows. */
void softtofu_gate_fire(struct softtofu_hand *hand, uint32_t number);

/** Mark a gate faulty if it still has @a generation. */
void softtofu_gate_mark_fault(struct softtofu_gate *gate, uint16_t generation);

#endif
