/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survivor FOLDER RANK puts|gets|messages|mixed none|peer: rank 0 works on rank 1 until that is killed. It must find
 * out, end all it has under way and close down.
 */
#include "ucp_world.h"

#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>

#include <unistd.h>

using namespace ucp_world;

namespace
{

constexpr size_t memory_length = 1 << 20;
constexpr unsigned message_id = 7;
constexpr auto patience = std::chrono::seconds(20);

struct Survivor {
    Board board;
    ucp_err_handling_mode_t mode;
    Context context{};
    Worker worker{context};
    Endpoint endpoint{worker, board.read("address"), mode};
    RemoteMemory remote{endpoint, board.read("memory")};
    std::vector<char> buffer = pattern(memory_length, 1);
    size_t turn = 0;

    /* Short, copied and not copied. */
    size_t size()
    {
        static constexpr size_t sizes[] = {8, 2000, 100000};
        return sizes[turn++ % 3];
    }
};

ucs_status_t put(Survivor &self)
{
    const ucp_request_param_t param = {};
    return self.worker.finish(ucp_put_nbx(self.endpoint.handle, self.buffer.data(), self.size(), self.remote.address,
                                          self.remote.key, &param));
}

ucs_status_t get(Survivor &self)
{
    const ucp_request_param_t param = {};
    return self.worker.finish(ucp_get_nbx(self.endpoint.handle, self.buffer.data(), self.size(), self.remote.address,
                                          self.remote.key, &param));
}

ucs_status_t message(Survivor &self)
{
    ucp_request_param_t param = {};

    /* Long messages wait for an answer; that none will come, only UCX's keepalive finds out, which goes with this mode. */
    if (self.mode == UCP_ERR_HANDLING_MODE_NONE) {
        param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
        param.flags = UCP_AM_SEND_FLAG_EAGER;
    }
    return self.worker.finish(ucp_am_send_nbx(self.endpoint.handle, message_id, nullptr, 0, self.buffer.data(),
                                              self.size() % 8000, &param));
}

/*
 * A message that ends only when the peer has answered. UCX has then made its connection; that a peer dies before, UCX
 * finds out only if it has something under way there.
 */
void greet(Survivor &self)
{
    ucp_request_param_t param = {};

    param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
    param.flags = UCP_AM_SEND_FLAG_RNDV;
    self.worker.require_finish(ucp_am_send_nbx(self.endpoint.handle, message_id, nullptr, 0, self.buffer.data(),
                                               self.buffer.size(), &param), "greeting");
}

ucs_status_t flush(Survivor &self)
{
    const ucp_request_param_t param = {};
    return self.worker.finish(ucp_ep_flush_nbx(self.endpoint.handle, &param));
}

ucs_status_t mixed(Survivor &self)
{
    for (const auto &work : {put, message, get}) {
        const ucs_status_t status = work(self);
        if (status != UCS_OK)
            return status;
    }
    return UCS_OK;
}

void survive(const std::string &folder, const std::string &work, ucp_err_handling_mode_t mode)
{
    const std::map<std::string, std::function<ucs_status_t(Survivor &)>> works = {
            {"puts", put}, {"gets", get}, {"messages", message}, {"mixed", mixed}};
    Survivor self{Board(folder), mode};
    ucs_status_t status = UCS_OK;
    greet(self);
    /* The target is killed soon after the start is told. */
    const auto end = std::chrono::steady_clock::now() + patience;

    for (size_t count = 0; status == UCS_OK && self.endpoint.error == UCS_OK; count++) {
        require(std::chrono::steady_clock::now() < end, "nobody told that the peer is gone");
        status = works.at(work)(self);
        if (status == UCS_OK && count % 16 == 15)
            status = flush(self);
        self.worker.progress();
        if (count == 100)
            self.board.post("started", "");
    }
    std::cout << "survived: " << ucs_status_string(status != UCS_OK ? status : self.endpoint.error) << std::endl;
}

ucs_status_t on_message(void *, const void *, size_t, void *, size_t, const ucp_am_recv_param_t *)
{
    return UCS_OK;
}

void be_target(const std::string &folder)
{
    Board board(folder);
    Context context{};
    Worker worker(context);
    Memory memory(context, nullptr, memory_length);
    ucp_am_handler_param_t handler = {};

    handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB;
    handler.id = message_id;
    handler.cb = on_message;
    require_ok(ucp_worker_set_am_recv_handler(worker.handle, &handler), "ucp_worker_set_am_recv_handler");
    board.post("memory", memory.describe());
    board.post("pid", std::to_string(getpid()));
    board.post("address", worker.address());
    for (;;)
        worker.progress();
}

} // namespace

int main(int, char **argv)
{
    return run([argv] {
        const bool peer_mode = std::string(argv[4]) == "peer";
        if (std::string(argv[2]) == "1")
            be_target(argv[1]);
        else
            survive(argv[1], argv[3], peer_mode ? UCP_ERR_HANDLING_MODE_PEER : UCP_ERR_HANDLING_MODE_NONE);
    });
}
