// SPDX-License-Identifier: BSD-3-Clause
#include "sample.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace tofu_bench
{
namespace
{

// 0.1 ns to 100 s in steps of 1 %: log(1e12) / log(1.01) bins.
constexpr double range_ns_min = 0.1;
constexpr double range_ns_max = 1e11;
constexpr unsigned bins = 2777;

} // namespace

Sample::Sample()
    : histogram_(boost::histogram::make_histogram(Axis(bins, range_ns_min, range_ns_max)))
{
}

void Sample::add_latency(double ns)
{
    histogram_(ns);
    latency_ns_min_ = std::min(latency_ns_min_, ns);
    latency_ns_max_ = std::max(latency_ns_max_, ns);
}

void Sample::merge(const Sample &other)
{
    histogram_ += other.histogram_;
    latency_ns_min_ = std::min(latency_ns_min_, other.latency_ns_min_);
    latency_ns_max_ = std::max(latency_ns_max_, other.latency_ns_max_);
    seconds_ = std::max(seconds_, other.seconds_);
    set_warmup(other.warmup_);
    operations_ += other.operations_;
    wrong_bytes_ += other.wrong_bytes_;
}

void Sample::append(const Sample &later)
{
    const double seconds = seconds_ + later.seconds_;
    merge(later);
    seconds_ = seconds;
}

std::string Sample::pack() const
{
    nlohmann::json counts = nlohmann::json::array();
    for (const auto &cell : boost::histogram::indexed(histogram_)) {
        if (*cell > 0) {
            counts.push_back({cell.index(), static_cast<double>(*cell)});
        }
    }
    const nlohmann::json packed = {{"counts", counts},          {"min", latency_ns_min_},
                                   {"max", latency_ns_max_},    {"seconds", seconds_},
                                   {"operations", operations_}, {"wrong", wrong_bytes_},
                                   {"warmup", warmup_}};
    return packed.dump();
}

Sample Sample::unpack(const std::string &packed)
{
    const nlohmann::json json = nlohmann::json::parse(packed);
    Sample sample;
    for (const auto &cell : json["counts"]) {
        sample.histogram_.at(cell[0].get<int>()) = cell[1].get<double>();
    }
    sample.latency_ns_min_ = json["min"];
    sample.latency_ns_max_ = json["max"];
    sample.seconds_ = json["seconds"];
    sample.operations_ = json["operations"];
    sample.wrong_bytes_ = json["wrong"];
    sample.warmup_ = json["warmup"];
    return sample;
}

double Sample::latency_ns(double fraction) const
{
    double total = 0;
    for (const auto &cell : boost::histogram::indexed(histogram_)) {
        total += *cell;
    }
    double seen = 0;
    for (const auto &cell : boost::histogram::indexed(histogram_)) {
        seen += *cell;
        if (seen > 0 && seen >= fraction * total) {
            return std::clamp(cell.bin().center(), latency_ns_min_, latency_ns_max_);
        }
    }
    return latency_ns_max_;
}

} // namespace tofu_bench
