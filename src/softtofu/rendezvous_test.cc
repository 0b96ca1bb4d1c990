/* SPDX-License-Identifier: BSD-3-Clause */
extern "C" {
#include "softtofu/rendezvous.h"
}

#include "support/agent.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace
{

TEST(Rendezvous, NothingIsFoundWhereNothingIs)
{
    EXPECT_EQ(softtofu_find_fabric(support::unique_job_name().c_str()), -1);
}

/* What is announced must be a fabric: a pid that was used again may have anything under that descriptor. */
TEST(Rendezvous, WhatIsNoFabricIsNotTaken)
{
    std::string job = support::unique_job_name();
    for (size_t size : {size_t(0), size_t(4096)}) {
        int file = memfd_create("no-fabric", MFD_CLOEXEC);
        ASSERT_EQ(ftruncate(file, off_t(size)), 0);
        int announcement = softtofu_announce(job.c_str(), file);
        ASSERT_GE(announcement, 0);
        EXPECT_EQ(softtofu_find_fabric(job.c_str()), -1);
        close(announcement);
        close(file);
    }
    int announcement = softtofu_announce(job.c_str(), 9999);
    EXPECT_EQ(softtofu_find_fabric(job.c_str()), -1) << "closed long ago";
    close(announcement);
}

TEST(Rendezvous, LockKeepsOthersOut)
{
    std::string job = support::unique_job_name();
    int lock        = softtofu_lock_job(job.c_str());
    ASSERT_GE(lock, 0);
    int other = softtofu_lock_job((job + "x").c_str());
    EXPECT_GE(other, 0) << "another job";
    close(other);
    close(lock);
    lock = softtofu_lock_job(job.c_str());
    EXPECT_GE(lock, 0) << "it was given back";
    close(lock);
}

TEST(Rendezvous, LockOfADeadProcessIsFree)
{
    std::string job = support::unique_job_name();
    struct Name {
        char text[64];
    } name = {};
    job.copy(name.text, sizeof(name.text) - 1);
    support::Agent agent({});
    ASSERT_GE(agent.run([](Name n) { return softtofu_lock_job(n.text); }, name), 0);
    agent.kill();
    int lock = softtofu_lock_job(job.c_str());
    EXPECT_GE(lock, 0);
    close(lock);
}

} // namespace
