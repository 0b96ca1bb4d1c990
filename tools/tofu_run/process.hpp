/* SPDX-License-Identifier: BSD-3-Clause */
/* A started command. */
#ifndef TOFU_RUN_PROCESS_HPP
#define TOFU_RUN_PROCESS_HPP

#include "command.hpp"

#include <sys/types.h>

namespace tofu_run
{

class Process
{
  public:
    /*
     * Start @a command with @a signals unblocked as they were before tofu-run blocked some.
     * Throws Failure if it cannot be executed.
     */
    Process(const Command &command, const sigset_t &signals);

    pid_t pid() const;

    /* Send @a signal; to its children too unless it is a launcher. */
    void signal(int signal) const;

    /* SIGKILL for what it started and left behind, if it has a group of its own. Allowed after its
     * end. */
    void kill_leftovers() const;

    /* As signal(), but one that the terminal sent to tofu-run's group is not sent a second time. */
    void forward(int signal, bool from_terminal) const;

  private:
    pid_t id;
    bool own_group;
    bool launcher;
};

} // namespace tofu_run

#endif
