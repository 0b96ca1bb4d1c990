/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file agent.h
 * Processes for tests. A test itself never uses the device: it starts agents, which are forked copies of the test
 * program with an environment of their own, and has them call functions. So each test gets a fresh job with the
 * settings that it wants, can kill what it likes, and sees how everything ended.
 *
 * A function that an agent calls is a plain one, or a lambda that captures nothing: as agents are copies, its
 * address is the same there. Arguments and result are copied as bytes; pointers mean memory of the agent.
 */
#ifndef TEST_SUPPORT_AGENT_H
#define TEST_SUPPORT_AGENT_H

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <tuple>
#include <type_traits>
#include <vector>

namespace support
{

using Bytes       = std::string;
using Environment = std::map<std::string, std::string>;

/** An agent ended in the middle of a call, or did not answer in time. */
struct AgentGone : std::runtime_error {
    using std::runtime_error::runtime_error;
};

namespace detail
{

using Function = void (*)();
using Thunk    = void (*)(Function, const char *, Bytes &);

template <class T> void put(Bytes &out, const T &value)
{
    static_assert(std::is_trivially_copyable_v<T>, "arguments and results travel as bytes");
    out.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

template <class T> T take(const char *&in)
{
    T value;
    memcpy(&value, in, sizeof(value));
    in += sizeof(value);
    return value;
}

/* In the agent: unpack, call, pack. */
template <class R, class... P> void call(Function raw, const char *in, Bytes &out)
{
    auto function = reinterpret_cast<R (*)(P...)>(raw);
    std::tuple<std::decay_t<P>...> arguments{take<std::decay_t<P>>(in)...};
    (void)in;
    if constexpr (std::is_void_v<R>)
        std::apply(function, arguments);
    else
        put(out, std::apply(function, arguments));
}

} // namespace detail

class Agent;

/** The result of a call that an agent makes in a thread of its own. */
template <class R> class Pending
{
public:
    Pending(Agent &agent, uint64_t call) : agent_(&agent), call_(call)
    {
    }
    R get();

    /** Whether the result is there. */
    bool done();

private:
    Agent *agent_;
    uint64_t call_;
};

class Agent
{
public:
    /** Fork. Variables of @a environment are set in the child, those with the value "" unset. */
    explicit Agent(const Environment &environment);

    /** Ends it; an end other than exit status 0 that nobody asked about fails the test. */
    ~Agent();

    Agent(const Agent &)            = delete;
    Agent &operator=(const Agent &) = delete;

    template <class F, class... A> auto run(F function, A... arguments)
    {
        return begin(false, +function, arguments...).get();
    }

    /** Call in a thread of its own, so that the agent can be asked other things meanwhile. */
    template <class F, class... A> auto start(F function, A... arguments)
    {
        return begin(true, +function, arguments...);
    }

    pid_t pid() const
    {
        return pid_;
    }

    /** Let it exit. @return How it ended, as waitpid() tells. */
    int finish();

    /** Wait for an end that something else brings about. @return As finish(). */
    int wait();

    /** kill -9. @return As finish(). */
    int kill();

    /** What it, and the device in it, wrote to standard error. */
    std::string errors() const;

    /** In an agent: memory on the stack of its main thread. */
    static char *stack_area();
    static constexpr size_t stack_area_size = 1 << 18;

private:
    template <class R> friend class Pending;

    template <class R, class... P, class... A>
    Pending<R> begin(bool thread, R (*function)(P...), A... arguments)
    {
        static_assert(sizeof...(P) == sizeof...(A), "wrong number of arguments");
        Bytes packed;
        (detail::put(packed, static_cast<std::decay_t<P>>(arguments)), ...);
        return Pending<R>(*this, send(thread, detail::call<R, P...>,
                                      reinterpret_cast<detail::Function>(function), packed));
    }

    uint64_t send(bool thread, detail::Thunk thunk, detail::Function function, const Bytes &packed);
    Bytes receive(uint64_t call);

    /** Read answers until that of @a call is there. @return Whether it came within @a ms milliseconds. */
    bool arrived(uint64_t call, int ms);

    pid_t pid_;
    int socket_, errors_;
    bool ended_     = false;
    int status_     = 0;
    uint64_t calls_ = 0;
    std::map<uint64_t, Bytes> early_; /**< Results that came before they were asked for. */
};

template <class R> bool Pending<R>::done()
{
    return agent_->arrived(call_, 0);
}

template <class R> R Pending<R>::get()
{
    Bytes result = agent_->receive(call_);
    if constexpr (!std::is_void_v<R>) {
        const char *in = result.data();
        return detail::take<R>(in);
    }
}

/** A job name that no other test has. */
std::string unique_job_name();

/**
 * Give this program a /dev/shm of its own with room for one page, so that it can tell what is left there, and that
 * it does without. @return Whether it has one: making one takes privileges.
 */
bool private_shared_memory();

/** Names of the files in /dev/shm. */
std::vector<std::string> shared_memory_files();

} // namespace support

#endif
