/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flood FOLDER RANK SENDERS MESSAGES: ranks 1 to SENDERS send numbered messages to rank 0 as fast as they can. Rank 0
 * ends when it has all messages of all senders but those that the file "killed" names, and checks their order.
 */
#include "ucp_world.h"

#include <chrono>
#include <cstring>
#include <iostream>

#include <unistd.h>

using namespace ucp_world;

namespace
{

constexpr unsigned message_id = 3;
constexpr auto patience = std::chrono::seconds(40);

struct Label {
    uint32_t sender, number;
};

/* Mostly in a descriptor, some copied, some as long as a slot of the ring allows UCP. */
size_t payload_size(const Label &label)
{
    static constexpr size_t sizes[] = {0, 0, 100, 0, 3000, 0, 7000, 1};
    return sizes[(label.number + label.sender) % 8];
}

struct Receiver {
    std::vector<uint32_t> received;
    std::string error;

    void take(const Label &label, const char *data, size_t length)
    {
        if (received[label.sender] != label.number)
            error = "sender " + std::to_string(label.sender) + ": message " + std::to_string(label.number) +
                    " instead of " + std::to_string(received[label.sender]);
        const auto expected = pattern(payload_size(label), label.sender + label.number);
        if (length != expected.size() || (length > 0 && std::memcmp(data, expected.data(), length) != 0))
            error = "message with other data than sent";
        ++received[label.sender];
    }
};

ucs_status_t on_message(void *arg, const void *header, size_t, void *data, size_t length, const ucp_am_recv_param_t *)
{
    Label label;

    std::memcpy(&label, header, sizeof(label));
    static_cast<Receiver *>(arg)->take(label, static_cast<const char *>(data), length);
    return UCS_OK;
}

/* Who has not sent all, and was not killed. */
std::string missing(const Board &board, const Receiver &receiver, uint32_t messages)
{
    std::string list;
    const std::string killed = board.has("killed") ? board.read("killed") : "";

    for (size_t sender = 1; sender < receiver.received.size(); sender++) {
        if (receiver.received[sender] < messages && killed != std::to_string(sender))
            list += " " + std::to_string(sender) + ":" + std::to_string(receiver.received[sender]);
    }
    return list;
}

void receive(const Board &board, unsigned senders, uint32_t messages)
{
    Context context;
    Worker worker(context);
    Receiver receiver{std::vector<uint32_t>(senders + 1), ""};
    ucp_am_handler_param_t handler = {};
    const auto end = std::chrono::steady_clock::now() + patience;

    handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
    handler.id = message_id;
    handler.cb = on_message;
    handler.arg = &receiver;
    require_ok(ucp_worker_set_am_recv_handler(worker.handle, &handler), "ucp_worker_set_am_recv_handler");
    board.post("address", worker.address());
    for (unsigned count = 0;; count++) {
        worker.progress();
        require(receiver.error.empty(), receiver.error);
        if (count % 1024 != 0)
            continue;
        const std::string who = missing(board, receiver, messages);
        if (who.empty())
            break;
        require(std::chrono::steady_clock::now() < end, "nothing more comes from (sender:received)" + who);
    }
    board.post("all", "");
    std::cout << "received all" << std::endl;
}

void send(const Board &board, unsigned rank, uint32_t messages)
{
    Context context;
    Worker worker(context);
    Endpoint endpoint(worker, board.read("address"));
    const ucp_request_param_t param = {};

    board.post("pid." + std::to_string(rank), std::to_string(getpid()));
    for (uint32_t number = 0; number < messages; number++) {
        const Label label = {rank, number};
        const auto data = pattern(payload_size(label), label.sender + label.number);
        worker.require_finish(ucp_am_send_nbx(endpoint.handle, message_id, &label, sizeof(label), data.data(),
                                              data.size(), &param), "send");
    }
    worker.flush();
    board.read("all", [&worker] { worker.progress(); });
}

} // namespace

int main(int, char **argv)
{
    return run([argv] {
        const unsigned rank = static_cast<unsigned>(std::stoul(argv[2]));
        const unsigned messages = static_cast<unsigned>(std::stoul(argv[4]));
        if (rank == 0)
            receive(Board(argv[1]), static_cast<unsigned>(std::stoul(argv[3])), messages);
        else
            send(Board(argv[1]), rank, messages);
    });
}
