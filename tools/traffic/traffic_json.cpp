/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic as JSON, there and back. */
#include "traffic.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "torus/rank_map.h"
#include "torus/route.h"

namespace traffic
{

namespace
{

using json = nlohmann::ordered_json; /* Members in the order of this file. */

const char kind[] = "tofu-traffic";
const int version = 1;
const char axis_names[] = "xyzabc";

json wrap_json(unsigned wrap)
{
    json axes = json::array();
    for (int axis = 0; axis < TORUS_AXES; axis++) {
        if ((wrap & TORUS_WRAP(axis)) != 0)
            axes.push_back(std::string(1, axis_names[axis]));
    }
    return axes;
}

unsigned parse_wrap(const json &axes)
{
    unsigned wrap = 0;
    for (const std::string name : axes) {
        const char *found = name.size() == 1 ? std::strchr(axis_names, name[0]) : nullptr;
        if (found == nullptr)
            throw std::runtime_error("no axis " + name);
        wrap |= TORUS_WRAP(found - axis_names);
    }
    return wrap;
}

json flow_json(const Traffic &traffic, const Flow &flow)
{
    uint8_t coords[TORUS_AXES];
    torus_node_coords(&traffic.shape, flow.node, coords);
    return {{"node", flow.node},
            {"coordinates", coords},
            {"ops", flow.count.ops},
            {"bytes", flow.count.bytes},
            {"get_ops", flow.count.get_ops},
            {"get_bytes", flow.count.get_bytes}};
}

/* An id has 64 bits, which many JSON readers would round: it is a string. */
json sender_json(const Traffic &traffic, const Sender &sender)
{
    uint8_t coords[TORUS_AXES];
    json flows = json::array();

    torus_node_coords(&traffic.shape, sender.info.node, coords);
    for (const Flow &flow : sender.to)
        flows.push_back(flow_json(traffic, flow));
    return {{"rank", sender.info.rank},
            {"vcq_id", std::to_string(sender.info.vcq_id)},
            {"tni", sender.tni},
            {"cq", sender.cq},
            {"node", sender.info.node},
            {"coordinates", coords},
            {"live", sender.info.live != 0},
            {"to", flows}};
}

unsigned node_of(const Traffic &traffic, const json &object)
{
    const unsigned node = object.at("node");
    if (node >= torus_shape_nodes(&traffic.shape))
        throw std::runtime_error("node " + std::to_string(node) + " is outside the shape");
    return node;
}

Sender parse_sender(const Traffic &traffic, const json &object)
{
    Sender sender = {};
    sender.info.vcq_id = std::stoull(object.at("vcq_id").get<std::string>());
    sender.info.rank = object.at("rank");
    sender.info.node = node_of(traffic, object);
    sender.info.live = object.at("live").get<bool>();
    sender.tni = object.at("tni");
    sender.cq = object.at("cq");
    for (const json &flow : object.at("to"))
        sender.to.push_back(
                {node_of(traffic, flow),
                 {flow.at("ops"), flow.at("bytes"), flow.at("get_ops"), flow.at("get_bytes")}});
    return sender;
}

Traffic parse(const json &object)
{
    Traffic traffic = {};

    if (object.at("kind") != kind || object.at("version") != version)
        throw std::runtime_error("another kind or version");
    traffic.job = object.at("job");
    if (torus_shape_parse(object.at("shape").get<std::string>().c_str(), &traffic.shape) != 0)
        throw std::runtime_error("bad shape");
    traffic.wrap = parse_wrap(object.at("rings"));
    traffic.processes_max = object.at("processes_max");
    traffic.ppn = object.at("ppn");
    traffic.nodes = object.at("nodes");
    if (traffic.nodes > torus_shape_nodes(&traffic.shape))
        throw std::runtime_error("more nodes than the shape has");
    for (const json &rank : object.at("ranks"))
        traffic.ranks.push_back({rank.at("rank"), rank.at("state")});
    for (const json &sender : object.at("senders"))
        traffic.senders.push_back(parse_sender(traffic, sender));
    return traffic;
}

} // namespace

std::string to_json(const Traffic &traffic)
{
    char shape[TORUS_SHAPE_TEXT_MAX];
    json ranks = json::array(), senders = json::array();

    for (const Rank &rank : traffic.ranks)
        ranks.push_back({{"rank", rank.number}, {"state", rank.state}});
    for (const Sender &sender : traffic.senders)
        senders.push_back(sender_json(traffic, sender));
    const json result = {{"kind", kind},
                         {"version", version},
                         {"job", traffic.job},
                         {"shape", torus_shape_format(&traffic.shape, shape)},
                         {"rings", wrap_json(traffic.wrap)},
                         {"processes_max", traffic.processes_max},
                         {"ppn", traffic.ppn},
                         {"nodes", traffic.nodes},
                         {"ranks", ranks},
                         {"senders", senders}};
    return result.dump() + "\n";
}

Traffic load_traffic(const std::string &path)
{
    std::ifstream file(path);

    if (!file)
        throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
    try {
        return parse(json::parse(file));
    } catch (const std::exception &error) {
        throw std::runtime_error(path + " is no file of tofu-run --traffic: " + error.what());
    }
}

} // namespace traffic
