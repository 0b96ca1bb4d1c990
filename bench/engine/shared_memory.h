// SPDX-License-Identifier: BSD-3-Clause
// Memory that other processes of the user can map: an anonymous file that is found through /proc,
// so that nothing is left behind. Or ordinary memory, for comparison.
#ifndef TOFU_BENCH_SHARED_MEMORY_H
#define TOFU_BENCH_SHARED_MEMORY_H

#include <cstddef>
#include <string>

#include <sys/types.h>

namespace tofu_bench
{

class SharedMemory
{
  public:
    /// New memory of @a size bytes, zeroed and touched. @a ordinary: not shared; @a malloced: from malloc besides.
    SharedMemory(size_t size, bool ordinary, bool malloced = false);
    /// The memory that another process has described by card().
    explicit SharedMemory(const std::string &card);
    ~SharedMemory();
    SharedMemory(SharedMemory &&other) noexcept;
    SharedMemory(const SharedMemory &) = delete;
    SharedMemory &operator=(const SharedMemory &) = delete;

    std::byte *data() const
    {
        return data_;
    }

    /// What another process needs to reach this memory.
    std::string card() const;
    static pid_t pid_of(const std::string &card);
    static std::byte *address_of(const std::string &card);

  private:
    void map(int flags);

    std::byte *data_ = nullptr;
    size_t size_;
    int file_ = -1;
    bool malloced_ = false;
};

} // namespace tofu_bench

#endif
