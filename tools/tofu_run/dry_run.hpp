/* SPDX-License-Identifier: BSD-3-Clause */
/* What would be set and run, for --dry-run. */
#ifndef TOFU_RUN_DRY_RUN_HPP
#define TOFU_RUN_DRY_RUN_HPP

#include "command.hpp"
#include "environment.hpp"
#include "options.hpp"

#include <ostream>

namespace tofu_run
{

/*
 * One NAME=value a line, then the command, quoted for a shell. Ranks of one program that tofu-run
 * starts itself share a command, which their SOFTTOFU_RANK=first..last precedes.
 */
void print_plan(std::ostream &out, const Options &options, const Environment &environment,
                const std::vector<Command> &commands);

} // namespace tofu_run

#endif
