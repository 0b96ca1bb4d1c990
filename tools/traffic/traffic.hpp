/* SPDX-License-Identifier: BSD-3-Clause */
/* What the queues of a job have sent to each node: read from a running job's fabric, or from the
 * file that tofu-run wrote when the job ended. */
#ifndef TRAFFIC_TRAFFIC_HPP
#define TRAFFIC_TRAFFIC_HPP

#include <string>
#include <vector>

#include "softtofu.h"
#include "torus/shape.h"

namespace traffic
{

struct Rank {
    unsigned number;
    std::string state;
};

/*
 * Counters of one queue for one node, not all zero. Nodes are named by their row-major number in the
 * shape, in senders, too.
 */
struct Flow {
    unsigned node;
    softtofu_traffic count;
};

struct Sender {
    softtofu_sender_info info;
    unsigned tni, cq;
    std::vector<Flow> to;
};

struct Traffic {
    std::string job;
    torus_shape shape;
    unsigned wrap; /* TORUS_WRAP() of the axes that are rings. */
    unsigned processes_max, ppn, nodes;
    std::vector<Rank> ranks; /* Those that have attached at some time. */
    std::vector<Sender> senders;
};

/* Throws std::runtime_error if no address space is left. */
Traffic read_traffic(const softtofu_view_t *view);

/* One JSON object, as text. */
std::string to_json(const Traffic &traffic);

/* Throws std::runtime_error, which names the file, if it cannot be read or holds something else. */
Traffic load_traffic(const std::string &path);

} // namespace traffic

#endif
