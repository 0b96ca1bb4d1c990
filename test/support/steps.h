/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file steps.h
 * Makes one step inside the software device fail: one of its own requests to the C library or the kernel for memory,
 * files, descriptors, sockets or threads. Works in programs that link the archives made by tofukit_failing_steps(),
 * whose requests come here; those of the program itself do not.
 */
#ifndef TEST_SUPPORT_STEPS_H
#define TEST_SUPPORT_STEPS_H

#ifdef __cplusplus
extern "C" {
#endif

/** Count from 1 again, and let step @a number fail; 0: none. */
void steps_begin(unsigned long number);

/** @return Steps taken since. */
unsigned long steps_taken(void);

#ifdef __cplusplus
}
#endif

#endif
