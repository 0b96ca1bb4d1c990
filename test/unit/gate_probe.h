/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file gate_probe.h
 * What lies in a gate, and processes that die with one in hand: C++ cannot see the atomics. For agents that have
 * allocated the gates.
 */
#ifndef TEST_UNIT_GATE_PROBE_H
#define TEST_UNIT_GATE_PROBE_H

#include "utofu.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @return How many of a gate's inputs have a signal. */
unsigned gate_probe_signals(utofu_vbg_id_t id);

/** Whether a gate holds a signal that its receiver has no room for. */
bool gate_probe_holds(utofu_vbg_id_t id);

bool gate_probe_is_faulty(utofu_vbg_id_t id);

/**
 * Empty a gate's inputs and bring in the signals that others hold for them, as the process does that fires it or ends
 * there, and die before telling the senders. Assumes that the gate is wired and one is held.
 */
void gate_probe_fetch_and_die(utofu_vbg_id_t id);

/** Take a relay gate as if to fire it, and die. */
void gate_probe_take_and_die(utofu_vbg_id_t id);

#ifdef __cplusplus
}
#endif

#endif
