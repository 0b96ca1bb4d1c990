// SPDX-License-Identifier: BSD-3-Clause
// Exchange over MPI, for programs that an MPI launcher has started.
#ifndef TOFU_BENCH_EXCHANGE_MPI_H
#define TOFU_BENCH_EXCHANGE_MPI_H

#include "exchange.h"

#include <mpi.h>

namespace tofu_bench
{

/// Owns MPI: initialises it with MPI_THREAD_MULTIPLE and finalises it.
class MpiExchange : public Exchange
{
  public:
    MpiExchange();
    ~MpiExchange() override;
    MpiExchange(const MpiExchange &) = delete;
    MpiExchange &operator=(const MpiExchange &) = delete;

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
    void wait(MPI_Request request) const;

    int rank_ = 0;
    int size_ = 1;
};

} // namespace tofu_bench

#endif
