/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of any kind can be registered, at any address and of any size, and reached. */
#include "conform/world.h"

#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace
{

using namespace conform;

/** Bytes of an end to be registered. */
struct Range {
    char *address;
    size_t size;
    bool writable;
};

char *mapped_or_null(void *base)
{
    return base == MAP_FAILED ? nullptr : static_cast<char *>(base);
}

/** A file of @a size bytes without a name, on the file system of /tmp. */
int plain_file(size_t size)
{
    char name[] = "/tmp/tofukit-test-XXXXXX";
    int fd      = mkostemp(name, O_CLOEXEC);

    unlink(name);
    if (fd < 0 || ftruncate(fd, off_t(size)) != 0)
        abort();
    return fd;
}

Range huge_pages()
{
    constexpr size_t size = 4 << 20;
    int fd                = memfd_create("huge", MFD_CLOEXEC | MFD_HUGETLB);

    if (fd < 0 || ftruncate(fd, size) != 0)
        return {};
    return {mapped_or_null(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)), size, true};
}

Range private_huge_pages()
{
    constexpr size_t size = 4 << 20;
    return {mapped_or_null(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1,
                                0)),
            size, true};
}

Range transparent_huge_pages()
{
    constexpr size_t size = 4 << 20;
    char *base = mapped_or_null(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

    madvise(base, size, MADV_HUGEPAGE);
    return {base, size, true};
}

Range private_file()
{
    return {mapped_or_null(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, plain_file(8192), 0)), 8192, true};
}

Range shared_file_from_the_middle()
{
    return {mapped_or_null(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, plain_file(16384), 4096)), 8192,
            true};
}

Range read_only_file()
{
    return {mapped_or_null(mmap(nullptr, 8192, PROT_READ, MAP_SHARED, plain_file(8192), 0)), 8192, false};
}

Range file_opened_for_reading()
{
    int fd       = plain_file(8192);
    int readable = open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_RDONLY | O_CLOEXEC);

    close(fd);
    return {mapped_or_null(mmap(nullptr, 8192, PROT_READ, MAP_SHARED, readable, 0)), 8192, false};
}

/** Two mappings side by side, of two kinds. */
Range across_two_mappings()
{
    char *base = mapped_or_null(mmap(nullptr, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

    mmap(base + 8192, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, plain_file(8192), 0);
    return {base + 4096, 8192, true};
}

/** Two mappings of one file that fit together. */
Range across_one_file()
{
    int fd     = plain_file(16384);
    char *base = mapped_or_null(mmap(nullptr, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));

    mprotect(base, 4096, PROT_READ | PROT_WRITE | PROT_EXEC); /* So it is two. */
    return {base, 16384, true};
}

/** Two mappings of one file in the wrong order. */
Range across_one_file_askew()
{
    int fd     = plain_file(16384);
    char *base = mapped_or_null(mmap(nullptr, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));

    mmap(base, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 8192);
    return {base, 16384, true};
}

Range sparse(int flags, int fd)
{
    constexpr size_t size = size_t(6) << 30;

    if (fd >= 0 && ftruncate(fd, off_t(size)) != 0)
        return {};
    return {mapped_or_null(mmap(nullptr, size, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, 0)), size, true};
}

Range many_gib_shared()
{
    return sparse(MAP_SHARED, memfd_create("sparse", MFD_CLOEXEC));
}

Range many_gib_private()
{
    return sparse(MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

class Ranges : public World
{
protected:
    /* Write into and read from both ends of the range, and its middle, at odd addresses. */
    void use(Range (*make)())
    {
        Range range = far->run(make);
        if (range.address == nullptr)
            GTEST_SKIP() << "there is no such memory on this machine";
        support::Stadd stadd = far->run(support::mem_register, far->hdl, range.address + 1, range.size - 1,
                                        range.writable ? 0ul : UTOFU_REG_MEM_FLAG_READ_ONLY);
        ASSERT_EQ(stadd.status, UTOFU_SUCCESS);
        local = near->region(Memory::Memfd, 4096);
        for (size_t at : {size_t(0), range.size / 2 - 55, range.size - 111})
            use_at(range, {range.address + 1, range.size - 1, stadd.value}, at);
        EXPECT_EQ(far->run(support::mem_deregister, far->hdl, stadd.value), UTOFU_SUCCESS);
    }

private:
    void use_at(const Range &range, Region remote, size_t at)
    {
        constexpr size_t length = 110;
        Command put = command(Kind::Put, local, remote, length, local_notice);
        Command get = command(Kind::Get, local, remote, length, local_notice);

        put.stadd = get.stadd = remote.stadd + at;
        near->run(support::pattern_fill, local.address, length, 3u);
        ASSERT_EQ(near->post(put), UTOFU_SUCCESS);
        EXPECT_EQ(near->mrq().status, range.writable ? UTOFU_SUCCESS : UTOFU_ERR_MRQ_RMT_STADD);
        if (range.writable) {
            EXPECT_EQ(far->run(support::pattern_wrong, remote.address + at, length, 3u), 0u);
        }
        near->run(support::byte_fill, local.address, length, 9);
        ASSERT_EQ(near->post(get), UTOFU_SUCCESS);
        EXPECT_EQ(near->mrq().status, UTOFU_SUCCESS);
        EXPECT_EQ(range.writable ? near->run(support::pattern_wrong, local.address, length, 3u)
                                 : near->run(support::byte_wrong, local.address, length, 0),
                  0u);
    }

    Region local;
};
CONFORM_EVERYWHERE(Ranges);

#define RANGE_TEST(name, make)                                                                     \
    TEST_P(Ranges, name)                                                                           \
    {                                                                                              \
        use(make);                                                                                 \
    }

RANGE_TEST(HugePages, huge_pages)
RANGE_TEST(PrivateHugePages, private_huge_pages)
RANGE_TEST(TransparentHugePages, transparent_huge_pages)
RANGE_TEST(PrivateFile, private_file)
RANGE_TEST(SharedFileFromTheMiddle, shared_file_from_the_middle)
RANGE_TEST(ReadOnlyFile, read_only_file)
RANGE_TEST(FileOpenedForReading, file_opened_for_reading)
RANGE_TEST(AcrossTwoMappings, across_two_mappings)
RANGE_TEST(AcrossOneFile, across_one_file)
RANGE_TEST(AcrossOneFileAskew, across_one_file_askew)
RANGE_TEST(ManyGiBShared, many_gib_shared)
RANGE_TEST(ManyGiBPrivate, many_gib_private)

} // namespace
