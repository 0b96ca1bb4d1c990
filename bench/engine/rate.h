// SPDX-License-Identifier: BSD-3-Clause
// Message rate of put or get: the threads of rank 2k issue operations on the memory of rank 2k+1 as
// fast as they can, with one flush at the end. Rank 2k+1 is passive. All bytes are compared
// afterwards.
#ifndef TOFU_BENCH_RATE_H
#define TOFU_BENCH_RATE_H

#include "backend.h"
#include "cell.h"
#include "clock.h"
#include "pattern.h"
#include "sample.h"
#include "span.h"
#include "team.h"

namespace tofu_bench
{

/// Messages lie side by side in the thread's cell, 16 KiB of them at most so that they stay in the
/// first cache.
inline size_t rate_slots(size_t message_size)
{
    constexpr size_t window_bytes = 16384;
    return std::max<size_t>(1, window_bytes / message_size);
}

template <class Backend> class Rate
{
  public:
    Rate(Backend &backend, Session &session, const Team &team, const Point &point)
        : backend_(backend), options_(session.options), exchange_(session.exchange), team_(team),
          is_put_(point.op == "put"), size_(point.size), slots_(rate_slots(point.size)),
          peer_(exchange_.rank() ^ 1)
    {
    }

    Sample run()
    {
        // A first guess: 10 GB/s, and an operation takes 100 ns at least.
        double operation_ns = 100 + static_cast<double>(size_) / 10;
        const Sample warm = phase(&Span::warmup, block_size(operation_ns));
        const double done = static_cast<double>(warm.operations()) / team_.threads();
        if (done > 0) {
            operation_ns = warm.seconds() * 1e9 / done;
        }
        Sample sample = phase(&Span::measurement, block_size(operation_ns));
        sample.set_warmup(static_cast<uint64_t>(done));
        sample.add_wrong_bytes(warm.wrong_bytes());
        return sample;
    }

  private:
    bool active() const
    {
        return exchange_.rank() % 2 == 0;
    }

    // Who has the data at first, and who has it in the end.
    std::byte *cell(int thread, bool heap) const
    {
        return (heap ? backend_.heap() : backend_.scratch()) +
               static_cast<size_t>(thread) * cell_bytes(slots_ * size_);
    }

    Sample phase(Span (*start)(const Options &), uint64_t block)
    {
        ++run_;
        prepare();
        exchange_.barrier();
        Sample sample;
        if (active()) {
            const Span span = start(options_);
            sample = team_.run([&](int thread) { return issue(thread, span, block); });
        }
        exchange_.barrier();
        sample.add_wrong_bytes(check());
        return sample;
    }

    // The source gets the run's pattern, the destination anything else.
    void prepare()
    {
        const bool is_source = active() == is_put_;
        for (int thread = 0; thread < team_.threads(); ++thread) {
            std::byte *data = cell(thread, !active());
            if (is_source) {
                Pattern(run_, 0, thread).fill(data, slots_ * size_);
            } else {
                Pattern(~run_, 0, thread).fill(data, slots_ * size_);
            }
        }
    }

    uint64_t check()
    {
        const bool is_destination = active() != is_put_;
        if (!is_destination) {
            return 0;
        }
        if (options_.corrupt) {
            cell(0, !active())[0] ^= std::byte{1};
        }
        uint64_t wrong = 0;
        for (int thread = 0; thread < team_.threads(); ++thread) {
            wrong += Pattern(run_, 0, thread).count_wrong(cell(thread, !active()), slots_ * size_);
        }
        return wrong;
    }

    // At least all slots are used, whatever the time, so that every byte can be checked.
    Sample issue(int thread, const Span &phase, uint64_t block)
    {
        auto port = backend_.port(thread);
        const Span span = phase.at_least(slots_);
        Sample sample;
        uint64_t done = 0;
        size_t slot = 0;
        const auto start = Clock::now();
        auto before = start;
        while (done < slots_ || !span.over(done, before)) {
            const uint64_t count = span.next(done, before, block);
            slot = is_put_ ? issue_puts(port, thread, slot, count)
                           : issue_gets(port, thread, slot, count);
            done += count;
            const auto now = Clock::now();
            sample.add_latency(ns_between(before, now) / static_cast<double>(count));
            before = now;
        }
        port.flush();
        sample.set_seconds(ns_between(start, Clock::now()) / 1e9);
        sample.add_operations(done);
        return sample;
    }

    template <class Port> size_t issue_puts(Port &port, int thread, size_t slot, uint64_t count)
    {
        const std::byte *source = cell(thread, false);
        const size_t start = static_cast<size_t>(source - backend_.scratch());
        for (uint64_t i = 0; i < count; ++i) {
            port.put(peer_, start + slot * size_, source + slot * size_, size_);
            slot = slot + 1 == slots_ ? 0 : slot + 1;
        }
        return slot;
    }

    template <class Port> size_t issue_gets(Port &port, int thread, size_t slot, uint64_t count)
    {
        std::byte *destination = cell(thread, false);
        const size_t start = static_cast<size_t>(destination - backend_.scratch());
        for (uint64_t i = 0; i < count; ++i) {
            port.get(peer_, start + slot * size_, destination + slot * size_, size_);
            slot = slot + 1 == slots_ ? 0 : slot + 1;
        }
        return slot;
    }

    Backend &backend_;
    const Options &options_;
    Exchange &exchange_;
    const Team &team_;
    bool is_put_;
    size_t size_;
    size_t slots_;
    int peer_;
    uint64_t run_ = 0;
};

} // namespace tofu_bench

#endif
