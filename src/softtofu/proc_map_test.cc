/* SPDX-License-Identifier: BSD-3-Clause */
extern "C" {
#include "softtofu/proc_map.h"
}

#include <gtest/gtest.h>

#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace
{

/* Both ways to ask, of which a kernel before 6.11 has one. */
class ProcMap : public testing::TestWithParam<bool>
{
protected:
    void SetUp() override
    {
        ASSERT_TRUE(softtofu_proc_map_open(&map));
        map.has_query = GetParam();
    }

    void TearDown() override
    {
        softtofu_proc_map_close(&map);
    }

    softtofu_proc_map map        = {};
    softtofu_mapped_range range = {};
};
INSTANTIATE_TEST_SUITE_P(, ProcMap, testing::Bool(), [](const testing::TestParamInfo<bool> &info) {
    return info.param ? "Query" : "Text";
});

TEST_P(ProcMap, FindsASharedFile)
{
    struct stat status;
    int fd = memfd_create("map", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(fd, 3 * 4096), 0);
    ASSERT_EQ(fstat(fd, &status), 0);
    auto *base   = static_cast<char *>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4096));
    auto address = reinterpret_cast<uintptr_t>(base);
    for (uintptr_t at : {address, address + 1, address + 8191}) {
        TearDown();
        SetUp();
        ASSERT_TRUE(softtofu_proc_map_find(&map, at, &range));
        EXPECT_EQ(range.start, address);
        EXPECT_EQ(range.end, address + 8192);
        EXPECT_EQ(range.offset, 4096u);
        EXPECT_EQ(range.inode, status.st_ino);
        EXPECT_EQ(range.device, status.st_dev);
        EXPECT_TRUE(range.shared);
    }
    munmap(base, 8192);
    close(fd);
}

TEST_P(ProcMap, TellsWhatPeersCannotMap)
{
    for (int protection : {PROT_READ | PROT_WRITE, PROT_READ}) {
        int flags  = MAP_ANONYMOUS | (protection == PROT_READ ? MAP_SHARED : MAP_PRIVATE);
        void *base = mmap(nullptr, 4096, protection, flags, -1, 0);
        TearDown();
        SetUp();
        ASSERT_TRUE(softtofu_proc_map_find(&map, reinterpret_cast<uintptr_t>(base), &range));
        EXPECT_FALSE(range.shared);
        munmap(base, 4096);
    }
}

TEST_P(ProcMap, FindsNothingInAHole)
{
    auto *base = static_cast<char *>(
            mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    munmap(base + 4096, 4096);
    auto address = reinterpret_cast<uintptr_t>(base);
    EXPECT_TRUE(softtofu_proc_map_find(&map, address + 4095, &range));
    EXPECT_FALSE(softtofu_proc_map_find(&map, address + 4096, &range));
    munmap(base, 4096);
    munmap(base + 8192, 4096);
}

TEST_P(ProcMap, FindsNothingBeyondTheLast)
{
    EXPECT_FALSE(softtofu_proc_map_find(&map, UINTPTR_MAX - 1, &range));
}

} // namespace
