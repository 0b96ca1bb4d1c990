/* SPDX-License-Identifier: BSD-3-Clause */
#include "traffic.hpp"

#include "view.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "torus/rank_map.h"
#include "torus/wrap.h"
#include "utofu.h"

namespace traffic
{

namespace
{

/* The row-major number of each node of the job. */
std::vector<uint32_t> node_numbers(const softtofu_view_t *view, const Traffic &traffic)
{
    std::vector<uint32_t> numbers(traffic.nodes);

    for (unsigned node = 0; node < traffic.nodes; node++) {
        uint8_t coords[TORUS_AXES];
        softtofu_view_node(view, node, coords);
        torus_coords_node(&traffic.shape, coords, &numbers[node]);
    }
    return numbers;
}

Sender make_sender(const softtofu_sender_info &info, const std::vector<softtofu_traffic> &counters,
                   const std::vector<uint32_t> &numbers)
{
    Sender sender = {info, 0, 0, {}};
    uint8_t coords[TORUS_AXES];
    utofu_tni_id_t tni = 0;
    utofu_cq_id_t cq = 0;
    uint16_t extra;

    utofu_query_vcq_info(info.vcq_id, coords, &tni, &cq, &extra);
    sender.info.node = numbers[info.node];
    sender.tni = tni;
    sender.cq = cq;
    for (unsigned node = 0; node < counters.size(); node++) {
        if (counters[node].ops != 0 || counters[node].get_ops != 0)
            sender.to.push_back({numbers[node], counters[node]});
    }
    return sender;
}

} // namespace

Traffic read_traffic(const softtofu_view_t *view)
{
    softtofu_job_info job;
    softtofu_sender_info info;
    Traffic traffic = {};
    int more;

    softtofu_view_job(view, &job);
    traffic.job = job.name;
    std::copy(std::begin(job.shape), std::end(job.shape), traffic.shape.size);
    torus_wrap_parse(job.wrap, &traffic.wrap);
    traffic.processes_max = job.processes_max;
    traffic.ppn = job.ppn;
    traffic.nodes = job.nodes;
    for (unsigned rank = 0; rank < job.processes_max; rank++) {
        softtofu_process_info process;
        if (softtofu_view_process(view, rank, &process) == 0 &&
            process.state != SOFTTOFU_PROCESS_ABSENT)
            traffic.ranks.push_back({rank, state_name(process.state)});
    }
    const std::vector<uint32_t> numbers = node_numbers(view, traffic);
    std::vector<softtofu_traffic> counters(job.nodes);
    size_t cursor = 0;
    while ((more = softtofu_view_next_sender(view, &cursor, &info, counters.data())) == 1)
        traffic.senders.push_back(make_sender(info, counters, numbers));
    if (more < 0)
        throw std::runtime_error("cannot map the counters of job " + traffic.job +
                                 ": raise the limit of address space (ulimit -v)");
    return traffic;
}

} // namespace traffic
