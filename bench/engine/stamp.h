// SPDX-License-Identifier: BSD-3-Clause
// The end of a ping-pong message: up to 8 bytes that change with every iteration. The last byte is
// the one that the receiver polls, the others must have arrived with it.
#ifndef TOFU_BENCH_STAMP_H
#define TOFU_BENCH_STAMP_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tofu_bench
{

class Stamp
{
  public:
    explicit Stamp(size_t message_size)
        : length_(std::min(message_size, sizeof(uint64_t))),
          shift_(8 * (static_cast<unsigned>(length_) - 1)),
          mask_(length_ == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * length_)) - 1)
    {
    }

    size_t length() const
    {
        return length_;
    }

    /// Value of iteration @a i: its last byte differs from that of iteration i - 1.
    uint64_t value(uint64_t i) const
    {
        const uint64_t rest = (i * 0x9e3779b97f4a7c15u) & mask_ & ~(uint64_t{0xff} << shift_);
        return rest | (i & 0xff) << shift_;
    }

    void write(std::byte *message_end, uint64_t value) const
    {
        if (length_ == 8) {
            std::memcpy(message_end - 8, &value, 8);
        } else if (length_ == 4) {
            std::memcpy(message_end - 4, &value, 4);
        } else {
            std::memcpy(message_end - length_, &value, length_);
        }
    }

    /// The last byte of iteration @a i is there.
    static bool arrived(const std::byte *message_end, uint64_t i)
    {
        const auto *last = reinterpret_cast<const volatile uint8_t *>(message_end) - 1;
        const bool here = *last == static_cast<uint8_t>(i);
        std::atomic_thread_fence(std::memory_order_acquire);
        return here;
    }

    bool matches(const std::byte *message_end, uint64_t value) const
    {
        uint64_t found = 0;
        if (length_ == 8) {
            std::memcpy(&found, message_end - 8, 8);
        } else {
            std::memcpy(&found, message_end - length_, length_);
        }
        return found == value;
    }

  private:
    size_t length_;
    unsigned shift_;
    uint64_t mask_;
};

} // namespace tofu_bench

#endif
