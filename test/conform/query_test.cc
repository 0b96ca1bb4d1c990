/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program can ask before it communicates. */
#include "conform/world.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace
{

using namespace conform;

class Query : public World
{
};
CONFORM_EVERYWHERE(Query);

TEST_P(Query, SixTnisInAscendingOrder)
{
    struct Result {
        int status;
        size_t count;
        utofu_tni_id_t tnis[16];
    };
    Result r = near->run([] {
        Result result         = {};
        utofu_tni_id_t *tnis = nullptr;
        result.status         = utofu_get_onesided_tnis(&tnis, &result.count);
        for (size_t i = 0; i < result.count && i < 16; i++)
            result.tnis[i] = tnis[i];
        free(tnis); /* As the interface says. */
        return result;
    });
    EXPECT_EQ(r.status, UTOFU_SUCCESS);
    ASSERT_EQ(r.count, 6u);
    for (utofu_tni_id_t i = 0; i < 6; i++)
        EXPECT_EQ(r.tnis[i], i);
}

TEST_P(Query, TnisRejectNullPointers)
{
    EXPECT_EQ(near->run([] {
        size_t count;
        return utofu_get_onesided_tnis(nullptr, &count);
    }),
              UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(near->run([] {
        utofu_tni_id_t *tnis;
        return utofu_get_onesided_tnis(&tnis, nullptr);
    }),
              UTOFU_ERR_INVALID_POINTER);
}

TEST_P(Query, CapabilitiesAreThoseOfTofuD)
{
    for (unsigned tni = 0; tni < 6; tni++) {
        auto caps = near->run(
                [](unsigned id) {
                    utofu_onesided_caps copy = {}, *found = nullptr;
                    if (utofu_query_onesided_caps(utofu_tni_id_t(id), &found) == UTOFU_SUCCESS)
                        copy = *found;
                    return copy;
                },
                tni);
        EXPECT_TRUE(caps.flags & UTOFU_ONESIDED_CAP_FLAG_ARMW);
        EXPECT_EQ(caps.armw_ops, 0x3fu);
        EXPECT_EQ(caps.num_cmp_ids, 8u);
        EXPECT_EQ(caps.num_reserved_stags, 256u);
        EXPECT_EQ(caps.cache_line_size, 256u);
        EXPECT_EQ(caps.stag_address_alignment, 256u);
        EXPECT_EQ(caps.max_toq_desc_size, 64u);
        EXPECT_EQ(caps.max_putget_size, 16777215u);
        EXPECT_EQ(caps.max_piggyback_size, 32u);
        EXPECT_EQ(caps.max_edata_size, 1u);
        EXPECT_EQ(caps.max_mtu, 1920u);
        EXPECT_EQ(caps.max_gap, 255u);
    }
}

TEST_P(Query, SessionModeIsOfferedIfAndOnlyIfItWorks)
{
    bool offered = near->run([] {
        utofu_onesided_caps *caps = nullptr;
        utofu_query_onesided_caps(0, &caps);
        return (caps->flags & UTOFU_ONESIDED_CAP_FLAG_SESSION_MODE) != 0;
    });
    int status = near->run(support::vcq_create, 0u, UTOFU_VCQ_FLAG_SESSION_MODE, -1).status;
    EXPECT_EQ(status, offered ? UTOFU_SUCCESS : UTOFU_ERR_NOT_SUPPORTED);
}

TEST_P(Query, CapabilitiesRejectBadArguments)
{
    EXPECT_EQ(near->run([] {
        utofu_onesided_caps *caps;
        return utofu_query_onesided_caps(6, &caps);
    }),
              UTOFU_ERR_INVALID_TNI_ID);
    EXPECT_EQ(near->run([] { return utofu_query_onesided_caps(0, nullptr); }),
              UTOFU_ERR_INVALID_POINTER);
}

TEST_P(Query, VersionsAreThePublishedOnes)
{
    auto versions = near->run([] {
        std::array<int, 4> v{};
        utofu_query_tofu_version(&v[0], &v[1]);
        utofu_query_utofu_version(&v[2], &v[3]);
        return v;
    });
    EXPECT_EQ(versions, (std::array<int, 4>{3, 0, UTOFU_VERSION_MAJOR, UTOFU_VERSION_MINOR}));
}

using Coords = std::array<uint8_t, 6>;

Coords coords_of(End &end)
{
    return end.run([] {
        Coords coords;
        coords.fill(0xff);
        if (utofu_query_my_coords(coords.data()) != UTOFU_SUCCESS)
            coords.fill(0xee);
        return coords;
    });
}

TEST_P(Query, CoordinatesAreThoseInTheVcqId)
{
    EXPECT_EQ(coords_of(*near) == coords_of(*far), GetParam() != Place::TwoNodes);
    for (End *end : {near.get(), far.get()}) {
        struct Info {
            int status;
            uint8_t coords[6];
            utofu_tni_id_t tni;
            utofu_cq_id_t cq;
            uint16_t extra;
        };
        Info info = end->run(
                [](utofu_vcq_id_t id) {
                    Info i   = {};
                    i.status = utofu_query_vcq_info(id, i.coords, &i.tni, &i.cq, &i.extra);
                    return i;
                },
                end->id);
        ASSERT_EQ(info.status, UTOFU_SUCCESS);
        Coords coords = coords_of(*end);
        EXPECT_TRUE(std::equal(coords.begin(), coords.end(), info.coords));
        EXPECT_EQ(info.tni, end == near.get() ? 0 : 1);
        EXPECT_LE(info.cq, 10);
        EXPECT_LE(info.extra, 15);
    }
}

TEST_P(Query, CoordinatesRejectNull)
{
    EXPECT_EQ(near->run([] { return utofu_query_my_coords(nullptr); }), UTOFU_ERR_INVALID_POINTER);
}

} // namespace
