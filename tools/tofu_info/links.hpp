/* SPDX-License-Identifier: BSD-3-Clause */
/* tofu-info --links: what the links of a running or finished job carried. */
#ifndef TOFU_INFO_LINKS_HPP
#define TOFU_INFO_LINKS_HPP

#include "traffic/links.hpp"

#include <string>

namespace tofu_info
{

/*
 * @a source is the name of a running job, or a file of tofu-run --traffic: what ends in ".json" or
 * has a '/' is a file. Throws std::runtime_error if there is no such thing.
 */
traffic::Traffic find_traffic(const std::string &source);

/* The report for people: totals, each direction, the busiest links. */
std::string links_text(const traffic::Traffic &traffic);

/* The report for programs: one JSON object. */
std::string links_json(const traffic::Traffic &traffic);

/* A heat map: a panel for each direction, a cell for each node, units as blocks. */
std::string links_svg(const traffic::Traffic &traffic);

} // namespace tofu_info

#endif
