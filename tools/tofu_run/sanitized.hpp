/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a program is built with a sanitizer that replaces malloc. */
#ifndef TOFU_RUN_SANITIZED_HPP
#define TOFU_RUN_SANITIZED_HPP

#include <string>

namespace tofu_run
{

/* Looks for the names of sanitizers' entry points in the executable; a file that cannot be read has none. */
bool is_sanitized(const std::string &path);

} // namespace tofu_run

#endif
