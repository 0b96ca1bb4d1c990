// SPDX-License-Identifier: BSD-3-Clause
// MPI one-sided: passive target, one window for all threads. Memory comes from MPI_Win_allocate, so
// that the library can share it.
#include "runner.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <mpi.h>

namespace tofu_bench
{
namespace
{

// A call in which every MPI lets incoming operations in. Nobody sends such a message.
void let_in()
{
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

class MpiBackend
{
  public:
    MpiBackend(Exchange &exchange, const Setup &setup)
        : exchange_(exchange), scratch_(setup.scratch_bytes)
    {
        const auto size = static_cast<MPI_Aint>(setup.heap_bytes);
        if (setup.attached) {
            ordinary_.resize(setup.heap_bytes);
            heap_ = ordinary_.data();
            MPI_Win_create(heap_, size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window_);
        } else {
            MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &heap_, &window_);
        }
        std::memset(heap_, 0, setup.heap_bytes);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
        exchange.barrier();
    }

    ~MpiBackend()
    {
        MPI_Win_unlock_all(window_);
        exchange_.barrier();
        MPI_Win_free(&window_);
    }

    MpiBackend(const MpiBackend &) = delete;
    MpiBackend &operator=(const MpiBackend &) = delete;

    std::byte *heap()
    {
        return heap_;
    }
    std::byte *scratch()
    {
        return scratch_.data();
    }
    void progress()
    {
        let_in();
    }

    static std::string version()
    {
        char text[MPI_MAX_LIBRARY_VERSION_STRING];
        int length = 0;
        MPI_Get_library_version(text, &length);
        const std::string whole(text, static_cast<size_t>(length));
        std::string line = whole.substr(0, whole.find_first_of("\n,"));
        std::replace(line.begin(), line.end(), '\t', ' ');
        return line;
    }

    class Port
    {
      public:
        explicit Port(MPI_Win window) : window_(window) {}

        void put(int rank, size_t offset, const std::byte *source, size_t size)
        {
            const int count = static_cast<int>(size);
            MPI_Put(source, count, MPI_BYTE, rank, static_cast<MPI_Aint>(offset), count, MPI_BYTE,
                    window_);
            bound(rank);
        }
        void get(int rank, size_t offset, std::byte *destination, size_t size)
        {
            const int count = static_cast<int>(size);
            MPI_Get(destination, count, MPI_BYTE, rank, static_cast<MPI_Aint>(offset), count,
                    MPI_BYTE, window_);
            bound(rank);
        }
        void fetch(int rank, size_t offset, std::byte *destination, size_t size)
        {
            get(rank, offset, destination, size);
            MPI_Win_flush(rank, window_);
        }
        void push(int rank)
        {
            // A put need not start before it is flushed.
            MPI_Win_flush(rank, window_);
        }
        void flush()
        {
            MPI_Win_flush_all(window_);
        }
        void progress()
        {
            let_in();
        }

      private:
        // An MPI may queue without limit what its target does not take in at once. MPICH does, and
        // its final flush then works on the backlog for minutes.
        static constexpr unsigned under_way_max = 256;

        void bound(int rank)
        {
            if (++under_way_ == under_way_max) {
                MPI_Win_flush(rank, window_);
                under_way_ = 0;
            }
        }

        MPI_Win window_;
        unsigned under_way_ = 0;
    };

    Port port(int)
    {
        return Port(window_);
    }

  private:
    Exchange &exchange_;
    std::vector<std::byte> scratch_;
    std::vector<std::byte> ordinary_;
    std::byte *heap_ = nullptr;
    MPI_Win window_ = MPI_WIN_NULL;
};

[[maybe_unused]] const bool known = make_known<MpiBackend>("mpi");

} // namespace
} // namespace tofu_bench
