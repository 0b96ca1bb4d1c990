/* SPDX-License-Identifier: BSD-3-Clause */
/* VCQs under the hardware's numbers, their ids, and paths. */
#include "conform/world.h"

#include <array>
#include <set>

namespace
{

using namespace conform;

class Vcqs : public World
{
protected:
    support::Vcq create(End &end, unsigned tni, unsigned long flags = 0, int cmp = -1)
    {
        return end.run(support::vcq_create, tni, flags, cmp);
    }
};
CONFORM_EVERYWHERE(Vcqs);

struct Place6 {
    int status;
    uint8_t coords[6];
    utofu_tni_id_t tni;
    utofu_cq_id_t cq;
    uint16_t extra;
};

Place6 take_apart(utofu_vcq_id_t id)
{
    Place6 p = {};
    p.status = utofu_query_vcq_info(id, p.coords, &p.tni, &p.cq, &p.extra);
    return p;
}

utofu_vcq_id_t construct(Place6 place, unsigned cmp)
{
    utofu_vcq_id_t id = 0;
    utofu_construct_vcq_id(place.coords, place.tni, place.cq, utofu_cmp_id_t(cmp), &id);
    return id;
}

TEST_P(Vcqs, IdsCanBeConstructedByPeers)
{
    for (unsigned tni = 0; tni < 6; tni++) {
        for (int cmp = 0; cmp < 7; cmp++) { /* The fixture's VCQs are plain ones and took a 7. */
            support::Vcq vcq = create(*near, tni, 0, cmp);
            ASSERT_EQ(vcq.status, UTOFU_SUCCESS) << "TNI " << tni << ", component " << cmp;
            Place6 place = take_apart(vcq.id);
            ASSERT_EQ(place.status, UTOFU_SUCCESS);
            EXPECT_EQ(place.tni, tni);
            EXPECT_EQ(construct(place, unsigned(cmp)), vcq.id);
        }
    }
}

TEST_P(Vcqs, SeventyTwoPlainVcqsOfATni)
{
    std::set<utofu_vcq_id_t> ids;
    std::set<unsigned> cqs;

    for (int i = 0; i < 72; i++) {
        support::Vcq vcq = create(*near, 3);
        ASSERT_EQ(vcq.status, UTOFU_SUCCESS) << i;
        EXPECT_TRUE(ids.insert(vcq.id).second);
        cqs.insert(take_apart(vcq.id).cq);
    }
    EXPECT_EQ(cqs.size(), 9u);
    EXPECT_EQ(create(*near, 3).status, UTOFU_ERR_FULL);
    EXPECT_EQ(create(*near, 3, UTOFU_VCQ_FLAG_EXCLUSIVE).status, UTOFU_ERR_FULL);
    EXPECT_EQ(create(*far, 3).status, GetParam() == Place::TwoNodes ? UTOFU_SUCCESS : UTOFU_ERR_FULL);
}

TEST_P(Vcqs, NineExclusiveVcqsOfATni)
{
    std::set<unsigned> cqs;
    support::Vcq last = {};

    for (int i = 0; i < 9; i++) {
        last = create(*near, 3, UTOFU_VCQ_FLAG_EXCLUSIVE);
        ASSERT_EQ(last.status, UTOFU_SUCCESS) << i;
        EXPECT_TRUE(cqs.insert(take_apart(last.id).cq).second);
    }
    EXPECT_EQ(create(*near, 3, UTOFU_VCQ_FLAG_EXCLUSIVE).status, UTOFU_ERR_FULL);
    EXPECT_EQ(create(*near, 3).status, UTOFU_ERR_FULL);
    EXPECT_EQ(create(*near, 4).status, UTOFU_SUCCESS) << "another TNI";
    EXPECT_EQ(near->run(support::vcq_free, last.hdl), UTOFU_SUCCESS);
    EXPECT_EQ(create(*near, 3).status, UTOFU_SUCCESS);
}

TEST_P(Vcqs, PlainVcqsLeaveRoomForExclusiveOnes)
{
    for (int i = 0; i < 8; i++)
        ASSERT_EQ(create(*near, 3).status, UTOFU_SUCCESS);
    for (int i = 0; i < 8; i++)
        ASSERT_EQ(create(*near, 3, UTOFU_VCQ_FLAG_EXCLUSIVE).status, UTOFU_SUCCESS) << i;
    EXPECT_EQ(create(*near, 3).status, UTOFU_ERR_FULL);
}

TEST_P(Vcqs, ExclusiveIsNotAvailableWhilePlainVcqsAreLeft)
{
    for (int i = 0; i < 65; i++) /* Begins the ninth CQ. */
        ASSERT_EQ(create(*near, 3).status, UTOFU_SUCCESS);
    EXPECT_EQ(create(*near, 3, UTOFU_VCQ_FLAG_EXCLUSIVE).status, UTOFU_ERR_NOT_AVAILABLE);
    EXPECT_EQ(create(*near, 3).status, UTOFU_SUCCESS);
}

TEST_P(Vcqs, NobodyJoinsAnExclusiveCq)
{
    unsigned exclusive = take_apart(create(*near, 3, UTOFU_VCQ_FLAG_EXCLUSIVE).id).cq;
    for (int i = 0; i < 64; i++) {
        support::Vcq vcq = create(*near, 3);
        ASSERT_EQ(vcq.status, UTOFU_SUCCESS);
        EXPECT_NE(take_apart(vcq.id).cq, exclusive);
    }
    EXPECT_EQ(create(*near, 3).status, UTOFU_ERR_FULL);
}

TEST_P(Vcqs, ComponentsAreUsedOnce)
{
    std::set<unsigned> cqs;

    for (int cmp = 0; cmp < 8; cmp++) {
        support::Vcq vcq = create(*near, 3, 0, cmp);
        ASSERT_EQ(vcq.status, UTOFU_SUCCESS);
        cqs.insert(take_apart(vcq.id).cq);
        EXPECT_EQ(create(*near, 3, 0, cmp).status, UTOFU_ERR_USED) << cmp;
    }
    EXPECT_EQ(cqs.size(), 1u) << "peers rebuild ids from one CQ number";
    for (int cmp = 0; cmp < 8; cmp++)
        EXPECT_EQ(create(*near, 3, 0, cmp).status, UTOFU_ERR_USED) << cmp;
}

TEST_P(Vcqs, FreedComponentCanBeHadAgain)
{
    support::Vcq first = create(*near, 3, 0, 2);
    ASSERT_EQ(near->run(support::vcq_free, first.hdl), UTOFU_SUCCESS);
    support::Vcq second = create(*near, 3, 0, 2);
    ASSERT_EQ(second.status, UTOFU_SUCCESS);
    EXPECT_EQ(second.id, first.id);
}

TEST_P(Vcqs, FreedQueueStartsEmpty)
{
    Region remote = far->region(Memory::Memfd, 256);
    ASSERT_EQ(near->post(command(Kind::Piggyback8, remote, 8, remote_notice)), UTOFU_SUCCESS);
    settle();
    Place6 place = take_apart(far->id);
    ASSERT_EQ(far->run(support::vcq_free, far->hdl), UTOFU_SUCCESS);
    support::Vcq again = create(*far, place.tni, 0, place.extra & 7);
    ASSERT_EQ(again.status, UTOFU_SUCCESS);
    ASSERT_EQ(again.id, far->id);
    EXPECT_EQ(far->run(support::mrq_unread, again.hdl), 0);
    EXPECT_EQ(far->run(support::mrq_poll, again.hdl).status, UTOFU_ERR_NOT_FOUND);
}

TEST_P(Vcqs, CreateRejectsBadArguments)
{
    EXPECT_EQ(create(*near, 6).status, UTOFU_ERR_INVALID_TNI_ID);
    EXPECT_EQ(create(*near, 0, 8).status, UTOFU_ERR_INVALID_FLAGS);
    EXPECT_EQ(create(*near, 0, 0, 8).status, UTOFU_ERR_INVALID_CMP_ID);
    EXPECT_EQ(create(*near, 6, 0, 0).status, UTOFU_ERR_INVALID_TNI_ID);
    EXPECT_EQ(create(*near, 0, 1ul << 63, 0).status, UTOFU_ERR_INVALID_FLAGS);
    EXPECT_EQ(near->run([] { return utofu_create_vcq(0, 0, nullptr); }), UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(near->run([] { return utofu_create_vcq_with_cmp_id(0, 0, 0, nullptr); }),
              UTOFU_ERR_INVALID_POINTER);
}

TEST_P(Vcqs, StaleAndForeignHandlesAreTold)
{
    support::Vcq vcq = create(*near, 3);
    ASSERT_EQ(near->run(support::vcq_free, vcq.hdl), UTOFU_SUCCESS);
    for (utofu_vcq_hdl_t bad : {vcq.hdl, utofu_vcq_hdl_t(0), near->hdl + 8, near->hdl + 1}) {
        auto statuses = near->run(
                [](utofu_vcq_hdl_t hdl) {
                    utofu_vcq_id_t id;
                    utofu_stadd_t stadd;
                    utofu_mrq_notice notice;
                    void *cbdata;
                    size_t count;
                    static char byte;
                    return std::array<int, 8>{utofu_free_vcq(hdl),
                                              utofu_query_vcq_id(hdl, &id),
                                              utofu_reg_mem(hdl, &byte, 1, 0, &stadd),
                                              utofu_dereg_mem(hdl, 0, 0),
                                              utofu_poll_tcq(hdl, 0, &cbdata),
                                              utofu_poll_mrq(hdl, 0, &notice),
                                              utofu_query_num_unread_tcq(hdl, &count),
                                              utofu_query_num_unread_mrq(hdl, &count)};
                },
                bad);
        for (size_t i = 0; i < statuses.size(); i++)
            EXPECT_EQ(statuses[i], UTOFU_ERR_INVALID_VCQ_HDL) << "call " << i;
    }
}

TEST_P(Vcqs, IdQueryRejectsNull)
{
    EXPECT_EQ(near->run([](utofu_vcq_hdl_t hdl) { return utofu_query_vcq_id(hdl, nullptr); },
                        near->hdl),
              UTOFU_ERR_INVALID_POINTER);
}

/* From here on pure functions, so no agent is asked. */

TEST(VcqId, ConstructRejectsBadArguments)
{
    struct Case {
        std::array<uint8_t, 6> coords;
        unsigned tni, cq, cmp;
        int expected;
    };
    const Case cases[] = {
            {{31, 31, 31, 1, 2, 1}, 5, 10, 7, UTOFU_SUCCESS},
            {{32, 0, 0, 0, 0, 0}, 0, 0, 0, UTOFU_ERR_INVALID_COORDS},
            {{0, 32, 0, 0, 0, 0}, 0, 0, 0, UTOFU_ERR_INVALID_COORDS},
            {{0, 0, 32, 0, 0, 0}, 0, 0, 0, UTOFU_ERR_INVALID_COORDS},
            {{0, 0, 0, 2, 0, 0}, 0, 0, 0, UTOFU_ERR_INVALID_COORDS},
            {{0, 0, 0, 0, 3, 0}, 0, 0, 0, UTOFU_ERR_INVALID_COORDS},
            {{0, 0, 0, 0, 0, 2}, 0, 0, 0, UTOFU_ERR_INVALID_COORDS},
            {{0, 0, 0, 0, 0, 0}, 6, 0, 0, UTOFU_ERR_INVALID_TNI_ID},
            {{0, 0, 0, 0, 0, 0}, 256, 0, 0, UTOFU_ERR_INVALID_TNI_ID},
            {{0, 0, 0, 0, 0, 0}, 0, 11, 0, UTOFU_ERR_INVALID_CQ_ID},
            {{0, 0, 0, 0, 0, 0}, 0, 256, 0, UTOFU_ERR_INVALID_CQ_ID},
            {{0, 0, 0, 0, 0, 0}, 0, 0, 8, UTOFU_ERR_INVALID_CMP_ID},
            {{0, 0, 0, 0, 0, 0}, 0, 0, 256, UTOFU_ERR_INVALID_CMP_ID},
    };
    for (Case c : cases) {
        utofu_vcq_id_t id;
        EXPECT_EQ(utofu_construct_vcq_id(c.coords.data(), utofu_tni_id_t(c.tni),
                                         utofu_cq_id_t(c.cq), utofu_cmp_id_t(c.cmp), &id),
                  c.expected);
    }
    utofu_vcq_id_t id;
    uint8_t coords[6] = {};
    EXPECT_EQ(utofu_construct_vcq_id(nullptr, 0, 0, 0, &id), UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(utofu_construct_vcq_id(coords, 0, 0, 0, nullptr), UTOFU_ERR_INVALID_POINTER);
}

TEST(VcqId, InfoRejectsWhatCannotBeAVcq)
{
    const uint64_t good = UINT64_C(0x0f000000);
    EXPECT_EQ(take_apart(good).status, UTOFU_SUCCESS);
    EXPECT_EQ(take_apart(0).status, UTOFU_ERR_INVALID_VCQ_ID) << "no component";
    EXPECT_EQ(take_apart(good | 11).status, UTOFU_ERR_INVALID_VCQ_ID) << "the system's CQ";
    EXPECT_EQ(take_apart(good | 1u << 8).status, UTOFU_ERR_INVALID_VCQ_ID) << "bits without meaning";
    EXPECT_EQ(take_apart(good | UINT64_C(6) << 61).status, UTOFU_ERR_INVALID_VCQ_ID) << "TNI 6";
    EXPECT_EQ(take_apart(good | UINT64_C(3) << 57).status, UTOFU_ERR_INVALID_VCQ_ID) << "b of 3";
    EXPECT_EQ(take_apart(good | UINT64_C(32) << 32).status, UTOFU_ERR_INVALID_VCQ_ID) << "x of 32";
    EXPECT_EQ(take_apart(UINT64_MAX).status, UTOFU_ERR_INVALID_VCQ_ID);

    uint8_t coords[6];
    utofu_tni_id_t tni;
    utofu_cq_id_t cq;
    uint16_t extra;
    EXPECT_EQ(utofu_query_vcq_info(good, nullptr, &tni, &cq, &extra), UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(utofu_query_vcq_info(good, coords, nullptr, &cq, &extra), UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(utofu_query_vcq_info(good, coords, &tni, nullptr, &extra), UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(utofu_query_vcq_info(good, coords, &tni, &cq, nullptr), UTOFU_ERR_INVALID_POINTER);
}

struct PathCase {
    std::array<uint8_t, 3> coords;
    int id; /**< -1: not a path. */
};

const PathCase paths[] = {
        {{0, 0, 0}, 0},    {{1, 0, 0}, 1},   {{0, 1, 0}, 2},    {{1, 1, 0}, 3},
        {{0, 2, 0}, 4},    {{1, 2, 0}, 5},   {{0, 0, 1}, 8},    {{1, 0, 1}, 9},
        {{0, 1, 1}, 10},   {{1, 1, 1}, 11},  {{0, 2, 1}, 12},   {{1, 2, 1}, 13},
        {{2, 0, 0}, -1},   {{0, 3, 0}, -1},  {{0, 0, 2}, -1},   {{255, 0, 0}, -1},
        {{255, 255, 0}, -1}, {{0, 0, 255}, -1}, {{0, 255, 255}, -1},
};

constexpr utofu_vcq_id_t some_id = UINT64_C(0x0f000000);

TEST(Path, IdsAndCoordinatesAreInverse)
{
    for (PathCase p : paths) {
        utofu_path_id_t id = 99;
        std::array<uint8_t, 3> back{};
        ASSERT_EQ(utofu_get_path_id(some_id, p.coords.data(), &id),
                  p.id < 0 ? UTOFU_ERR_INVALID_PATH : UTOFU_SUCCESS)
                << int(p.coords[0]) << int(p.coords[1]) << int(p.coords[2]);
        if (p.id < 0)
            continue;
        EXPECT_EQ(id, p.id);
        EXPECT_EQ(utofu_get_path_coords(some_id, id, back.data()), UTOFU_SUCCESS);
        EXPECT_EQ(back, p.coords);
    }
    std::array<uint8_t, 3> fallback{255, 255, 255};
    utofu_path_id_t id;
    EXPECT_EQ(utofu_get_path_id(some_id, fallback.data(), &id), UTOFU_ERR_INVALID_PATH)
            << "the default path has no id";
}

TEST(Path, CoordinatesRejectBadArguments)
{
    uint8_t coords[3];
    utofu_path_id_t id;
    for (unsigned bad : {6u, 7u, 14u, 15u, 16u, 255u})
        EXPECT_EQ(utofu_get_path_coords(some_id, utofu_path_id_t(bad), coords),
                  UTOFU_ERR_INVALID_PATH_ID);
    EXPECT_EQ(utofu_get_path_coords(0, 0, coords), UTOFU_ERR_INVALID_VCQ_ID);
    EXPECT_EQ(utofu_get_path_coords(some_id, 0, nullptr), UTOFU_ERR_INVALID_POINTER);
    coords[0] = coords[1] = coords[2] = 0;
    EXPECT_EQ(utofu_get_path_id(0, coords, &id), UTOFU_ERR_INVALID_VCQ_ID);
    EXPECT_EQ(utofu_get_path_id(some_id, nullptr, &id), UTOFU_ERR_INVALID_POINTER);
    EXPECT_EQ(utofu_get_path_id(some_id, coords, nullptr), UTOFU_ERR_INVALID_POINTER);
}

TEST(Path, SetInIdIsIdempotentAndReplaces)
{
    for (PathCase p : paths) {
        utofu_vcq_id_t id = some_id;
        int expected      = p.id < 0 ? UTOFU_ERR_INVALID_PATH : UTOFU_SUCCESS;
        EXPECT_EQ(utofu_set_vcq_id_path(&id, p.coords.data()), expected)
                << int(p.coords[0]) << int(p.coords[1]) << int(p.coords[2]);
        utofu_vcq_id_t once = id;
        EXPECT_EQ(utofu_set_vcq_id_path(&id, p.coords.data()), expected);
        EXPECT_EQ(id, once);
        EXPECT_EQ(take_apart(id).status, UTOFU_SUCCESS);
        EXPECT_EQ(utofu_set_vcq_id_path(&id, nullptr), UTOFU_SUCCESS);
        EXPECT_EQ(id, some_id) << "the default path is that of a plain id";
    }
    uint8_t fallback[3] = {UTOFU_PATH_COORD_NULL, UTOFU_PATH_COORD_NULL, UTOFU_PATH_COORD_NULL};
    utofu_vcq_id_t id   = some_id;
    EXPECT_EQ(utofu_set_vcq_id_path(&id, fallback), UTOFU_SUCCESS);
    EXPECT_EQ(id, some_id);
    id = 0;
    EXPECT_EQ(utofu_set_vcq_id_path(&id, nullptr), UTOFU_ERR_INVALID_VCQ_ID);
    EXPECT_EQ(utofu_set_vcq_id_path(nullptr, nullptr), UTOFU_ERR_INVALID_POINTER);
}

TEST_P(Vcqs, EveryPathLeadsToTheSameVcq)
{
    Region remote = far->region(Memory::Memfd, 256);
    uint64_t sent = 0;
    for (PathCase p : paths) {
        if (p.id < 0)
            continue;
        Command in_id = command(Kind::Piggyback8, remote, 8, local_notice);
        in_id.value   = ++sent;
        ASSERT_EQ(utofu_set_vcq_id_path(&in_id.rmt, p.coords.data()), UTOFU_SUCCESS);
        ASSERT_EQ(near->post(in_id), UTOFU_SUCCESS);
        MrqNotice told = near->mrq();
        EXPECT_EQ(told.status, UTOFU_SUCCESS);
        EXPECT_EQ(told.notice.vcq_id, far->id) << "notices carry ids without path";
        EXPECT_EQ(far->run(support::load8, remote.address), sent);

        Command in_flags = command(Kind::Piggyback8, remote, 8,
                                   local_notice | UTOFU_ONESIDED_FLAG_PATH(p.id));
        in_flags.value = ++sent;
        ASSERT_EQ(near->post(in_flags), UTOFU_SUCCESS);
        EXPECT_EQ(near->mrq().status, UTOFU_SUCCESS);
        EXPECT_EQ(far->run(support::load8, remote.address), sent);
    }
}

} // namespace
