// SPDX-License-Identifier: BSD-3-Clause
// Barriers and reductions by barrier gates, and the barrier that one would write by hand in shared
// memory (dissemination), in turn. All wait in the same way. Prints the median time of each.
//
//     tofu-run -n 8 --no-ucx tofu-bench-barrier [ROUNDS [OPERATIONS]]
#include "clock.h"
#include "exchange_socket.h"
#include "shared_memory.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <vector>

#include <nlohmann/json.hpp>
#include <sched.h>
#include <unistd.h>
#include <utofu.h>

namespace
{

using namespace tofu_bench;

// With more ranks than cores who waits is in the way: it gives up its core soon. That is best for both
// sides, and what a poll costs on either then hardly matters.
constexpr int polls_per_yield = 16;
bool yields = false;
constexpr int rounds_max = 16; // Of a dissemination: 65536 ranks.

void require(int code, const char *what)
{
    if (code != UTOFU_SUCCESS) {
        throw std::runtime_error(std::string(what) + " returned " + std::to_string(code));
    }
}

/// How both sides wait.
template <class Ready> void wait_until(Ready ready)
{
    for (int failed = 1; !ready(); ++failed) {
        if (yields && failed % polls_per_yield == 0) {
            sched_yield();
        }
    }
}

/// A flag for each round, on lines of their own. They count up, so that none is ever taken back.
struct Flags {
    struct alignas(128) Flag {
        std::atomic<uint64_t> count;
    };
    Flag round[rounds_max];
};

/// In round k each rank tells the one 2^k after it, and hears of the one 2^k before it.
class Dissemination
{
  public:
    explicit Dissemination(Exchange &exchange)
        : own_(sizeof(Flags), false), rank_(exchange.rank()), size_(exchange.size())
    {
        for (const std::string &card : exchange.allgather(own_.card())) {
            views_.emplace_back(card);
        }
        exchange.barrier();
    }

    void operator()()
    {
        ++count_;
        for (int k = 0, distance = 1; distance < size_; ++k, distance *= 2) {
            const auto next = static_cast<size_t>((rank_ + distance) % size_);
            flags(views_[next])->round[k].count.store(count_, std::memory_order_release);
            const auto &arrived = flags(own_)->round[k].count;
            wait_until([&] { return arrived.load(std::memory_order_acquire) >= count_; });
        }
    }

  private:
    static Flags *flags(SharedMemory &memory)
    {
        return reinterpret_cast<Flags *>(memory.data());
    }

    SharedMemory own_;
    std::vector<SharedMemory> views_;
    int rank_, size_;
    uint64_t count_ = 0;
};

/// Recursive doubling over a power of two of ranks: a start/end gate and a relay for each step.
class Butterfly
{
  public:
    explicit Butterfly(Exchange &exchange)
    {
        size_t steps = 0;
        while ((1 << steps) < exchange.size()) {
            ++steps;
        }
        if (1 << steps != exchange.size()) {
            throw std::runtime_error("a power of two of processes is needed");
        }
        ids_.resize(steps + 1);
        require(utofu_alloc_vbg(0, ids_.size(), 0, ids_.data()), "utofu_alloc_vbg");
        wire(exchange, steps);
        exchange.barrier();
    }

    ~Butterfly()
    {
        utofu_free_vbg(ids_.data(), ids_.size());
    }

    Butterfly(const Butterfly &) = delete;
    Butterfly &operator=(const Butterfly &) = delete;

    void barrier()
    {
        require(utofu_barrier(ids_[0], 0), "utofu_barrier");
        wait([&] { return utofu_poll_barrier(ids_[0], 0); });
    }

    void sum_integers()
    {
        uint64_t data[6] = {1, 2, 3, 4, 5, 6};
        require(utofu_reduce_uint64(ids_[0], UTOFU_REDUCE_OP_SUM, data, 6, 0), "utofu_reduce_uint64");
        wait([&] { return utofu_poll_reduce_uint64(ids_[0], 0, data); });
    }

    void sum_doubles()
    {
        double data[3] = {0.1, 2.0, 3e10};
        require(utofu_reduce_double(ids_[0], UTOFU_REDUCE_OP_BFPSUM, data, 3, 0),
                "utofu_reduce_double");
        wait([&] { return utofu_poll_reduce_double(ids_[0], 0, data); });
    }

  private:
    void wire(Exchange &exchange, size_t steps)
    {
        std::vector<std::vector<utofu_vbg_id_t>> all;
        for (const std::string &text : exchange.allgather(nlohmann::json(ids_).dump())) {
            all.push_back(nlohmann::json::parse(text));
        }
        std::vector<utofu_vbg_setting> settings;
        for (size_t gate = 0; gate <= steps; ++gate) {
            const bool last = gate == steps;
            const auto partner = [&](size_t step) -> const std::vector<utofu_vbg_id_t> & {
                return all[static_cast<size_t>(exchange.rank()) ^ (size_t{1} << step)];
            };
            utofu_vbg_setting s = {};
            s.vbg_id = ids_[gate];
            s.src_lcl_vbg_id = gate == 0 ? ids_[steps] : ids_[gate - 1];
            s.src_rmt_vbg_id = gate == 0 ? UTOFU_VBG_ID_NULL : partner(gate - 1)[gate - 1];
            s.dst_lcl_vbg_id = last ? ids_[0] : ids_[gate + 1];
            s.dst_rmt_vbg_id = last ? UTOFU_VBG_ID_NULL : partner(gate)[gate + 1];
            std::fill_n(s.dst_path_coords, 3, UTOFU_PATH_COORD_NULL);
            settings.push_back(s);
        }
        require(utofu_set_vbg(settings.data(), settings.size()), "utofu_set_vbg");
    }

    template <class Poll> void wait(Poll poll)
    {
        int code = UTOFU_ERR_NOT_COMPLETED;
        wait_until([&] { return (code = poll()) != UTOFU_ERR_NOT_COMPLETED; });
        require(code, "polling a gate");
    }

    std::vector<utofu_vbg_id_t> ids_;
};

template <class Operation> double time_ns(Exchange &exchange, int count, Operation operation)
{
    exchange.barrier();
    for (int i = 0; i < count / 10; ++i) {
        operation();
    }
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i) {
        operation();
    }
    return ns_between(start, Clock::now()) / count;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

std::string variable(const char *name)
{
    const char *value = std::getenv(name);
    if (value == nullptr) {
        throw std::runtime_error(std::string(name) + " is not set: start this program by tofu-run");
    }
    return value;
}

void measure(int rounds, int count)
{
    SocketExchange exchange(variable("SOFTTOFU_JOB"), std::stoi(variable("SOFTTOFU_RANK")),
                            std::stoi(variable("SOFTTOFU_SIZE")));
    yields = exchange.size() > static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    Dissemination by_hand(exchange);
    Butterfly gates(exchange);
    std::vector<double> shm, barrier, integers, doubles, ratio;

    for (int round = 0; round < rounds; ++round) {
        barrier.push_back(time_ns(exchange, count, [&] { gates.barrier(); }));
        shm.push_back(time_ns(exchange, count, [&] { by_hand(); }));
        integers.push_back(time_ns(exchange, count, [&] { gates.sum_integers(); }));
        doubles.push_back(time_ns(exchange, count, [&] { gates.sum_doubles(); }));
        ratio.push_back(barrier.back() / shm.back());
    }
    if (exchange.rank() == 0) {
        std::cout << nlohmann::json({{"vbg_barrier_ns", median(barrier)},
                                     {"shm_barrier_ns", median(shm)},
                                     {"ratio", median(ratio)},
                                     {"vbg_sum_6_uint64_ns", median(integers)},
                                     {"vbg_bfpsum_3_double_ns", median(doubles)}})
                          .dump()
                  << std::endl;
    }
    exchange.barrier();
}

} // namespace

int main(int argc, char **argv)
{
    try {
        measure(argc > 1 ? std::stoi(argv[1]) : 5, argc > 2 ? std::stoi(argv[2]) : 3000);
    } catch (const std::exception &error) {
        std::cerr << "tofu-bench-barrier: " << error.what() << std::endl;
        return 1;
    }
}
