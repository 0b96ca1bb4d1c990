/* SPDX-License-Identifier: BSD-3-Clause */
/* The two ways to start the ranks of a job, as lists of commands; nothing here starts anything. */
#ifndef TOFU_RUN_LAUNCH_HPP
#define TOFU_RUN_LAUNCH_HPP

#include "binding.hpp"
#include "command.hpp"
#include "environment.hpp"
#include "options.hpp"

#include <vector>

namespace tofu_run
{

/* One command a rank. @a binding must outlive what is returned. Throws Failure if a program is not
 * found. */
std::vector<Command> direct_commands(const Options &options, const Environment &environment,
                                     const Binding &binding);

/* The launcher of options.mpi. Throws Failure if it, or the program, is not found. */
std::vector<Command> mpi_commands(const Options &options, const Environment &environment,
                                  const Binding &binding);

} // namespace tofu_run

#endif
