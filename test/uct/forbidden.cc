/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forbidden FOLDER RANK: what works between processes that may not reach each other's private memory. Memory that UCP
 * allocates does, and so do messages that are copied; ordinary memory cannot be registered.
 */
#include "ucp_world.h"

#include <algorithm>
#include <iostream>

using namespace ucp_world;

namespace
{

constexpr size_t length = 1 << 16;
/* Longer data UCX does not copy, whatever memory it is in. */
constexpr size_t put_sizes[] = {8, 32, 8192, 12000};
constexpr size_t get_max = 256;
constexpr size_t message_sizes[] = {0, 8, 100, 8000};

std::string refusal(const Context &context)
{
    static char ordinary[length]; /* Where no launcher's heap can put it into mapped memory. */

    try {
        Memory memory(context, ordinary, length);
    } catch (const Failure &failure) {
        return failure.what();
    }
    throw Failure("ordinary memory was registered");
}

void send(const Board &board, const Worker &worker)
{
    const ucp_request_param_t param = {};
    const auto wait = [&worker] { worker.progress(); };
    Endpoint endpoint(worker, board.read("address", wait));
    RemoteMemory remote(endpoint, board.read("memory", wait));

    for (size_t size : put_sizes) {
        const auto data = pattern(size, 5);
        worker.require_finish(ucp_put_nbx(endpoint.handle, data.data(), size, remote.address, remote.key, &param), "put");
        worker.flush();
        std::vector<char> back(std::min(size, get_max));
        worker.require_finish(ucp_get_nbx(endpoint.handle, back.data(), back.size(), remote.address, remote.key, &param),
                              "get");
        require(std::equal(back.begin(), back.end(), data.begin()), "got other data than put");
    }
    for (size_t size : message_sizes) {
        const auto data = pattern(size, 6);
        worker.require_finish(ucp_tag_send_nbx(endpoint.handle, data.data(), size, size, &param), "send");
    }
    worker.flush();
    board.read("done", wait);
}

void receive(const Board &board, const Context &context, const Worker &worker)
{
    const ucp_request_param_t param = {};
    Memory memory(context, nullptr, length);

    board.post("memory", memory.describe());
    board.post("address", worker.address());
    for (size_t size : message_sizes) {
        std::vector<char> data(size);
        worker.require_finish(ucp_tag_recv_nbx(worker.handle, data.data(), size, size, ~0ul, &param), "receive");
        require(data == pattern(size, 6), "received other data than sent");
    }
    board.post("done", "");
}

} // namespace

int main(int, char **argv)
{
    return run([argv] {
        Board board(argv[1]);
        Context context;
        Worker worker(context);
        if (std::string(argv[2]) == "0") {
            const std::string answer = refusal(context);
            std::cout << "refused: " << answer << std::endl;
            send(board, worker);
        } else {
            receive(board, context, worker);
        }
        std::cout << "works" << std::endl;
    });
}
