/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of commands: kept, posted again, posted together, patched, and damaged. */
#include "conform/world.h"

namespace
{

using namespace conform;

class Prepare : public World
{
protected:
    void SetUp() override
    {
        World::SetUp();
        local  = near->region(Memory::Memfd, 4096);
        remote = far->region(Memory::Memfd, 4096);
    }

    support::Image image(const Command &c)
    {
        support::Image made = near->run(support::prepare, c);
        EXPECT_EQ(made.status, UTOFU_SUCCESS);
        return made;
    }

    int post(const support::Image &made, uint64_t cbdata = 0)
    {
        return near->run(support::post_image, near->hdl, made, cbdata);
    }

    Region local, remote;
};
CONFORM_EVERYWHERE(Prepare);

support::Image append(support::Image first, const support::Image &second)
{
    std::memcpy(reinterpret_cast<char *>(first.word) + first.size, second.word, second.size);
    first.size += second.size;
    return first;
}

TEST_P(Prepare, ImagesHaveTheSizesOfTheHardware)
{
    struct Case {
        Kind kind;
        size_t length, size;
    };
    for (Case each : {Case{Kind::Put, 8, 32}, Case{Kind::Get, 8, 32}, Case{Kind::Piggyback8, 8, 32},
                      Case{Kind::Piggyback, 8, 32}, Case{Kind::Piggyback, 9, 64}, Case{Kind::Piggyback, 32, 64},
                      Case{Kind::Armw4, 4, 32}, Case{Kind::Armw8, 8, 32}, Case{Kind::Cswap4, 4, 64},
                      Case{Kind::Cswap8, 8, 64}, Case{Kind::Nop, 0, 32}})
        EXPECT_EQ(image(command(each.kind, local, remote, each.length)).size, each.size) << int(each.kind);
}

TEST_P(Prepare, NopIsZerosButForItsNotice)
{
    support::Image silent = image(command(Kind::Nop, remote, 0)), told = image(command(Kind::Nop, remote, 0, tcq_notice));
    for (int i = 0; i < 4; i++) {
        EXPECT_EQ(silent.word[i], 0u);
        EXPECT_EQ(told.word[i], i == 0 ? 2u : 0u);
    }
}

TEST_P(Prepare, PreparingSendsNothingAndAnImageIsPostedManyTimes)
{
    Command c  = command(Kind::Armw8, remote, 8, tcq_notice | local_notice);
    c.value    = 3;
    auto kept  = image(c);
    EXPECT_TRUE(near->quiet());
    for (uint64_t i = 0; i < 100; i++) {
        ASSERT_EQ(post(kept, i), UTOFU_SUCCESS);
        EXPECT_EQ(near->tcq().cbdata, i);
        EXPECT_EQ(near->mrq().notice.rmt_value, 3 * i);
    }
}

TEST_P(Prepare, SeveralImagesAreOnePost)
{
    Command wide = command(Kind::Piggyback, remote, 32, tcq_notice | remote_notice);
    for (int i = 0; i < 32; i++)
        wide.data[i] = uint8_t(i + 1);
    Command add = command(Kind::Armw8, remote, 8, tcq_notice | local_notice);
    add.stadd += 64;
    add.value      = 5;
    Command nop    = command(Kind::Nop, remote, 0, tcq_notice);
    Command swap   = command(Kind::Cswap8, remote, 8, local_notice);
    swap.stadd     = add.stadd;
    swap.compare   = 5;
    swap.value     = 6;
    auto all = append(append(append(image(wide), image(add)), image(nop)), image(swap));
    ASSERT_EQ(post(all, 55), UTOFU_SUCCESS);
    for (int i = 0; i < 3; i++)
        EXPECT_EQ(near->tcq().cbdata, 55u) << "one for each that asks";
    EXPECT_EQ(near->mrq().notice.rmt_value, 0u);
    EXPECT_EQ(near->mrq().notice.rmt_value, 5u);
    EXPECT_EQ(far->mrq().notice.rmt_stadd, remote.stadd + 32);
    EXPECT_EQ(far->run(support::load8, remote.address), 0x0807060504030201u);
    EXPECT_EQ(far->run(support::load8, remote.address + 24), 0x201f1e1d1c1b1a19u);
    EXPECT_EQ(far->run(support::load8, remote.address + 64), 6u);
    EXPECT_TRUE(near->quiet());
    EXPECT_TRUE(far->quiet());
}

/* As programs do that prepare a command once and change addresses, lengths and payloads from call to call. */
TEST_P(Prepare, ImagesCanBePatched)
{
    auto put = image(command(Kind::Put, local, remote, 8));
    near->run(support::store8, local.address + 512, uint64_t(0xabcd));
    near->run(support::store8, local.address + 520, uint64_t(0xef01));
    put.word[2] = remote.stadd + 1024;
    put.word[3] = local.stadd + 512;
    put.word[1] = (put.word[1] & ~(UINT64_C(0xffffff) << 32)) | UINT64_C(16) << 32;
    ASSERT_EQ(post(put), UTOFU_SUCCESS);

    auto eight    = image(command(Kind::Piggyback8, remote, 8));
    eight.word[2] = remote.stadd + 2048;
    eight.word[3] = 0x5555;
    ASSERT_EQ(post(eight), UTOFU_SUCCESS);

    auto wide    = image(command(Kind::Piggyback, remote, 32));
    wide.word[1] = 0x11; /* Bytes 8..31 in the first entry, the others and the address in the second. */
    wide.word[2] = 0x12;
    wide.word[3] = 0x13;
    wide.word[6] = remote.stadd + 3072;
    wide.word[7] = 0x10;
    ASSERT_EQ(post(wide), UTOFU_SUCCESS);

    auto add    = image(command(Kind::Armw8, remote, 8, remote_notice));
    add.word[3] = 9;
    add.word[1] = (add.word[1] & ~(UINT64_C(0xff) << 16)) | UINT64_C(0x42) << 16;
    ASSERT_EQ(post(add), UTOFU_SUCCESS);
    settle();
    EXPECT_EQ(far->run(support::load8, remote.address + 1024), 0xabcdu);
    EXPECT_EQ(far->run(support::load8, remote.address + 1032), 0xef01u);
    EXPECT_EQ(far->run(support::load8, remote.address + 2048), 0x5555u);
    for (uint64_t i = 0; i < 4; i++)
        EXPECT_EQ(far->run(support::load8, remote.address + 3072 + 8 * i), 0x10u + i);
    EXPECT_EQ(far->run(support::load8, remote.address), 9u);
    EXPECT_EQ(far->mrq().notice.edata, 0x42u);
    EXPECT_TRUE(near->quiet());
}

TEST_P(Prepare, DamagedImagesAreRefusedWhole)
{
    auto good = image(command(Kind::Armw8, local, remote, 8, local_notice));
    auto refused = [&](support::Image bad, const char *what) {
        EXPECT_EQ(post(append(good, bad)), UTOFU_ERR_INVALID_DESC) << what;
    };
    auto put = image(command(Kind::Put, local, remote, 8));
    auto bad = put;
    bad.word[0] |= UINT64_C(0xff) << 8;
    refused(bad, "no such command");
    bad = put;
    bad.word[1] &= ~(UINT64_C(0xffffff) << 32);
    refused(bad, "no length");
    bad = put;
    bad.word[0] |= UINT64_C(7) << 61;
    refused(bad, "no such TNI");
    bad = put;
    bad.word[0] |= UINT64_C(0x1f) << 32;
    refused(bad, "outside the shape");
    bad = put;
    bad.word[1] |= UINT64_C(1) << 63;
    refused(bad, "bits without a meaning");
    bad      = put;
    bad.size = 24;
    refused(bad, "cut");
    bad      = image(command(Kind::Piggyback, remote, 32));
    bad.size = 32;
    refused(bad, "half a command");
    bad = good;
    bad.word[2] += 4;
    refused(bad, "unaligned");
    EXPECT_TRUE(near->quiet()) << "the good one before it was not posted";
    EXPECT_EQ(near->run([](utofu_vcq_hdl_t hdl) { return utofu_post_toq(hdl, nullptr, 32, nullptr); }, near->hdl),
              UTOFU_ERR_INVALID_POINTER);
    good.size = 0;
    EXPECT_EQ(post(good), UTOFU_ERR_INVALID_SIZE);
    EXPECT_EQ(near->run(
                      [](utofu_vcq_hdl_t hdl) {
                          std::vector<uint64_t> nops(4 * 2049);
                          return utofu_post_toq(hdl, nops.data(), nops.size() * 8, nullptr);
                      },
                      near->hdl),
              UTOFU_ERR_INVALID_SIZE);
}

TEST_P(Prepare, RefusesWhatTheCallRefuses)
{
    Command c = command(Kind::Put, local, remote, 0);
    EXPECT_EQ(near->run(support::prepare, c).status, UTOFU_ERR_INVALID_SIZE);
    c.length = 8;
    c.hdl    = 0;
    EXPECT_EQ(near->run(support::prepare, c).status, UTOFU_ERR_INVALID_VCQ_HDL);
    EXPECT_EQ(near->run(
                      [](utofu_vcq_hdl_t hdl) {
                          size_t size;
                          return utofu_prepare_nop(hdl, 0, nullptr, &size);
                      },
                      near->hdl),
              UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(near->run(
                      [](utofu_vcq_hdl_t hdl) {
                          uint64_t desc[8];
                          return utofu_prepare_nop(hdl, 0, desc, nullptr);
                      },
                      near->hdl),
              UTOFU_ERR_INVALID_POINTER);
}

/* A path chosen in the id or by the flag is part of the image, and of no importance to where it goes. */
TEST_P(Prepare, KeepsThePath)
{
    Command c = command(Kind::Piggyback8, remote, 8);
    c.value   = 0x99;
    uint8_t path[3] = {0, 0, 0};
    ASSERT_EQ(utofu_set_vcq_id_path(&c.rmt, path), UTOFU_SUCCESS);
    c.flags = UTOFU_ONESIDED_FLAG_PATH(3);
    auto kept = image(c);
    EXPECT_EQ(kept.word[0] >> 28 & 0xf, 3u);
    ASSERT_EQ(post(kept), UTOFU_SUCCESS);
    settle();
    EXPECT_EQ(far->run(support::load8, remote.address), 0x99u);
}

} // namespace
