// SPDX-License-Identifier: BSD-3-Clause
// Test data that depends on run, rank, thread and position, so that a byte that is missing, stale,
// misplaced or of another thread shows.
#ifndef TOFU_BENCH_PATTERN_H
#define TOFU_BENCH_PATTERN_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tofu_bench
{

/// Mixes all bits of @a x (the finaliser of SplitMix64, a public-domain generator).
inline uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

class Pattern
{
  public:
    Pattern(uint64_t run, int rank, int thread)
        : seed_(mix(run * 0x100000000u + static_cast<uint64_t>(rank) * 0x10000u +
                    static_cast<uint64_t>(thread)))
    {
    }

    void fill(std::byte *data, size_t size) const
    {
        for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
            const uint64_t value = word(at);
            std::memcpy(data + at, &value, std::min(sizeof(value), size - at));
        }
    }

    /// Bytes of @a data that differ from what fill() writes.
    uint64_t count_wrong(const std::byte *data, size_t size) const
    {
        uint64_t wrong = 0;
        for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
            const uint64_t value = word(at);
            const size_t length = std::min(sizeof(value), size - at);
            if (std::memcmp(data + at, &value, length) != 0) {
                wrong += differing_bytes(data + at, value, length);
            }
        }
        return wrong;
    }

  private:
    uint64_t word(size_t at) const
    {
        return mix(seed_ + at);
    }

    static uint64_t differing_bytes(const std::byte *data, uint64_t value, size_t length)
    {
        std::byte expected[sizeof(value)];
        std::memcpy(expected, &value, sizeof(value));
        uint64_t wrong = 0;
        for (size_t i = 0; i < length; ++i) {
            wrong += data[i] != expected[i];
        }
        return wrong;
    }

    uint64_t seed_;
};

} // namespace tofu_bench

#endif
