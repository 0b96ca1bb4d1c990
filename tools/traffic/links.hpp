/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the links of the torus carry, worked out from the queues' counters by the routes that
 * src/torus gives. Payload alone is counted, on the default path of each command: that of the node
 * it comes from. A get loads the way from the node that it reads.
 */
#ifndef TRAFFIC_LINKS_HPP
#define TRAFFIC_LINKS_HPP

#include "traffic.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace traffic
{

/* One link, one way, and what it carried. */
struct Link {
    uint8_t from[TORUS_AXES], to[TORUS_AXES];
    int axis;      /* TORUS_X .. TORUS_C. */
    int direction; /* +1 up or -1 down; on a ring also over its end. */
    uint64_t ops, bytes;
};

struct Links {
    std::vector<Link> used;          /* Busiest first: most bytes, then most commands. */
    uint64_t ops, bytes;             /* Of all commands, once each. */
    uint64_t local_ops, local_bytes; /* Within nodes: on no link. */
    uint64_t hop_bytes;              /* Sum over all links. */
};

Links find_links(const Traffic &traffic);

/* "+x", "-y", ...; axes of two nodes have no sign: "a", "c". */
std::string direction_name(const torus_shape &shape, int axis, int direction);

/* "0,0,0,1,2,0". */
std::string coords_name(const uint8_t *coords);

/* "1.23 MB": decimal units. */
std::string bytes_name(double bytes);

} // namespace traffic

#endif
