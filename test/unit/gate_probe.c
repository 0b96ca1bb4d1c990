/* SPDX-License-Identifier: BSD-3-Clause */
#include "gate_probe.h"

#include "softtofu/vbg.h"

/* The name of a process that is not there: of the last rank, which tests never start. */
static uint16_t name_of_the_dead(void)
{
    return softtofu_gate_name(softtofu_device()->fabric.head->processes_max - 1, 1);
}

static uint32_t number_of(utofu_vbg_id_t id)
{
    return softtofu_vbg(softtofu_device(), id)->number;
}

static struct softtofu_gate *gate_of(utofu_vbg_id_t id)
{
    return softtofu_gate_at(&softtofu_device()->fabric, number_of(id));
}

static uint64_t word_of(utofu_vbg_id_t id)
{
    return atomic_load(&gate_of(id)->word);
}

unsigned gate_probe_signals(utofu_vbg_id_t id)
{
    uint64_t word = word_of(id);

    return (softtofu_gate_input(word, SOFTTOFU_LOCAL) != 0) + (softtofu_gate_input(word, SOFTTOFU_REMOTE) != 0);
}

bool gate_probe_holds(utofu_vbg_id_t id)
{
    return word_of(id) & SOFTTOFU_GATE_PENDING_ANY;
}

bool gate_probe_is_faulty(utofu_vbg_id_t id)
{
    return word_of(id) & SOFTTOFU_GATE_FAULT;
}

/* @return The kind that is held for input @a input of gate @a number. */
static softtofu_kind_t fetch(const struct softtofu_gate *gate, uint32_t number, unsigned input)
{
    struct softtofu_gate *sender = softtofu_gate_at(&softtofu_device()->fabric, atomic_load(&gate->src[input]));
    unsigned side                = atomic_load(&sender->dst[input]) == number ? input : !input;

    atomic_store(&sender->helper_generation[side], softtofu_gate_generation(atomic_load(&sender->word)));
    atomic_store(&sender->helper[side], name_of_the_dead());
    return atomic_load(&sender->held);
}

void gate_probe_fetch_and_die(utofu_vbg_id_t id)
{
    struct softtofu_gate *gate = gate_of(id);
    uint64_t word              = atomic_load(&gate->word);
    uint64_t next              = word & ~(SOFTTOFU_GATE_INPUTS | SOFTTOFU_GATE_WAITER_ANY);

    for (unsigned input = 0; input < SOFTTOFU_SIDES; input++) {
        if (word & SOFTTOFU_GATE_WAITER(input))
            next |= (uint64_t)fetch(gate, number_of(id), input) << 8 * input;
    }
    atomic_store(&gate->word, next);
}

void gate_probe_take_and_die(utofu_vbg_id_t id)
{
    atomic_fetch_or(&gate_of(id)->word,
                    SOFTTOFU_GATE_FIRING | (uint64_t)name_of_the_dead() << SOFTTOFU_GATE_FIRER_SHIFT);
}
