/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets of every length, from and to every kind of memory and alignment. */
#include "conform/world.h"

namespace
{

using namespace conform;

constexpr int guard = 0xe5; /* What lies around data and must stay. */

/* A row of transfers of growing length, each to a field of its own. */
struct Row {
    Command command;
    char *local, *remote;
    size_t field, align_local, align_remote;
    size_t first, last;
    unsigned seed;
};

/* Start of the data within its field: there is a guard on both sides. */
size_t data_at(size_t align)
{
    return 64 + align;
}

int post_row(Row row)
{
    for (size_t length = row.first; length <= row.last; length++) {
        Command c = row.command;
        size_t at = (length - row.first) * row.field;
        c.length  = length;
        c.stadd += at + data_at(row.align_remote);
        c.lcl += at + data_at(row.align_local);
        for (size_t i = 0; i < length && i < sizeof(c.data); i++)
            c.data[i] = support::pattern(unsigned(row.seed + length), i);
        for (size_t i = 0; i < length && i < 8; i++)
            c.value |= uint64_t(c.data[i]) << 8 * i;
        int status = support::post_patiently(c);
        if (status != UTOFU_SUCCESS)
            return status;
    }
    return UTOFU_SUCCESS;
}

/* The bytes that a row moves, where they come from. */
void fill_row(char *base, size_t align, Row row)
{
    support::byte_fill(base, (row.last - row.first + 1) * row.field, guard);
    for (size_t length = row.first; length <= row.last; length++)
        support::pattern_fill(base + (length - row.first) * row.field + data_at(align), length,
                              unsigned(row.seed + length));
}

/* @return Wrong bytes where they went to, guards included. */
size_t wrong_row(char *base, size_t align, Row row)
{
    size_t wrong = 0;

    for (size_t length = row.first; length <= row.last; length++) {
        char *field = base + (length - row.first) * row.field;
        size_t at   = data_at(align);
        wrong += support::byte_wrong(field, at, guard);
        wrong += support::pattern_wrong(field + at, length, unsigned(row.seed + length));
        wrong += support::byte_wrong(field + at + length, row.field - at - length, guard);
    }
    return wrong;
}

class Transfer : public World
{
protected:
    /* Move a row and look at every byte of the side that was written. */
    void move(Row row, const Region &local, const Region &remote)
    {
        bool get           = row.command.kind == Kind::Get;
        End &from          = get ? *far : *near;
        End &to            = get ? *near : *far;
        const Region &in   = get ? remote : local;
        const Region &out  = get ? local : remote;
        size_t align_in    = get ? row.align_remote : row.align_local;
        size_t align_out   = get ? row.align_local : row.align_remote;
        size_t bytes       = (row.last - row.first + 1) * row.field;

        ASSERT_LE(bytes, local.size);
        ASSERT_LE(bytes, remote.size);
        from.run(fill_row, in.address, align_in, row);
        to.run(support::byte_fill, out.address, bytes, guard);
        ASSERT_EQ(near->run(post_row, row), UTOFU_SUCCESS);
        settle();
        EXPECT_EQ(to.run(wrong_row, out.address, align_out, row), 0u)
                << "local +" << row.align_local << ", remote +" << row.align_remote << ", lengths "
                << row.first << ".." << row.last;
    }

    Row row(Kind kind, const Region &local, const Region &remote, size_t first, size_t last)
    {
        Row r          = {};
        r.command      = command(kind, local, remote, 0);
        r.field        = (last + 64 + 64 + 64 + 63) / 64 * 64;
        r.first        = first;
        r.last         = last;
        r.seed         = ++seed_;
        return r;
    }

    void every_short_length(Kind kind, Memory local_kind, Memory remote_kind, size_t last)
    {
        size_t size   = 64 * 256;
        Region local  = near->region(local_kind, size);
        Region remote = far->region(remote_kind, size);
        for (size_t align = 0; align < 16; align++) {
            Row r          = row(kind, local, remote, 1, last);
            r.align_local  = align * 5 % 16;
            r.align_remote = align;
            move(r, local, remote);
        }
    }

    void around(Kind kind, Memory local_kind, Memory remote_kind, size_t length)
    {
        size_t size   = 4 * (length + 512);
        Region local  = near->region(local_kind, size);
        Region remote = far->region(remote_kind, size);
        for (size_t align : {size_t(0), size_t(1), size_t(63)}) {
            Row r          = row(kind, local, remote, length - 1, length + 1);
            r.align_local  = align;
            r.align_remote = 63 - align;
            move(r, local, remote);
        }
    }

private:
    unsigned seed_ = 0;
};
CONFORM_EVERY_WAY(Transfer);

constexpr Memory some_kinds[] = {Memory::Memfd, Memory::Heap};

TEST_P(Transfer, PutOfEveryShortLengthAndAlignment)
{
    for (Memory local : some_kinds) {
        for (Memory remote : some_kinds)
            every_short_length(Kind::Put, local, remote, 64);
    }
}

TEST_P(Transfer, GetOfEveryShortLengthAndAlignment)
{
    for (Memory local : some_kinds) {
        for (Memory remote : some_kinds)
            every_short_length(Kind::Get, local, remote, 64);
    }
}

TEST_P(Transfer, PiggybackOfEveryLengthAndAlignment)
{
    for (Memory remote : some_kinds)
        every_short_length(Kind::Piggyback, Memory::Heap, remote, 32);
}

TEST_P(Transfer, Piggyback8OfEveryLengthAndAlignment)
{
    for (Memory remote : some_kinds)
        every_short_length(Kind::Piggyback8, Memory::Heap, remote, 8);
}

TEST_P(Transfer, PutAroundPagesAndPieces)
{
    for (Memory remote : some_kinds) {
        for (size_t length : {128u, 4096u, 65536u, 131072u})
            around(Kind::Put, Memory::Heap, remote, length);
    }
}

TEST_P(Transfer, GetAroundPagesAndPieces)
{
    for (Memory remote : some_kinds) {
        for (size_t length : {128u, 4096u, 65536u, 131072u})
            around(Kind::Get, Memory::Memfd, remote, length);
    }
}

TEST_P(Transfer, LongestPutAndGet)
{
    const size_t longest = 16777215;
    for (Memory kind : some_kinds) {
        Region local  = near->region(kind, longest + 512);
        Region remote = far->region(kind, longest + 512);
        for (Kind way : {Kind::Put, Kind::Get}) {
            Row r          = row(way, local, remote, longest, longest);
            r.field        = longest + 512;
            r.align_local  = 3;
            r.align_remote = 1;
            move(r, local, remote);
        }
    }
}

TEST_P(Transfer, EveryKindOfMemory)
{
    for (Memory kind : {Memory::Heap, Memory::Stack, Memory::Bss, Memory::Memfd, Memory::PosixShm,
                        Memory::File, Memory::Anonymous, Memory::SharedAnonymous}) {
        SCOPED_TRACE(support::memory_name(kind));
        Region local  = near->region(kind, 30000);
        Region remote = far->region(kind, 30000);
        for (Kind way : {Kind::Put, Kind::Get}) {
            Row r         = row(way, local, remote, 5001, 5003);
            r.align_local = 1;
            move(r, local, remote);
        }
    }
}

TEST_P(Transfer, TouchesNothingButWhatItIsAimedAt)
{
    Region remote = far->region(Memory::Memfd, 4096);
    far->run(support::byte_fill, remote.address, size_t(4096), guard);
    for (size_t length = 1; length <= 32; length++) {
        Command c = command(Kind::Piggyback, remote, length);
        memset(c.data, guard ^ 0xff, sizeof(c.data));
        c.stadd += 4096 - length; /* Up to the very end of the registration. */
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
        settle();
        EXPECT_EQ(far->run(support::byte_wrong, remote.address, size_t(4096), guard), length);
    }
}

class Overlap : public World
{
};
INSTANTIATE_TEST_SUITE_P(, Overlap, testing::Values(Place::OneProcess), place_name);

TEST_P(Overlap, MovesWithinOneRegistration)
{
    const size_t size   = 8192;
    char *memory        = near->run(support::memory_make, Memory::Heap, size);
    utofu_stadd_t here  = near->run(support::mem_register, near->hdl, memory, size, 0ul).value;
    utofu_stadd_t there = far->run(support::mem_register, far->hdl, memory, size, 0ul).value;

    for (size_t distance : {size_t(1), size_t(100), size_t(4000)}) {
        near->run(support::pattern_fill, memory, size, 7u);
        Command c = command(Kind::Put, Region{}, 4096);
        c.lcl     = here;
        c.stadd   = there + distance;
        ASSERT_EQ(near->post(c), UTOFU_SUCCESS);
        settle();
        EXPECT_EQ(near->run(support::pattern_wrong, memory + distance, size_t(4096), 7u), 0u);
    }
}

} // namespace
