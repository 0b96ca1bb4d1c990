/* SPDX-License-Identifier: BSD-3-Clause */
/* One process that tofu-run starts: a rank, or the launcher of an MPI. */
#ifndef TOFU_RUN_COMMAND_HPP
#define TOFU_RUN_COMMAND_HPP

#include <csignal>
#include <functional>
#include <string>
#include <vector>

namespace tofu_run
{

struct Command {
    std::string label; /* For messages: "rank 3". */
    std::string path;  /* Of the executable. */
    std::vector<std::string> argv;
    std::vector<std::string> environment; /* Whole, "NAME=value". */
    bool reads_stdin = false;             /* Else it reads /dev/null. */
    bool launcher = false;                /* Sees to the ranks itself: signals go to it alone. */
    int parent_death_signal = SIGKILL;    /* What it gets if tofu-run is killed. */
    std::function<bool()> pin; /* Called in the new process; false: it could not be pinned. */
};

} // namespace tofu_run

#endif
