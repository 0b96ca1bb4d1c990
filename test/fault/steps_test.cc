/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each step inside the device that can fail for want of memory, descriptors or threads is made to fail, one in each run
 * of a program that uses nearly all calls, until a run needs fewer steps. Each time a call says so by a code that
 * utofu.h documents for it, nothing is left behind, and the same process then goes through all of it.
 */
#include "fault/job.h"
#include "support/gates.h"
#include "support/steps.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>

namespace
{

using namespace fault;

constexpr size_t area   = 65536;
constexpr Memory kinds[] = {Memory::Memfd, Memory::PosixShm, Memory::File, Memory::Heap};

/** How a run ended: at the first call that failed, or without a name. */
struct Outcome {
    char call[32];
    int status;
    unsigned long steps;
    int descriptors; /**< Open ones after it. */
};

/** What a run has made. */
struct Made {
    std::vector<utofu_vcq_hdl_t> vcqs;
    std::vector<std::pair<utofu_vcq_hdl_t, utofu_stadd_t>> stadds;
    support::Vbgs vbgs = {};
};

bool failed(Outcome &run, const char *call, int status)
{
    if (status == UTOFU_SUCCESS)
        return false;
    snprintf(run.call, sizeof(run.call), "%s", call);
    run.status = status;
    return true;
}

bool make_vcqs(Outcome &run, Made &made)
{
    const unsigned long flags[] = {0, UTOFU_VCQ_FLAG_EXCLUSIVE, UTOFU_VCQ_FLAG_SESSION_MODE};

    for (unsigned i = 0; i < 3; i++) {
        Vcq vcq = support::vcq_create(i, flags[i], -1);
        if (failed(run, "create_vcq", vcq.status))
            return false;
        made.vcqs.push_back(vcq.hdl);
    }
    return true;
}

/* Memory of each kind, made once: it is the program's. */
char *memory_of(size_t kind)
{
    static char *memory[std::size(kinds)];

    if (memory[kind] == nullptr)
        memory[kind] = support::memory_make(kinds[kind], area);
    return memory[kind];
}

bool register_all(Outcome &run, Made &made)
{
    for (size_t i = 0; i < std::size(kinds); i++) {
        Stadd stadd = support::mem_register(made.vcqs[0], memory_of(i), area, 0);
        if (failed(run, "reg_mem", stadd.status))
            return false;
        made.stadds.emplace_back(made.vcqs[0], stadd.value);
    }
    return true;
}

/* @return Whether a command was posted and @a notices local notices came. */
bool use(Outcome &run, const Command &command, unsigned notices = 1)
{
    if (failed(run, "post", support::post_patiently(command)))
        return false;
    for (unsigned i = 0; i < notices; i++) {
        if (failed(run, "poll_mrq", support::mrq_wait(command.hdl, patience).status))
            return false;
    }
    return true;
}

Command to(const Made &made, const Station &target, Kind kind)
{
    Command c;

    c.kind   = kind;
    c.hdl    = made.vcqs[0];
    c.rmt    = target.id;
    c.stadd  = target.stadd;
    c.lcl    = made.stadds[0].second;
    c.length = 8;
    c.flags  = local_notice | remote_notice;
    return c;
}

bool communicate(Outcome &run, const Made &made, const Station &target)
{
    for (Kind kind : {Kind::Piggyback8, Kind::Put, Kind::Get, Kind::Armw8}) {
        if (!use(run, to(made, target, kind)))
            return false;
    }
    Command train = to(made, target, Kind::Put);
    train.strided = true;
    train.stride  = 64;
    train.blocks  = 40; /* More notices than a new queue has room for. */
    if (!use(run, train, 40))
        return false;
    train.blocks         = 4;
    support::Image image = support::prepare(train);
    if (failed(run, "prepare", image.status) ||
        failed(run, "post_toq", support::post_image(train.hdl, image, 1)))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        if (failed(run, "poll_mrq", support::mrq_wait(train.hdl, patience).status))
            return false;
    }
    Command later = to(made, target, Kind::Piggyback8);
    later.flags |= UTOFU_ONESIDED_FLAG_DELAY_START;
    return use(run, later);
}

/* Two gates of this process, each the other's neighbour. */
bool use_gates(Outcome &run, Made &made)
{
    support::VbgSettings settings = {};
    support::Vbgs vbgs            = support::vbg_alloc(0, 2, 0);

    if (failed(run, "alloc_vbg", vbgs.status))
        return false;
    made.vbgs      = vbgs;
    settings.count = 2;
    for (unsigned i = 0; i < 2; i++) {
        utofu_vbg_setting &one = settings.setting[i];
        one                    = {};
        one.vbg_id             = vbgs.id[i];
        one.src_lcl_vbg_id = one.dst_lcl_vbg_id = vbgs.id[!i];
        one.src_rmt_vbg_id = one.dst_rmt_vbg_id = UTOFU_VBG_ID_NULL;
        std::fill_n(one.dst_path_coords, 3, uint8_t(UTOFU_PATH_COORD_NULL));
    }
    return !failed(run, "set_vbg", support::vbg_set(settings)) &&
           !failed(run, "barrier", support::barrier_start(vbgs.id[0])) &&
           !failed(run, "poll_barrier", support::barrier_wait(vbgs.id[0], patience));
}

bool ask(Outcome &run)
{
    utofu_tni_id_t *tnis = nullptr;
    size_t count;

    if (failed(run, "get_onesided_tnis", utofu_get_onesided_tnis(&tnis, &count)))
        return false;
    free(tnis);
    return true;
}

void unmake(Outcome &run, const Made &made)
{
    if (made.vbgs.count > 0)
        failed(run, "free_vbg", support::vbg_free(made.vbgs));
    for (auto [hdl, stadd] : made.stadds)
        failed(run, "dereg_mem", support::mem_deregister(hdl, stadd));
    for (utofu_vcq_hdl_t hdl : made.vcqs)
        failed(run, "free_vcq", support::vcq_free(hdl));
}

int count_descriptors()
{
    DIR *directory = opendir("/proc/self/fd");
    int count      = 0;

    while (readdir(directory) != nullptr)
        count++;
    closedir(directory);
    return count;
}

/* Where there is no peer a process is its own. */
Station own_station(const Made &made)
{
    Station own = {};

    utofu_query_vcq_id(made.vcqs[0], &own.id);
    own.stadd = made.stadds[1].second;
    return own;
}

/* In an agent: everything once, with one step failing; 0: none. */
Outcome everything(unsigned long failing, Station target)
{
    Outcome run = {};
    Made made;

    for (size_t i = 0; i < std::size(kinds); i++)
        memory_of(i);
    steps_begin(failing);
    if (make_vcqs(run, made) && register_all(run, made) &&
        communicate(run, made, target.id != 0 ? target : own_station(made)) && use_gates(run, made))
        ask(run);
    unmake(run, made);
    run.steps = steps_taken();
    steps_begin(0);
    run.descriptors = count_descriptors();
    return run;
}

/* What utofu.h says of a lack of something inside. Freeing needs nothing. */
bool documented(const Outcome &run)
{
    const std::string call = run.call;

    if (call.empty())
        return true;
    if (call == "poll_mrq") /* The peer's memory could not be mapped. */
        return run.status == UTOFU_ERR_MRQ_RMT_MEMORY;
    if (run.status == UTOFU_ERR_NOT_AVAILABLE)
        return call == "create_vcq"; /* The first call. */
    return run.status == UTOFU_ERR_OUT_OF_MEMORY &&
           (call == "create_vcq" || call == "reg_mem" || call == "post" || call == "post_toq" ||
            call == "alloc_vbg" || call == "get_onesided_tnis");
}

/** Descriptors of an agent in which nothing failed, before and after it first used the device. */
struct Usual {
    int before, after;
};

class Steps : public testing::Test
{
protected:
    /** A job with a peer, or one that rank 0 has to make itself. */
    void begin(bool with_peer)
    {
        job    = std::make_unique<Job>(2);
        target = {};
        if (with_peer) {
            peer   = job->rank(1);
            target = peer->run(station_open, Memory::Memfd, area);
            ASSERT_EQ(target.status, UTOFU_SUCCESS) << peer->errors();
        }
    }

    void expect_recovery(Agent &agent, const Usual &usual)
    {
        Outcome again = agent.run(everything, 0ul, target);
        EXPECT_STREQ(again.call, "") << again.status << "; " << agent.errors();
        EXPECT_EQ(again.descriptors, usual.after);
    }

    /** @return Whether there was such a step. */
    bool walk(unsigned long step, const Usual &usual)
    {
        auto agent = job->rank(0);
        agent->run(everything_but_the_device);
        Outcome run          = agent->run(everything, step, target);
        std::string said = agent->errors();
        EXPECT_TRUE(documented(run)) << run.call << " returned " << run.status << "; " << said;
        if (run.status == UTOFU_ERR_NOT_AVAILABLE) {
            /* For good, in this process. The next process takes the same place. */
            EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
            EXPECT_EQ(run.descriptors, usual.before);
        } else {
            expect_recovery(*agent, usual);
        }
        EXPECT_EQ(agent->finish(), 0) << agent->errors();
        return run.steps >= step;
    }

    /* The test's own memory: it has descriptors, too. */
    static int everything_but_the_device()
    {
        for (size_t i = 0; i < std::size(kinds); i++)
            memory_of(i);
        return count_descriptors();
    }

    Usual look()
    {
        auto agent  = job->rank(0);
        Usual usual = {agent->run(everything_but_the_device), 0};
        Outcome run     = agent->run(everything, 0ul, target);
        EXPECT_STREQ(run.call, "") << run.status << "; " << agent->errors();
        usual.after = run.descriptors;
        return usual;
    }

    std::unique_ptr<Job> job;
    std::unique_ptr<Agent> peer;
    Station target;
};

TEST_F(Steps, EachFailsOnceBesideAPeer)
{
    ASSERT_NO_FATAL_FAILURE(begin(true));
    Usual usual        = look();
    unsigned long step = 1;
    for (bool more = true; more; step++) {
        SCOPED_TRACE(testing::Message() << "step " << step);
        more = walk(step, usual);
    }
    EXPECT_GT(step, 50u) << "the device needs more than that";
    EXPECT_EQ(peer->run(post_and_wait, word_to(target, target, 1, 0)), UTOFU_SUCCESS);
}

TEST_F(Steps, EachFailsOnceInAJobOfOnesOwn)
{
    unsigned long step = 1;

    for (bool more = true; more; step++) {
        SCOPED_TRACE(testing::Message() << "step " << step);
        ASSERT_NO_FATAL_FAILURE(begin(false));
        Usual usual = look();
        ASSERT_NO_FATAL_FAILURE(begin(false));
        more = walk(step, usual);
        look(); /* Whoever comes next makes the job. */
    }
    EXPECT_GT(step, 50u) << "the device needs more than that";
}

} // namespace
