// SPDX-License-Identifier: BSD-3-Clause
// Bare shared memory, the machine's limit: a put is a memcpy into memory of the other process. With
// ordinary
// ("attached") memory a put is process_vm_writev, the cheapest way into memory that is not shared.
#include "runner.h"
#include "shared_memory.h"

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <sys/uio.h>
#include <unistd.h>

namespace tofu_bench
{
namespace
{

// memcpy promises no order of its stores, but the receiver polls the last byte: store that one
// last. Messages of one machine word are one store anyway.
inline void copy_in_order(std::byte *to, const std::byte *from, size_t size)
{
    if (size == 8) {
        std::memcpy(to, from, 8);
    } else if (size == 4) {
        std::memcpy(to, from, 4);
    } else {
        std::memcpy(to, from, size - 1);
        std::atomic_thread_fence(std::memory_order_release);
        std::memcpy(to + size - 1, from + size - 1, 1);
    }
    // Keep the compiler from merging or dropping stores that it sees overwritten.
    asm volatile("" ::: "memory");
}

class ShmBackend
{
  public:
    struct Peer {
        pid_t pid = 0;
        std::byte *heap = nullptr; // Address in this process if shared, else in the peer.
    };

    ShmBackend(Exchange &exchange, const Setup &setup)
        : memory_(setup.heap_bytes + setup.scratch_bytes, setup.attached, setup.malloced),
          heap_bytes_(setup.heap_bytes), attached_(setup.attached)
    {
        for (const std::string &card : exchange.allgather(memory_.card())) {
            Peer peer;
            peer.pid = SharedMemory::pid_of(card);
            if (attached_) {
                peer.heap = SharedMemory::address_of(card);
            } else {
                views_.emplace_back(card);
                peer.heap = views_.back().data();
            }
            peers_.push_back(peer);
        }
        exchange.barrier();
    }

    std::byte *heap()
    {
        return memory_.data();
    }
    std::byte *scratch()
    {
        return memory_.data() + heap_bytes_;
    }
    void progress() {}
    static std::string version()
    {
        return "memcpy, process_vm_writev";
    }

    class Port
    {
      public:
        explicit Port(const ShmBackend &backend)
            : peers_(backend.peers_.data()), attached_(backend.attached_)
        {
        }

        void put(int rank, size_t offset, const std::byte *source, size_t size)
        {
            if (attached_) {
                move(process_vm_writev, rank, offset, const_cast<std::byte *>(source), size);
            } else {
                copy_in_order(peers_[rank].heap + offset, source, size);
            }
        }
        void get(int rank, size_t offset, std::byte *destination, size_t size)
        {
            if (attached_) {
                move(process_vm_readv, rank, offset, destination, size);
            } else {
                copy_in_order(destination, peers_[rank].heap + offset, size);
            }
        }
        void fetch(int rank, size_t offset, std::byte *destination, size_t size)
        {
            get(rank, offset, destination, size);
        }
        void push(int) {}
        void flush() {}
        void progress() {}

      private:
        template <class Move>
        void move(Move call, int rank, size_t offset, std::byte *local, size_t size)
        {
            const iovec mine = {local, size};
            const iovec theirs = {peers_[rank].heap + offset, size};
            if (call(peers_[rank].pid, &mine, 1, &theirs, 1, 0) != static_cast<ssize_t>(size)) {
                throw std::system_error(errno, std::generic_category(), "cross-memory attach");
            }
        }

        const Peer *peers_;
        bool attached_;
    };

    Port port(int)
    {
        return Port(*this);
    }

  private:
    SharedMemory memory_;
    std::vector<SharedMemory> views_;
    std::vector<Peer> peers_;
    size_t heap_bytes_;
    bool attached_;
};

[[maybe_unused]] const bool known = make_known<ShmBackend>("shm");

} // namespace
} // namespace tofu_bench
