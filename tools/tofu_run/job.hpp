/* SPDX-License-Identifier: BSD-3-Clause */
/* The running job: starts its processes, passes signals on, ends it when it must end, and tells how
 * it ended. */
#ifndef TOFU_RUN_JOB_HPP
#define TOFU_RUN_JOB_HPP

#include "command.hpp"
#include "options.hpp"
#include "process.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tofu_run
{

class Job
{
  public:
    explicit Job(const Options &options);

    /*
     * Start all commands and wait until none of them runs.
     * Returns the exit status of the first that failed, 128 + n if signal n killed it, else 0.
     * Throws Failure, with nothing left running, if one cannot be started.
     */
    int run(const std::vector<Command> &commands);

  private:
    using Clock = std::chrono::steady_clock;

    struct Member {
        std::string label;
        bool launcher;
        Process process;
    };

    void block_signals();
    void start(const std::vector<Command> &commands);
    void wait_for_event();
    void on_signal(const siginfo_t &info);
    void on_deadline();
    void reap();
    void on_end(const Member &member, int wait_status);
    void stop();
    void kill_all();

    const Options &options;
    sigset_t handled; /* Blocked and fetched in wait_for_event(). */
    sigset_t inherited;
    std::vector<Member> members;
    std::map<pid_t, size_t> running; /* Process to index in members. */
    std::optional<int> first_failure;
    std::optional<Clock::time_point> timeout_at;
    std::optional<Clock::time_point> kill_at;
    bool stopping;
    int interrupted_by; /* The last signal that asked for the end, or 0. */
};

} // namespace tofu_run

#endif
