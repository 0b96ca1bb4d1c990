// SPDX-License-Identifier: BSD-3-Clause
// UCP on the transports that UCX_TLS names. Thread t uses worker t % W: with a worker per thread
// nothing is locked, with fewer UCP locks each worker. Memory comes from UCP, so that the transport
// can share it.
#include "runner.h"
#include "shared_memory.h"

#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <ucp/api/ucp.h>

namespace tofu_bench
{
namespace
{

void require(ucs_status_t status, const char *what)
{
    if (status != UCS_OK) {
        throw std::runtime_error(std::string(what) + ": " + ucs_status_string(status));
    }
}

nlohmann::json::binary_t binary(const void *data, size_t size)
{
    const auto *bytes = static_cast<const uint8_t *>(data);
    return nlohmann::json::binary_t(std::vector<uint8_t>(bytes, bytes + size));
}

/// A worker and its way to each rank.
struct Lane {
    ucp_worker_h worker = nullptr;
    std::vector<ucp_ep_h> endpoints;
    std::vector<ucp_rkey_h> keys;
};

class UcpBackend
{
  public:
    UcpBackend(Exchange &exchange, const Setup &setup) : exchange_(exchange), setup_(setup)
    {
        create_context();
        map_memory();
        for (int i = 0; i < setup.workers; ++i) {
            lanes_.push_back({create_worker(), {}, {}});
        }
        exchange.set_idle([this] { progress(); });
        connect(exchange.allgather(card()));
        for (Lane &lane : lanes_) {
            const ucp_request_param_t none{};
            finish(lane.worker, ucp_worker_flush_nbx(lane.worker, &none));
        }
        exchange.barrier();
    }

    ~UcpBackend()
    {
        exchange_.barrier();
        for (Lane &lane : lanes_) {
            for (ucp_rkey_h key : lane.keys) {
                ucp_rkey_destroy(key);
            }
            for (ucp_ep_h endpoint : lane.endpoints) {
                const ucp_request_param_t none{};
                finish(lane.worker, ucp_ep_close_nbx(endpoint, &none));
            }
        }
        exchange_.barrier();
        exchange_.set_idle(nullptr);
        for (Lane &lane : lanes_) {
            ucp_worker_destroy(lane.worker);
        }
        ucp_mem_unmap(context_, memory_);
        ucp_cleanup(context_);
    }

    UcpBackend(const UcpBackend &) = delete;
    UcpBackend &operator=(const UcpBackend &) = delete;

    std::byte *heap()
    {
        return data_;
    }
    std::byte *scratch()
    {
        return data_ + setup_.heap_bytes;
    }
    void progress()
    {
        for (Lane &lane : lanes_) {
            ucp_worker_progress(lane.worker);
        }
    }
    static std::string version()
    {
        return std::string("UCX ") + ucp_get_version_string();
    }

    class Port
    {
      public:
        Port(const Lane &lane, const std::vector<uint64_t> &heaps, Waiter waiter)
            : worker_(lane.worker), endpoints_(lane.endpoints.data()), keys_(lane.keys.data()),
              heaps_(heaps.data()), waiter_(waiter)
        {
        }
        ~Port()
        {
            for (void *&request : window_) {
                complete(request);
            }
        }
        Port(const Port &) = delete;
        Port &operator=(const Port &) = delete;

        void put(int rank, size_t offset, const std::byte *source, size_t size)
        {
            keep(ucp_put_nbx(endpoints_[rank], source, size, heaps_[rank] + offset, keys_[rank],
                             &param_));
        }
        void get(int rank, size_t offset, std::byte *destination, size_t size)
        {
            keep(ucp_get_nbx(endpoints_[rank], destination, size, heaps_[rank] + offset,
                             keys_[rank], &param_));
        }
        void fetch(int rank, size_t offset, std::byte *destination, size_t size)
        {
            void *request = ucp_get_nbx(endpoints_[rank], destination, size, heaps_[rank] + offset,
                                        keys_[rank], &param_);
            complete(request);
        }
        void push(int)
        {
            // UCP carries on with a put that has not left whenever the worker is progressed.
        }
        void flush()
        {
            void *request = ucp_worker_flush_nbx(worker_, &param_);
            complete(request);
        }
        void progress()
        {
            ucp_worker_progress(worker_);
        }

      private:
        // Most operations are done at once. Of the others a bounded number is under way: the oldest
        // one is waited for when its place is needed.
        void keep(void *request)
        {
            if (request == nullptr) {
                return;
            }
            void *&place = window_[next_];
            next_ = (next_ + 1) % window_.size();
            complete(place);
            place = request;
        }

        void complete(void *&request)
        {
            if (request == nullptr) {
                return;
            }
            if (UCS_PTR_IS_ERR(request)) {
                require(UCS_PTR_STATUS(request), "UCP operation");
            }
            waiter_.drive([&] { return ucp_request_check_status(request) != UCS_INPROGRESS; },
                          [&] { ucp_worker_progress(worker_); });
            require(ucp_request_check_status(request), "UCP operation");
            ucp_request_free(request);
            request = nullptr;
        }

        ucp_worker_h worker_;
        const ucp_ep_h *endpoints_;
        const ucp_rkey_h *keys_;
        const uint64_t *heaps_;
        Waiter waiter_;
        ucp_request_param_t param_{};
        std::array<void *, 64> window_{};
        size_t next_ = 0;
    };

    Port port(int thread)
    {
        return Port(lanes_[static_cast<size_t>(thread) % lanes_.size()], heaps_, setup_.waiter);
    }

  private:
    void create_context()
    {
        ucp_params_t params{};
        params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED;
        params.features = UCP_FEATURE_RMA;
        params.mt_workers_shared = setup_.threads > 1;
        require(ucp_init(&params, nullptr, &context_), "ucp_init");
    }

    void map_memory()
    {
        const size_t size = setup_.heap_bytes + setup_.scratch_bytes;
        ucp_mem_map_params_t params{};
        params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_FLAGS;
        params.length = size;
        params.flags = UCP_MEM_MAP_ALLOCATE;
        if (setup_.attached) {
            ordinary_.emplace(size, true, setup_.malloced);
            params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_ADDRESS;
            params.address = ordinary_->data();
        }
        require(ucp_mem_map(context_, &params, &memory_), "ucp_mem_map");
        ucp_mem_attr_t attributes{};
        attributes.field_mask = UCP_MEM_ATTR_FIELD_ADDRESS;
        require(ucp_mem_query(memory_, &attributes), "ucp_mem_query");
        data_ = static_cast<std::byte *>(attributes.address);
        std::memset(data_, 0, size);
    }

    ucp_worker_h create_worker()
    {
        ucp_worker_params_t params{};
        params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
        params.thread_mode =
                setup_.workers == setup_.threads ? UCS_THREAD_MODE_SINGLE : UCS_THREAD_MODE_MULTI;
        ucp_worker_h worker;
        require(ucp_worker_create(context_, &params, &worker), "ucp_worker_create");
        return worker;
    }

    // What the other ranks need to reach this one.
    std::string card()
    {
        nlohmann::json card;
        card["heap"] = reinterpret_cast<uint64_t>(data_);
        void *key = nullptr;
        size_t key_size = 0;
        require(ucp_rkey_pack(context_, memory_, &key, &key_size), "ucp_rkey_pack");
        card["key"] = binary(key, key_size);
        ucp_rkey_buffer_release(key);
        for (Lane &lane : lanes_) {
            ucp_address_t *address = nullptr;
            size_t length = 0;
            require(ucp_worker_get_address(lane.worker, &address, &length),
                    "ucp_worker_get_address");
            card["workers"].push_back(binary(address, length));
            ucp_worker_release_address(lane.worker, address);
        }
        const std::vector<uint8_t> packed = nlohmann::json::to_msgpack(card);
        return std::string(packed.begin(), packed.end());
    }

    void connect(const std::vector<std::string> &cards)
    {
        for (const std::string &text : cards) {
            const nlohmann::json card = nlohmann::json::from_msgpack(text);
            heaps_.push_back(card["heap"].get<uint64_t>());
            for (size_t i = 0; i < lanes_.size(); ++i) {
                Lane &lane = lanes_[i];
                const auto &address = card["workers"][i].get_binary();
                ucp_ep_params_t params{};
                params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
                params.address = reinterpret_cast<const ucp_address_t *>(address.data());
                ucp_ep_h endpoint;
                require(ucp_ep_create(lane.worker, &params, &endpoint), "ucp_ep_create");
                lane.endpoints.push_back(endpoint);
                ucp_rkey_h key;
                require(ucp_ep_rkey_unpack(endpoint, card["key"].get_binary().data(), &key),
                        "ucp_ep_rkey_unpack");
                lane.keys.push_back(key);
            }
        }
    }

    // For connecting and closing: all workers must go on, for the other side needs answers from any
    // of them.
    void finish(ucp_worker_h worker, void *request)
    {
        if (request == nullptr || UCS_PTR_IS_ERR(request)) {
            return;
        }
        setup_.waiter.drive([&] { return ucp_request_check_status(request) != UCS_INPROGRESS; },
                            [&] {
                                ucp_worker_progress(worker);
                                progress();
                            });
        ucp_request_free(request);
    }

    Exchange &exchange_;
    Setup setup_;
    ucp_context_h context_ = nullptr;
    ucp_mem_h memory_ = nullptr;
    std::optional<SharedMemory> ordinary_;
    std::byte *data_ = nullptr;
    std::vector<uint64_t> heaps_; // Address of each rank's heap, in that rank.
    std::vector<Lane> lanes_;
};

[[maybe_unused]] const bool known = make_known<UcpBackend>("ucp");

} // namespace
} // namespace tofu_bench
