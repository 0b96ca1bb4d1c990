/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file api.h
 * What each public call does besides its work: it has a twin for profilers, and its failures are remembered.
 */
#ifndef SOFTTOFU_API_H
#define SOFTTOFU_API_H

#include <utofu_profile.h>

/**
 * After the definition of putofu_@a name: let programs call it as utofu_@a name. Weak, so that a profiler's definition
 * takes its place in a static link, too.
 */
#define SOFTTOFU_TWIN(name)                                                                        \
    extern __typeof__(putofu_##name) utofu_##name __attribute__((weak, alias("putofu_" #name)))

/** @param name  Of an error code of utofu.h, without UTOFU_ERR_. @return The code, or UTOFU_SUCCESS if there is none. */
int softtofu_failure_code(const char *name);

/** Remember a failure for utofu_get_last_error(). @param call  "putofu_...": __func__ of the public call. */
void softtofu_remember_failure(const char *call, int code);

/**
 * What a public call returns, remembered if it is a failure: not if it is a state of a queue or a gate that a program
 * polls for. @return @a code.
 */
static inline int softtofu_tell(const char *call, int code)
{
    if (__builtin_expect(code < UTOFU_ERR_BUSY, 0))
        softtofu_remember_failure(call, code);
    return code;
}

/** softtofu_tell() for use in the public call itself. */
#define softtofu_told(code) softtofu_tell(__func__, (code))

#endif
