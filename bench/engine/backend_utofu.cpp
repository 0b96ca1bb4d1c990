// SPDX-License-Identifier: BSD-3-Clause
// Raw uTofu. Thread t uses VCQ t % W: a VCQ of its own, on a CQ of its own while they last, or one
// that the library locks. Puts of up to 32 bytes carry their data, longer ones read registered
// memory.
//
// Puts ask for no notice. A flush sends one noticed 8-byte put behind them to each rank that has
// been written to: in strong order its notice comes after all of them. Gets are noticed one by one;
// the notice's edata tells which thread of a shared VCQ it belongs to.
//
// The backend "utofu-mrq" differs in that each put gives its target a notice, by which the target knows that it has
// arrived. For one thread a VCQ: a notice does not say which thread's message came.
#include "runner.h"
#include "shared_memory.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>
#include <utofu.h>

namespace tofu_bench
{
namespace
{

constexpr size_t flush_cell_bytes = 256;
constexpr uint64_t gets_under_way_max = 64;

void require(int code, const char *what)
{
    if (code != UTOFU_SUCCESS) {
        throw std::runtime_error(std::string(what) + " returned " + std::to_string(code));
    }
}

/// Noticed operations of one thread that are done. Any thread of the VCQ may count one, so each has
/// a line.
struct alignas(256) Done {
    std::atomic<uint64_t> count{0};
};

/// A VCQ and the memory that is registered on it; for other ranks, what they told about theirs.
struct Target {
    utofu_vcq_id_t vcq = 0;
    utofu_stadd_t memory = 0;
};

struct Lane {
    utofu_vcq_hdl_t vcq = 0;
    utofu_stadd_t memory = 0;
    std::vector<Target> targets; // By rank.
    std::vector<Done> done;      // By thread.
    bool shared = false;
};

enum class Arrival { Silent, Noticed };

template <Arrival arrival> class UtofuBackend
{
  public:
    UtofuBackend(Exchange &exchange, const Setup &setup)
        : exchange_(exchange), setup_(setup),
          memory_(setup.heap_bytes + setup.scratch_bytes + flush_cell_bytes, setup.attached, setup.malloced)
    {
        lanes_.resize(static_cast<size_t>(setup.workers));
        for (size_t i = 0; i < lanes_.size(); ++i) {
            open(lanes_[i], i);
        }
        for (const std::string &card : exchange.allgather(card())) {
            const nlohmann::json targets = nlohmann::json::parse(card);
            for (size_t i = 0; i < lanes_.size(); ++i) {
                lanes_[i].targets.push_back({targets[i][0], targets[i][1]});
            }
        }
        exchange.barrier();
    }

    ~UtofuBackend()
    {
        exchange_.barrier();
        for (Lane &lane : lanes_) {
            utofu_dereg_mem(lane.vcq, lane.memory, 0);
            utofu_free_vcq(lane.vcq);
        }
    }

    UtofuBackend(const UtofuBackend &) = delete;
    UtofuBackend &operator=(const UtofuBackend &) = delete;

    std::byte *heap()
    {
        return memory_.data();
    }
    std::byte *scratch()
    {
        return memory_.data() + setup_.heap_bytes;
    }
    void progress() {}
    static std::string version()
    {
        int major = 0;
        int minor = 0;
        utofu_query_utofu_version(&major, &minor);
        return "uTofu " + std::to_string(major) + "." + std::to_string(minor);
    }

    class Port
    {
      public:
        Port(UtofuBackend &backend, int thread)
            : lane_(backend.lanes_[static_cast<size_t>(thread) % backend.lanes_.size()]),
              done_(lane_.done[static_cast<size_t>(thread)]), vcq_(lane_.vcq),
              targets_(lane_.targets.data()), base_(backend.memory_.data()),
              thread_(static_cast<uint64_t>(thread)),
              flush_cell_(backend.setup_.heap_bytes + backend.setup_.scratch_bytes),
              issued_(done_.count.load(std::memory_order_relaxed)),
              written_(lane_.targets.size(), 0), waiter_(backend.setup_.waiter)
        {
        }

        void put(int rank, size_t offset, const std::byte *source, size_t size)
        {
            const Target &target = targets_[rank];
            written_[static_cast<size_t>(rank)] = 1;
            if (size <= piggyback_max) {
                post([&] {
                    return utofu_put_piggyback(vcq_, target.vcq, const_cast<std::byte *>(source),
                                               target.memory + offset, size, 0, put_flags, nullptr);
                });
                return;
            }
            const utofu_stadd_t local = lane_.memory + static_cast<size_t>(source - base_);
            for (size_t at = 0; at < size; at += transfer_max) {
                const size_t length = std::min(transfer_max, size - at);
                post([&] {
                    return utofu_put(vcq_, target.vcq, local + at, target.memory + offset + at,
                                     length, 0, put_flags, nullptr);
                });
            }
        }

        void get(int rank, size_t offset, std::byte *destination, size_t size)
        {
            const Target &target = targets_[rank];
            const utofu_stadd_t local = lane_.memory + static_cast<size_t>(destination - base_);
            for (size_t at = 0; at < size; at += transfer_max) {
                const size_t length = std::min(transfer_max, size - at);
                post([&] {
                    return utofu_get(vcq_, target.vcq, local + at, target.memory + offset + at,
                                     length, thread_, UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE,
                                     nullptr);
                });
                ++issued_;
            }
            wait_until_under_way(gets_under_way_max);
        }

        void fetch(int rank, size_t offset, std::byte *destination, size_t size)
        {
            get(rank, offset, destination, size);
            wait_until_under_way(0);
        }

        void push(int)
        {
            // The device carries on by itself.
        }

        void flush()
        {
            for (size_t rank = 0; rank < written_.size(); ++rank) {
                if (!written_[rank]) {
                    continue;
                }
                const Target &target = targets_[rank];
                post([&] {
                    return utofu_put_piggyback8(
                            vcq_, target.vcq, 0, target.memory + flush_cell_, sizeof(uint64_t),
                            thread_, order | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE, nullptr);
                });
                ++issued_;
                written_[rank] = 0;
            }
            wait_until_under_way(0);
        }

        void progress()
        {
            poll_tcq();
        }

        template <Arrival way = arrival> std::enable_if_t<way == Arrival::Noticed, bool> noticed()
        {
            utofu_mrq_notice notice;
            const int code = utofu_poll_mrq(vcq_, 0, &notice);
            if (code == UTOFU_ERR_NOT_FOUND) {
                return false;
            }
            require(code, "utofu_poll_mrq");
            if (notice.notice_type == UTOFU_MRQ_TYPE_RMT_PUT) {
                return true;
            }
            count_done(notice);
            return false;
        }

      private:
        static constexpr unsigned long order = UTOFU_ONESIDED_FLAG_STRONG_ORDER;
        static constexpr unsigned long put_flags =
                arrival == Arrival::Noticed ? order | UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE : order;
        static constexpr size_t piggyback_max = 32;
        static constexpr size_t transfer_max =
                16777215 & ~size_t{255}; // Largest multiple of a cache line.

        template <class Command> void post(Command command)
        {
            int code = command();
            while (code == UTOFU_ERR_BUSY) {
                poll_tcq();
                poll_mrq();
                code = command();
            }
            require(code, "uTofu command");
        }

        void wait_until_under_way(uint64_t most)
        {
            if (under_way() > most) {
                waiter_.drive([&] { return under_way() <= most; }, [&] { poll_mrq(); });
            }
        }

        uint64_t under_way() const
        {
            return issued_ - done_.count.load(std::memory_order_acquire);
        }

        void poll_tcq()
        {
            void *data;
            const int code = utofu_poll_tcq(vcq_, 0, &data);
            if (code != UTOFU_ERR_NOT_FOUND) {
                require(code, "utofu_poll_tcq");
            }
        }

        void poll_mrq()
        {
            utofu_mrq_notice notice;
            const int code = utofu_poll_mrq(vcq_, 0, &notice);
            if (code == UTOFU_ERR_NOT_FOUND) {
                return;
            }
            require(code, "utofu_poll_mrq");
            count_done(notice);
        }

        void count_done(const utofu_mrq_notice &notice)
        {
            if (notice.notice_type == UTOFU_MRQ_TYPE_RMT_PUT) {
                return; // A message that nobody waits for, as in a rate.
            }
            std::atomic<uint64_t> &count = lane_.done[notice.edata].count;
            if (lane_.shared) {
                count.fetch_add(1, std::memory_order_release);
            } else {
                count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            }
        }

        Lane &lane_;
        Done &done_;
        utofu_vcq_hdl_t vcq_;
        const Target *targets_;
        const std::byte *base_;
        uint64_t thread_;
        size_t flush_cell_;
        uint64_t issued_;
        std::vector<char> written_; // By rank: has it been written to since the last flush?
        Waiter waiter_;
    };

    Port port(int thread)
    {
        return Port(*this, thread);
    }

  private:
    void open(Lane &lane, size_t index)
    {
        lane.shared = setup_.workers < setup_.threads;
        lane.done = std::vector<Done>(static_cast<size_t>(setup_.threads));
        const utofu_tni_id_t tni = tni_of(index);
        const unsigned long safe = lane.shared ? UTOFU_VCQ_FLAG_THREAD_SAFE : 0;
        if (utofu_create_vcq(tni, safe | UTOFU_VCQ_FLAG_EXCLUSIVE, &lane.vcq) != UTOFU_SUCCESS) {
            require(utofu_create_vcq(tni, safe, &lane.vcq), "utofu_create_vcq");
        }
        const size_t size = setup_.heap_bytes + setup_.scratch_bytes + flush_cell_bytes;
        require(utofu_reg_mem(lane.vcq, memory_.data(), size, 0, &lane.memory), "utofu_reg_mem");
    }

    static utofu_tni_id_t tni_of(size_t index)
    {
        utofu_tni_id_t *tnis = nullptr;
        size_t count = 0;
        require(utofu_get_onesided_tnis(&tnis, &count), "utofu_get_onesided_tnis");
        const utofu_tni_id_t tni = tnis[index % count];
        std::free(tnis);
        return tni;
    }

    std::string card() const
    {
        nlohmann::json targets = nlohmann::json::array();
        for (const Lane &lane : lanes_) {
            utofu_vcq_id_t id = 0;
            require(utofu_query_vcq_id(lane.vcq, &id), "utofu_query_vcq_id");
            targets.push_back({id, lane.memory});
        }
        return targets.dump();
    }

    Exchange &exchange_;
    Setup setup_;
    SharedMemory memory_;
    std::vector<Lane> lanes_;
};

[[maybe_unused]] const bool known = make_known<UtofuBackend<Arrival::Silent>>("utofu");
[[maybe_unused]] const bool noticed_known =
        make_known<UtofuBackend<Arrival::Noticed>>("utofu-mrq");

} // namespace
} // namespace tofu_bench
