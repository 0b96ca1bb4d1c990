// SPDX-License-Identifier: BSD-3-Clause
// GUPs: every thread of every rank updates random words of the other ranks' tables, each by an
// 8-byte get and an 8-byte put. Random access without lost updates: the words are dealt out to the
// threads of all ranks in turn, and each thread walks through its words in a random order that
// repeats only after all of them. An update adds a constant, so the number of updates of each word,
// and whether all arrived, can be read from the tables.
#ifndef TOFU_BENCH_GUPS_H
#define TOFU_BENCH_GUPS_H

#include "backend.h"
#include "cell.h"
#include "clock.h"
#include "pattern.h"
#include "sample.h"
#include "span.h"
#include "team.h"

#include <atomic>

namespace tofu_bench
{

/// Updates between two flushes, each with a local word of its own.
constexpr size_t gups_block = 256;

template <class Backend> class Gups
{
  public:
    Gups(Backend &backend, Session &session, const Team &team)
        : backend_(backend), options_(session.options), exchange_(session.exchange), team_(team),
          lanes_(static_cast<uint64_t>(exchange_.size()) * static_cast<uint64_t>(team.threads())),
          positions_(team.threads(), 0)
    {
        const uint64_t words = options_.table_bytes / sizeof(uint64_t);
        while (2 * lane_words_ * lanes_ <= words) {
            lane_words_ *= 2;
        }
    }

    Sample run()
    {
        fill();
        const Sample warm = phase(&Span::warmup);
        Sample sample = phase(&Span::measurement);
        sample.set_warmup(warm.operations() / static_cast<uint64_t>(team_.threads()));
        sample.add_wrong_bytes(check(warm.operations() + sample.operations()));
        return sample;
    }

  private:
    static constexpr uint64_t step =
            0x9e3779b97f4a7c15u; // Odd, so that it has an inverse modulo 2^64.
    static constexpr uint64_t block = gups_block;

    uint64_t *table() const
    {
        return reinterpret_cast<uint64_t *>(backend_.heap());
    }

    uint64_t initial(uint64_t word, int rank) const
    {
        return mix(word ^ static_cast<uint64_t>(rank) << 40);
    }

    void fill()
    {
        for (uint64_t word = 0; word < lane_words_ * lanes_; ++word) {
            table()[word] = initial(word, exchange_.rank());
        }
    }

    Sample phase(Span (*start)(const Options &))
    {
        exchange_.barrier();
        const Span span = start(options_);
        Sample sample = team_.run([&](int thread) { return update(thread, span); });
        exchange_.barrier();
        return sample;
    }

    Sample update(int thread, const Span &span)
    {
        auto port = backend_.port(thread);
        Sample sample;
        uint64_t done = 0;
        const auto start = Clock::now();
        auto before = start;
        while (done == 0 || !span.over(done, before)) {
            update_block(port, thread);
            // Before a word comes again its last update must have arrived: once a block is enough.
            port.flush();
            done += block;
            const auto now = Clock::now();
            sample.add_latency(ns_between(before, now) / static_cast<double>(block));
            before = now;
        }
        sample.set_seconds(ns_between(start, before) / 1e9);
        sample.add_operations(done);
        return sample;
    }

    template <class Port> void update_block(Port &port, int thread)
    {
        std::byte *local = backend_.scratch() +
                           static_cast<size_t>(thread) * cell_bytes(block * sizeof(uint64_t));
        const uint64_t lane = static_cast<uint64_t>(exchange_.rank() * team_.threads() + thread);
        const auto others = static_cast<uint64_t>(exchange_.size() - 1);
        uint64_t state = positions_[static_cast<size_t>(thread)];
        for (uint64_t i = 0; i < block; ++i) {
            // A linear congruential walk through all words of the lane; the multiplication spreads
            // its order.
            state = state * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du;
            const uint64_t index = scatter(state & (lane_words_ - 1));
            const int rank = neighbour((state >> 32) % others);
            const size_t offset = (index * lanes_ + lane) * sizeof(uint64_t);
            // Each update of a block has its own local word, so that no put is overtaken by the
            // next get.
            std::byte *word = local + i * sizeof(uint64_t);
            port.fetch(rank, offset, word, sizeof(uint64_t));
            uint64_t value;
            std::memcpy(&value, word, sizeof(value));
            value += step;
            std::memcpy(word, &value, sizeof(value));
            port.put(rank, offset, word, sizeof(uint64_t));
        }
        positions_[static_cast<size_t>(thread)] = state;
    }

    // One-to-one on 0 .. lane_words_ - 1: the low bits of the walk alone would be too regular.
    uint64_t scatter(uint64_t index) const
    {
        index ^= index >> 7;
        index *= 0x5851f42d4c957f2du;
        index &= lane_words_ - 1;
        return index ^ index >> 9;
    }

    int neighbour(uint64_t number) const
    {
        const int rank = static_cast<int>(number);
        return rank < exchange_.rank() ? rank : rank + 1;
    }

    uint64_t check(uint64_t own_updates)
    {
        if (options_.corrupt) {
            backend_.heap()[0] ^= std::byte{1};
        }
        uint64_t expected = 0;
        for (const std::string &count : exchange_.allgather(std::to_string(own_updates))) {
            expected += std::stoull(count);
        }
        uint64_t wrong_words = 0;
        uint64_t found = 0;
        for (uint64_t word = 0; word < lane_words_ * lanes_; ++word) {
            const uint64_t updates =
                    (table()[word] - initial(word, exchange_.rank())) * inverse(step);
            if (updates <= expected) {
                found += updates;
            } else {
                ++wrong_words;
            }
        }
        uint64_t found_everywhere = 0;
        for (const std::string &count : exchange_.allgather(std::to_string(found))) {
            found_everywhere += std::stoull(count);
        }
        const uint64_t lost = found_everywhere > expected ? found_everywhere - expected
                                                          : expected - found_everywhere;
        return sizeof(uint64_t) * (wrong_words + (exchange_.rank() == 0 ? lost : 0));
    }

    // Newton's iteration doubles the number of right bits: 3, 6, 12, 24, 48, 96.
    static constexpr uint64_t inverse(uint64_t odd)
    {
        uint64_t x = odd;
        for (int i = 0; i < 5; ++i) {
            x *= 2 - odd * x;
        }
        return x;
    }

    Backend &backend_;
    const Options &options_;
    Exchange &exchange_;
    const Team &team_;
    uint64_t lanes_;
    uint64_t lane_words_ = 1;
    std::vector<uint64_t> positions_;
};

} // namespace tofu_bench

#endif
