/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstddef>

extern "C" {
#include "softtofu/fault_plan.h"
void softtofu_error_capture(char *buffer, size_t size);
void softtofu_error_release(void);
}

#include "utofu.h"

#include <gtest/gtest.h>

#include <string>

namespace
{

class FaultPlan : public testing::Test
{
protected:
    void SetUp() override
    {
        softtofu_error_capture(message, sizeof(message));
    }

    void TearDown() override
    {
        softtofu_error_release();
    }

    softtofu_fault_plan plan;
    char message[512] = "";
};

TEST_F(FaultPlan, NothingIsOffAndSoIsNever)
{
    for (const char *text : {"", "busy=0", "seed=3,rank=0,after=9,count=1,only=put"}) {
        ASSERT_EQ(softtofu_fault_plan_read(text, &plan), 0) << message;
        EXPECT_FALSE(plan.on) << text;
    }
}

TEST_F(FaultPlan, EveryItemIsRead)
{
    ASSERT_EQ(softtofu_fault_plan_read("busy=0.25, delay=1:1.5us ,error=1e-2:MRQ_RMT_STADD,full=0.5:OUT_OF_MEMORY,"
                                       "only=put|piggyback|get|armw|nop|reg_mem,rank=3,after=1000,count=5,seed=7",
                                       &plan),
              0)
            << message;
    EXPECT_TRUE(plan.on);
    EXPECT_EQ(plan.busy, 0.25);
    EXPECT_EQ(plan.delay, 1);
    EXPECT_EQ(plan.delay_ns, 1500u);
    EXPECT_EQ(plan.error, 0.01);
    EXPECT_EQ(plan.error_code, UTOFU_ERR_MRQ_RMT_STADD);
    EXPECT_EQ(plan.full, 0.5);
    EXPECT_EQ(plan.full_code, UTOFU_ERR_OUT_OF_MEMORY);
    EXPECT_EQ(plan.only, (1u << SOFTTOFU_FAULT_KINDS) - 1 - (1u << SOFTTOFU_FAULT_CREATE_VCQ));
    EXPECT_EQ(plan.rank, 3);
    EXPECT_EQ(plan.after, 1000u);
    EXPECT_EQ(plan.count, 5u);
    EXPECT_EQ(plan.seed, 7u);
}

TEST_F(FaultPlan, LeftOutItemsHaveDefaults)
{
    ASSERT_EQ(softtofu_fault_plan_read("full=1", &plan), 0) << message;
    EXPECT_EQ(plan.full_code, UTOFU_ERR_FULL);
    EXPECT_EQ(plan.only, (1u << SOFTTOFU_FAULT_KINDS) - 1);
    EXPECT_EQ(plan.rank, -1);
    EXPECT_EQ(plan.after, 0u);
    EXPECT_EQ(plan.count, UINT64_MAX);
}

/** What is no plan, and what must be said of it. */
struct Bad {
    const char *text, *item;
    int character;
    const char *reason;
};

TEST_F(FaultPlan, MistakesAreShown)
{
    const Bad bad[] = {
            {"busy", "busy", 1, "is none of busy="},
            {"bsy=1", "bsy=1", 1, "is none of busy="},
            {"busy=0.1,", "", 10, "is none of busy="},
            {"busy=0.1,,seed=1", "", 10, "is none of busy="},
            {"busy=2", "busy=2", 1, "probability from 0 to 1"},
            {"busy=-0.1", "busy=-0.1", 1, "probability from 0 to 1"},
            {"busy=nan", "busy=nan", 1, "probability from 0 to 1"},
            {"busy=", "busy=", 1, "probability from 0 to 1"},
            {"busy=0.1:BUSY", "busy=0.1:BUSY", 1, "nothing but a probability"},
            {"seed=1, busy=x", "busy=x", 9, "probability from 0 to 1"},
            {"delay=0.1", "delay=0.1", 1, "needs a time"},
            {"delay=0.1:20", "delay=0.1:20", 1, "no time from 1ns to 60s"},
            {"delay=0.1:us", "delay=0.1:us", 1, "no time from 1ns to 60s"},
            {"delay=0.1:61s", "delay=0.1:61s", 1, "no time from 1ns to 60s"},
            {"delay=0.1:-1s", "delay=0.1:-1s", 1, "no time from 1ns to 60s"},
            {"error=0.1", "error=0.1", 1, "needs a code"},
            {"error=0.1:MRQ_PER", "error=0.1:MRQ_PER", 1, "names no error code"},
            {"error=0.1:BUSY", "error=0.1:BUSY", 1, "names no error code"},
            {"error=0.1:FULL", "error=0.1:FULL", 1, "take a TCQ_* or MRQ_* code"},
            {"full=0.1:MRQ_PEER", "full=0.1:MRQ_PEER", 1, "neither FULL nor OUT_OF_MEMORY"},
            {"only=puts", "only=puts", 1, "is not of put, "},
            {"only=put|", "only=put|", 1, "is not of put, "},
            {"rank=4096", "rank=4096", 1, "is not a rank from 0 to 4095"},
            {"after=-1", "after=-1", 1, "is not a whole number"},
            {"count=1.5", "count=1.5", 1, "is not a whole number"},
            {"seed=99999999999999999999", "seed=99999999999999999999", 1, "is not a whole number"},
    };
    for (const Bad &b : bad) {
        EXPECT_EQ(softtofu_fault_plan_read(b.text, &plan), -1) << b.text;
        EXPECT_NE(std::string(message).find("'" + std::string(b.item) + "', from character " +
                                            std::to_string(b.character) + " on, "),
                  std::string::npos)
                << b.text << ": " << message;
        EXPECT_NE(std::string(message).find(b.reason), std::string::npos) << b.text << ": " << message;
    }
}

TEST_F(FaultPlan, LongItemsAreCutNotOverrun)
{
    EXPECT_EQ(softtofu_fault_plan_read(("seed=" + std::string(5000, '1')).c_str(), &plan), -1);
}

} // namespace
