/* SPDX-License-Identifier: BSD-3-Clause */
/* One trace of a job out of those that its ranks write. */
#ifndef TOFU_RUN_TRACE_HPP
#define TOFU_RUN_TRACE_HPP

#include <string>

namespace tofu_run
{

/* SOFTTOFU_TRACE for the ranks of a job whose trace is to be @a file: "%r" stands for the rank. */
std::string trace_parts(const std::string &file);

/* See that @a file can be written, before there is something to lose. Throws Failure. */
void check_trace_file(const std::string &file);

/*
 * Join the parts of @a ranks ranks and remove them. Of a rank that was killed all complete lines
 * are taken; one without a part is left out. Throws Failure if @a file cannot be written; then the
 * parts stay.
 */
void join_trace(const std::string &file, unsigned ranks);

} // namespace tofu_run

#endif
