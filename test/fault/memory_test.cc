/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that goes away while it is registered: peers get an error, and go on. */
#include "fault/job.h"

#include <chrono>
#include <csetjmp>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

using namespace fault;

constexpr size_t size = 1 << 20;

/** A rank with a file of which the first and the last page are registered. */
struct FileStation {
    Station first;
    Station last; /**< Of the same VCQ. */
    int fd;
};

FileStation file_open()
{
    FileStation f = {};
    f.fd          = memfd_create("going", MFD_CLOEXEC);
    Vcq vcq       = support::vcq_create(0, 0, component);

    if (vcq.status != UTOFU_SUCCESS || ftruncate(f.fd, off_t(size)) != 0)
        abort();
    void *base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, 0);
    if (base == MAP_FAILED)
        abort();
    auto *bytes = static_cast<char *>(base);
    auto reg    = [&](char *address) {
        Stadd stadd = support::mem_register(vcq.hdl, address, 4096, 0);
        return Station{stadd.status, vcq.hdl, vcq.id, address, stadd.value};
    };
    f.first = reg(bytes);
    f.last  = reg(bytes + size - 4096);
    return f;
}

int truncate_to(int fd, size_t length)
{
    return ftruncate(fd, off_t(length));
}

/** In an agent: poll the MRQ until it tells of something, or for @a ms milliseconds. */
int told_within(utofu_vcq_hdl_t hdl, int ms)
{
    return support::mrq_wait(hdl, ms).status;
}

class Truncation : public testing::TestWithParam<Kind>
{
protected:
    void SetUp() override
    {
        near  = job.rank(0);
        far   = job.rank(1);
        here  = near->run(station_open, Memory::Memfd, size_t(4096));
        there = far->run(file_open);
        ASSERT_EQ(there.last.status, UTOFU_SUCCESS);
    }

    Command to(const Station &target, unsigned long flags) const
    {
        Command c = word_to(here, target, 1, flags);
        c.kind    = GetParam();
        c.lcl     = here.stadd;
        return c;
    }

    Job job{2};
    std::unique_ptr<Agent> near, far;
    Station here;
    FileStation there;
};

TEST_P(Truncation, IsTold)
{
    Command c = to(there.last, 0);
    ASSERT_EQ(near->run(post_and_wait, c), UTOFU_SUCCESS);
    ASSERT_EQ(far->run(truncate_to, there.fd, size_t(4096)), 0);
    for (int i = 0; i < 3; i++)
        EXPECT_EQ(near->run(post_and_wait, c), UTOFU_ERR_MRQ_RMT_MEMORY);
    c.flags = remote_notice;
    EXPECT_EQ(near->run(post_and_wait, c), UTOFU_ERR_MRQ_RMT_MEMORY);
    EXPECT_EQ(far->run(told_within, there.first.hdl, 10), UTOFU_ERR_NOT_FOUND) << "no notice of what never came";
}

TEST_P(Truncation, LeavesTheRestOfTheFileAlone)
{
    ASSERT_EQ(near->run(post_and_wait, to(there.first, 0)), UTOFU_SUCCESS);
    ASSERT_EQ(near->run(post_and_wait, to(there.last, 0)), UTOFU_SUCCESS);
    ASSERT_EQ(far->run(truncate_to, there.fd, size_t(4096)), 0);
    EXPECT_EQ(near->run(post_and_wait, to(there.last, 0)), UTOFU_ERR_MRQ_RMT_MEMORY);
    /* What was sent meanwhile may be lost, and is told. */
    for (int i = 0; i < 10; i++)
        near->run(told_within, here.hdl, 1);
    Command word = word_to(here, there.first, 77, 0);
    EXPECT_EQ(near->run(post_and_wait, word), UTOFU_SUCCESS);
    EXPECT_EQ(far->run(support::load8, there.first.address), 77u);
}

TEST_P(Truncation, EndsWithTheFilesGrowth)
{
    ASSERT_EQ(near->run(post_and_wait, to(there.last, 0)), UTOFU_SUCCESS);
    ASSERT_EQ(far->run(truncate_to, there.fd, size_t(4096)), 0);
    EXPECT_EQ(near->run(post_and_wait, to(there.last, 0)), UTOFU_ERR_MRQ_RMT_MEMORY);
    ASSERT_EQ(far->run(truncate_to, there.fd, size), 0);
    EXPECT_EQ(near->run(post_and_wait, to(there.last, 0)), UTOFU_SUCCESS);
}

std::string kind_name(const testing::TestParamInfo<Kind> &info)
{
    static const char *const names[] = {"Put", "Piggyback", "Piggyback8", "Get", "Armw4", "Armw8", "Cswap4", "Cswap8"};
    return names[int(info.param)];
}

INSTANTIATE_TEST_SUITE_P(, Truncation,
                         testing::Values(Kind::Put, Kind::Piggyback, Kind::Piggyback8, Kind::Get, Kind::Armw4,
                                         Kind::Armw8, Kind::Cswap4, Kind::Cswap8),
                         kind_name);

using ShortPut = Truncation;
INSTANTIATE_TEST_SUITE_P(, ShortPut, testing::Values(Kind::Piggyback8), kind_name);

/* A short put does not look what becomes of it, so that is told by a later poll. */
TEST_P(ShortPut, IntoTruncatedMemoryIsToldByPolling)
{
    Command c = to(there.last, 0);
    for (int i = 0; i < 3; i++)
        ASSERT_EQ(near->run(support::post, c), UTOFU_SUCCESS);
    ASSERT_EQ(far->run(truncate_to, there.fd, size_t(4096)), 0);
    for (int i = 0; i < 3; i++)
        EXPECT_EQ(near->run(support::post, c), UTOFU_SUCCESS);
    MrqNotice told = near->run(support::mrq_wait, here.hdl, patience);
    EXPECT_EQ(told.status, UTOFU_ERR_MRQ_RMT_MEMORY);
    EXPECT_EQ(told.notice.vcq_id, there.first.id);
    EXPECT_EQ(told.notice.rmt_stadd, there.last.stadd);
    EXPECT_EQ(near->run(told_within, here.hdl, 10), UTOFU_ERR_NOT_FOUND) << "once";
    EXPECT_EQ(near->run(post_and_wait, c), UTOFU_ERR_MRQ_RMT_MEMORY);
}

TEST(Unmapping, OfAttachedMemoryIsTold)
{
    Job job(2);
    auto near = job.rank(0), far = job.rank(1);
    Station here  = near->run(station_open, Memory::Memfd, size_t(4096));
    Station there = far->run(station_open, Memory::Anonymous, size_t(8192));
    for (Kind kind : {Kind::Piggyback8, Kind::Put, Kind::Get, Kind::Armw8}) {
        Command c = word_to(here, there, 1, 0);
        c.kind    = kind;
        c.lcl     = here.stadd;
        EXPECT_EQ(near->run(post_and_wait, c), UTOFU_SUCCESS);
    }
    far->run(
            [](char *address) {
                munmap(address, 8192);
            },
            there.address);
    for (Kind kind : {Kind::Piggyback8, Kind::Put, Kind::Get, Kind::Armw8}) {
        Command c = word_to(here, there, 1, 0);
        c.kind    = kind;
        c.lcl     = here.stadd;
        EXPECT_EQ(near->run(post_and_wait, c), UTOFU_ERR_MRQ_RMT_MEMORY);
    }
}

/* The registration holds the file: what is written there is not seen in memory that the owner no longer has. */
TEST(Unmapping, OfMappedMemoryHarmsNobody)
{
    Job job(2);
    auto near = job.rank(0), far = job.rank(1);
    Station here      = near->run(station_open, Memory::Memfd, size_t(4096));
    FileStation there = far->run(file_open);
    EXPECT_EQ(near->run(post_and_wait, word_to(here, there.first, 1, 0)), UTOFU_SUCCESS);
    far->run(
            [](char *address, int fd) {
                munmap(address, size);
                close(fd);
            },
            there.first.address, there.fd);
    EXPECT_EQ(near->run(post_and_wait, word_to(here, there.first, 1, 0)), UTOFU_SUCCESS);
}

/** In an agent: register two stations' memory in turn, never both. */
int take_turns(Station one, Station other)
{
    for (int i = 0; i < 2000; i++) {
        Stadd stadd = support::mem_register_stag(one.hdl, one.address, 4096, i % 2 ? some_stag : some_stag + 1, 0);
        if (stadd.status != UTOFU_SUCCESS || stadd.value != one.stadd ||
            support::mem_deregister(one.hdl, stadd.value) != UTOFU_SUCCESS)
            return -1;
        std::swap(one, other);
    }
    return UTOFU_SUCCESS;
}

/** In an agent: put a word a hundred times. @return What is neither success nor the lack of a registration. */
int put_often(Command word)
{
    for (int i = 0; i < 100; i++) {
        int status = post_and_wait(word);
        if (status != UTOFU_SUCCESS && status != UTOFU_ERR_MRQ_RMT_STADD)
            return status;
    }
    return UTOFU_SUCCESS;
}

/* Both files are published in the same place, one after the other. */
TEST(Reregistration, NeverLeadsToTheOtherFile)
{
    Job job(2);
    auto near = job.rank(0), far = job.rank(1);
    Station here = near->run(station_open, Memory::Memfd, size_t(4096));
    Station one = far->run(station_open, Memory::Memfd, size_t(4096)), other = one;
    ASSERT_EQ(far->run(support::mem_deregister, one.hdl, one.stadd), UTOFU_SUCCESS);
    other.address = far->run(support::memory_make, Memory::Memfd, size_t(4096));
    Stadd stadd   = far->run(support::mem_register_stag, other.hdl, other.address, size_t(4096), some_stag + 1, 0ul);
    other.stadd   = stadd.value;
    ASSERT_EQ(far->run(support::mem_deregister, other.hdl, other.stadd), UTOFU_SUCCESS);
    auto turns = far->start(take_turns, other, one);
    while (!turns.done()) {
        ASSERT_EQ(near->run(put_often, word_to(here, one, 1, 0)), UTOFU_SUCCESS);
        ASSERT_EQ(near->run(put_often, word_to(here, other, 2, 0)), UTOFU_SUCCESS);
    }
    EXPECT_EQ(turns.get(), UTOFU_SUCCESS);
    EXPECT_NE(far->run(support::load8, one.address), 2u);
    EXPECT_NE(far->run(support::load8, other.address), 1u);
}

TEST(HolePunching, LeavesZeroes)
{
    Job job(2);
    auto near = job.rank(0), far = job.rank(1);
    Station here      = near->run(station_open, Memory::Memfd, size_t(4096));
    FileStation there = far->run(file_open);
    Command c         = word_to(here, there.last, 5, 0);
    EXPECT_EQ(near->run(post_and_wait, c), UTOFU_SUCCESS);
    ASSERT_EQ(far->run(
                      [](int fd) {
                          return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, off_t(size));
                      },
                      there.fd),
              0);
    EXPECT_EQ(far->run(support::load8, there.last.address), 0u);
    c.kind = Kind::Armw8;
    EXPECT_EQ(near->run(post_and_wait, c), UTOFU_SUCCESS);
    EXPECT_EQ(far->run(support::load8, there.last.address), 5u);
}

sigjmp_buf escape;

/** In an agent: the program's own handler, on a stack of its own, installed before the device's. */
void install_handler()
{
    static char stack[65536];
    stack_t alternate       = {};
    struct sigaction action = {};

    alternate.ss_sp    = stack;
    alternate.ss_size  = sizeof(stack);
    action.sa_handler  = [](int) { siglongjmp(escape, 1); };
    action.sa_flags    = SA_ONSTACK;
    sigaltstack(&alternate, nullptr);
    sigaction(SIGBUS, &action, nullptr);
}

/** Touch memory of this process whose file is gone. @return Whether the program's own handler was called. */
bool touch_own()
{
    int fd = memfd_create("own", MFD_CLOEXEC);
    void *page;

    if (ftruncate(fd, 4096) != 0)
        return false;
    page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (ftruncate(fd, 0) != 0)
        return false;
    if (sigsetjmp(escape, 1) != 0)
        return true;
    *static_cast<volatile char *>(page) = 1;
    return false;
}

TEST(Handler, PassesOnWhatIsNotItsOwn)
{
    Job job(2);
    auto near = job.rank(0), far = job.rank(1);
    near->run(install_handler);
    Station here      = near->run(station_open, Memory::Memfd, size_t(4096));
    FileStation there = far->run(file_open);
    Command c         = word_to(here, there.last, 1, 0);
    EXPECT_EQ(near->run(post_and_wait, c), UTOFU_SUCCESS);
    EXPECT_TRUE(near->run(touch_own));
    ASSERT_EQ(far->run(truncate_to, there.fd, size_t(0)), 0);
    EXPECT_EQ(near->run(post_and_wait, c), UTOFU_ERR_MRQ_RMT_MEMORY);
    EXPECT_TRUE(near->run(touch_own));
    EXPECT_TRUE(near->run([] { return sigsetjmp(escape, 1) != 0 || raise(SIGBUS) != 0; }));
}

TEST(Handler, LetsOtherFaultsEndTheProcess)
{
    Job job(2);
    auto near = job.rank(0), far = job.rank(1);
    near->run([] { signal(SIGBUS, SIG_DFL); }); /* Under a sanitizer it has a handler. */
    Station here  = near->run(station_open, Memory::Memfd, size_t(4096));
    Station there = far->run(station_open, Memory::Memfd, size_t(4096));
    EXPECT_EQ(near->run(post_and_wait, word_to(here, there, 1, 0)), UTOFU_SUCCESS);
    EXPECT_THROW(near->run(touch_own), support::AgentGone);
    int status = near->wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS) << status;
}

} // namespace
