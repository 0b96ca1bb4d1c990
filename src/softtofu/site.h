/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file site.h
 * Where in the program a call came from.
 */
#ifndef SOFTTOFU_SITE_H
#define SOFTTOFU_SITE_H

#include <stddef.h>

/**
 * Name the innermost caller that is not of this library: "PROGRAM+0x1234 (FUNCTION)", as addr2line takes it, the function
 * only if it is exported; "?" if there is none. Takes microseconds. Threads: any.
 */
void softtofu_site(char *text, size_t size);

#endif
