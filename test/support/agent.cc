/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/agent.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <mutex>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace support
{
namespace
{

constexpr int answer_ms          = 45000; /* Longer than any call takes, even under a sanitizer. */
constexpr size_t message_max     = 65536;
constexpr uint64_t thread_bit    = uint64_t(1) << 63;
char *main_stack_area;

struct Header {
    uint64_t call;
    detail::Thunk thunk;
    detail::Function function;
};

std::mutex answering;

void answer(int socket, Header header, Bytes arguments)
{
    Bytes out(reinterpret_cast<const char *>(&header.call), sizeof(header.call));

    header.thunk(header.function, arguments.data(), out);
    std::lock_guard<std::mutex> lock(answering);
    if (::send(socket, out.data(), out.size(), MSG_NOSIGNAL) < 0)
        _exit(1);
}

/* The life of an agent: until the test closes its end, or asks for the end by an empty message. */
void serve(int socket)
{
    char area[Agent::stack_area_size];
    static char message[message_max];
    ssize_t size;

    main_stack_area = area;
    while ((size = ::recv(socket, message, sizeof(message), 0)) >= ssize_t(sizeof(Header))) {
        Header header;
        memcpy(&header, message, sizeof(header));
        Bytes arguments(message + sizeof(header), size_t(size) - sizeof(header));
        if (header.call & thread_bit)
            std::thread(answer, socket, header, arguments).detach();
        else
            answer(socket, header, arguments);
    }
}

void become_agent(const Environment &environment, int socket, int errors)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(errors, STDERR_FILENO);
    for (const auto &[name, value] : environment) {
        if (value.empty())
            unsetenv(name.c_str());
        else
            setenv(name.c_str(), value.c_str(), 1);
    }
    serve(socket);
    std::exit(0);
}

} // namespace

Agent::Agent(const Environment &environment)
{
    int ends[2];

    errors_ = memfd_create("agent-errors", MFD_CLOEXEC);
    if (errors_ < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error("cannot make a channel for an agent");
    fflush(nullptr);
    pid_ = fork();
    if (pid_ < 0)
        throw std::runtime_error("cannot fork");
    if (pid_ == 0) {
        close(ends[0]);
        become_agent(environment, ends[1], errors_);
    }
    close(ends[1]);
    socket_ = ends[0];
}

Agent::~Agent()
{
    if (!ended_ && finish() != 0)
        ADD_FAILURE() << "agent " << pid_ << " ended with wait status " << status_ << "; it said:\n"
                      << errors();
    close(socket_);
    close(errors_);
}

uint64_t Agent::send(bool thread, detail::Thunk thunk, detail::Function function, const Bytes &packed)
{
    Header header{++calls_ | (thread ? thread_bit : 0), thunk, function};
    Bytes message(reinterpret_cast<const char *>(&header), sizeof(header));

    message += packed;
    if (ended_ || ::send(socket_, message.data(), message.size(), MSG_NOSIGNAL) < 0)
        throw AgentGone("the agent is gone; it said: " + errors());
    return header.call;
}

bool Agent::arrived(uint64_t call, int ms)
{
    Bytes message;

    while (early_.count(call) == 0) {
        struct pollfd wait = {socket_, POLLIN, 0};
        uint64_t answered;
        if (poll(&wait, 1, ms) != 1)
            return false;
        message.resize(message_max);
        ssize_t size = recv(socket_, &message[0], message.size(), 0);
        if (size < ssize_t(sizeof(answered)))
            throw AgentGone("the agent ended; it said: " + errors());
        memcpy(&answered, message.data(), sizeof(answered));
        early_[answered] = message.substr(sizeof(answered), size_t(size) - sizeof(answered));
    }
    return true;
}

Bytes Agent::receive(uint64_t call)
{
    if (!arrived(call, answer_ms))
        throw AgentGone("the agent does not answer; it said: " + errors());
    Bytes result = early_[call];
    early_.erase(call);
    return result;
}

int Agent::wait()
{
    if (!ended_ && waitpid(pid_, &status_, 0) == pid_)
        ended_ = true;
    return status_;
}

int Agent::finish()
{
    shutdown(socket_, SHUT_WR);
    for (int ms = 0; !ended_ && ms < answer_ms; ms++) {
        if (waitpid(pid_, &status_, WNOHANG) == pid_)
            ended_ = true;
        else
            usleep(1000);
    }
    return ended_ ? status_ : kill();
}

int Agent::kill()
{
    ::kill(pid_, SIGKILL);
    return wait();
}

std::string Agent::errors() const
{
    char text[8192];
    ssize_t size = pread(errors_, text, sizeof(text), 0);

    return size > 0 ? std::string(text, size_t(size)) : std::string();
}

char *Agent::stack_area()
{
    return main_stack_area;
}

std::string unique_job_name()
{
    static unsigned jobs;
    return "test-" + std::to_string(getpid()) + "-" + std::to_string(++jobs);
}

bool private_shared_memory()
{
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount("none", "/dev/shm", "tmpfs", 0, "size=4k") == 0;
}

std::vector<std::string> shared_memory_files()
{
    std::vector<std::string> names;
    DIR *directory = opendir("/dev/shm");

    while (dirent *entry = directory != nullptr ? readdir(directory) : nullptr) {
        if (entry->d_name[0] != '.')
            names.push_back(entry->d_name);
    }
    if (directory != nullptr)
        closedir(directory);
    return names;
}

} // namespace support
