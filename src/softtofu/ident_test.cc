/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/ident.h"

#include <gtest/gtest.h>

namespace
{

softtofu_vcq_place place(uint8_t x, uint8_t y, uint8_t z, uint8_t a, uint8_t b, uint8_t c, uint8_t tni,
                         uint8_t cq, uint8_t cmp)
{
    return {{x, y, z, a, b, c}, tni, cq, cmp};
}

TEST(Ident, VcqIdHasTheFieldsSeenOnHardware)
{
    const softtofu_vcq_place origin = place(0, 0, 0, 0, 0, 0, 0, 0, 7);
    EXPECT_EQ(softtofu_vcq_id_encode(&origin), UINT64_C(0x000000000f000000));
    const softtofu_vcq_place each = place(1, 2, 3, 1, 2, 1, 5, 8, 0);
    EXPECT_EQ(softtofu_vcq_id_encode(&each), UINT64_C(5) << 61 | UINT64_C(1) << 59 | UINT64_C(2) << 57 |
                                                     UINT64_C(1) << 56 | UINT64_C(3) << 48 |
                                                     UINT64_C(2) << 40 | UINT64_C(1) << 32 |
                                                     UINT64_C(0x08000000) | 8);
}

TEST(Ident, EveryPlaceComesBackFromItsId)
{
    for (unsigned n = 0; n < 100000; n++) {
        unsigned r = n * 2654435761u;
        auto in = place(uint8_t(r % 32), uint8_t(r / 32 % 32), uint8_t(r / 1024 % 32),
                        uint8_t(r / 32768 % 2), uint8_t(r / 65536 % 3), uint8_t(n % 2),
                        uint8_t(n % 6), uint8_t(n % 11), uint8_t(n % 8));
        softtofu_vcq_place out;
        ASSERT_TRUE(softtofu_vcq_id_decode(softtofu_vcq_id_encode(&in), &out));
        ASSERT_EQ(memcmp(&in, &out, sizeof(in)), 0);
        ASSERT_TRUE(softtofu_vcq_id_decode(softtofu_vcq_id_encode(&in) | SOFTTOFU_ID_PATH_MASK, &out))
                << "the path is no part of the place";
        ASSERT_EQ(memcmp(&in, &out, sizeof(in)), 0);
    }
}

/* Values that programs printed on Fugaku. */
TEST(Ident, StaddsAreThoseSeenOnHardware)
{
    auto *first = reinterpret_cast<void *>(0x447950);
    EXPECT_EQ(softtofu_stadd_encode(0, 0x1002, softtofu_stadd_offset(0x1002, first)),
              UINT64_C(0x0010020000007950));
    auto *second = reinterpret_cast<void *>(0x4006891a0010);
    EXPECT_EQ(softtofu_stadd_encode(0, 0x103c, softtofu_stadd_offset(0x103c, second)),
              UINT64_C(0x00103c0000000010));
    auto *aligned = reinterpret_cast<void *>(0x447900);
    unsigned stag = softtofu_stag_reserved(7, 11);
    EXPECT_EQ(softtofu_stadd_encode(0, stag, softtofu_stadd_offset(stag, aligned)),
              UINT64_C(0x000f0b0000000000));
}

TEST(Ident, StaddFieldsComeBack)
{
    for (unsigned cq = 0; cq < 11; cq++) {
        for (unsigned stag = 0; stag < SOFTTOFU_STAGS; stag += 37) {
            uint64_t stadd = softtofu_stadd_encode(cq, stag, 0xffff) + 1000000;
            EXPECT_EQ(softtofu_stadd_cq(stadd), cq);
            EXPECT_EQ(softtofu_stadd_stag(stadd), stag);
        }
    }
}

} // namespace
