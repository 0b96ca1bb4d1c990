/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file env.h
 * The one table of environment variables that the software device reads. It feeds the parser below,
 * softtofu_env_table(), `tofu-info --env` and the documentation; nothing else in src/softtofu calls getenv for
 * a variable of its own.
 */
#ifndef SOFTTOFU_ENV_H
#define SOFTTOFU_ENV_H

#include <stdbool.h>

/* X(identifier, "name", "type", "default", "help") */
#define SOFTTOFU_ENV_LIST(X)                                                                       \
    X(JOB, "SOFTTOFU_JOB", "string", "",                                                           \
      "Name of the job to join; set by tofu-run. Default: the launcher's job, or the user's own "  \
      "shared one for processes without a launcher.")                                              \
    X(RANK, "SOFTTOFU_RANK", "count", "",                                                          \
      "Rank of this process in the job; default: the launcher's rank, else the first free one.")   \
    X(SIZE, "SOFTTOFU_SIZE", "count", "", "Number of ranks of the job; default: the launcher's.")  \
    X(SHAPE, "SOFTTOFU_SHAPE", "XxYxZxAxBxC", "",                                                  \
      "Nodes along the six axes; default: the smallest shape that holds the job.")                 \
    X(NODES, "SOFTTOFU_NODES", "LX[xLY[xLZ]]", "",                                                 \
      "Nodes of the job in one to three logical dimensions, which are folded over the six of the " \
      "network; default: in one, by node number.")                                                 \
    X(WRAP, "SOFTTOFU_WRAP", "axes|none", "xzb",                                                   \
      "Axes of the shape that are rings, by their letters xyzabc; the others are meshes.")         \
    X(PPN, "SOFTTOFU_PPN", "count", "1",                                                           \
      "Processes per node, 1..48: rank r is on node r / PPN unless a map says otherwise.")         \
    X(MAP, "SOFTTOFU_MAP", "file", "",                                                             \
      "File that says where ranks are: a line (x), (x,y) or (x,y,z) of logical, or (x,y,z,a,b,c) " \
      "of physical coordinates for each rank, or for each node.")                                  \
    X(MAPINFO_NODE, "JTOFU_MAPINFO_NODE", "LX[xLY[xLZ]]", "",                                      \
      "Logical nodes of the job that jtofu_create_mapinfo_by_envvars() describes; default: the "   \
      "job that the process runs in.")                                                             \
    X(MRQ_DEPTH, "SOFTTOFU_MRQ_DEPTH", "count", "131072",                                          \
      "Entries of a message reception queue, a power of two from 16 to 2097152.")                  \
    X(TOQ_DEPTH, "SOFTTOFU_TOQ_DEPTH", "count", "2048",                                            \
      "Entries of a transmit order queue and of its completion queue, a power of two from 16 to "  \
      "2097152.")                                                                                  \
    X(MRQ_OVERFLOW, "SOFTTOFU_MRQ_OVERFLOW", "busy|abort", "busy",                                 \
      "What a put does that finds its target's MRQ full: return UTOFU_ERR_BUSY, or end the "       \
      "program as the hardware's driver does.")                                                    \
    X(ATTACH, "SOFTTOFU_ATTACH", "yes|no", "yes",                                                  \
      "Whether memory that is not a shared mapping may be registered, to be reached by "           \
      "cross-memory attach.")                                                                      \
    X(HEAP_SIZE, "SOFTTOFU_HEAP_SIZE", "count", "",                                                \
      "MiB of address space of the heap under tofu-run --heap, 64..67108864; default: the "        \
      "machine's memory.")                                                                         \
    X(CHECK, "SOFTTOFU_CHECK", "off|strict|abort", "off",                                          \
      "Whether to look for what works here and breaks on hardware, and tell it, or end the "       \
      "program at it.")                                                                            \
    X(TRACE, "SOFTTOFU_TRACE", "file", "",                                                         \
      "Write each rank's calls to this file as a trace for Perfetto; %r stands for the rank, %p "  \
      "for the process id; without either the rank is put before the last dot.")                   \
    X(FAULT, "SOFTTOFU_FAULT", "plan", "",                                                         \
      "Faults that calls and commands are to have, for tests of programs, as in "                  \
      "busy=0.1,error=0.01:MRQ_PEER,seed=7; docs/faults.md says how.")

enum softtofu_env_id {
#define X(id, name, type, value, help) SOFTTOFU_ENV_##id,
    SOFTTOFU_ENV_LIST(X)
#undef X
    SOFTTOFU_ENV_COUNT
};

/** @return The variable's value, its default if it is unset or empty. */
const char *softtofu_env_string(enum softtofu_env_id id);

/**
 * Read a whole number within bounds.
 * @return 0, or -1 with one line logged: the value is no number, or out of [@a min, @a max].
 */
int softtofu_env_count(enum softtofu_env_id id, unsigned long min, unsigned long max,
                       unsigned long *value);

/**
 * Read a whole number within bounds from another variable's value.
 * @param name,text  The variable and its value.
 * @return As softtofu_env_count().
 */
int softtofu_env_number(const char *name, const char *text, unsigned long min, unsigned long max,
                        unsigned long *value);

/**
 * Read one of two words.
 * @return 0 with @a value telling whether it was @a yes, or -1 with one line logged: it was neither.
 */
int softtofu_env_choice(enum softtofu_env_id id, const char *yes, const char *no, bool *value);

#endif
