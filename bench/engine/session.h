// SPDX-License-Identifier: BSD-3-Clause
// What the measuring programs have in common: from the command line to the exit status.
#ifndef TOFU_BENCH_SESSION_H
#define TOFU_BENCH_SESSION_H

#include "exchange.h"

#include <functional>
#include <memory>

namespace tofu_bench
{

/// @return 0; 1 if data was wrong or something failed; 2 for a wrong command line.
int run_main(int argc, char **argv, const std::function<std::unique_ptr<Exchange>()> &meet);

} // namespace tofu_bench

#endif
