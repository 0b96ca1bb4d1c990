/* SPDX-License-Identifier: BSD-3-Clause */
/* Registration: what can be registered, what a STADD is, and what ends it. */
#include "conform/world.h"

#include <fcntl.h>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

namespace
{

using namespace conform;

class Registration : public World
{
protected:
    support::Stadd register_near(char *address, size_t size, unsigned long flags = 0)
    {
        return near->run(support::mem_register, near->hdl, address, size, flags);
    }

    int deregister_near(utofu_stadd_t stadd)
    {
        return near->run(support::mem_deregister, near->hdl, stadd);
    }
};
CONFORM_EVERYWHERE(Registration);

constexpr Memory every_kind[] = {Memory::Heap,     Memory::Stack, Memory::Bss,
                                 Memory::Memfd,    Memory::PosixShm, Memory::File,
                                 Memory::Anonymous, Memory::SharedAnonymous};

TEST_P(Registration, LowSixteenBitsAreThoseOfTheAddress)
{
    for (Memory kind : every_kind) {
        char *memory = near->run(support::memory_make, kind, size_t(40000));
        ASSERT_NE(memory, nullptr) << support::memory_name(kind);
        for (size_t at : {0, 1, 255, 4095, 33333}) {
            for (size_t size : {1, 3, 5000}) {
                support::Stadd stadd = register_near(memory + at, size);
                ASSERT_EQ(stadd.status, UTOFU_SUCCESS) << support::memory_name(kind);
                EXPECT_EQ(stadd.value & 0xffff, reinterpret_cast<uintptr_t>(memory + at) & 0xffff);
                EXPECT_EQ(stadd.value >> 16 & 0xfffff, 0u) << "nothing else is in the offset";
                EXPECT_EQ(deregister_near(stadd.value), UTOFU_SUCCESS);
            }
        }
    }
}

TEST_P(Registration, ReservedStagsAreWhatPeersWorkOut)
{
    Region used = near->region(Memory::Memfd, 256 * 256);
    for (unsigned stag = 0; stag < 256; stag++) {
        support::Stadd stadd = near->run(support::mem_register_stag, near->hdl,
                                         used.address + stag * 256, size_t(256), stag, 0ul);
        ASSERT_EQ(stadd.status, UTOFU_SUCCESS) << stag;
        utofu_stadd_t expected = 0;
        ASSERT_EQ(utofu_query_stadd(near->id, stag, &expected), UTOFU_SUCCESS);
        EXPECT_EQ(stadd.value, expected);
        EXPECT_EQ(near->run(support::mem_register_stag, near->hdl, used.address, size_t(256), stag,
                            0ul)
                          .status,
                  UTOFU_ERR_USED);
    }
    for (unsigned stag = 0; stag < 256; stag++) {
        utofu_stadd_t stadd = 0;
        ASSERT_EQ(utofu_query_stadd(near->id, stag, &stadd), UTOFU_SUCCESS);
        EXPECT_EQ(deregister_near(stadd), UTOFU_SUCCESS);
    }
    EXPECT_EQ(near->run(support::mem_register_stag, near->hdl, used.address, size_t(256), 5u, 0ul)
                      .status,
              UTOFU_SUCCESS);
}

TEST_P(Registration, EachVcqHasReservedStagsOfItsOwn)
{
    Region used  = near->region(Memory::Memfd, 4096);
    auto another = near->run(support::vcq_create, 0u, 0ul, -1); /* Very likely on the same CQ. */
    ASSERT_EQ(another.status, UTOFU_SUCCESS);
    support::Stadd one = near->run(support::mem_register_stag, near->hdl, used.address, size_t(256),
                                   9u, 0ul);
    support::Stadd two = near->run(support::mem_register_stag, another.hdl, used.address + 256,
                                   size_t(256), 9u, 0ul);
    EXPECT_EQ(one.status, UTOFU_SUCCESS);
    EXPECT_EQ(two.status, UTOFU_SUCCESS);
    EXPECT_NE(one.value, two.value);
    EXPECT_EQ(near->run(support::mem_deregister, another.hdl, one.value), UTOFU_ERR_INVALID_STADD);
}

TEST_P(Registration, PutThroughAReservedStag)
{
    char *memory = far->run(support::memory_make, Memory::Memfd, size_t(4096));
    ASSERT_EQ(far->run(support::mem_register_stag, far->hdl, memory, size_t(4096), 200u, 0ul).status,
              UTOFU_SUCCESS);
    Region remote = {memory, 4096, 0};
    ASSERT_EQ(utofu_query_stadd(far->id, 200, &remote.stadd), UTOFU_SUCCESS);
    Command c = command(Kind::Piggyback8, remote, 8);
    c.stadd += 24;
    c.value = 0x1122334455667788;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    settle();
    EXPECT_EQ(far->run(support::load8, memory + 24), c.value);
}

TEST_P(Registration, SameMemoryMayBeRegisteredOften)
{
    char *memory = near->run(support::memory_make, Memory::Memfd, size_t(4096));
    std::vector<utofu_stadd_t> stadds;
    for (int i = 0; i < 10; i++) {
        support::Stadd stadd = register_near(memory, 4096);
        ASSERT_EQ(stadd.status, UTOFU_SUCCESS);
        stadds.push_back(stadd.value);
    }
    for (utofu_stadd_t stadd : stadds)
        EXPECT_EQ(deregister_near(stadd), UTOFU_SUCCESS) << "each registration ends once";
    EXPECT_EQ(deregister_near(stadds[0]), UTOFU_ERR_INVALID_STADD);
}

TEST_P(Registration, StagsRunOutAndComeBack)
{
    struct Result {
        int count, status, again;
    };
    Result result = near->run(
            [](utofu_vcq_hdl_t hdl) {
                static char bytes[64];
                utofu_stadd_t stadd, last = 0;
                Result r = {};
                while ((r.status = utofu_reg_mem(hdl, bytes, 64, 0, &stadd)) == UTOFU_SUCCESS) {
                    last = stadd;
                    r.count++;
                }
                utofu_dereg_mem(hdl, last, 0);
                r.again = utofu_reg_mem(hdl, bytes, 64, 0, &stadd);
                return r;
            },
            near->hdl);
    EXPECT_EQ(result.status, UTOFU_ERR_FULL);
    EXPECT_GE(result.count, 2048) << "hardware's smallest table has room for as many";
    EXPECT_EQ(result.again, UTOFU_SUCCESS);
}

TEST_P(Registration, FreeingAVcqEndsItsRegistrations)
{
    auto vcq     = near->run(support::vcq_create, 2u, 0ul, 0);
    char *memory = near->run(support::memory_make, Memory::Memfd, size_t(4096));
    auto first   = near->run(support::mem_register_stag, vcq.hdl, memory, size_t(4096), 1u, 0ul);
    ASSERT_EQ(first.status, UTOFU_SUCCESS);
    ASSERT_EQ(near->run(support::mem_register, vcq.hdl, memory, size_t(4096), 0ul).status,
              UTOFU_SUCCESS);
    ASSERT_EQ(near->run(support::vcq_free, vcq.hdl), UTOFU_SUCCESS);
    auto again = near->run(support::vcq_create, 2u, 0ul, 0);
    ASSERT_EQ(again.id, vcq.id);
    EXPECT_EQ(near->run(support::mem_deregister, again.hdl, first.value), UTOFU_ERR_INVALID_STADD);
    EXPECT_EQ(near->run(support::mem_register_stag, again.hdl, memory, size_t(4096), 1u, 0ul).status,
              UTOFU_SUCCESS);
}

/* @return Open descriptors of this process. */
int descriptors()
{
    int open = 0;

    for (int fd = 0; fd < 4096; fd++)
        open += fcntl(fd, F_GETFD) >= 0;
    return open;
}

/* The device may hold a file open for peers, but no longer than something of it is registered. */
TEST_P(Registration, FilesAreLetGo)
{
    char *memory = near->run(support::memory_make, Memory::Memfd, size_t(4096));
    int before   = near->run(descriptors);
    for (bool deregister : {true, false}) {
        auto vcq   = near->run(support::vcq_create, 2u, 0ul, -1);
        auto first = near->run(support::mem_register, vcq.hdl, memory, size_t(4096), 0ul);
        near->run(support::mem_register, vcq.hdl, memory, size_t(100), 0ul);
        near->run(support::mem_register_stag, vcq.hdl, memory, size_t(100), 3u, 0ul);
        if (deregister) {
            EXPECT_EQ(near->run(support::mem_deregister, vcq.hdl, first.value), UTOFU_SUCCESS);
        }
        ASSERT_EQ(near->run(support::vcq_free, vcq.hdl), UTOFU_SUCCESS);
        EXPECT_EQ(near->run(descriptors), before);
    }
}

TEST_P(Registration, RejectsBadArguments)
{
    char *memory  = near->run(support::memory_make, Memory::Heap, size_t(4096));
    auto unmapped = near->run([] {
        return static_cast<char *>(nullptr) + 4096; /* Below what the kernel ever maps. */
    });
    EXPECT_EQ(register_near(nullptr, 10).status, UTOFU_ERR_INVALID_ADDRESS);
    EXPECT_EQ(register_near(unmapped, 10).status, UTOFU_ERR_INVALID_ADDRESS);
    EXPECT_EQ(register_near(memory, 0).status, UTOFU_ERR_INVALID_SIZE);
    EXPECT_EQ(register_near(memory, size_t(1) << 39).status, UTOFU_ERR_INVALID_SIZE);
    EXPECT_EQ(register_near(unmapped, (size_t(1) << 39) - 1).status, UTOFU_ERR_INVALID_ADDRESS);
    EXPECT_EQ(register_near(memory, 10, 2).status, UTOFU_ERR_INVALID_FLAGS);
    EXPECT_EQ(near->run(
                      [](utofu_vcq_hdl_t hdl, char *address) {
                          return utofu_reg_mem(hdl, address, 1, 0, nullptr);
                      },
                      near->hdl, memory),
              UTOFU_ERR_INVALID_POINTER);
}

TEST_P(Registration, ReservedRejectsBadArguments)
{
    char *memory = near->run(support::memory_make, Memory::Heap, size_t(4096));
    auto try_one = [&](char *address, size_t size, unsigned stag, unsigned long flags) {
        return near->run(support::mem_register_stag, near->hdl, address, size, stag, flags).status;
    };
    EXPECT_EQ(try_one(memory, 256, 256, 0), UTOFU_ERR_INVALID_STAG);
    EXPECT_EQ(try_one(memory + 128, 256, 0, 0), UTOFU_ERR_INVALID_ADDRESS);
    EXPECT_EQ(try_one(nullptr, 256, 0, 0), UTOFU_ERR_INVALID_ADDRESS);
    EXPECT_EQ(try_one(memory, 0, 0, 0), UTOFU_ERR_INVALID_SIZE);
    EXPECT_EQ(try_one(memory, 256, 0, 4), UTOFU_ERR_INVALID_FLAGS);
    EXPECT_EQ(try_one(memory, 256, 255, 0), UTOFU_SUCCESS);
}

TEST_P(Registration, HolesAreNotMemory)
{
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    char *pages       = near->run(support::memory_make, Memory::Anonymous, 3 * page);
    near->run(
            [](char *hole, size_t size) {
                munmap(hole, size);
            },
            pages + page, page);
    EXPECT_EQ(register_near(pages, page).status, UTOFU_SUCCESS);
    EXPECT_EQ(register_near(pages, page + 1).status, UTOFU_ERR_INVALID_ADDRESS);
    EXPECT_EQ(register_near(pages + page, 1).status, UTOFU_ERR_INVALID_ADDRESS);
    EXPECT_EQ(register_near(pages, 3 * page).status, UTOFU_ERR_INVALID_ADDRESS);
}

TEST_P(Registration, DeregistrationRejectsBadArguments)
{
    Region used = near->region(Memory::Memfd, 4096);
    EXPECT_EQ(deregister_near(used.stadd + 1), UTOFU_ERR_INVALID_STADD) << "an address inside";
    EXPECT_EQ(deregister_near(0), UTOFU_ERR_INVALID_STADD);
    EXPECT_EQ(deregister_near(UINT64_MAX), UTOFU_ERR_INVALID_STADD);
    EXPECT_EQ(deregister_near(used.stadd + (UINT64_C(2) << 40)), UTOFU_ERR_INVALID_STADD);
    EXPECT_EQ(near->run(
                      [](utofu_vcq_hdl_t hdl, utofu_stadd_t stadd) {
                          return utofu_dereg_mem(hdl, stadd, 1);
                      },
                      near->hdl, used.stadd),
              UTOFU_ERR_INVALID_FLAGS);
    EXPECT_EQ(deregister_near(used.stadd), UTOFU_SUCCESS);
    EXPECT_EQ(deregister_near(used.stadd), UTOFU_ERR_INVALID_STADD);
}

TEST_P(Registration, StaddQueryRejectsBadArguments)
{
    utofu_stadd_t stadd;
    EXPECT_EQ(utofu_query_stadd(near->id, 256, &stadd), UTOFU_ERR_INVALID_STAG);
    EXPECT_EQ(utofu_query_stadd(0, 0, &stadd), UTOFU_ERR_INVALID_VCQ_ID);
    EXPECT_EQ(utofu_query_stadd(near->id, 0, nullptr), UTOFU_ERR_INVALID_POINTER);
}

TEST_P(Registration, FileMayGrowWhileItIsUsed)
{
    struct File {
        int fd;
        char *small, *large; /* Two views of it. */
    };
    File file = far->run([] {
        int fd = memfd_create("growing", MFD_CLOEXEC);
        if (ftruncate(fd, 4096) != 0)
            abort();
        auto *small = static_cast<char *>(
                mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
        if (ftruncate(fd, 1 << 20) != 0)
            abort();
        auto *large = static_cast<char *>(
                mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
        if (ftruncate(fd, 4096) != 0)
            abort();
        return File{fd, small, large};
    });
    Region first  = {file.small, 4096, 0};
    first.stadd   = far->run(support::mem_register, far->hdl, file.small, size_t(4096), 0ul).value;
    Command c     = command(Kind::Piggyback8, first, 8);
    c.value       = 1;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    settle();
    ASSERT_EQ(far->run(ftruncate, file.fd, off_t(1 << 20)), 0);
    Region second = {file.large, 1 << 20, 0};
    second.stadd  = far->run(support::mem_register, far->hdl, file.large, size_t(1 << 20), 0ul).value;
    Command high  = command(Kind::Piggyback8, second, 8);
    high.stadd += (1 << 20) - 8;
    high.value = 2;
    ASSERT_EQ(near->post(high), UTOFU_SUCCESS);
    c.value = 3;
    ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
    settle();
    EXPECT_EQ(far->run(support::load8, file.large + (1 << 20) - 8), 2u);
    EXPECT_EQ(far->run(support::load8, file.small), 3u);
}

} // namespace
