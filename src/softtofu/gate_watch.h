/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file gate_watch.h
 * Who waits at a gate in vain? A look upstream: from the waiting gate over the wiring to the gates whose signals are
 * missing, and theirs, to where a living process has yet to start. An operation fails if on that way a gate is faulty,
 * belongs to nobody any more, or is in the hand of a process that died.
 */
#ifndef SOFTTOFU_GATE_WATCH_H
#define SOFTTOFU_GATE_WATCH_H

#include "softtofu/device.h"
#include "softtofu/gate.h"

/**
 * Look upstream of gate @a number, for which this process waits. Deaths of processes on the way are noticed by this
 * look or by one a little later. Costs time with the number of gates that it passes.
 * @return Whether the operation can no longer complete.
 */
bool softtofu_gate_in_vain(struct softtofu_device *device, uint32_t number);

#endif
