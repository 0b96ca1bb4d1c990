/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/gate_watch.h"

#include "softtofu/gate_table.h"

#include <stdlib.h>

/*
 * A look only reads, and gates change meanwhile. Words are loaded with acquire, which pairs with the exchanges in
 * gate.c: who sees a gate without PENDING or FIRING, or freed, also sees the signal that was left elsewhere before. So
 * whoever concludes that nothing will come looks again whether the word that led there is still the same. All else is
 * loaded sequentially consistent, for simplicity: looks are rare.
 */

/** A look: gates to visit, each once. */
struct look {
    struct softtofu_device *device;
    const struct softtofu_fabric *fabric;
    uint8_t *seen;      /**< By gate. */
    uint32_t *to_visit; /**< A stack. */
    uint32_t count;
};

static void visit_later(struct look *look, uint32_t number)
{
    if (!look->seen[number]) {
        look->seen[number]           = 1;
        look->to_visit[look->count++] = number;
    }
}

/* See to it that the process' death is noticed. @return Whether it lives, as far as is known. */
static bool watch_name(struct look *look, uint16_t name)
{
    unsigned rank = name & 0xfff;

    if (rank != look->device->rank)
        softtofu_peer_watch(look->device->peers, rank);
    return softtofu_gate_name_lives(look->fabric, name);
}

/* Whether a gate is no longer the one that its neighbour was wired to. */
static bool is_gone(uint64_t word, uint16_t bound)
{
    uint16_t generation = softtofu_gate_generation(word);

    return (generation & 1) == 0 || (bound != 0 && bound != generation);
}

static uint64_t word_of(const struct softtofu_gate *gate)
{
    return atomic_load_explicit(&gate->word, memory_order_acquire);
}

/* Whether a signal that @a gate holds for @a side will never be fetched, if its word does not change meanwhile. */
static bool never_fetched(struct look *look, const struct softtofu_gate *gate, unsigned side)
{
    uint32_t to     = atomic_load(&gate->dst[side]);
    uint16_t helper = atomic_load(&gate->helper[side]);
    uint64_t word;

    if (to == SOFTTOFU_GATE_NONE)
        return false;
    word = word_of(softtofu_gate_at(look->fabric, to));
    if ((word & SOFTTOFU_GATE_FIRING) && watch_name(look, (uint16_t)(word >> SOFTTOFU_GATE_FIRER_SHIFT)))
        return false;
    if (is_gone(word, atomic_load(&gate->dst_generation[side])) || (word & SOFTTOFU_GATE_FAULT))
        return true;
    if (helper != SOFTTOFU_HELPER_NONE)
        return !watch_name(look, helper);
    visit_later(look, to);
    return false;
}

/* Whether @a gate, whose word is @a word, holds a signal that will never be fetched. */
static bool holds_in_vain(struct look *look, const struct softtofu_gate *gate, uint64_t word)
{
    bool in_vain = false;

    for (unsigned side = 0; side < SOFTTOFU_SIDES; side++)
        in_vain |= (word & SOFTTOFU_GATE_PENDING(side)) && never_fetched(look, gate, side);
    /* A helper that is done may be gone, too. */
    return in_vain && word_of(gate) == word;
}

/*
 * Whether @a source, which has not sent to a gate that waits for it, never will. What it needs itself is visited later.
 * Whoever has it in hand now, or its receiver, will change something, if alive.
 */
static bool silent_for_ever(struct look *look, uint32_t number, uint16_t bound)
{
    const struct softtofu_gate *source = softtofu_gate_at(look->fabric, number);
    uint64_t word                      = word_of(source);
    unsigned rank                      = atomic_load(&source->owner);

    if (word & SOFTTOFU_GATE_FIRING)
        return !watch_name(look, (uint16_t)(word >> SOFTTOFU_GATE_FIRER_SHIFT));
    if (word & SOFTTOFU_GATE_PENDING_ANY)
        return holds_in_vain(look, source, word);
    if (is_gone(word, bound) || (word & SOFTTOFU_GATE_FAULT))
        return true;
    if (rank != look->device->rank)
        softtofu_peer_watch(look->device->peers, rank);
    if (!(word & SOFTTOFU_GATE_START))
        visit_later(look, number);
    return false;
}

/* Whether @a gate lacks a signal for ever. */
static bool lacks_for_ever(struct look *look, uint32_t number)
{
    const struct softtofu_gate *gate = softtofu_gate_at(look->fabric, number);
    uint64_t word                    = word_of(gate);

    if (holds_in_vain(look, gate, word))
        return true;
    for (unsigned side = 0; side < SOFTTOFU_SIDES; side++) {
        if (!(word & SOFTTOFU_GATE_USES(side)) || softtofu_gate_input(word, side) != 0)
            continue;
        /* The source may have sent, and been freed, since: who sends leaves the signal before it lets go. */
        if (silent_for_ever(look, atomic_load(&gate->src[side]), atomic_load(&gate->src_generation[side])) &&
            word_of(gate) == word)
            return true;
    }
    return false;
}

bool softtofu_gate_in_vain(struct softtofu_device *device, uint32_t number)
{
    size_t gates     = (size_t)device->fabric.head->nodes * SOFTTOFU_NODE_GATES;
    struct look look = {.device = device, .fabric = &device->fabric};
    bool in_vain     = false;

    softtofu_peers_check(device->peers);
    look.seen     = calloc(gates, sizeof(*look.seen));
    look.to_visit = malloc(gates * sizeof(*look.to_visit));
    if (look.seen != NULL && look.to_visit != NULL) {
        visit_later(&look, number);
        while (look.count > 0 && !in_vain)
            in_vain = lacks_for_ever(&look, look.to_visit[--look.count]);
    }
    free(look.to_visit);
    free(look.seen);
    return in_vain;
}
