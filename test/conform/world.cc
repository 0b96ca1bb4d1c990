/* SPDX-License-Identifier: BSD-3-Clause */
#include "conform/world.h"

namespace conform
{

std::string place_name(const testing::TestParamInfo<Place> &info)
{
    static const char *const names[] = {"one_process", "two_nodes", "one_node", "prepared"};
    return names[int(info.param)];
}

void End::open(unsigned tni, unsigned long flags, int cmp)
{
    support::Vcq vcq = run(support::vcq_create, tni, flags, cmp);

    ASSERT_EQ(vcq.status, UTOFU_SUCCESS) << agent_->errors();
    hdl = vcq.hdl;
    id  = vcq.id;
}

Region End::region(Memory kind, size_t size, unsigned long flags)
{
    char *address = run(support::memory_make, kind, size);
    EXPECT_NE(address, nullptr) << "no " << support::memory_name(kind) << " memory";
    support::Stadd stadd = run(support::mem_register, hdl, address, size, flags);
    EXPECT_EQ(stadd.status, UTOFU_SUCCESS) << agent_->errors();
    return {address, size, stadd.value};
}

bool End::quiet()
{
    return run(support::tcq_poll, hdl).status == UTOFU_ERR_NOT_FOUND &&
           run(support::mrq_poll, hdl).status == UTOFU_ERR_NOT_FOUND;
}

void World::SetUp()
{
    support::Environment environment = settings();

    environment["SOFTTOFU_JOB"]  = support::unique_job_name();
    environment["SOFTTOFU_SIZE"] = "2";
    environment["SOFTTOFU_PPN"]  = GetParam() == Place::OneNode ? "2" : "1";
    environment["SOFTTOFU_RANK"] = "0";
    if (GetParam() == Place::Prepared)
        environment["TOFUKIT_TEST_PREPARED"] = "1";
    auto first  = std::make_shared<Agent>(environment);
    auto second = first;
    if (GetParam() != Place::OneProcess) {
        environment["SOFTTOFU_RANK"] = "1";
        second                       = std::make_shared<Agent>(environment);
    }
    near = std::make_unique<End>(first);
    far  = std::make_unique<End>(second);
    near->open(0);
    far->open(1);
}

Command World::command(Kind kind, const Region &remote, size_t length, unsigned long flags)
{
    Command c;

    c.kind   = kind;
    c.hdl    = near->hdl;
    c.rmt    = far->id;
    c.stadd  = remote.stadd;
    c.length = length;
    c.flags  = flags;
    return c;
}

Command World::command(Kind kind, const Region &local, const Region &remote, size_t length,
                       unsigned long flags)
{
    Command c = command(kind, remote, length, flags);

    c.lcl = local.stadd;
    return c;
}

void World::settle()
{
    Region word  = far->region(Memory::Memfd, 8);
    Command last = command(Kind::Piggyback8, word, 1, local_notice | UTOFU_ONESIDED_FLAG_STRONG_ORDER);

    ASSERT_EQ(near->post(last), UTOFU_SUCCESS);
    ASSERT_EQ(near->mrq().status, UTOFU_SUCCESS);
}

} // namespace conform
