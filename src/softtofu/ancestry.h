/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file ancestry.h
 * The processes that this one descends from, and what they had in their environment when they were executed. That tells
 * what a launcher set for this process from what it inherited, whatever shells and scripts are in between.
 */
#ifndef SOFTTOFU_ANCESTRY_H
#define SOFTTOFU_ANCESTRY_H

#include <sys/types.h>

/**
 * Count the nearest ancestors, one after the other, that have variable @a name with the value that it has here. Those whose
 * environment may not be read do not have it.
 */
unsigned softtofu_ancestors_sharing(const char *name);

/** @return The first ancestor that does not share variable @a name: who set it. */
pid_t softtofu_ancestor_setting(const char *name);

/** @return The nearest ancestor whose command is @a command, of up to 15 characters, or 0. */
pid_t softtofu_ancestor_named(const char *command);

#endif
