/* SPDX-License-Identifier: BSD-3-Clause */
/* What ends tofu-run early: one line for the user and an exit status. */
#ifndef TOFU_RUN_FAILURE_HPP
#define TOFU_RUN_FAILURE_HPP

#include <stdexcept>
#include <string>

namespace tofu_run
{

/* Exit statuses besides those of the ranks; the first three are a shell's, the last is
 * timeout(1)'s. */
enum Status {
    STATUS_USAGE = 2,
    STATUS_NOT_EXECUTABLE = 126,
    STATUS_NOT_FOUND = 127,
    STATUS_FAILED = 1,
    STATUS_TIMEOUT = 124
};

class Failure : public std::runtime_error
{
  public:
    Failure(int status, const std::string &message) : std::runtime_error(message), status(status) {}

    const int status;
};

} // namespace tofu_run

#endif
