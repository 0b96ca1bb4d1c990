/* SPDX-License-Identifier: BSD-3-Clause */
extern "C" {
#include "softtofu/job.h"
void softtofu_error_capture(char *buffer, size_t size);
void softtofu_error_release(void);
}

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <unistd.h>

namespace
{

using Variables = std::map<std::string, std::string>;

const char *const all_variables[] = {
        "SOFTTOFU_JOB",         "SOFTTOFU_RANK",        "SOFTTOFU_SIZE",           "SOFTTOFU_SHAPE",
        "SOFTTOFU_PPN",         "SLURM_STEP_ID",        "PMI_JOBID",               "PMIX_NAMESPACE",       "OMPI_MCA_ess_base_jobid", "SLURM_JOB_ID",
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_PROCID",            "SLURM_NTASKS",
        "PMI_RANK",             "PMI_SIZE",             "PMIX_RANK"};

class JobDetection : public testing::Test
{
protected:
    void TearDown() override
    {
        for (const char *name : all_variables)
            unsetenv(name);
        softtofu_error_release();
    }

    int detect(const Variables &variables)
    {
        for (const char *name : all_variables)
            unsetenv(name);
        for (const auto &[name, value] : variables)
            setenv(name.c_str(), value.c_str(), 1);
        softtofu_error_capture(message, sizeof(message));
        return softtofu_job_detect(&job);
    }

    softtofu_job job;
    char message[512];
};

TEST_F(JobDetection, NoLauncherMeansTheSharedJob)
{
    ASSERT_EQ(detect({}), 0);
    EXPECT_STREQ(job.name, "shared");
    EXPECT_EQ(job.spec.name, job.name);
    EXPECT_EQ(job.rank, SOFTTOFU_RANK_ANY);
    EXPECT_EQ(job.spec.processes_max, unsigned(SOFTTOFU_SHARED_JOB_PROCESSES));
    EXPECT_EQ(job.spec.ppn, 1u);
    for (uint16_t size : job.spec.shape)
        EXPECT_EQ(size, 0);
}

TEST_F(JobDetection, OwnVariables)
{
    ASSERT_EQ(detect({{"SOFTTOFU_JOB", "a.b-c_1"},
                      {"SOFTTOFU_RANK", "5"},
                      {"SOFTTOFU_SIZE", "12"},
                      {"SOFTTOFU_PPN", "2"},
                      {"SOFTTOFU_SHAPE", "1x1x1x2x3x1"}}),
              0);
    EXPECT_STREQ(job.name, "a.b-c_1");
    EXPECT_EQ(job.rank, 5);
    EXPECT_EQ(job.spec.processes_max, 12u);
    EXPECT_EQ(job.spec.ppn, 2u);
    EXPECT_EQ(job.spec.shape[4], 3);
}

TEST_F(JobDetection, OpenMpi)
{
    ASSERT_EQ(detect({{"OMPI_MCA_ess_base_jobid", "3301376001"},
                      {"PMIX_NAMESPACE", "other"},
                      {"OMPI_COMM_WORLD_RANK", "2"},
                      {"OMPI_COMM_WORLD_SIZE", "4"}}),
              0);
    EXPECT_STREQ(job.name, "3301376001");
    EXPECT_EQ(job.rank, 2);
    EXPECT_EQ(job.spec.processes_max, 4u);
    ASSERT_EQ(detect({{"PMIX_NAMESPACE", "prterun-host-77@1"},
                      {"OMPI_COMM_WORLD_RANK", "1"},
                      {"OMPI_COMM_WORLD_SIZE", "3"}}),
              0);
    EXPECT_STREQ(job.name, "prterun-host-77-1") << "a name is a plain word";
    EXPECT_EQ(job.rank, 1);
}

TEST_F(JobDetection, SlurmAndPmi)
{
    const Variables slurm = {
            {"SLURM_JOB_ID", "99"}, {"SLURM_STEP_ID", "3"}, {"SLURM_PROCID", "7"}, {"SLURM_NTASKS", "8"}};
    ASSERT_EQ(detect(slurm), 0);
    EXPECT_STREQ(job.name, "99.3") << "steps of one allocation are jobs of their own";
    EXPECT_EQ(job.rank, 7);
    EXPECT_EQ(job.spec.processes_max, 8u);
    ASSERT_EQ(detect({{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}}), 0);
    EXPECT_EQ(job.name, "parent-" + std::to_string(getppid()));
    EXPECT_EQ(job.rank, 3);
    ASSERT_EQ(detect({{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}, {"PMI_JOBID", "12.0"}}), 0);
    EXPECT_STREQ(job.name, "12.0");
}

TEST_F(JobDetection, HalfALauncherIsNone)
{
    ASSERT_EQ(detect({{"PMIX_NAMESPACE", "x"}, {"OMPI_COMM_WORLD_RANK", "1"}}), 0);
    EXPECT_STREQ(job.name, "shared");
    ASSERT_EQ(detect({{"SLURM_JOB_ID", "99"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}), 0)
            << "a batch script without srun";
    EXPECT_EQ(job.rank, SOFTTOFU_RANK_ANY);
    EXPECT_STREQ(job.name, "shared");
}

TEST_F(JobDetection, PmixWithoutALauncherToAsk)
{
    EXPECT_EQ(detect({{"PMIX_NAMESPACE", "prterun-x@1"}, {"PMIX_RANK", "1"}}), -1);
    EXPECT_NE(std::string(message).find("set SOFTTOFU_SIZE"), std::string::npos) << message;
    ASSERT_EQ(detect({{"PMIX_NAMESPACE", "prterun-x@1"}, {"PMIX_RANK", "1"}, {"SOFTTOFU_SIZE", "2"}}), 0);
    EXPECT_STREQ(job.name, "prterun-x-1");
    EXPECT_EQ(job.rank, 1);
}

TEST_F(JobDetection, OwnVariablesBeatTheLaunchers)
{
    ASSERT_EQ(detect({{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}, {"SOFTTOFU_JOB", "mine"},
                      {"SOFTTOFU_RANK", "1"}, {"SOFTTOFU_SIZE", "9"}}),
              0);
    EXPECT_STREQ(job.name, "mine");
    EXPECT_EQ(job.rank, 1);
    EXPECT_EQ(job.spec.processes_max, 9u);
}

TEST_F(JobDetection, BadValuesAreNamed)
{
    const struct {
        Variables variables;
        const char *word;
    } cases[] = {
            {{{"SOFTTOFU_RANK", "32"}}, "SOFTTOFU_RANK=32"},
            {{{"SOFTTOFU_RANK", "one"}}, "SOFTTOFU_RANK=one"},
            {{{"SOFTTOFU_SIZE", "4"}, {"SOFTTOFU_RANK", "4"}}, "SOFTTOFU_RANK=4 is not a number from 0 to 3"},
            {{{"SOFTTOFU_JOB", "with space"}}, "'with space'"},
            {{{"SOFTTOFU_JOB", std::string(64, 'x')}}, "63"},
            {{{"SOFTTOFU_SHAPE", "1x1x1x1x4x1"}}, "SOFTTOFU_SHAPE=1x1x1x1x4x1"},
            {{{"PMI_RANK", "x"}, {"PMI_SIZE", "4"}}, "PMI_RANK=x"},
            {{{"PMI_RANK", "-1"}, {"PMI_SIZE", "4"}}, "PMI_RANK=-1"},
            {{{"PMI_RANK", "0"}, {"PMI_SIZE", ""}}, "PMI_SIZE="},
            {{{"PMI_RANK", "0"}, {"PMI_SIZE", "5000"}}, "PMI_SIZE=5000"},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(detect(c.variables), -1) << c.word;
        EXPECT_NE(std::string(message).find(c.word), std::string::npos) << message;
    }
}

TEST_F(JobDetection, LongestName)
{
    EXPECT_EQ(detect({{"SOFTTOFU_JOB", std::string(63, 'x')}}), 0);
    EXPECT_EQ(job.name, std::string(63, 'x'));
}

/* Names that differ only behind what fits would be one job. */
TEST_F(JobDetection, LongLauncherNamesStayApart)
{
    const std::string common(100, 'n');
    ASSERT_EQ(detect({{"PMIX_NAMESPACE", common + "1"}, {"OMPI_COMM_WORLD_RANK", "0"},
                      {"OMPI_COMM_WORLD_SIZE", "2"}}),
              0);
    std::string first = job.name;
    ASSERT_EQ(detect({{"PMIX_NAMESPACE", common + "2"}, {"OMPI_COMM_WORLD_RANK", "0"},
                      {"OMPI_COMM_WORLD_SIZE", "2"}}),
              0);
    EXPECT_NE(first, job.name);
    EXPECT_EQ(softtofu_job_check_name(job.name), 0);
}

} // namespace
