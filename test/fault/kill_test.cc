/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kill -9 at any instant. A victim joins the job, does one kind of work with all its might and is killed after a
 * random time, which may well be before it has joined. A survivor works against it meanwhile, must then be told that
 * it is dead, and must still get everything that a third process sends.
 */
#include "fault/job.h"
#include "support/gates.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

using namespace fault;

/** What a victim does until it dies. */
enum class Work {
    Notices,
    LongPuts,
    MappedAtomics,
    AttachedAtomics,
    Gets,
    Vcqs,
    Registrations,
    Trains,
    Images,
    Sessions,
    Barriers,
    All
};
constexpr unsigned kinds_of_work = 12;

constexpr size_t area = 1 << 18;

/** The survivor's and third's memory: one mapped, one attached registration. */
struct Anchor {
    Station mapped;
    utofu_stadd_t attached;
};

Anchor anchor_open()
{
    Anchor a  = {};
    a.mapped  = station_open(Memory::Memfd, area);
    char *own = support::memory_make(Memory::Heap, area);

    a.attached = support::mem_register(a.mapped.hdl, own, area, 0).value;
    return a;
}

void churn_vcqs()
{
    Vcq vcq = support::vcq_create(1, UTOFU_VCQ_FLAG_EXCLUSIVE, -1);

    if (vcq.status == UTOFU_SUCCESS)
        support::vcq_free(vcq.hdl);
}

void churn_registrations(const Station &own)
{
    Stadd stadd = support::mem_register(own.hdl, own.address + 4096, 4096, 0);

    if (stadd.status == UTOFU_SUCCESS)
        support::mem_deregister(own.hdl, stadd.value);
}

/* A command of a session-mode VCQ, which a put of another VCQ of the process releases. */
void churn_sessions(const Station &own, Command command)
{
    Vcq vcq         = support::vcq_create(2, UTOFU_VCQ_FLAG_SESSION_MODE, -1);
    Stadd stadd     = {};
    Command starter = command;

    if (vcq.status != UTOFU_SUCCESS)
        return;
    stadd         = support::mem_register(vcq.hdl, own.address + 4096, 4096, 0);
    command.hdl   = vcq.hdl;
    starter.rmt   = vcq.id;
    starter.stadd = stadd.value;
    starter.flags = UTOFU_ONESIDED_FLAG_SPS(1);
    support::post(command);
    support::post(starter);
    support::vcq_free(vcq.hdl);
}

/* Blocks with notices, by the call or by images: more than the survivor's MRQ has room for at times. */
void post_train(Command command, bool by_images)
{
    command.kind    = Kind::Put;
    command.length  = 64;
    command.strided = true;
    command.stride  = 128;
    command.blocks  = 16;
    command.flags   = remote_notice;
    if (by_images)
        support::post_image(command.hdl, support::prepare(command), 0);
    else
        support::post(command);
}

/* All gates of a TNI: that succeeds only if those who died before have left nothing. */
void churn_gates()
{
    static const support::Wiring ring = support::prefix_ring(1);
    support::Vbgs vbgs                = support::vbg_alloc(3, support::gates_max, 0);

    if (vbgs.status != UTOFU_SUCCESS)
        abort();
    support::vbg_set(support::vbg_settings(ring, 0, {vbgs}));
    for (int i = 0; i < 8; i++) {
        support::barrier_start(vbgs.id[0]);
        support::barrier_poll(vbgs.id[0]);
    }
    support::vbg_free(vbgs);
}

void work_once(unsigned work, const Station &own, const Anchor &target, utofu_stadd_t source)
{
    Command c = word_to(own, target.mapped, 1, 0);

    c.lcl = source;
    switch (Work(work)) {
    case Work::Notices:
        c.flags = remote_notice;
        break;
    case Work::LongPuts:
        c.kind   = Kind::Put;
        c.length = area / 2;
        c.flags  = remote_notice;
        break;
    case Work::MappedAtomics:
        c.kind = Kind::Armw8;
        break;
    case Work::AttachedAtomics:
        c.kind  = Kind::Armw8;
        c.stadd = target.attached;
        c.flags = remote_notice;
        break;
    case Work::Gets:
        c.kind   = Kind::Get;
        c.length = 65536;
        c.flags  = remote_notice;
        break;
    case Work::Vcqs:
        churn_vcqs();
        return;
    case Work::Registrations:
        churn_registrations(own);
        return;
    case Work::Trains:
    case Work::Images:
        post_train(c, Work(work) == Work::Images);
        return;
    case Work::Sessions:
        c.flags = remote_notice;
        churn_sessions(own, c);
        return;
    case Work::Barriers:
        churn_gates();
        return;
    case Work::All:
        return;
    }
    support::post(c);
}

/* The victim's life, from before it joins. Ends only by SIGKILL. */
int victim(unsigned work, Anchor target)
{
    Station own         = station_open(work % 2 == 0 ? Memory::Memfd : Memory::Heap, area);
    utofu_stadd_t source = own.stadd;

    if (own.status != UTOFU_SUCCESS)
        abort(); /* Whatever happened to its predecessors, there is a place for it. */
    for (unsigned i = 0;; i++) {
        work_once(Work(work) == Work::All ? i % (kinds_of_work - 1) : work, own, target, source);
        support::tcq_poll(own.hdl);
        support::mrq_poll(own.hdl);
    }
}

bool expected_of_victim(int status)
{
    return status == UTOFU_SUCCESS || status == UTOFU_ERR_MRQ_PEER ||
           status == UTOFU_ERR_MRQ_RMT_STADD || /* It has not registered yet. */
           status == UTOFU_ERR_MRQ_RMT_MEMORY || status == UTOFU_ERR_NOT_FOUND;
}

/* The survivor works against whatever is there, for a while. @return The first status that must not be, or 0. */
int struggle(Station own, Station target, int microseconds)
{
    auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);

    for (unsigned i = 0; std::chrono::steady_clock::now() < end; i++) {
        Command c = word_to(own, target, i, i % 3 == 0 ? remote_notice | local_notice : local_notice);
        if (i % 4 == 3)
            c.kind = Kind::Armw8;
        int posted = support::post(c);
        if (posted != UTOFU_SUCCESS && posted != UTOFU_ERR_BUSY)
            return posted;
        for (int polls = 0; polls < 4; polls++) {
            int told = support::mrq_poll(own.hdl).status;
            if (!expected_of_victim(told))
                return told;
        }
    }
    return 0;
}

/* Until the survivor has been told of the death. Other notices may come first. @return What was told at last. */
int learn_of_death(Station own, Station target)
{
    auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience);
    int told = UTOFU_ERR_NOT_FOUND;

    while (told != UTOFU_ERR_MRQ_PEER && std::chrono::steady_clock::now() < end) {
        support::post(word_to(own, target, 1, local_notice));
        for (int polls = 0; polls < 10000 && told != UTOFU_ERR_MRQ_PEER; polls++)
            told = support::mrq_poll(own.hdl).status;
    }
    return told;
}

/* @return Notices of @a sender that came in order, of @a count. */
unsigned receive_from(utofu_vcq_hdl_t hdl, utofu_vcq_id_t sender, unsigned count)
{
    auto end          = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience);
    unsigned received = 0;

    while (received < count && std::chrono::steady_clock::now() < end) {
        MrqNotice told = support::mrq_poll(hdl);
        if (told.status == UTOFU_SUCCESS && told.notice.notice_type == UTOFU_MRQ_TYPE_RMT_PUT &&
            told.notice.vcq_id == sender)
            received += told.notice.edata == received;
    }
    return received;
}

unsigned send_to(Station own, Station target, unsigned count)
{
    unsigned sent = 0;

    for (; sent < count; sent++) {
        Command c = word_to(own, target, sent, remote_notice);
        c.edata   = sent;
        if (support::post_patiently(c) != UTOFU_SUCCESS)
            break;
    }
    return sent;
}

bool announced(const std::string &job)
{
    std::ifstream sockets("/proc/net/unix");
    std::string line;

    while (std::getline(sockets, line)) {
        if (line.find("/" + job + "/") != std::string::npos)
            return true;
    }
    return false;
}

long setting(const char *name, long fallback)
{
    const char *text = getenv(name);
    return text != nullptr ? atol(text) : fallback;
}

class Killing : public testing::Test
{
protected:
    void SetUp() override
    {
        seed = unsigned(setting("TOFUKIT_TEST_SEED", long(std::random_device()() & 0x7fffffff)));
        RecordProperty("seed", int(seed));
        printf("TOFUKIT_TEST_SEED=%u\n", seed);
        random.seed(seed);
        private_shm = support::private_shared_memory();
        survivor    = job.rank(0);
        third       = job.rank(2);
        anchor      = survivor->run(anchor_open);
        helper      = third->run(station_open, Memory::Memfd, size_t(4096));
        /* Each victim takes the place of the one before it, so one look tells where they will be. */
        auto scout = job.rank(1);
        target     = scout->run(station_open, Memory::Memfd, size_t(4096));
        ASSERT_EQ(target.status, UTOFU_SUCCESS) << scout->errors();
    }

    int delay(int most)
    {
        return std::uniform_int_distribution<int>(0, most)(random);
    }

    void kill_one(unsigned cycle)
    {
        auto doomed = job.rank(1);
        doomed->start(victim, cycle % kinds_of_work, anchor);
        auto struggled = survivor->start(struggle, anchor.mapped, target, delay(4000));
        usleep(unsigned(delay(5000)));
        kill(doomed->pid(), SIGKILL);
        if (cycle % 3 != 0)
            doomed->wait(); /* Else it is a zombie while the survivor finds out. */
        EXPECT_EQ(struggled.get(), 0);
        EXPECT_EQ(survivor->run(learn_of_death, anchor.mapped, target), UTOFU_ERR_MRQ_PEER);
        auto received = survivor->start(receive_from, anchor.mapped.hdl, helper.id, 40u);
        EXPECT_EQ(third->run(send_to, helper, anchor.mapped, 40u), 40u);
        EXPECT_EQ(received.get(), 40u);
        int status = doomed->wait();
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
                << "the victim ended by itself: " << status << "; " << doomed->errors();
    }

    Job job{3, {{"SOFTTOFU_MRQ_DEPTH", "64"}, {"SOFTTOFU_TOQ_DEPTH", "64"}}};
    unsigned seed;
    bool private_shm = false;
    std::mt19937 random;
    std::unique_ptr<Agent> survivor, third;
    Anchor anchor;
    Station helper, target;
};

TEST_F(Killing, SurvivorsCarryOn)
{
    const long cycles = setting("TOFUKIT_TEST_KILLS", 1000);

    for (unsigned cycle = 0; cycle < unsigned(cycles) && !HasFailure(); cycle++) {
        SCOPED_TRACE(testing::Message() << "kill " << cycle << ", TOFUKIT_TEST_SEED=" << seed);
        ASSERT_NO_FATAL_FAILURE(kill_one(cycle));
    }
    EXPECT_EQ(survivor->finish(), 0) << survivor->errors();
    EXPECT_EQ(third->finish(), 0) << third->errors();
    /* Where others use /dev/shm too, one cannot tell what is whose. */
    if (private_shm) {
        EXPECT_EQ(support::shared_memory_files(), std::vector<std::string>());
    }
    EXPECT_FALSE(announced(job.name()));
}

} // namespace
