/* SPDX-License-Identifier: BSD-3-Clause */
#include "sanitized.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tofu_run
{

namespace
{

const std::string_view entry_points[] = {"__asan_init", "__hwasan_init", "__msan_init", "__tsan_init"};

/* A file's bytes for as long as this lives; none if it cannot be mapped. */
class FileView
{
  public:
    explicit FileView(const std::string &path)
    {
        struct stat status;
        const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            return;
        if (fstat(fd, &status) == 0 && status.st_size > 0) {
            size = static_cast<size_t>(status.st_size);
            base = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
        }
        close(fd);
    }
    ~FileView()
    {
        if (base != MAP_FAILED)
            munmap(base, size);
    }
    FileView(const FileView &) = delete;
    FileView &operator=(const FileView &) = delete;

    bool contains(std::string_view text) const
    {
        return base != MAP_FAILED && memmem(base, size, text.data(), text.size()) != nullptr;
    }

  private:
    void *base = MAP_FAILED;
    size_t size = 0;
};

} // namespace

bool is_sanitized(const std::string &path)
{
    const FileView file(path);
    return std::any_of(std::begin(entry_points), std::end(entry_points),
                       [&file](std::string_view name) { return file.contains(name); });
}

} // namespace tofu_run
