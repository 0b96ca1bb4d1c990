/* SPDX-License-Identifier: BSD-3-Clause */
/* workers FOLDER RANK COUNT: two processes, in each COUNT threads with a worker of their own, all busy at once. */
#include "ucp_world.h"

#include <atomic>
#include <cstring>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

using namespace ucp_world;

namespace
{

constexpr size_t slot_size = 1 << 17;
constexpr size_t sizes[] = {8, 31, 32, 33, 1000, 8192, 20000, slot_size};
constexpr unsigned rounds = 5;
constexpr uint64_t additions = 50;
/* At the start of the memory: a counter that all threads of the peer add to. */
constexpr size_t slots_offset = 4096;

struct Process {
    Board board;
    std::string me, peer;
    unsigned count;
    Context context{true};
    Memory memory{context, nullptr, slots_offset + count * slot_size};
    std::vector<std::unique_ptr<Worker>> workers{};
};

void put_and_get(const Process &process, const Worker &worker, const Endpoint &endpoint, const RemoteMemory &remote,
                 unsigned number)
{
    const ucp_request_param_t param = {};
    const uint64_t slot = remote.address + slots_offset + number * slot_size;

    for (unsigned round = 0; round < rounds; round++) {
        for (size_t size : sizes) {
            const auto sent = pattern(size, number * rounds + round);
            std::vector<char> back(size);
            worker.require_finish(ucp_put_nbx(endpoint.handle, sent.data(), size, slot, remote.key, &param), "put");
            worker.flush();
            worker.require_finish(ucp_get_nbx(endpoint.handle, back.data(), size, slot, remote.key, &param), "get");
            require(back == sent, process.me + ": got other data than put");
        }
    }
}

void add(const Worker &worker, const Endpoint &endpoint, const RemoteMemory &remote)
{
    uint64_t before = 0, last = 0;
    const uint64_t one = 1;
    ucp_request_param_t param = {};

    param.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER;
    param.datatype = ucp_dt_make_contig(sizeof(one));
    param.reply_buffer = &before;
    for (uint64_t i = 0; i < additions; i++) {
        worker.require_finish(ucp_atomic_op_nbx(endpoint.handle, UCP_ATOMIC_OP_ADD, &one, 1, remote.address, remote.key,
                                                &param), "fetch-and-add");
        require(i == 0 || before > last, "a counter went back");
        last = before;
    }
}

void use_worker(const Process &process, unsigned number)
{
    const Worker &worker = *process.workers[number];
    const std::string name = process.peer + "." + std::to_string(number);
    Endpoint endpoint(worker, process.board.read(name));
    RemoteMemory remote(endpoint, process.board.read(process.peer + ".memory"));

    put_and_get(process, worker, endpoint, remote, number);
    add(worker, endpoint, remote);
    worker.flush();
}

void use_all_workers(const Process &process)
{
    std::vector<std::thread> threads;
    std::atomic<bool> ok{true};

    for (unsigned number = 0; number < process.count; number++) {
        threads.emplace_back([&process, &ok, number] {
            if (run([&] { use_worker(process, number); }) != 0)
                ok = false;
        });
    }
    for (auto &thread : threads)
        thread.join();
    require(ok, "a thread failed");
}

/* What the peer's threads have put here, and how often they added. */
void check_memory(const Process &process)
{
    uint64_t sum;

    std::memcpy(&sum, process.memory.address, sizeof(sum));
    require(sum == process.count * additions, "the counter is " + std::to_string(sum));
    for (unsigned number = 0; number < process.count; number++) {
        const auto expected = pattern(slot_size, number * rounds + rounds - 1);
        require(std::memcmp(process.memory.address + slots_offset + number * slot_size, expected.data(), slot_size) == 0,
                "slot " + std::to_string(number) + " holds other data than put");
    }
}

void body(const std::string &folder, int rank, unsigned count)
{
    Process process{Board(folder), std::to_string(rank), std::to_string(1 - rank), count};

    std::memset(process.memory.address, 0, sizeof(uint64_t));
    for (unsigned number = 0; number < count; number++) {
        process.workers.push_back(std::make_unique<Worker>(process.context));
        process.board.post(process.me + "." + std::to_string(number), process.workers.back()->address());
    }
    process.board.post(process.me + ".memory", process.memory.describe());
    use_all_workers(process);
    process.board.post(process.me + ".done", "");
    process.board.read(process.peer + ".done");
    check_memory(process);
    if (rank == 0)
        std::cout << "key " << process.memory.key_size() << std::endl;
    /* Who frees its memory and queues early would fail the other. */
    process.board.post(process.me + ".checked", "");
    process.board.read(process.peer + ".checked");
}

} // namespace

int main(int, char **argv)
{
    return run([argv] { body(argv[1], std::stoi(argv[2]), static_cast<unsigned>(std::stoul(argv[3]))); });
}
