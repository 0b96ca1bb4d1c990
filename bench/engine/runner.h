// SPDX-License-Identifier: BSD-3-Clause
// Measures all points of a session on one backend, with one instance of the backend per number of
// threads and workers.
#ifndef TOFU_BENCH_RUNNER_H
#define TOFU_BENCH_RUNNER_H

#include "backend.h"
#include "gups.h"
#include "pingpong.h"
#include "rate.h"
#include "report.h"

namespace tofu_bench
{

/// Bytes of heap or scratch that all points of @a options with @a threads threads need.
size_t heap_bytes(const Options &options, int threads);
size_t scratch_bytes(const Options &options, int threads);

/// Points with the given threads and workers.
std::vector<Point> points_of(const Options &options, int threads, int workers);

/// Sum of the samples of all ranks.
Sample gather(Exchange &exchange, const Sample &mine);

template <class Backend>
void run_point(Backend &backend, Session &session, const Point &point, Waiter waiter)
{
    Exchange &exchange = session.exchange;
    const bool half = point.experiment == "rate"; // Only every second rank is active.
    const int active = half ? std::max(1, exchange.size() / 2) : exchange.size();
    const Team team(session.pinning, point.threads, active,
                    half ? exchange.rank() / 2 : exchange.rank());
    Sample sample;
    if (point.experiment == "pingpong") {
        sample = PingPong<Backend>(backend, session, team, point, waiter).run();
    } else if (point.experiment == "rate") {
        sample = Rate<Backend>(backend, session, team, point).run();
    } else {
        sample = Gups<Backend>(backend, session, team).run();
    }
    session.report.point(point, gather(exchange, sample), waiter.policy());
}

template <class Backend> void run_session(Session &session)
{
    const Options &options = session.options;
    session.report.head(Backend::version(), options.pin);
    for (int threads : options.threads) {
        const int ranks = session.exchange.size();
        const Waiter waiter(
                Team(session.pinning, threads, ranks, session.exchange.rank()).oversubscribed());
        for (int workers : worker_counts(options, threads)) {
            Setup setup;
            setup.threads = threads;
            setup.workers = workers;
            setup.heap_bytes = heap_bytes(options, threads);
            setup.scratch_bytes = scratch_bytes(options, threads);
            setup.attached = options.memory != "mapped";
            setup.malloced = options.memory == "heap";
            setup.waiter = waiter;
            Backend backend(session.exchange, setup);
            session.exchange.set_idle([&backend] { backend.progress(); });
            for (const Point &point : points_of(options, threads, workers)) {
                run_point(backend, session, point, waiter);
            }
            session.exchange.barrier();
            session.exchange.set_idle(nullptr);
        }
    }
}

template <class Backend> bool make_known(const char *name)
{
    known_backends()[name] = &run_session<Backend>;
    return true;
}

} // namespace tofu_bench

#endif
