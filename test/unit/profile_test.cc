// SPDX-License-Identifier: BSD-3-Clause
// The profiling twins, and the text of the last failure, in the library as programs link it.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <thread>
#include <utofu_profile.h>

extern "C" void utofu_get_last_error(const char *msg);

namespace {

int profiled;

std::string lastError()
{
    char text[256] = "";
    utofu_get_last_error(text);
    return text;
}

} // namespace

// What a profiler does: its definition comes before the library's.
extern "C" int utofu_query_stadd(utofu_vcq_id_t vcq_id, unsigned stag, utofu_stadd_t *stadd)
{
    profiled++;
    return putofu_query_stadd(vcq_id, stag, stadd);
}

TEST(Profile, TakesTheCallAndReachesTheLibrary)
{
    uint8_t coords[6] = {0, 0, 0, 0, 0, 0};
    utofu_vcq_id_t id;
    utofu_stadd_t stadd;

    ASSERT_EQ(utofu_construct_vcq_id(coords, 1, 2, 3, &id), UTOFU_SUCCESS);
    ASSERT_EQ(utofu_query_stadd(id, 11, &stadd), UTOFU_SUCCESS);
    EXPECT_EQ(profiled, 1);
    EXPECT_EQ(stadd >> 58, 2u);
}

// The header gives each call a twin; that the library has them shows by some of each kind.
TEST(Profile, LibraryHasBothNamesOfEachCall)
{
    static const char *const names[] = {
            "put", "put_piggyback", "get", "cswap8", "prepare_put", "post_toq", "poll_tcq", "poll_mrq", "barrier",
            "get_last_error",
    };
    for (const char *name : names) {
        EXPECT_NE(dlsym(RTLD_DEFAULT, (std::string("utofu_") + name).c_str()), nullptr) << name;
        EXPECT_NE(dlsym(RTLD_DEFAULT, (std::string("putofu_") + name).c_str()), nullptr) << name;
    }
}

TEST(LastError, NamesCallCodeAndReason)
{
    utofu_stadd_t stadd;

    EXPECT_EQ(putofu_query_stadd(0, 0, &stadd), UTOFU_ERR_INVALID_VCQ_ID);
    EXPECT_EQ(lastError().rfind("utofu_query_stadd: UTOFU_ERR_INVALID_VCQ_ID: ", 0), 0u) << lastError();
    EXPECT_EQ(utofu_put_piggyback(0, 0, nullptr, 0, 1, 0, 0, nullptr), UTOFU_ERR_INVALID_VCQ_HDL);
    EXPECT_EQ(lastError().rfind("utofu_put_piggyback: UTOFU_ERR_INVALID_VCQ_HDL: ", 0), 0u) << lastError();
}

TEST(LastError, IsTheThreadsOwn)
{
    std::thread([] { EXPECT_EQ(lastError(), ""); }).join();
}
