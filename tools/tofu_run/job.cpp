/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.hpp"

#include "failure.hpp"

#include <algorithm>
#include <cstring>
#include <iostream>

#include <fmt/format.h>
#include <sys/wait.h>

namespace tofu_run
{

namespace
{

const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

void tell(const std::string &line)
{
    std::cerr << "tofu-run: " + line + "\n";
}

std::chrono::steady_clock::time_point after(double seconds)
{
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                   std::chrono::duration<double>(seconds));
}

} // namespace

Job::Job(const Options &options)
    : options(options), handled(), inherited(), stopping(false), interrupted_by(0)
{
}

int Job::run(const std::vector<Command> &commands)
{
    block_signals();
    start(commands);
    if (options.timeout > 0)
        timeout_at = after(options.timeout);
    while (!running.empty())
        wait_for_event();
    if (stopping)
        kill_all();
    return first_failure.value_or(0);
}

void Job::block_signals()
{
    /* A parent may have made us ignore it, and then no child could be waited for. */
    std::signal(SIGCHLD, SIG_DFL);
    sigemptyset(&handled);
    sigaddset(&handled, SIGCHLD);
    for (int signal : forwarded)
        sigaddset(&handled, signal);
    sigprocmask(SIG_BLOCK, &handled, &inherited);
}

void Job::start(const std::vector<Command> &commands)
{
    for (const Command &command : commands) {
        try {
            members.push_back({command.label, command.launcher, Process(command, inherited)});
        } catch (const Failure &) {
            kill_all();
            for (const auto &entry : running)
                waitpid(entry.first, nullptr, 0);
            throw;
        }
        running[members.back().process.pid()] = members.size() - 1;
    }
}

void Job::wait_for_event()
{
    siginfo_t info;
    timespec wait = {3600, 0};

    for (const auto &deadline : {timeout_at, kill_at}) {
        if (!deadline)
            continue;
        const auto left =
                std::max<long long>((*deadline - Clock::now()) / std::chrono::nanoseconds(1), 0);
        if (left < wait.tv_sec * 1000000000LL + wait.tv_nsec)
            wait = {static_cast<time_t>(left / 1000000000), static_cast<long>(left % 1000000000)};
    }
    const int signal = sigtimedwait(&handled, &info, &wait);
    if (signal == SIGCHLD)
        reap();
    else if (signal > 0)
        on_signal(info);
    on_deadline();
}

/* SIGTERM and SIGHUP end a job for good; SIGINT is left to the ranks, as a debugger needs it, the
 * first time. */
void Job::on_signal(const siginfo_t &info)
{
    const bool from_terminal = info.si_code == SI_KERNEL;

    for (const auto &entry : running)
        members[entry.second].process.forward(info.si_signo, from_terminal);
    if (info.si_signo == SIGUSR1 || info.si_signo == SIGUSR2)
        return;
    if (info.si_signo != SIGINT || interrupted_by != 0) {
        stopping = true;
        if (!kill_at)
            kill_at = after(options.grace);
    }
    interrupted_by = info.si_signo;
}

void Job::on_deadline()
{
    const auto now = Clock::now();

    if (timeout_at && now >= *timeout_at) {
        timeout_at.reset();
        if (!stopping && !running.empty()) {
            tell(fmt::format("stopping the job: it has run for the {} s that --timeout allows",
                             options.timeout));
            first_failure = first_failure.value_or(STATUS_TIMEOUT);
            stop();
        }
    }
    if (kill_at && now >= *kill_at) {
        kill_at.reset();
        kill_all();
    }
}

void Job::reap()
{
    int wait_status;
    pid_t pid;

    while ((pid = waitpid(-1, &wait_status, WNOHANG)) > 0) {
        const auto entry = running.find(pid);
        if (entry == running.end())
            continue;
        const Member &member = members[entry->second];
        running.erase(entry);
        on_end(member, wait_status);
    }
}

void Job::on_end(const Member &member, int wait_status)
{
    const bool killed = WIFSIGNALED(wait_status);
    int code = killed ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);

    /* Launchers kill the ranks on a signal, and some then call that a success. */
    if (code == 0 && member.launcher && interrupted_by != 0)
        code = 128 + interrupted_by;
    if (code == 0)
        return;
    first_failure = first_failure.value_or(code);
    if (stopping || interrupted_by != 0)
        return;
    const std::string how =
            killed ? fmt::format("was killed by signal {} ({})", code - 128, strsignal(code - 128))
                   : fmt::format("ended with status {}", code);
    const bool stop_others = !options.keep_going && !running.empty();
    tell(fmt::format("{} (process {}) {}{}", member.label, member.process.pid(), how,
                     stop_others ? "; stopping the others" : ""));
    if (stop_others)
        stop();
}

void Job::stop()
{
    stopping = true;
    for (const auto &entry : running)
        members[entry.second].process.signal(SIGTERM);
    kill_at = after(options.grace);
}

void Job::kill_all()
{
    for (const auto &entry : running)
        members[entry.second].process.signal(SIGKILL);
    for (const Member &member : members)
        member.process.kill_leftovers();
}

} // namespace tofu_run
