// SPDX-License-Identifier: BSD-3-Clause
#include "exchange_socket.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tofu_bench
{
namespace
{

using namespace std::chrono_literals;

constexpr auto meet_time = 30s;
constexpr int idle_interval_ms = 1;

[[noreturn]] void fail(const char *what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

// An abstract address starts with a zero byte and has no terminating one.
socklen_t abstract_address(const std::string &name, sockaddr_un *address)
{
    std::memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    size_t length = std::min(name.size(), sizeof(address->sun_path) - 1);
    std::memcpy(address->sun_path + 1, name.data(), length);
    return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

// Abstract sockets have no file permissions, so strangers are turned away here.
bool same_user(int fd)
{
    ucred peer{};
    socklen_t length = sizeof(peer);
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == getuid();
}

void write_exactly(int fd, const void *data, size_t length)
{
    auto *next = static_cast<const char *>(data);
    while (length > 0) {
        ssize_t done = ::send(fd, next, length, MSG_NOSIGNAL);
        if (done < 0 && errno != EINTR) {
            fail("another rank ended early");
        }
        if (done > 0) {
            next += done;
            length -= static_cast<size_t>(done);
        }
    }
}

} // namespace

SocketExchange::SocketExchange(const std::string &job, int rank, int size)
    : rank_(rank), size_(size)
{
    const std::string name = "tofu-bench/" + std::to_string(getuid()) + "/" + job;
    if (rank == 0) {
        serve(name);
    } else {
        join(name);
    }
}

SocketExchange::~SocketExchange()
{
    for (int fd : peers_) {
        close(fd);
    }
}

void SocketExchange::serve(const std::string &name)
{
    sockaddr_un address;
    socklen_t length = abstract_address(name, &address);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, reinterpret_cast<sockaddr *>(&address), length) != 0 ||
        listen(listener, size_) != 0) {
        fail("cannot open the meeting point of the job; does another job have the same name?");
    }
    peers_.assign(static_cast<size_t>(size_ - 1), -1);
    const auto deadline = std::chrono::steady_clock::now() + meet_time;
    for (int missing = size_ - 1; missing > 0;) {
        pollfd ready = {listener, POLLIN, 0};
        if (poll(&ready, 1, 100) <= 0) {
            if (std::chrono::steady_clock::now() > deadline) {
                throw std::runtime_error("a rank of the job did not come within 30 s");
            }
            continue;
        }
        int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd < 0 || !same_user(fd)) {
            close(fd);
            continue;
        }
        peers_.at(std::stoul(receive(fd)) - 1) = fd;
        --missing;
    }
    close(listener);
}

void SocketExchange::join(const std::string &name)
{
    sockaddr_un address;
    socklen_t length = abstract_address(name, &address);
    const auto deadline = std::chrono::steady_clock::now() + meet_time;
    for (;;) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, reinterpret_cast<sockaddr *>(&address), length) == 0 &&
            same_user(fd)) {
            peers_.push_back(fd);
            send(fd, std::to_string(rank_));
            return;
        }
        close(fd);
        if (std::chrono::steady_clock::now() > deadline) {
            throw std::runtime_error("rank 0 of the job did not come within 30 s");
        }
        std::this_thread::sleep_for(2ms);
    }
}

std::vector<std::string> SocketExchange::allgather(const std::string &mine)
{
    std::vector<std::string> all(static_cast<size_t>(size_));
    all[static_cast<size_t>(rank_)] = mine;
    if (rank_ == 0) {
        for (size_t peer = 0; peer < peers_.size(); ++peer) {
            all[peer + 1] = receive(peers_[peer]);
        }
        for (int fd : peers_) {
            for (const std::string &blob : all) {
                send(fd, blob);
            }
        }
    } else {
        send(peers_.front(), mine);
        for (std::string &blob : all) {
            blob = receive(peers_.front());
        }
    }
    return all;
}

void SocketExchange::send(int fd, const std::string &blob) const
{
    uint64_t length = blob.size();
    write_exactly(fd, &length, sizeof(length));
    write_exactly(fd, blob.data(), blob.size());
}

std::string SocketExchange::receive(int fd) const
{
    uint64_t length = 0;
    read_exactly(fd, &length, sizeof(length));
    std::string blob(length, '\0');
    read_exactly(fd, blob.data(), blob.size());
    return blob;
}

void SocketExchange::read_exactly(int fd, void *data, size_t length) const
{
    auto *next = static_cast<char *>(data);
    while (length > 0) {
        pollfd ready = {fd, POLLIN, 0};
        if (poll(&ready, 1, busy() ? 0 : idle_interval_ms) <= 0) {
            idle();
            continue;
        }
        ssize_t done = read(fd, next, length);
        if (done == 0 || (done < 0 && errno != EINTR)) {
            throw std::runtime_error("another rank ended early");
        }
        if (done > 0) {
            next += done;
            length -= static_cast<size_t>(done);
        }
    }
}

} // namespace tofu_bench
