// SPDX-License-Identifier: BSD-3-Clause
// Ping-pong by put: thread t of rank 2k and thread t of rank 2k+1 put messages into each other's
// cell and poll the last byte, or ask the library if the backend wants that. Latency is half of a
// round trip. Every polled end of a message is compared, and all bytes of the last one.
#ifndef TOFU_BENCH_PINGPONG_H
#define TOFU_BENCH_PINGPONG_H

#include "backend.h"
#include "cell.h"
#include "clock.h"
#include "pattern.h"
#include "sample.h"
#include "span.h"
#include "stamp.h"
#include "team.h"

#include <type_traits>
#include <utility>

namespace tofu_bench
{

/// Whether a backend's port tells of arrivals itself.
template <class Port, class = void> struct TellsArrival : std::false_type {
};
template <class Port>
struct TellsArrival<Port, std::void_t<decltype(std::declval<Port &>().noticed())>> : std::true_type {
};

template <class Backend> class PingPong
{
  public:
    PingPong(Backend &backend, Session &session, const Team &team, const Point &point,
             Waiter waiter)
        : backend_(backend), options_(session.options), exchange_(session.exchange), team_(team),
          waiter_(waiter), size_(point.size), stamp_(point.size), peer_(exchange_.rank() ^ 1)
    {
    }

    // Both sides play a number of rounds that rank 0 decides. It doubles from phase to phase until
    // a phase is long, so that a guess that was wrong because of some disturbance costs little.
    Sample run()
    {
        const Span warmup = Span::warmup(options_);
        uint64_t count = 4;
        phase(count);
        while (more(!warmup.over(done_, Clock::now()))) {
            count *= 2;
            phase(count);
        }
        const uint64_t warmed = done_;

        Sample sample;
        double seconds = 0;
        const bool counted = options_.iterations > 0;
        count = counted ? options_.iterations : count;
        do {
            const Sample part = phase(count);
            seconds += part.seconds();
            sample.append(part);
            count = exchange_.from_first(part.seconds() < options_.seconds / 4 ? 2 * count : count);
        } while (more(!counted && seconds < options_.seconds));
        sample.set_warmup(warmed);
        sample.add_wrong_bytes(check());
        return sample;
    }

  private:
    bool first_of_pair() const
    {
        return exchange_.rank() % 2 == 0;
    }

    size_t cell(int thread) const
    {
        return static_cast<size_t>(thread) * cell_bytes(size_);
    }

    bool more(bool wanted)
    {
        return exchange_.from_first(wanted) != 0;
    }

    Sample phase(uint64_t count)
    {
        ++run_;
        for (int thread = 0; thread < team_.threads(); ++thread) {
            Pattern(run_, exchange_.rank(), thread).fill(backend_.scratch() + cell(thread), size_);
            std::memset(backend_.heap() + cell(thread) + size_, 0xa5, guard_bytes);
        }
        exchange_.barrier();
        Sample sample = team_.run([&](int thread) { return play(thread, count); });
        done_ += count;
        const double iteration_ns = sample.seconds() * 1e9 / static_cast<double>(count);
        block_ = exchange_.from_first(block_size(iteration_ns));
        exchange_.barrier();
        return sample;
    }

    Sample play(int thread, uint64_t count)
    {
        auto port = backend_.port(thread);
        Sample sample;
        uint64_t wrong = 0;
        const auto start = Clock::now();
        auto before = start;
        for (uint64_t at = 0; at < count; at += block_) {
            const uint64_t length = std::min(block_, count - at);
            wrong += play_block(port, thread, done_ + at, length);
            const auto now = Clock::now();
            if (first_of_pair()) {
                sample.add_latency(ns_between(before, now) / static_cast<double>(2 * length));
            }
            before = now;
        }
        port.flush();
        sample.set_seconds(ns_between(start, before) / 1e9);
        sample.add_operations(first_of_pair() ? 2 * count : 0);
        sample.add_wrong_bytes(wrong);
        return sample;
    }

    template <class Port> uint64_t play_block(Port &port, int thread, uint64_t from, uint64_t count)
    {
        const size_t offset = cell(thread);
        std::byte *message = backend_.scratch() + offset;
        const std::byte *arrival_end = backend_.heap() + offset + size_;
        const Stamp stamp = stamp_;
        const bool first = first_of_pair();
        uint64_t wrong = 0;
        // Iterations count on from one phase to the next, so that an old message never looks like a
        // new one.
        for (uint64_t i = from + 1; i <= from + count; ++i) {
            const uint64_t value = stamp.value(i);
            stamp.write(message + size_, value);
            if (first) {
                port.put(peer_, offset, message, size_);
                port.push(peer_);
            }
            if constexpr (TellsArrival<Port>::value) {
                waiter_.until([&] { return port.noticed(); }, [] {});
            } else {
                waiter_.until([&] { return Stamp::arrived(arrival_end, i); },
                              [&] { port.progress(); });
            }
            wrong += stamp.matches(arrival_end, value) ? 0 : stamp.length();
            if (!first) {
                port.put(peer_, offset, message, size_);
                port.push(peer_);
            }
        }
        return wrong;
    }

    uint64_t check()
    {
        if (options_.corrupt) {
            backend_.heap()[0] ^= std::byte{1};
        }
        uint64_t wrong = 0;
        std::vector<std::byte> expected(cell_bytes(size_));
        for (int thread = 0; thread < team_.threads(); ++thread) {
            const std::byte *arrived = backend_.heap() + cell(thread);
            Pattern(run_, peer_, thread).fill(expected.data(), size_);
            stamp_.write(expected.data() + size_, stamp_.value(done_));
            std::memset(expected.data() + size_, 0xa5, guard_bytes);
            for (size_t i = 0; i < size_ + guard_bytes; ++i) {
                wrong += arrived[i] != expected[i];
            }
        }
        return wrong;
    }

    Backend &backend_;
    const Options &options_;
    Exchange &exchange_;
    const Team &team_;
    Waiter waiter_;
    size_t size_;
    Stamp stamp_;
    int peer_;
    uint64_t run_ = 0;
    uint64_t done_ = 0;
    uint64_t block_ = 16;
};

} // namespace tofu_bench

#endif
