/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/gate_table.h"

#include <utofu.h>

/*
 * Everything here is rare, so that all accesses are sequentially consistent. What must be: the word of a gate is
 * written last, after what it says is there (owner, wiring, claims), and gate.c and gate_watch.c load it with acquire
 * before they read that.
 */

bool softtofu_gate_name_lives(const struct softtofu_fabric *fabric, uint16_t name)
{
    const struct softtofu_process *process = softtofu_fabric_process(fabric, name & 0xfff);

    return atomic_load(&process->state) == SOFTTOFU_PROCESS_ALIVE && (atomic_load(&process->epoch) & 0xf) == name >> 12;
}

/* Whether a living process has the gate in hand. */
static bool in_hand(const struct softtofu_fabric *fabric, uint64_t word)
{
    return (word & SOFTTOFU_GATE_FIRING) &&
           softtofu_gate_name_lives(fabric, (uint16_t)(word >> SOFTTOFU_GATE_FIRER_SHIFT));
}

/* Whether a signal that a freed gate holds can still be fetched: by a gate which is not freed itself. */
static bool is_awaited(const struct softtofu_fabric *fabric, const struct softtofu_gate *gate, uint64_t word)
{
    for (unsigned side = 0; side < SOFTTOFU_SIDES; side++) {
        uint32_t to = atomic_load(&gate->dst[side]);
        uint64_t there;
        if (!(word & SOFTTOFU_GATE_PENDING(side)) || to == SOFTTOFU_GATE_NONE)
            continue;
        there = atomic_load(&softtofu_gate_at(fabric, to)->word);
        if ((softtofu_gate_generation(there) & 1) && (there & SOFTTOFU_GATE_WAITER_ANY))
            return true;
    }
    return false;
}

/* The bit of the node alone says that a gate is free; with it, the gate's own word decides. */
static bool is_free(const struct softtofu_fabric *fabric, const struct softtofu_node *node, uint32_t number, unsigned tni,
                    unsigned id)
{
    const struct softtofu_gate *gate = softtofu_gate_at(fabric, number);
    uint64_t word;

    if (!(atomic_load(&node->gates_taken[tni]) >> id & 1))
        return true;
    word = atomic_load(&gate->word);
    return (softtofu_gate_generation(word) & 1) == 0 && !in_hand(fabric, word) && !is_awaited(fabric, gate, word);
}

static void take_gate(const struct softtofu_fabric *fabric, struct softtofu_node *node, unsigned rank, unsigned tni,
                      unsigned id, uint32_t number, uint64_t flags)
{
    struct softtofu_gate *gate = softtofu_gate_at(fabric, number);
    uint16_t generation        = (uint16_t)(softtofu_gate_generation(atomic_load(&gate->word)) + 1);

    atomic_fetch_or(&node->gates_taken[tni], UINT64_C(1) << id);
    atomic_store(&gate->owner, (uint16_t)rank);
    for (unsigned side = 0; side < SOFTTOFU_SIDES; side++) {
        atomic_store(&gate->src[side], SOFTTOFU_GATE_NONE);
        atomic_store(&gate->dst[side], SOFTTOFU_GATE_NONE);
        atomic_store(&gate->src_generation[side], 0);
        atomic_store(&gate->dst_generation[side], 0);
        atomic_store(&gate->early[side], (uint64_t)(uint16_t)(generation - 1) << 32);
    }
    /* From here on it is the rank's, and found when that dies. */
    atomic_store(&gate->word, (uint64_t)generation << SOFTTOFU_GATE_GENERATION_SHIFT | flags);
}

/* Relay gate candidates in the order in which they are taken. */
static unsigned candidate(unsigned turn)
{
    const unsigned relays = SOFTTOFU_GATES - SOFTTOFU_START_GATES;

    return turn < relays ? SOFTTOFU_START_GATES + turn : SOFTTOFU_GATES - 1 - turn;
}

static int take_locked(const struct softtofu_fabric *fabric, unsigned rank, unsigned tni, unsigned count, uint8_t *gates)
{
    unsigned node_number       = torus_map_place(softtofu_fabric_map(fabric), rank).node;
    struct softtofu_node *node = softtofu_fabric_node(fabric, node_number);
    uint32_t base              = softtofu_gate_number(node_number, tni, 0);
    unsigned found             = 0;

    for (unsigned id = 0; id < SOFTTOFU_START_GATES && found == 0; id++) {
        if (is_free(fabric, node, base + id, tni, id))
            gates[found++] = (uint8_t)id;
    }
    for (unsigned turn = 0; turn < SOFTTOFU_GATES && found > 0 && found < count; turn++) {
        unsigned id = candidate(turn);
        if (id != gates[0] && is_free(fabric, node, base + id, tni, id))
            gates[found++] = (uint8_t)id;
    }
    if (found < count)
        return UTOFU_ERR_FULL;
    for (unsigned i = 0; i < count; i++)
        take_gate(fabric, node, rank, tni, gates[i], base + gates[i], i == 0 ? SOFTTOFU_GATE_START : 0);
    return UTOFU_SUCCESS;
}

int softtofu_gates_take(const struct softtofu_fabric *fabric, unsigned rank, unsigned tni, unsigned count,
                        uint8_t *gates)
{
    int result;

    softtofu_lock(&fabric->head->mutex);
    result = take_locked(fabric, rank, tni, count, gates);
    softtofu_unlock(&fabric->head->mutex);
    return result;
}

static void give_back_locked(const struct softtofu_fabric *fabric, uint32_t number)
{
    const uint64_t in_use      = SOFTTOFU_GATE_FIRING | SOFTTOFU_GATE_PENDING_ANY;
    struct softtofu_node *node = softtofu_fabric_node(fabric, number / SOFTTOFU_NODE_GATES);
    struct softtofu_gate *gate = softtofu_gate_at(fabric, number);
    unsigned in_node           = number % SOFTTOFU_NODE_GATES;
    uint64_t word              = atomic_load(&gate->word);
    uint64_t next;

    do {
        uint16_t generation = (uint16_t)(softtofu_gate_generation(word) + 1);
        next = (word & in_use ? word & ~(UINT64_C(0xffff) << SOFTTOFU_GATE_GENERATION_SHIFT) : 0) |
               (uint64_t)generation << SOFTTOFU_GATE_GENERATION_SHIFT;
    } while (!atomic_compare_exchange_weak(&gate->word, &word, next));
    if (!(word & in_use))
        atomic_fetch_and(&node->gates_taken[in_node / SOFTTOFU_GATES], ~(UINT64_C(1) << in_node % SOFTTOFU_GATES));
}

void softtofu_gate_give_back(const struct softtofu_fabric *fabric, uint32_t number)
{
    softtofu_lock(&fabric->head->mutex);
    give_back_locked(fabric, number);
    softtofu_unlock(&fabric->head->mutex);
}

void softtofu_gates_give_back_all(const struct softtofu_fabric *fabric, unsigned rank)
{
    unsigned node_number             = torus_map_place(softtofu_fabric_map(fabric), rank).node;
    const struct softtofu_node *node = softtofu_fabric_node(fabric, node_number);

    for (unsigned tni = 0; tni < SOFTTOFU_TNIS; tni++) {
        uint64_t taken = atomic_load(&node->gates_taken[tni]);
        for (; taken != 0; taken &= taken - 1) {
            uint32_t number = softtofu_gate_number(node_number, tni, (unsigned)__builtin_ctzll(taken));
            const struct softtofu_gate *gate = softtofu_gate_at(fabric, number);
            if ((softtofu_gate_generation(atomic_load(&gate->word)) & 1) && atomic_load(&gate->owner) == rank)
                give_back_locked(fabric, number);
        }
    }
}

/* Make a gate that was set before like one that was not. @return Whether it could be. */
static bool unset(const struct softtofu_fabric *fabric, struct softtofu_gate *gate)
{
    const uint64_t under_way = SOFTTOFU_GATE_INPUTS | SOFTTOFU_GATE_WAITER_ANY | SOFTTOFU_GATE_FIRING |
                               SOFTTOFU_GATE_PENDING_ANY;
    uint64_t word = atomic_load(&gate->word);
    uint16_t generation;
    uint64_t next;

    do {
        if ((word & (SOFTTOFU_GATE_SET | SOFTTOFU_GATE_FAULT)) == 0)
            return true;
        if (in_hand(fabric, word) || (!(word & SOFTTOFU_GATE_FAULT) && (word & under_way)))
            return false;
        generation = (uint16_t)(softtofu_gate_generation(word) + (word & SOFTTOFU_GATE_FAULT ? 2 : 0));
        next       = (word & (SOFTTOFU_GATE_START | SOFTTOFU_GATE_SECOND)) |
               (uint64_t)generation << SOFTTOFU_GATE_GENERATION_SHIFT;
        /* Before the word says that it is not set: from then on senders make claims. */
        for (unsigned input = 0; input < SOFTTOFU_SIDES; input++)
            atomic_store(&gate->early[input], (uint64_t)(uint16_t)(generation - 1) << 32);
    } while (!atomic_compare_exchange_weak(&gate->word, &word, next));
    return true;
}

/* Whether all that came early fits the wiring if input i's goes to input i, or, @a crossed, to the other one. */
static bool fits(const struct softtofu_gate *gate, uint64_t word, const struct softtofu_wiring *wiring, bool crossed)
{
    for (unsigned input = 0; input < SOFTTOFU_SIDES; input++) {
        uint32_t sender = (uint32_t)atomic_load(&gate->early[input]) & INT32_MAX;
        if (softtofu_gate_input(word, input) != 0 && wiring->src[crossed ? !input : input] != sender)
            return false;
    }
    return true;
}

/* Put what came early to the inputs that the wiring tells. */
static uint64_t sort_early(const struct softtofu_gate *gate, uint64_t word, const struct softtofu_wiring *wiring)
{
    uint64_t others = word & ~(SOFTTOFU_GATE_INPUTS | SOFTTOFU_GATE_WAITER_ANY);

    if (fits(gate, word, wiring, false))
        return word;
    if (!fits(gate, word, wiring, true))
        return word | SOFTTOFU_GATE_FAULT;
    return others | (word & 0xff) << 8 | (word >> 8 & 0xff) |
           (word & SOFTTOFU_GATE_WAITER(0) ? SOFTTOFU_GATE_WAITER(1) : 0) |
           (word & SOFTTOFU_GATE_WAITER(1) ? SOFTTOFU_GATE_WAITER(0) : 0);
}

int softtofu_gate_set(struct softtofu_hand *hand, uint32_t number, const struct softtofu_wiring *wiring)
{
    struct softtofu_gate *gate = softtofu_gate_at(hand->fabric, number);
    uint64_t uses = 0, word, next;

    if (!unset(hand->fabric, gate))
        return UTOFU_ERR_BUSY;
    for (unsigned side = 0; side < SOFTTOFU_SIDES; side++) {
        atomic_store(&gate->src[side], wiring->src[side]);
        atomic_store(&gate->dst[side], wiring->dst[side]);
        atomic_store(&gate->src_generation[side], 0);
        atomic_store(&gate->dst_generation[side], 0);
        uses |= wiring->src[side] != SOFTTOFU_GATE_NONE ? SOFTTOFU_GATE_USES(side) : 0;
    }
    word = atomic_load(&gate->word);
    do {
        next = softtofu_gate_taken(hand, sort_early(gate, word, wiring) | uses | SOFTTOFU_GATE_SET);
    } while (!atomic_compare_exchange_weak(&gate->word, &word, next));
    if (next & SOFTTOFU_GATE_FIRING)
        softtofu_gate_fire(hand, number);
    return UTOFU_SUCCESS;
}

/* A neighbour that was ahead may have been freed by now: what it has sent is still to come. */
static uint16_t allocation_of(const struct softtofu_fabric *fabric, uint32_t number)
{
    return number == SOFTTOFU_GATE_NONE
                   ? 0
                   : softtofu_gate_allocation(atomic_load(&softtofu_gate_at(fabric, number)->word));
}

void softtofu_gate_bind(const struct softtofu_fabric *fabric, uint32_t number)
{
    struct softtofu_gate *gate = softtofu_gate_at(fabric, number);

    for (unsigned side = 0; side < SOFTTOFU_SIDES; side++) {
        atomic_store(&gate->src_generation[side], allocation_of(fabric, atomic_load(&gate->src[side])));
        atomic_store(&gate->dst_generation[side], allocation_of(fabric, atomic_load(&gate->dst[side])));
    }
}
