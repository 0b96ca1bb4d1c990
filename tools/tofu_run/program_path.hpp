/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding executables as a shell does, before anything is started. */
#ifndef TOFU_RUN_PROGRAM_PATH_HPP
#define TOFU_RUN_PROGRAM_PATH_HPP

#include <optional>
#include <string>

namespace tofu_run
{

/* The file that @a name means: a path if it has a slash, else looked up in PATH. */
std::optional<std::string> find_in_path(const std::string &name);

/* As above; throws Failure if there is none, or if it cannot be executed. */
std::string find_program(const std::string &name);

} // namespace tofu_run

#endif
