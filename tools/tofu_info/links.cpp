/* SPDX-License-Identifier: BSD-3-Clause */
#include "links.hpp"

#include "table.hpp"
#include "traffic/view.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tofu_info
{

namespace
{

using traffic::Link;
using traffic::Links;
using traffic::Traffic;

const size_t busiest_shown = 10;

bool is_file(const std::string &source)
{
    const std::string suffix = ".json";
    return source.find('/') != std::string::npos ||
           (source.size() > suffix.size() &&
            source.compare(source.size() - suffix.size(), suffix.size(), suffix) == 0);
}

std::string head_text(const Traffic &traffic, const Links &links)
{
    char shape[TORUS_SHAPE_TEXT_MAX];
    const uint64_t remote = links.bytes - links.local_bytes;

    return fmt::format(
            "Job {}, shape {}, {} ranks on {} nodes\n"
            "  {} in {} operations, {} of it within nodes; {:.2f} hops on average between nodes\n",
            traffic.job, torus_shape_format(&traffic.shape, shape), traffic.processes_max,
            traffic.nodes, traffic::bytes_name(static_cast<double>(links.bytes)), links.ops,
            traffic::bytes_name(static_cast<double>(links.local_bytes)),
            remote == 0 ? 0.0 : static_cast<double>(links.hop_bytes) / static_cast<double>(remote));
}

std::string directions_text(const Traffic &traffic, const Links &links)
{
    struct Direction {
        size_t links = 0;
        uint64_t ops = 0, bytes = 0, busiest = 0;
    };
    std::map<std::pair<int, std::string>, Direction> directions;
    Table table({"direction", ">links used", ">ops", ">bytes", ">busiest link"});

    for (const Link &link : links.used) {
        const auto name = traffic::direction_name(traffic.shape, link.axis, link.direction);
        Direction &direction = directions[{link.axis, name}];
        direction.links++;
        direction.ops += link.ops;
        direction.bytes += link.bytes;
        direction.busiest = std::max(direction.busiest, link.bytes);
    }
    for (const auto &[key, direction] : directions)
        table.add({key.second, std::to_string(direction.links), std::to_string(direction.ops),
                   std::to_string(direction.bytes), std::to_string(direction.busiest)});
    return table.text(2);
}

std::string busiest_text(const Traffic &traffic, const Links &links)
{
    Table table({"busiest link", "to", "direction", ">ops", ">bytes", ">of all links"});

    for (size_t i = 0; i < std::min(busiest_shown, links.used.size()); i++) {
        const Link &link = links.used[i];
        table.add({traffic::coords_name(link.from), traffic::coords_name(link.to),
                   traffic::direction_name(traffic.shape, link.axis, link.direction),
                   std::to_string(link.ops), std::to_string(link.bytes),
                   fmt::format("{:.1f} %", 100.0 * static_cast<double>(link.bytes) /
                                                   static_cast<double>(std::max<uint64_t>(
                                                           links.hop_bytes, 1)))});
    }
    return table.text(2);
}

} // namespace

Traffic find_traffic(const std::string &source)
{
    std::string message;

    if (is_file(source))
        return traffic::load_traffic(source);
    const traffic::View view = traffic::open_view(source, message);
    if (!view)
        throw std::runtime_error(message +
                                 " (a finished job: give the file of tofu-run --traffic)");
    return traffic::read_traffic(view.get());
}

std::string links_text(const Traffic &traffic)
{
    const Links links = traffic::find_links(traffic);
    const std::string head = head_text(traffic, links);

    return links.used.empty()
                   ? head + "  No link was used.\n"
                   : head + directions_text(traffic, links) + busiest_text(traffic, links);
}

std::string links_json(const Traffic &traffic)
{
    using json = nlohmann::ordered_json;
    const Links links = traffic::find_links(traffic);
    json result = json::parse(traffic::to_json(traffic));

    result["links"] = json::array();
    for (const Link &link : links.used)
        result["links"].push_back(
                {{"from", link.from},
                 {"to", link.to},
                 {"direction", traffic::direction_name(traffic.shape, link.axis, link.direction)},
                 {"ops", link.ops},
                 {"bytes", link.bytes}});
    return result.dump(1) + "\n";
}

} // namespace tofu_info
