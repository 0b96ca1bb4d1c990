/* SPDX-License-Identifier: BSD-3-Clause */
/* The report for people. */
#include "report.hpp"
#include "table.hpp"
#include "traffic/view.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tofu_info
{

namespace
{

bool same_caps(const Tni &a, const Tni &b)
{
    return std::memcmp(&a.caps, &b.caps, sizeof(a.caps)) == 0 && a.barrier.has_value() == b.barrier.has_value() &&
           (!a.barrier || std::memcmp(&*a.barrier, &*b.barrier, sizeof(*a.barrier)) == 0);
}

std::string caps_text(const Tni &tni)
{
    const utofu_onesided_caps &c = tni.caps;
    Table table({"limit", ">value", ""});

    table.add({"put or get", std::to_string(c.max_putget_size), "B"});
    table.add({"piggyback put", std::to_string(c.max_piggyback_size), "B"});
    table.add({"edata", std::to_string(c.max_edata_size), "B"});
    table.add({"MTU", std::to_string(c.max_mtu), "B"});
    table.add({"gap", std::to_string(c.max_gap), ""});
    table.add({"alignment with a reserved STag", std::to_string(c.stag_address_alignment), "B"});
    table.add({"cache line", std::to_string(c.cache_line_size), "B"});
    table.add({"prepared descriptor", std::to_string(c.max_toq_desc_size), "B"});
    table.add({"component ids", std::to_string(c.num_cmp_ids), ""});
    table.add({"reserved STags", std::to_string(c.num_reserved_stags), ""});
    if (tni.barrier) {
        table.add({"integers in a reduction", std::to_string(tni.barrier->max_uint64_reduction), ""});
        table.add({"doubles in a reduction", std::to_string(tni.barrier->max_double_reduction), ""});
    }
    return table.text(2) + fmt::format("  capabilities: {}\n  atomics: {}\n  barrier gates: {}\n",
                                       flag_names(c.flags), armw_names(c.armw_ops),
                                       tni.barrier ? reduce_names(tni.barrier->reduce_ops) : "none");
}

/* Interfaces are alike on all known machines: each kind is shown once, with the numbers it stands
 * for. */
std::string device_text(const Device &device)
{
    std::string text =
            fmt::format("Tofu {}.{}, uTofu {}.{}\n", device.tofu_version[0], device.tofu_version[1],
                        device.utofu_version[0], device.utofu_version[1]);
    std::vector<Tni> left = device.tnis;

    if (!device.problem.empty())
        return text + "  " + device.problem + "\n";
    while (!left.empty()) {
        const Tni kind = left.front();
        const auto others = std::stable_partition(left.begin(), left.end(),
                                                  [&](const Tni &t) { return same_caps(t, kind); });
        text += "TNI";
        for (auto tni = left.begin(); tni != others; ++tni)
            text += fmt::format(" {}", tni->id);
        text += "\n" + caps_text(kind);
        left.erase(left.begin(), others);
    }
    return text;
}

std::string ranks_text(const Job &job)
{
    Table table({">rank", ">pid", "state", "coordinates", "logical", ">in node"});

    if (job.ranks.empty())
        return "";
    for (const Rank &rank : job.ranks)
        table.add({std::to_string(rank.number), std::to_string(rank.info.pid),
                   traffic::state_name(rank.info.state),
                   fmt::format("{}", fmt::join(rank.info.coords, ",")), logical_text(job, rank),
                   std::to_string(rank.info.rank_in_node)});
    return table.text(2);
}

std::string vcqs_text(const Job &job)
{
    Table table(
            {">rank", "VCQ id", ">TNI", ">CQ", "exclusive", ">sent ops", ">sent B", ">MRQ unread"});

    if (job.vcqs.empty())
        return "";
    for (const Vcq &vcq : job.vcqs)
        table.add({std::to_string(vcq.info.rank), fmt::format("{:#018x}", vcq.info.vcq_id),
                   std::to_string(vcq.tni), std::to_string(vcq.cq),
                   vcq.info.exclusive ? "yes" : "no", std::to_string(vcq.info.sent_ops),
                   std::to_string(vcq.info.sent_bytes), std::to_string(vcq.info.mrq_unread)});
    return table.text(2);
}

std::string job_text(const Job &job)
{
    const std::string head =
            fmt::format("Job {}, owner {}, held by process {}", job.name, job.owner, job.holder);

    if (!job.problem.empty())
        return head + "\n  " + job.problem + "\n";
    return head +
           fmt::format(
                   "\n  shape {}, rings {}, logical {}, ranks on {} nodes\n"
                   "  {} of {} ranks attached, {} a node, {:.1f} MB, MRQ {} and TOQ {} "
                   "entries deep\n",
                   job.shape, job.info.wrap, job.view, job.info.nodes, job.ranks.size(),
                   job.info.processes_max, job.info.ppn, job.info.memory_bytes / 1e6, job.info.mrq_depth, job.info.toq_depth) +
           ranks_text(job) + vcqs_text(job);
}

std::string jobs_text(const std::vector<Job> &jobs)
{
    std::string text = jobs.empty() ? "No job is running.\n" : "";
    for (const Job &job : jobs)
        text += job_text(job);
    return text;
}

std::string settings_text(const std::vector<Setting> &settings)
{
    Table table({"variable", "type", "default", "meaning"});
    for (const Setting &s : settings)
        table.add({s.name, s.type, s.default_value, s.help});
    return table.text(0);
}

} // namespace

std::string to_text(const Report &report)
{
    std::string text;
    if (report.device)
        text += device_text(*report.device);
    if (report.jobs)
        text += jobs_text(*report.jobs);
    if (report.settings)
        text += settings_text(*report.settings);
    return text;
}

} // namespace tofu_info
