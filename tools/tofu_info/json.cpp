/* SPDX-License-Identifier: BSD-3-Clause */
/* The report for programs: one JSON object with the members that were asked for. */
#include "report.hpp"
#include "traffic/view.hpp"

#include <nlohmann/json.hpp>

namespace tofu_info
{

namespace
{

using json = nlohmann::ordered_json; /* Members in the order of this file. */

json device_json(const Device &device)
{
    json tnis = json::array();
    for (const Tni &tni : device.tnis) {
        const utofu_onesided_caps &c = tni.caps;
        tnis.push_back({{"tni", tni.id},
                        {"barrier", tni.barrier.has_value()},
                        {"putget_size_max_bytes", c.max_putget_size},
                        {"piggyback_size_max_bytes", c.max_piggyback_size},
                        {"edata_size_max_bytes", c.max_edata_size},
                        {"mtu_max_bytes", c.max_mtu},
                        {"gap_max", c.max_gap},
                        {"stag_alignment_bytes", c.stag_address_alignment},
                        {"cache_line_bytes", c.cache_line_size},
                        {"toq_descriptor_max_bytes", c.max_toq_desc_size},
                        {"component_ids", c.num_cmp_ids},
                        {"reserved_stags", c.num_reserved_stags},
                        {"capabilities", flag_names(c.flags)},
                        {"atomics", armw_names(c.armw_ops)}});
        if (tni.barrier) {
            tnis.back()["reductions"] = reduce_names(tni.barrier->reduce_ops);
            tnis.back()["reduction_uint64s_max"] = tni.barrier->max_uint64_reduction;
            tnis.back()["reduction_doubles_max"] = tni.barrier->max_double_reduction;
        }
    }
    json result = {{"tofu_version", device.tofu_version},
                   {"utofu_version", device.utofu_version},
                   {"tnis", tnis}};
    if (!device.problem.empty())
        result["problem"] = device.problem;
    return result;
}

json rank_json(const Job &job, const Rank &rank)
{
    const uint32_t *logical = rank.info.logical;
    return {{"rank", rank.number},
            {"pid", rank.info.pid},
            {"state", traffic::state_name(rank.info.state)},
            {"coordinates", rank.info.coords},
            {"logical", std::vector<uint32_t>(logical, logical + job.info.view_dims)},
            {"rank_in_node", rank.info.rank_in_node}};
}

/* An id has 64 bits, which many JSON readers would round: it is a string. */
json vcq_json(const Vcq &vcq)
{
    return {{"rank", vcq.info.rank},
            {"vcq_id", std::to_string(vcq.info.vcq_id)},
            {"tni", vcq.tni},
            {"cq", vcq.cq},
            {"exclusive", vcq.info.exclusive != 0},
            {"sent_ops", vcq.info.sent_ops},
            {"sent_bytes", vcq.info.sent_bytes},
            {"mrq_unread", vcq.info.mrq_unread}};
}

json job_json(const Job &job)
{
    json result = {{"job", job.name}, {"owner", job.owner}, {"holder_pid", job.holder}};

    if (!job.problem.empty()) {
        result["problem"] = job.problem;
        return result;
    }
    result["shape"] = job.shape;
    result["wrap"] = job.info.wrap;
    result["logical"] = job.view;
    result["nodes"] = job.info.nodes;
    result["processes_max"] = job.info.processes_max;
    result["ppn"] = job.info.ppn;
    result["memory_bytes"] = job.info.memory_bytes;
    result["mrq_depth"] = job.info.mrq_depth;
    result["toq_depth"] = job.info.toq_depth;
    result["ranks"] = json::array();
    result["vcqs"] = json::array();
    for (const Rank &rank : job.ranks)
        result["ranks"].push_back(rank_json(job, rank));
    for (const Vcq &vcq : job.vcqs)
        result["vcqs"].push_back(vcq_json(vcq));
    return result;
}

} // namespace

std::string to_json(const Report &report)
{
    json result = json::object();

    if (report.device)
        result["device"] = device_json(*report.device);
    if (report.jobs) {
        result["jobs"] = json::array();
        for (const Job &job : *report.jobs)
            result["jobs"].push_back(job_json(job));
    }
    if (report.settings) {
        result["settings"] = json::array();
        for (const Setting &s : *report.settings)
            result["settings"].push_back({{"name", s.name},
                                          {"type", s.type},
                                          {"default", s.default_value},
                                          {"help", s.help}});
    }
    return result.dump(2) + "\n";
}

} // namespace tofu_info
