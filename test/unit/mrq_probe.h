/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file mrq_probe.h
 * A process that can stop at any step of what it does in the fabric: C++ cannot see the atomics of the real one.
 */
#ifndef TEST_UNIT_MRQ_PROBE_H
#define TEST_UNIT_MRQ_PROBE_H

#include "utofu.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Aim @a producer at the MRQ of @a consumer; both live as long as the process. @return Whether it is there. */
bool mrq_probe_aim(utofu_vcq_hdl_t producer, utofu_vcq_id_t consumer);

/** Claim an entry as claim number @a claim, 0..63. @return Whether one was free. */
bool mrq_probe_claim(unsigned claim);

void mrq_probe_publish(unsigned claim, unsigned type, uint64_t edata, uint64_t stadd);
void mrq_probe_void(unsigned claim);

/** Set the hint where producers begin to look. */
void mrq_probe_set_hint(uint64_t tail);

/** Take and give back the lock of atomics on attached memory. Assumes mrq_probe_aim(). */
void mrq_probe_lock(void);
void mrq_probe_unlock(void);

#ifdef __cplusplus
}
#endif

#endif
