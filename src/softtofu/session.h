/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file session.h
 * Session mode: commands of a VCQ that puts of peers release.
 *
 * A put with UTOFU_ONESIDED_FLAG_SPS(n) adds n to the target's session offset, which lies in its slot of the fabric. On
 * hardware the target's TNI then executes n commands, whatever its program does: it may compute, wait for its memory to
 * change, or be in another library's barrier. Here a thread of the target's process does, one a session-mode VCQ; it
 * sleeps until a put wakes it. Polls and posts of the program execute released commands, too, so a program that polls
 * does not wait for the thread.
 */
#ifndef SOFTTOFU_SESSION_H
#define SOFTTOFU_SESSION_H

#include "softtofu/layout.h"

#include <stdbool.h>

struct softtofu_vcq;

/**
 * Start the thread of a VCQ in session mode, or with faults that delay commands.
 * @param session  Whether peers release its commands.
 * @return Whether it runs.
 */
bool softtofu_session_begin(struct softtofu_vcq *vcq, bool session);

/** End it, if there is one, after the command that it executes. */
void softtofu_session_end(struct softtofu_vcq *vcq);

/** Session offset: commands released since the VCQ was made, modulo 2^32. What their puts wrote is visible. */
static inline uint32_t softtofu_session_released(const struct softtofu_vcq_slot *slot)
{
    /* Acquire: pairs with the release of softtofu_session_release(), so a released command sends what the put wrote. */
    return atomic_load_explicit(&slot->session_released, memory_order_acquire);
}

/** Let the thread of a slot's VCQ, if it has one, look for commands to execute. */
void softtofu_session_wake(struct softtofu_vcq_slot *slot);

/** Release @a number commands of the VCQ of @a slot; without effect unless it is in session mode. */
void softtofu_session_release(struct softtofu_vcq_slot *slot, uint32_t number);

#endif
