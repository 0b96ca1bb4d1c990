/* SPDX-License-Identifier: BSD-3-Clause */
#include "links.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "torus/rank_map.h"
#include "torus/route.h"

namespace traffic
{

namespace
{

struct Sum {
    uint64_t ops = 0, bytes = 0;
};

using NodePair = std::pair<unsigned, unsigned>;

/* Payload by where it comes from and where it goes, over all queues. */
std::map<NodePair, Sum> sum_flows(const Traffic &traffic)
{
    std::map<NodePair, Sum> flows;

    for (const Sender &sender : traffic.senders) {
        for (const Flow &flow : sender.to) {
            Sum &out = flows[{sender.info.node, flow.node}];
            out.ops += flow.count.ops;
            out.bytes += flow.count.bytes;
            Sum &back = flows[{flow.node, sender.info.node}];
            back.ops += flow.count.get_ops;
            back.bytes += flow.count.get_bytes;
        }
    }
    return flows;
}

class Collector
{
  public:
    explicit Collector(const Traffic &traffic) : traffic(traffic) {}

    void add(unsigned from, unsigned to, const Sum &sum)
    {
        uint8_t start[TORUS_AXES], end[TORUS_AXES];
        torus_route route;
        torus_hop hop;

        torus_node_coords(&traffic.shape, from, start);
        torus_node_coords(&traffic.shape, to, end);
        torus_route_begin(&route, &traffic.shape, traffic.wrap, start, end, nullptr);
        while (torus_route_next(&route, &hop))
            load(hop, sum);
    }

    std::vector<Link> result() const
    {
        std::vector<Link> list;
        for (const auto &entry : links)
            list.push_back(entry.second);
        return list;
    }

  private:
    void load(const torus_hop &hop, const Sum &sum)
    {
        uint32_t node = 0;

        torus_coords_node(&traffic.shape, hop.from, &node);
        Link &link = links[(uint64_t)node * 2 * TORUS_AXES + 2 * hop.axis + (hop.direction > 0)];
        std::copy(hop.from, hop.from + TORUS_AXES, link.from);
        std::copy(hop.to, hop.to + TORUS_AXES, link.to);
        link.axis = hop.axis;
        link.direction = hop.direction;
        link.ops += sum.ops;
        link.bytes += sum.bytes;
    }

    const Traffic &traffic;
    std::map<uint64_t, Link> links;
};

} // namespace

Links find_links(const Traffic &traffic)
{
    Collector collector(traffic);
    Links links = {};

    for (const auto &[nodes, sum] : sum_flows(traffic)) {
        if (sum.ops == 0)
            continue;
        links.ops += sum.ops;
        links.bytes += sum.bytes;
        if (nodes.first == nodes.second) {
            links.local_ops += sum.ops;
            links.local_bytes += sum.bytes;
        }
        collector.add(nodes.first, nodes.second, sum);
    }
    links.used = collector.result();
    std::stable_sort(links.used.begin(), links.used.end(), [](const Link &a, const Link &b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.ops > b.ops;
    });
    for (const Link &link : links.used)
        links.hop_bytes += link.bytes;
    return links;
}

std::string direction_name(const torus_shape &shape, int axis, int direction)
{
    const std::string name(1, "xyzabc"[axis]);
    return shape.size[axis] <= 2 ? name : (direction > 0 ? "+" : "-") + name;
}

std::string coords_name(const uint8_t *coords)
{
    std::string text;
    for (int axis = 0; axis < TORUS_AXES; axis++)
        text += (axis == 0 ? "" : ",") + std::to_string(coords[axis]);
    return text;
}

std::string bytes_name(double bytes)
{
    const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    char text[32];

    while (bytes >= 1000 && unit + 1 < std::size(units)) {
        bytes /= 1000;
        unit++;
    }
    std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.2f %s", bytes, units[unit]);
    return text;
}

} // namespace traffic
