/* SPDX-License-Identifier: BSD-3-Clause */
#include "ucp_world.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>

#include <unistd.h>

namespace ucp_world
{

namespace
{

constexpr auto limit = std::chrono::seconds(30);

using Clock = std::chrono::steady_clock;

void on_error(void *arg, ucp_ep_h, ucs_status_t status)
{
    *static_cast<ucs_status_t *>(arg) = status;
}

} // namespace

void require(bool ok, const std::string &what)
{
    if (!ok)
        throw Failure(what);
}

void require_ok(ucs_status_t status, const std::string &what)
{
    require(status == UCS_OK, what + ": " + ucs_status_string(status));
}

int run(const std::function<void()> &body)
{
    try {
        body();
        return 0;
    } catch (const std::exception &error) {
        std::cerr << "failed: " << error.what() << std::endl;
        return 1;
    }
}

Board::Board(std::string folder) : folder(std::move(folder)) {}

/* A file appears under its name only once all is in it. */
void Board::post(const std::string &name, const std::string &text) const
{
    const std::string path = folder + "/" + name;

    std::ofstream(path + ".tmp", std::ios::binary) << text;
    require(std::rename((path + ".tmp").c_str(), path.c_str()) == 0, "cannot write " + path);
}

bool Board::has(const std::string &name) const
{
    return access((folder + "/" + name).c_str(), F_OK) == 0;
}

std::string Board::read(const std::string &name, const std::function<void()> &meanwhile) const
{
    const auto end = Clock::now() + limit;

    while (!has(name)) {
        require(Clock::now() < end, "waited in vain for " + name);
        if (meanwhile)
            meanwhile();
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::ifstream file(folder + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Context::Context(bool shared_by_threads)
{
    ucp_params_t params = {};

    params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED;
    params.features = UCP_FEATURE_RMA | UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64 | UCP_FEATURE_TAG | UCP_FEATURE_AM;
    params.mt_workers_shared = shared_by_threads;
    require_ok(ucp_init(&params, nullptr, &handle), "ucp_init");
}

Context::~Context()
{
    ucp_cleanup(handle);
}

Worker::Worker(const Context &context)
{
    ucp_worker_params_t params = {};

    params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    params.thread_mode = UCS_THREAD_MODE_SINGLE;
    require_ok(ucp_worker_create(context.handle, &params, &handle), "ucp_worker_create");
}

Worker::~Worker()
{
    ucp_worker_destroy(handle);
}

std::string Worker::address() const
{
    ucp_address_t *address;
    size_t length;

    require_ok(ucp_worker_get_address(handle, &address, &length), "ucp_worker_get_address");
    std::string text(reinterpret_cast<const char *>(address), length);
    ucp_worker_release_address(handle, address);
    return text;
}

ucs_status_t Worker::finish(ucs_status_ptr_t request) const
{
    const auto end = Clock::now() + limit;
    ucs_status_t status;

    if (!UCS_PTR_IS_PTR(request))
        return UCS_PTR_STATUS(request);
    while ((status = ucp_request_check_status(request)) == UCS_INPROGRESS) {
        require(Clock::now() < end, "a request never ends");
        if (ucp_worker_progress(handle) == 0)
            std::this_thread::yield();
    }
    ucp_request_free(request);
    return status;
}

void Worker::require_finish(ucs_status_ptr_t request, const std::string &what) const
{
    require_ok(finish(request), what);
}

void Worker::flush() const
{
    const ucp_request_param_t param = {};

    require_finish(ucp_worker_flush_nbx(handle, &param), "flush");
}

Endpoint::Endpoint(const Worker &worker, const std::string &address, ucp_err_handling_mode_t mode) : worker(worker)
{
    ucp_ep_params_t params = {};

    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLER |
                        UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE;
    params.address = reinterpret_cast<const ucp_address_t *>(address.data());
    params.err_mode = mode;
    params.err_handler.cb = on_error;
    params.err_handler.arg = &error;
    require_ok(ucp_ep_create(worker.handle, &params, &handle), "ucp_ep_create");
}

Endpoint::~Endpoint()
{
    ucp_request_param_t param = {};

    param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
    param.flags = UCP_EP_CLOSE_FLAG_FORCE;
    try {
        worker.finish(ucp_ep_close_nbx(handle, &param));
    } catch (const Failure &failure) {
        std::cerr << "closing an endpoint: " << failure.what() << std::endl;
    }
}

Memory::Memory(const Context &context, void *address, size_t length) : context(context)
{
    ucp_mem_map_params_t params = {};
    ucp_mem_attr_t attr = {};

    params.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                        UCP_MEM_MAP_PARAM_FIELD_FLAGS;
    params.address = address;
    params.length = length;
    params.flags = address == nullptr ? UCP_MEM_MAP_ALLOCATE : 0;
    require_ok(ucp_mem_map(context.handle, &params, &handle), "ucp_mem_map");
    attr.field_mask = UCP_MEM_ATTR_FIELD_ADDRESS;
    require_ok(ucp_mem_query(handle, &attr), "ucp_mem_query");
    this->address = static_cast<char *>(attr.address);
}

Memory::~Memory()
{
    ucp_mem_unmap(context.handle, handle);
}

std::string Memory::pack() const
{
    void *buffer;
    size_t size;

    require_ok(ucp_rkey_pack(context.handle, handle, &buffer, &size), "ucp_rkey_pack");
    std::string key(static_cast<char *>(buffer), size);
    ucp_rkey_buffer_release(buffer);
    return key;
}

std::string Memory::describe() const
{
    return std::string(reinterpret_cast<const char *>(&address), sizeof(address)) + pack();
}

size_t Memory::key_size() const
{
    return pack().size();
}

RemoteMemory::RemoteMemory(const Endpoint &endpoint, const std::string &description)
{
    std::memcpy(&address, description.data(), sizeof(address));
    require_ok(ucp_ep_rkey_unpack(endpoint.handle, description.data() + sizeof(address), &key), "ucp_ep_rkey_unpack");
}

RemoteMemory::~RemoteMemory()
{
    ucp_rkey_destroy(key);
}

std::vector<char> pattern(size_t length, unsigned seed)
{
    std::vector<char> bytes(length);

    for (size_t i = 0; i < length; i++)
        bytes[i] = static_cast<char>((i + (i >> 8)) * 7 + seed * 131 + 1);
    return bytes;
}

} // namespace ucp_world
