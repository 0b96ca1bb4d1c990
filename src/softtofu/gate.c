/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/gate.h"

/*
 * Memory orders. A gate's word carries everything: exchanges of it release, loads of it acquire. All other members are
 * relaxed, because
 *  - wiring and owner are written before the word says SET or allocated (gate_table.c), and read after it was loaded;
 *  - what a sender leaves beside its word for helpers (held, helper) comes before PENDING is set in it;
 *  - links and helper_generation are for whoever has the gate in hand, who wrote them;
 *  - the generations of neighbours are hints: 0, which is not known yet, or right.
 */

/* Links of the list of work: gate number and which of its links. As whoever has a thing in hand has its link in hand,
 * the list needs no memory however long it gets. */
enum { LINK_FIRE = SOFTTOFU_SIDES, LINKS };
#define WORK_END UINT32_MAX

static void push(struct softtofu_hand *hand, uint32_t number, unsigned link)
{
    struct softtofu_gate *gate = softtofu_gate_at(hand->fabric, number);

    atomic_store_explicit(&gate->link[link], hand->work, memory_order_relaxed);
    hand->work = number * LINKS + link;
}

static uint16_t generation_of(const struct softtofu_gate *gate)
{
    return softtofu_gate_generation(atomic_load_explicit(&gate->word, memory_order_acquire));
}

static uint64_t firing_by(const struct softtofu_hand *hand)
{
    return SOFTTOFU_GATE_FIRING | (uint64_t)hand->name << SOFTTOFU_GATE_FIRER_SHIFT;
}

uint64_t softtofu_gate_taken(const struct softtofu_hand *hand, uint64_t word)
{
    const uint64_t not_now = SOFTTOFU_GATE_START | SOFTTOFU_GATE_FIRING | SOFTTOFU_GATE_PENDING_ANY | SOFTTOFU_GATE_FAULT;

    if ((word & not_now) == 0 && (word & SOFTTOFU_GATE_SET) && softtofu_gate_complete(word) &&
        (word & SOFTTOFU_GATE_INPUTS) != 0)
        word |= firing_by(hand);
    return word;
}

void softtofu_gate_mark_fault(struct softtofu_gate *gate, uint16_t generation)
{
    uint64_t word = atomic_load_explicit(&gate->word, memory_order_relaxed);

    /* Relaxed: it says nothing of other memory. */
    while (softtofu_gate_generation(word) == generation &&
           !atomic_compare_exchange_weak_explicit(&gate->word, &word, word | SOFTTOFU_GATE_FAULT,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

/** A signal under way. */
struct signal {
    uint32_t from;
    struct softtofu_gate *sender;
    uint16_t generation; /**< Of the sender. */
    uint8_t side;        /**< Of the sender. */
    softtofu_kind_t kind;
};

/*
 * The input of a gate that is not set yet for a signal: any that the same sender has, or that nobody has. A claim tells
 * the gate's generation, so that one which somebody made late for a predecessor is not respected.
 * @return -1: both are others'.
 */
static int claim_early(struct softtofu_gate *gate, uint16_t generation, const struct signal *signal)
{
    const uint64_t mine = (uint64_t)generation << 32 | (uint64_t)signal->side << 31 | signal->from;

    for (unsigned turn = 0; turn < SOFTTOFU_SIDES; turn++) {
        unsigned input = signal->side ^ turn;
        uint64_t seen  = atomic_load_explicit(&gate->early[input], memory_order_relaxed);
        /* Relaxed: the exchange of the gate's word, later, publishes it. */
        if (seen == mine || ((int16_t)(generation - (uint16_t)(seen >> 32)) > 0 &&
                             atomic_compare_exchange_strong_explicit(&gate->early[input], &seen, mine,
                                                                     memory_order_relaxed, memory_order_relaxed)))
            return (int)input;
    }
    return -1;
}

static bool names(struct softtofu_gate *gate, unsigned input, const struct signal *signal)
{
    uint16_t bound = atomic_load_explicit(&gate->src_generation[input], memory_order_relaxed);

    return atomic_load_explicit(&gate->src[input], memory_order_relaxed) == signal->from &&
           (bound == 0 || bound == signal->generation);
}

/* Which input of @a gate, whose word is @a word, a signal is for. @return -1: none. */
static int find_input(struct softtofu_gate *gate, uint64_t word, const struct signal *signal)
{
    if (!(word & SOFTTOFU_GATE_SET))
        return claim_early(gate, softtofu_gate_generation(word), signal);
    /* A gate that feeds both inputs of another feeds each from its side of the same name. */
    for (unsigned turn = 0; turn < SOFTTOFU_SIDES; turn++) {
        if (names(gate, signal->side ^ turn, signal))
            return signal->side ^ (int)turn;
    }
    return -1;
}

/*
 * Before a held signal is made known to the receiver, so that whoever brings it in finds all that it needs. Release: it
 * pairs with the load of the sender's word in adopt(), and with that of a look (gate_watch.c).
 */
static void hold(const struct signal *signal)
{
    struct softtofu_gate *gate = signal->sender;

    atomic_store_explicit(&gate->held, signal->kind, memory_order_relaxed);
    atomic_store_explicit(&gate->helper[signal->side], SOFTTOFU_HELPER_NONE, memory_order_relaxed);
    atomic_fetch_or_explicit(&gate->word, SOFTTOFU_GATE_PENDING(signal->side), memory_order_release);
}

static void release(struct softtofu_hand *hand, uint32_t number, uint16_t generation, uint64_t token);

enum sent { SENT, SENT_LAST, SENT_HELD, SENT_NOWHERE };

/*
 * One signal into the receiver's word.
 *
 * The exchange is acquire and release. Release: the elements, and what hold() wrote, come before it. Acquire: who takes
 * the gate reads the elements of the other input, whose sender's exchange came earlier in the word's order. What wrote
 * in between are exchanges, too, which carry on the release sequence.
 */
static enum sent leave(struct softtofu_hand *hand, struct softtofu_gate *gate, const struct signal *signal, bool *held)
{
    uint16_t bound = atomic_load_explicit(&signal->sender->dst_generation[signal->side], memory_order_relaxed);
    uint64_t word  = atomic_load_explicit(&gate->word, memory_order_acquire);
    uint64_t next;
    bool occupied;

    do {
        uint16_t generation = softtofu_gate_generation(word);
        int input;
        if ((generation & 1) == 0 || (bound != 0 && bound != generation))
            return SENT_NOWHERE;
        input = find_input(gate, word, signal);
        if (input < 0) {
            softtofu_gate_mark_fault(gate, generation);
            return SENT;
        }
        occupied = softtofu_gate_input(word, (unsigned)input) != 0;
        if (occupied && !*held) {
            hold(signal);
            *held = true;
        }
        next = occupied ? word | SOFTTOFU_GATE_WAITER(input)
                        : softtofu_gate_taken(hand, word | (uint64_t)signal->kind << 8 * input);
    } while (!atomic_compare_exchange_weak_explicit(&gate->word, &word, next, memory_order_acq_rel,
                                                    memory_order_acquire));
    if (occupied)
        return SENT_HELD;
    return (next & ~word) & SOFTTOFU_GATE_FIRING ? SENT_LAST : SENT;
}

static void send_side(struct softtofu_hand *hand, struct signal *signal, unsigned side)
{
    uint32_t to = atomic_load_explicit(&signal->sender->dst[side], memory_order_relaxed);
    bool held   = false;
    enum sent sent;

    if (to == SOFTTOFU_GATE_NONE)
        return;
    signal->side = (uint8_t)side;
    sent         = leave(hand, softtofu_gate_at(hand->fabric, to), signal, &held);
    if (sent == SENT_NOWHERE)
        softtofu_gate_mark_fault(signal->sender, signal->generation);
    if (sent == SENT_LAST)
        push(hand, to, LINK_FIRE);
    if (held && sent != SENT_HELD)
        release(hand, signal->from, signal->generation, SOFTTOFU_GATE_PENDING(side));
}

/* Remote first: others wait for it, while this process is here. */
static void send(struct softtofu_hand *hand, uint32_t from, struct softtofu_gate *sender, uint16_t generation,
                 softtofu_kind_t kind)
{
    struct signal signal = {.from = from, .sender = sender, .generation = generation, .kind = kind};

    send_side(hand, &signal, SOFTTOFU_REMOTE);
    send_side(hand, &signal, SOFTTOFU_LOCAL);
}

/* Combine the inputs of a gate into @a out. @return Their kind; 0 if there are none. */
static softtofu_kind_t combine(const struct softtofu_hand *hand, const struct softtofu_gate *gate, uint64_t word,
                               uint64_t *out)
{
    const uint64_t *signal[SOFTTOFU_SIDES];
    softtofu_kind_t kind[SOFTTOFU_SIDES];

    for (unsigned side = 0; side < SOFTTOFU_SIDES; side++) {
        uint32_t from = atomic_load_explicit(&gate->src[side], memory_order_relaxed);
        kind[side]    = softtofu_gate_input(word, side);
        signal[side]  = from == SOFTTOFU_GATE_NONE
                                ? NULL
                                : softtofu_gate_signal(hand->fabric, from, kind[side] & SOFTTOFU_KIND_SECOND);
    }
    if (kind[0] != 0 && kind[1] != 0)
        return softtofu_reduce(kind[0], signal[0], kind[1], signal[1], out);
    for (unsigned side = 0; side < SOFTTOFU_SIDES; side++) {
        if (kind[side] == 0)
            continue;
        softtofu_signal_copy(kind[side], signal[side], out);
        return kind[side] & SOFTTOFU_KIND_MASK;
    }
    return 0;
}

/** Senders whose held signals were brought in by an exchange. */
struct adopted {
    uint32_t number[SOFTTOFU_SIDES];
    uint8_t side[SOFTTOFU_SIDES];
    unsigned count;
};

/* From which side of its sender input @a input of gate @a number is fed. */
static unsigned sender_side(const struct softtofu_gate *sender, uint32_t number, unsigned input)
{
    return atomic_load_explicit(&sender->dst[input], memory_order_relaxed) == number ? input : !input;
}

/*
 * The kind that waits at an input; 0 if the sender is not the one any more whose signal it was. Nobody else does this
 * at the same time: it is for who gives up the last token of a relay, or owns an end gate.
 */
static softtofu_kind_t adopt(const struct softtofu_hand *hand, uint32_t number, const struct softtofu_gate *gate,
                             unsigned input, struct adopted *adopted)
{
    uint32_t from                = atomic_load_explicit(&gate->src[input], memory_order_relaxed);
    uint16_t bound               = atomic_load_explicit(&gate->src_generation[input], memory_order_relaxed);
    struct softtofu_gate *sender = softtofu_gate_at(hand->fabric, from);
    unsigned side                = sender_side(sender, number, input);
    uint64_t word                = atomic_load_explicit(&sender->word, memory_order_acquire);
    uint16_t generation          = softtofu_gate_allocation(word);

    if (!(word & SOFTTOFU_GATE_PENDING(side)) || (bound != 0 && bound != generation))
        return 0;
    atomic_store_explicit(&sender->helper_generation[side], generation, memory_order_relaxed);
    atomic_store_explicit(&sender->helper[side], hand->name, memory_order_relaxed);
    adopted->number[adopted->count] = from;
    adopted->side[adopted->count++] = (uint8_t)side;
    return atomic_load_explicit(&sender->held, memory_order_relaxed);
}

/* The inputs of @a word emptied, and filled anew with what waits. */
static uint64_t empty_inputs(const struct softtofu_hand *hand, uint32_t number, const struct softtofu_gate *gate,
                             uint64_t word, struct adopted *adopted)
{
    adopted->count = 0;
    for (unsigned input = 0; input < SOFTTOFU_SIDES; input++) {
        word &= ~(UINT64_C(0xff) << 8 * input);
        if (word & SOFTTOFU_GATE_WAITER(input)) {
            word &= ~SOFTTOFU_GATE_WAITER(input);
            word |= (uint64_t)adopt(hand, number, gate, input, adopted) << 8 * input;
        }
    }
    return word;
}

static void push_adopted(struct softtofu_hand *hand, const struct adopted *adopted)
{
    for (unsigned i = 0; i < adopted->count; i++)
        push(hand, adopted->number[i], adopted->side[i]);
}

/*
 * A gate that was freed while somebody had it in hand is free for others when all have let go. Release: it pairs with
 * the load in is_free() of gate_table.c, after which another process uses the gate.
 */
static void let_go(struct softtofu_gate *gate, uint64_t word, uint16_t generation, uint64_t token)
{
    while (softtofu_gate_generation(word) == (uint16_t)(generation + 1) &&
           !atomic_compare_exchange_weak_explicit(&gate->word, &word, word & ~token, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

/*
 * Give up a token of a gate: FIRING, or PENDING of a side. With the last one a relay's firing ends: its inputs are
 * empty, its buffers change turns. Acquire, because who takes it anew reads elements that a waiting sender wrote;
 * release, because the next sender to an input may overwrite what was read there.
 */
static void release(struct softtofu_hand *hand, uint32_t number, uint16_t generation, uint64_t token)
{
    const uint64_t tokens      = SOFTTOFU_GATE_FIRING | SOFTTOFU_GATE_PENDING_ANY;
    struct softtofu_gate *gate = softtofu_gate_at(hand->fabric, number);
    uint64_t word              = atomic_load_explicit(&gate->word, memory_order_acquire);
    struct adopted adopted;
    uint64_t next;

    do {
        adopted.count = 0;
        if (softtofu_gate_generation(word) != generation) {
            let_go(gate, word, generation, token);
            return;
        }
        next = word & ~token;
        if (token == SOFTTOFU_GATE_FIRING)
            next &= ~SOFTTOFU_GATE_FIRER_MASK;
        if ((next & (tokens | SOFTTOFU_GATE_START)) == 0)
            next = softtofu_gate_taken(hand, empty_inputs(hand, number, gate, next ^ SOFTTOFU_GATE_SECOND, &adopted));
    } while (!atomic_compare_exchange_weak_explicit(&gate->word, &word, next, memory_order_acq_rel,
                                                    memory_order_acquire));
    push_adopted(hand, &adopted);
    if (next & SOFTTOFU_GATE_FIRING && !(token != SOFTTOFU_GATE_FIRING && (word & SOFTTOFU_GATE_FIRING)))
        push(hand, number, LINK_FIRE);
}

static void fire(struct softtofu_hand *hand, uint32_t number)
{
    struct softtofu_gate *gate = softtofu_gate_at(hand->fabric, number);
    uint64_t word              = atomic_load_explicit(&gate->word, memory_order_acquire);
    bool second                = word & SOFTTOFU_GATE_SECOND;
    /* One that was freed meanwhile still does what it had in hand. */
    uint16_t generation  = softtofu_gate_allocation(word);
    softtofu_kind_t kind = combine(hand, gate, word, softtofu_gate_signal(hand->fabric, number, second));

    send(hand, number, gate, generation, kind | (second ? SOFTTOFU_KIND_SECOND : 0));
    release(hand, number, generation, SOFTTOFU_GATE_FIRING);
}

/* Until nothing is left that this process has to do. */
static void work_off(struct softtofu_hand *hand)
{
    while (hand->work != WORK_END) {
        uint32_t number = hand->work / LINKS;
        unsigned link   = hand->work % LINKS;
        struct softtofu_gate *gate = softtofu_gate_at(hand->fabric, number);

        hand->work = atomic_load_explicit(&gate->link[link], memory_order_relaxed);
        if (link == LINK_FIRE)
            fire(hand, number);
        else
            release(hand, number, atomic_load_explicit(&gate->helper_generation[link], memory_order_relaxed),
                    SOFTTOFU_GATE_PENDING(link));
    }
}

void softtofu_gate_fire(struct softtofu_hand *hand, uint32_t number)
{
    hand->work = WORK_END;
    fire(hand, number);
    work_off(hand);
}

void softtofu_gate_start(struct softtofu_hand *hand, uint32_t number, softtofu_kind_t kind)
{
    struct softtofu_gate *gate = softtofu_gate_at(hand->fabric, number);

    hand->work = WORK_END;
    send(hand, number, gate, generation_of(gate), kind);
    work_off(hand);
}

softtofu_kind_t softtofu_gate_end(struct softtofu_hand *hand, uint32_t number, uint64_t *result)
{
    struct softtofu_gate *gate = softtofu_gate_at(hand->fabric, number);
    uint64_t word              = atomic_load_explicit(&gate->word, memory_order_acquire);
    softtofu_kind_t kind       = combine(hand, gate, word, result);
    struct adopted adopted;

    /* As in release(). Only the owner empties these inputs, so what was combined is what is taken. */
    while (!atomic_compare_exchange_weak_explicit(&gate->word, &word,
                                                  empty_inputs(hand, number, gate, word, &adopted),
                                                  memory_order_acq_rel, memory_order_acquire)) {
    }
    hand->work = WORK_END;
    push_adopted(hand, &adopted);
    work_off(hand);
    return kind;
}
