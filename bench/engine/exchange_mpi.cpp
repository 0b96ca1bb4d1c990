// SPDX-License-Identifier: BSD-3-Clause
#include "exchange_mpi.h"

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace tofu_bench
{

MpiExchange::MpiExchange()
{
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        throw std::runtime_error("this MPI does not provide MPI_THREAD_MULTIPLE");
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiExchange::~MpiExchange()
{
    MPI_Finalize();
}

std::vector<std::string> MpiExchange::allgather(const std::string &mine)
{
    const auto count = static_cast<size_t>(size_);
    const int length = static_cast<int>(mine.size());
    std::vector<int> lengths(count);
    std::vector<int> starts(count);
    MPI_Request request;

    MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
    wait(request);
    std::partial_sum(lengths.begin(), lengths.end() - 1, starts.begin() + 1);
    std::string joined(static_cast<size_t>(starts.back() + lengths.back()), '\0');
    MPI_Iallgatherv(mine.data(), length, MPI_CHAR, joined.data(), lengths.data(), starts.data(),
                    MPI_CHAR, MPI_COMM_WORLD, &request);
    wait(request);

    std::vector<std::string> all;
    for (size_t rank = 0; rank < count; ++rank) {
        all.push_back(joined.substr(static_cast<size_t>(starts[rank]),
                                    static_cast<size_t>(lengths[rank])));
    }
    return all;
}

// MPI_Wait would spin and take the core from the rank that is being measured.
void MpiExchange::wait(MPI_Request request) const
{
    for (int done = 0; !done;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            idle();
        }
        if (!done && !busy()) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
    }
}

} // namespace tofu_bench
