/* SPDX-License-Identifier: BSD-3-Clause */
#include "process.hpp"

#include "failure.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tofu_run
{

namespace
{

/* What the new process tells its parent if it cannot become the program. */
struct StartError {
    int error;    /* errno. */
    bool pinning; /* Else executing. */
};

std::vector<char *> pointers(const std::vector<std::string> &words)
{
    std::vector<char *> result;
    for (const std::string &word : words)
        result.push_back(const_cast<char *>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

/* Runs in the new process; returns only on failure. */
StartError become(const Command &command, char *const *argv, char *const *envp, bool own_group,
                  pid_t parent, const sigset_t &signals)
{
    if (own_group)
        setpgid(0, 0);
    /* The kernel's promise that no rank outlives tofu-run, even one that is killed with SIGKILL. */
    prctl(PR_SET_PDEATHSIG, command.parent_death_signal);
    if (getppid() != parent)
        _exit(STATUS_FAILED);
    if (!command.reads_stdin) {
        const int null = open("/dev/null", O_RDONLY);
        if (null > 0) {
            dup2(null, STDIN_FILENO);
            close(null);
        }
    }
    if (command.pin && !command.pin())
        return {errno, true};
    sigprocmask(SIG_SETMASK, &signals, nullptr);
    execve(command.path.c_str(), argv, envp);
    return {errno, false};
}

} // namespace

Process::Process(const Command &command, const sigset_t &signals)
    : id(-1), own_group(!(command.reads_stdin && isatty(STDIN_FILENO))), launcher(command.launcher)
{
    /* A process in a group of its own could not read the terminal: whoever reads it stays in
     * tofu-run's. */
    const std::vector<char *> argv = pointers(command.argv);
    const std::vector<char *> envp = pointers(command.environment);
    const pid_t parent = getpid();
    StartError error = {};
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        throw Failure(STATUS_FAILED, std::string("cannot make a pipe: ") + std::strerror(errno));
    id = fork();
    if (id == 0) {
        error = become(command, argv.data(), envp.data(), own_group, parent, signals);
        (void)!write(ends[1], &error, sizeof(error));
        _exit(STATUS_NOT_EXECUTABLE);
    }
    const int fork_errno = errno;
    close(ends[1]);
    /* The pipe closes when the program runs, which is when all of the above is in effect. */
    const bool failed = id > 0 && read(ends[0], &error, sizeof(error)) == sizeof(error);
    close(ends[0]);
    if (id < 0)
        throw Failure(STATUS_FAILED,
                      "cannot start " + command.label + ": " + std::strerror(fork_errno) +
                              ": start fewer ranks, or raise the limit of processes");
    if (failed) {
        waitpid(id, nullptr, 0);
        throw Failure(STATUS_NOT_EXECUTABLE,
                      (error.pinning ? "cannot pin " + command.label + " to a core"
                                     : "cannot execute " + command.path) +
                              ": " + std::strerror(error.error));
    }
}

pid_t Process::pid() const
{
    return id;
}

void Process::signal(int signal) const
{
    kill(own_group && !launcher ? -id : id, signal);
}

void Process::kill_leftovers() const
{
    if (own_group && !launcher)
        kill(-id, SIGKILL);
}

void Process::forward(int number, bool from_terminal) const
{
    if (own_group || !from_terminal)
        signal(number);
}

} // namespace tofu_run
