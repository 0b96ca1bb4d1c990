/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu.h"

extern "C" {
#include "softtofu/env.h"
void softtofu_error_capture(char *buffer, size_t size);
void softtofu_error_release(void);
}

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

namespace
{

class Env : public testing::Test
{
protected:
    void SetUp() override
    {
        softtofu_error_capture(message, sizeof(message));
    }

    void TearDown() override
    {
        softtofu_error_release();
        unsetenv("SOFTTOFU_PPN");
        unsetenv("SOFTTOFU_ATTACH");
    }

    char message[256];
};

TEST_F(Env, TableIsFitForReaders)
{
    size_t count;
    const softtofu_env *table = softtofu_env_table(&count);
    std::set<std::string> names;

    ASSERT_EQ(count, size_t(SOFTTOFU_ENV_COUNT));
    for (size_t i = 0; i < count; i++) {
        const std::string name = table[i].name;
        EXPECT_TRUE(name.compare(0, 9, "SOFTTOFU_") == 0 || name.compare(0, 6, "JTOFU_") == 0) << name;
        EXPECT_TRUE(names.insert(table[i].name).second);
        EXPECT_STRNE(table[i].type, "");
        EXPECT_NE(table[i].default_value, nullptr);
        EXPECT_EQ(std::string(table[i].help).back(), '.');
    }
}

TEST_F(Env, UnsetAndEmptyMeanTheDefault)
{
    unsetenv("SOFTTOFU_PPN");
    EXPECT_STREQ(softtofu_env_string(SOFTTOFU_ENV_PPN), "1");
    setenv("SOFTTOFU_PPN", "", 1);
    EXPECT_STREQ(softtofu_env_string(SOFTTOFU_ENV_PPN), "1");
    setenv("SOFTTOFU_PPN", "4", 1);
    EXPECT_STREQ(softtofu_env_string(SOFTTOFU_ENV_PPN), "4");
}

TEST_F(Env, CountsWithinBounds)
{
    unsigned long value;
    for (const char *good : {"2", "48", "007"}) {
        setenv("SOFTTOFU_PPN", good, 1);
        EXPECT_EQ(softtofu_env_count(SOFTTOFU_ENV_PPN, 2, 48, &value), 0) << good;
        EXPECT_EQ(value, strtoul(good, nullptr, 10));
    }
    for (const char *bad : {"1", "49", "-2", " -2", "2x", "x", "2.5", "0x10", "99999999999999999999",
                            "18446744073709551618", "3 "}) {
        setenv("SOFTTOFU_PPN", bad, 1);
        EXPECT_EQ(softtofu_env_count(SOFTTOFU_ENV_PPN, 2, 48, &value), -1) << bad;
        EXPECT_EQ(message, "SOFTTOFU_PPN=" + std::string(bad) +
                                   " is not a number from 2 to 48: correct or unset it");
    }
}

TEST_F(Env, ChoicesAreOneOfTwoWords)
{
    bool value = false;
    EXPECT_EQ(softtofu_env_choice(SOFTTOFU_ENV_ATTACH, "yes", "no", &value), 0);
    EXPECT_TRUE(value);
    setenv("SOFTTOFU_ATTACH", "no", 1);
    EXPECT_EQ(softtofu_env_choice(SOFTTOFU_ENV_ATTACH, "yes", "no", &value), 0);
    EXPECT_FALSE(value);
    for (const char *bad : {"YES", "y", "1", "no "}) {
        setenv("SOFTTOFU_ATTACH", bad, 1);
        EXPECT_EQ(softtofu_env_choice(SOFTTOFU_ENV_ATTACH, "yes", "no", &value), -1);
        EXPECT_EQ(message, "SOFTTOFU_ATTACH=" + std::string(bad) +
                                   " is neither 'yes' nor 'no': correct or unset it");
    }
}

} // namespace
