/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file gate_table.h
 * The gates of a node: who has which, and how they are wired.
 *
 * Start/end gates are taken from id 0 upwards. Relay gates are taken from 16 upwards, and, when these run out, from 15
 * downwards: a gate that can start an operation can relay as well, but is better kept for what others cannot do.
 */
#ifndef SOFTTOFU_GATE_TABLE_H
#define SOFTTOFU_GATE_TABLE_H

#include "softtofu/gate.h"

/**
 * Take @a count gates of @a tni of @a rank's node for it. The first is a start/end gate.
 * @param[out] gates  Their ids on the TNI.
 * @return UTOFU_SUCCESS, or UTOFU_ERR_FULL with nothing taken.
 */
int softtofu_gates_take(const struct softtofu_fabric *fabric, unsigned rank, unsigned tni, unsigned count,
                        uint8_t *gates);

/** Give back a gate. What is held in it, or in the hand of a living process, still goes out. */
void softtofu_gate_give_back(const struct softtofu_fabric *fabric, uint32_t number);

/** Give back all gates of @a rank. Assumes that the caller has the fabric's mutex. */
void softtofu_gates_give_back_all(const struct softtofu_fabric *fabric, unsigned rank);

/** Numbers of gates, SOFTTOFU_GATE_NONE for none, by side. */
struct softtofu_wiring {
    uint32_t src[SOFTTOFU_SIDES], dst[SOFTTOFU_SIDES];
};

/**
 * Wire a gate of the hand's process. What came since it was allocated stays. A faulty gate begins anew: it loses what
 * is in it, and what is still on its way to it.
 * @return UTOFU_SUCCESS, or UTOFU_ERR_BUSY: an operation is under way on it, or somebody still has it in hand.
 */
int softtofu_gate_set(struct softtofu_hand *hand, uint32_t number, const struct softtofu_wiring *wiring);

/**
 * Remember with which allocations of its neighbours a gate works, when all are set: those who come after them in the
 * same place are others.
 */
void softtofu_gate_bind(const struct softtofu_fabric *fabric, uint32_t number);

/** Whether the process of this name, see softtofu_gate_name(), is not known to have ended. */
bool softtofu_gate_name_lives(const struct softtofu_fabric *fabric, uint16_t name);

#endif
