/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each sample opens the job anew and lets go of it: who watches must not keep the fabric of a job
 * alive, or its name taken, when its processes have gone.
 */
#include "watch.hpp"

#include "screen.hpp"
#include "table.hpp"
#include "traffic/links.hpp"
#include "traffic/view.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

namespace tofu_info
{

namespace
{

using Clock = std::chrono::steady_clock;

const size_t links_shown = 10;

/* Commands and bytes so far, of anything. */
struct Count {
    uint64_t ops = 0, bytes = 0;
};

struct Sample {
    Clock::time_point time;
    traffic::Traffic traffic;
    std::map<unsigned, Count> ranks, tnis;
    std::map<unsigned, size_t> unread; /* Notices of peers that wait, by rank. */
    traffic::Links links;
};

void count_senders(Sample &sample)
{
    for (const traffic::Sender &sender : sample.traffic.senders) {
        for (const traffic::Flow &flow : sender.to) {
            for (Count *count : {&sample.ranks[sender.info.rank], &sample.tnis[sender.tni]}) {
                count->ops += flow.count.ops + flow.count.get_ops;
                count->bytes += flow.count.bytes + flow.count.get_bytes;
            }
        }
    }
}

/* Nothing if the job has ended; @a message then says what the library found. */
std::optional<Sample> take_sample(const std::string &job, std::string &message)
{
    const traffic::View view = traffic::open_view(job, message);
    softtofu_vcq_info vcq;
    Sample sample;

    if (!view)
        return std::nullopt;
    sample.traffic = traffic::read_traffic(view.get());
    sample.time = Clock::now();
    count_senders(sample);
    for (size_t cursor = 0; softtofu_view_next_vcq(view.get(), &cursor, &vcq);)
        sample.unread[vcq.rank] += vcq.mrq_unread;
    sample.links = traffic::find_links(sample.traffic);
    return sample;
}

Count at(const std::map<unsigned, Count> &counts, unsigned key)
{
    const auto found = counts.find(key);
    return found == counts.end() ? Count() : found->second;
}

std::vector<std::string> rate_cells(const Count &before, const Count &now, double seconds)
{
    return {fmt::format("{:.0f}", static_cast<double>(now.ops - before.ops) / seconds),
            fmt::format("{:.3f}", static_cast<double>(now.bytes - before.bytes) / seconds / 1e6),
            std::to_string(now.ops), fmt::format("{:.3f}", static_cast<double>(now.bytes) / 1e6)};
}

void add_row(Table &table, std::vector<std::string> cells, const std::vector<std::string> &rates)
{
    cells.insert(cells.end(), rates.begin(), rates.end());
    table.add(cells);
}

std::string ranks_text(const Sample &before, const Sample &now, double seconds)
{
    Table table({">rank", "state", ">unread", ">ops/s", ">MB/s", ">ops", ">MB"});

    for (const traffic::Rank &rank : now.traffic.ranks) {
        const auto unread = now.unread.find(rank.number);
        add_row(table,
                {std::to_string(rank.number), rank.state,
                 std::to_string(unread == now.unread.end() ? 0 : unread->second)},
                rate_cells(at(before.ranks, rank.number), at(now.ranks, rank.number), seconds));
    }
    return table.text(2);
}

std::string tnis_text(const Sample &before, const Sample &now, double seconds)
{
    Table table({">TNI", ">ops/s", ">MB/s", ">ops", ">MB"});

    for (const auto &[tni, count] : now.tnis)
        add_row(table, {std::to_string(tni)}, rate_cells(at(before.tnis, tni), count, seconds));
    return table.text(2);
}

std::string link_key(const traffic::Link &link)
{
    return traffic::coords_name(link.from) + fmt::format("/{}/{}", link.axis, link.direction);
}

/* The links that carried most in this interval. */
std::string links_text(const Sample &before, const Sample &now, double seconds)
{
    struct Row {
        const traffic::Link *link;
        Count before;
    };
    std::map<std::string, Count> old;
    std::vector<Row> rows;
    Table table({"link from", "to", "direction", ">ops/s", ">MB/s", ">ops", ">MB"});

    for (const traffic::Link &link : before.links.used)
        old[link_key(link)] = {link.ops, link.bytes};
    for (const traffic::Link &link : now.links.used)
        rows.push_back({&link, old[link_key(link)]});
    std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
        return a.link->bytes - a.before.bytes > b.link->bytes - b.before.bytes;
    });
    rows.resize(std::min(rows.size(), links_shown));
    for (const Row &row : rows)
        add_row(table,
                {traffic::coords_name(row.link->from), traffic::coords_name(row.link->to),
                 traffic::direction_name(now.traffic.shape, row.link->axis, row.link->direction)},
                rate_cells(row.before, {row.link->ops, row.link->bytes}, seconds));
    return table.text(2);
}

std::string block_text(const Sample &before, const Sample &now)
{
    const double seconds = std::chrono::duration<double>(now.time - before.time).count();
    char shape[TORUS_SHAPE_TEXT_MAX];

    return fmt::format("Job {}, shape {}, {} of {} ranks seen, in the last {:.2f} s\n",
                       now.traffic.job, torus_shape_format(&now.traffic.shape, shape),
                       now.traffic.ranks.size(), now.traffic.processes_max, seconds) +
           ranks_text(before, now, seconds) + tnis_text(before, now, seconds) +
           links_text(before, now, seconds);
}

} // namespace

void watch(const WatchOptions &options)
{
    const auto interval = std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(options.interval_s));
    std::string message;
    std::optional<Sample> before = take_sample(options.job, message);
    Screen screen(std::cout);

    if (!before)
        throw std::runtime_error(message);
    for (unsigned shown = 0; options.count == 0 || shown < options.count; shown++) {
        std::this_thread::sleep_until(before->time + interval);
        std::optional<Sample> now = take_sample(options.job, message);
        if (!now) {
            screen.add_line("Job " + options.job + " has ended.");
            return;
        }
        screen.show(block_text(*before, *now));
        before = std::move(now);
    }
}

} // namespace tofu_info
