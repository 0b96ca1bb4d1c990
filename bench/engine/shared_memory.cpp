// SPDX-License-Identifier: BSD-3-Clause
#include "shared_memory.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace tofu_bench
{
namespace
{

struct Card {
    pid_t pid = 0;
    int file = -1;
    size_t size = 0;
    uintptr_t address = 0;
};

Card parse(const std::string &text)
{
    Card card;
    std::istringstream(text) >> card.pid >> card.file >> card.size >> card.address;
    return card;
}

constexpr size_t malloc_alignment = 4096; // As mapped memory has it.

[[noreturn]] void fail(const std::string &what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

} // namespace

SharedMemory::SharedMemory(size_t size, bool ordinary, bool malloced)
    : size_(size), malloced_(ordinary && malloced)
{
    if (ordinary) {
        // Some systems allow cross-memory attach only to those who are named.
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    }
    if (malloced_) {
        void *block = nullptr;
        errno = posix_memalign(&block, malloc_alignment, size);
        if (errno != 0) {
            fail("cannot allocate memory");
        }
        data_ = static_cast<std::byte *>(block);
    } else if (ordinary) {
        map(MAP_PRIVATE | MAP_ANONYMOUS);
    } else {
        file_ = memfd_create("tofu-bench", MFD_CLOEXEC);
        if (file_ < 0 || ftruncate(file_, static_cast<off_t>(size)) != 0) {
            fail("cannot create shared memory");
        }
        map(MAP_SHARED);
    }
    std::memset(data_, 0, size);
}

SharedMemory::SharedMemory(const std::string &text) : size_(parse(text).size)
{
    const Card card = parse(text);
    const std::string path =
            "/proc/" + std::to_string(card.pid) + "/fd/" + std::to_string(card.file);
    file_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file_ < 0) {
        fail("cannot open the shared memory of another rank");
    }
    map(MAP_SHARED);
}

SharedMemory::~SharedMemory()
{
    if (malloced_) {
        std::free(data_);
    } else if (data_ != nullptr) {
        munmap(data_, size_);
    }
    if (file_ >= 0) {
        close(file_);
    }
}

SharedMemory::SharedMemory(SharedMemory &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(other.size_),
      file_(std::exchange(other.file_, -1)), malloced_(other.malloced_)
{
}

void SharedMemory::map(int flags)
{
    void *address = mmap(nullptr, size_, PROT_READ | PROT_WRITE, flags, file_, 0);
    if (address == MAP_FAILED) {
        fail("cannot map memory");
    }
    data_ = static_cast<std::byte *>(address);
}

std::string SharedMemory::card() const
{
    std::ostringstream text;
    text << getpid() << ' ' << file_ << ' ' << size_ << ' ' << reinterpret_cast<uintptr_t>(data_);
    return text.str();
}

pid_t SharedMemory::pid_of(const std::string &card)
{
    return parse(card).pid;
}

std::byte *SharedMemory::address_of(const std::string &card)
{
    return reinterpret_cast<std::byte *>(parse(card).address);
}

} // namespace tofu_bench
