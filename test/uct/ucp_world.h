/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file ucp_world.h
 * UCP for the programs of these tests: objects that release what they hold, and calls that fail by exception. A call
 * that waits gives up after a while, so that a test which would hang fails instead.
 */
#ifndef UCP_WORLD_H
#define UCP_WORLD_H

#include <ucp/api/ucp.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ucp_world
{

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/** @throw Failure unless @a ok. */
void require(bool ok, const std::string &what);
void require_ok(ucs_status_t status, const std::string &what);

/** Run a test's body; what it throws becomes a line and the exit status. */
int run(const std::function<void()> &body);

/** A folder of files, by which processes tell each other what UCP does not. */
class Board
{
public:
    explicit Board(std::string folder);
    void post(const std::string &name, const std::string &text) const;
    bool has(const std::string &name) const;

    /** Waits until somebody has posted it, calling @a meanwhile. */
    std::string read(const std::string &name, const std::function<void()> &meanwhile = {}) const;

private:
    std::string folder;
};

class Context
{
public:
    Context() : Context(false) {}
    explicit Context(bool shared_by_threads);
    ~Context();
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    ucp_context_h handle;
};

class Worker
{
public:
    explicit Worker(const Context &context);
    ~Worker();
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;

    std::string address() const;
    void progress() const { ucp_worker_progress(handle); }

    /** Wait for what a UCP call returned. @return Its status. */
    ucs_status_t finish(ucs_status_ptr_t request) const;
    void require_finish(ucs_status_ptr_t request, const std::string &what) const;
    void flush() const;

    ucp_worker_h handle;
};

/** Connected to a worker; when it dies, error tells why. */
class Endpoint
{
public:
    Endpoint(const Worker &worker, const std::string &address, ucp_err_handling_mode_t mode = UCP_ERR_HANDLING_MODE_NONE);
    ~Endpoint();
    Endpoint(const Endpoint &) = delete;
    Endpoint &operator=(const Endpoint &) = delete;

    ucp_ep_h handle;
    ucs_status_t error = UCS_OK;

private:
    const Worker &worker;
};

/** Memory that peers may reach: the user's, or allocated by UCP if @a address is null. */
class Memory
{
public:
    Memory(const Context &context, void *address, size_t length);
    ~Memory();
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;

    /** What a peer needs: the address and the packed key. */
    std::string describe() const;
    size_t key_size() const;

    char *address;

private:
    std::string pack() const;
    const Context &context;
    ucp_mem_h handle;
};

/** Memory of a peer. */
class RemoteMemory
{
public:
    RemoteMemory(const Endpoint &endpoint, const std::string &description);
    ~RemoteMemory();
    RemoteMemory(const RemoteMemory &) = delete;
    RemoteMemory &operator=(const RemoteMemory &) = delete;

    uint64_t address;
    ucp_rkey_h key;
};

/** Bytes that tell their place and what they were made from. */
std::vector<char> pattern(size_t length, unsigned seed);

} // namespace ucp_world

#endif
