// SPDX-License-Identifier: BSD-3-Clause
// Exchange over a Unix-domain socket in the abstract namespace, named after the job: nothing is
// left behind when processes are killed. Rank 0 is the centre of a star.
#ifndef TOFU_BENCH_EXCHANGE_SOCKET_H
#define TOFU_BENCH_EXCHANGE_SOCKET_H

#include "exchange.h"

namespace tofu_bench
{

class SocketExchange : public Exchange
{
  public:
    /// Collective over the ranks of @a job. Throws std::runtime_error if they do not meet within 30
    /// s.
    SocketExchange(const std::string &job, int rank, int size);
    ~SocketExchange() override;
    SocketExchange(const SocketExchange &) = delete;
    SocketExchange &operator=(const SocketExchange &) = delete;

    int rank() const override
    {
        return rank_;
    }
    int size() const override
    {
        return size_;
    }
    std::vector<std::string> allgather(const std::string &mine) override;

  private:
    void serve(const std::string &name);
    void join(const std::string &name);
    void send(int fd, const std::string &blob) const;
    std::string receive(int fd) const;
    void read_exactly(int fd, void *data, size_t length) const;

    int rank_;
    int size_;
    std::vector<int> peers_; // Rank 0: socket of each other rank. Others: the one socket to rank 0.
};

} // namespace tofu_bench

#endif
