/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heat map of links as SVG.
 *
 *     title
 *     panel +x   panel -x      one panel a direction of an axis that has more than one node
 *     panel +z   panel -z ...  in it one cell a node: the link that leaves it that way
 *     colour bar
 *     the busiest links
 *
 * A panel shows units of 2x3x2 nodes as blocks: x to the right, y down, z from block group to block
 * group; within a block a and c to the right, b down.
 */
#include "links.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "torus/rank_map.h"

namespace tofu_info
{

namespace
{

using traffic::Link;
using traffic::Links;
using traffic::Traffic;

const double margin = 24, panel_gap = 28, heading = 20, unit_gap = 3, group_gap = 10;
const double panel_width_wanted = 420, cell_min = 4, cell_max = 24;
const double bar_width = 260, bar_height = 12;
const size_t busiest_shown = 10;
const uint32_t idle_drawn_max =
        5000; /* Nodes; in larger shapes links that carried nothing are left out. */
const char idle_colour[] = "#f0f0f0"; /* Of links that carried nothing. */

/* From light to dark, alike for readers who do not tell red from green. */
const std::array<std::array<int, 3>, 5> scale = {
        {{237, 248, 177}, {127, 205, 187}, {65, 182, 196}, {34, 94, 168}, {8, 29, 88}}};

std::string colour(double share)
{
    const double place = std::min(std::max(share, 0.0), 1.0) * (scale.size() - 1);
    const size_t low = std::min(static_cast<size_t>(place), scale.size() - 2);
    const double part = place - static_cast<double>(low);
    int c[3];

    for (size_t i = 0; i < 3; i++)
        c[i] = static_cast<int>(
                std::lround(scale[low][i] + part * (scale[low + 1][i] - scale[low][i])));
    return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
}

std::string escape(const std::string &text)
{
    std::string result;
    for (char c : text)
        result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    return result;
}

std::string text_at(double x, double y, const std::string &text, const std::string &attributes = "")
{
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes,
                       escape(text));
}

/* Where cells lie in a panel. */
class Grid
{
  public:
    explicit Grid(const torus_shape &shape) : shape(shape)
    {
        const double columns = size(TORUS_Z) * size(TORUS_X) * size(TORUS_A) * size(TORUS_C);
        cell = std::min(std::max(panel_width_wanted / columns, cell_min), cell_max);
        unit_width = size(TORUS_A) * size(TORUS_C) * cell + unit_gap;
        unit_height = size(TORUS_B) * cell + unit_gap;
        group_width = size(TORUS_X) * unit_width + group_gap;
    }

    double width() const
    {
        return size(TORUS_Z) * group_width - group_gap - unit_gap;
    }

    double height() const
    {
        return size(TORUS_Y) * unit_height - unit_gap;
    }

    double x(const uint8_t *at) const
    {
        return at[TORUS_Z] * group_width + at[TORUS_X] * unit_width +
               (at[TORUS_A] * size(TORUS_C) + at[TORUS_C]) * cell;
    }

    double y(const uint8_t *at) const
    {
        return at[TORUS_Y] * unit_height + at[TORUS_B] * cell;
    }

    double cell;

  private:
    double size(int axis) const
    {
        return shape.size[axis];
    }

    const torus_shape &shape;
    double unit_width, unit_height, group_width;
};

/* One panel: a direction, and the links that go that way by the number of the node they leave. */
struct Panel {
    std::string name;
    std::map<uint32_t, const Link *> links;
};

std::vector<Panel> make_panels(const Traffic &traffic, const Links &links)
{
    std::vector<Panel> panels;

    for (int axis = 0; axis < TORUS_AXES; axis++) {
        for (int direction : {1, -1}) {
            if (traffic.shape.size[axis] > 2 || (traffic.shape.size[axis] == 2 && direction == 1))
                panels.push_back({traffic::direction_name(traffic.shape, axis, direction), {}});
        }
    }
    for (const Link &link : links.used) {
        const auto name = traffic::direction_name(traffic.shape, link.axis, link.direction);
        uint32_t node = 0;
        torus_coords_node(&traffic.shape, link.from, &node);
        for (Panel &panel : panels) {
            if (panel.name == name)
                panel.links[node] = &link;
        }
    }
    return panels;
}

std::string cell_svg(const Grid &grid, const uint8_t *at, const Link *link, double busiest)
{
    const std::string fill =
            link == nullptr ? idle_colour : colour(static_cast<double>(link->bytes) / busiest);
    const std::string tip =
            link == nullptr
                    ? traffic::coords_name(at) + ": nothing"
                    : fmt::format("{} to {}: {} in {} operations", traffic::coords_name(link->from),
                                  traffic::coords_name(link->to),
                                  traffic::bytes_name(static_cast<double>(link->bytes)), link->ops);

    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                       "fill=\"{}\"><title>{}</title></rect>\n",
                       grid.x(at), grid.y(at), grid.cell - 1, grid.cell - 1, fill, tip);
}

std::string panel_svg(const Traffic &traffic, const Grid &grid, const Panel &panel, double busiest,
                      double x, double y)
{
    std::string text =
            text_at(x, y + heading - 7, "direction " + panel.name, "font-weight=\"bold\"") +
            fmt::format("<g id=\"direction:{}\" transform=\"translate({:.1f},{:.1f})\">\n",
                        panel.name, x, y + heading);

    const uint32_t nodes = torus_shape_nodes(&traffic.shape);
    for (uint32_t node = 0; node < nodes; node++) {
        const auto link = panel.links.find(node);
        uint8_t at[TORUS_AXES];
        if (link == panel.links.end() && nodes > idle_drawn_max)
            continue;
        torus_node_coords(&traffic.shape, node, at);
        text += cell_svg(grid, at, link == panel.links.end() ? nullptr : link->second, busiest);
    }
    return text + "</g>\n";
}

std::string bar_svg(double busiest, double x, double y)
{
    const int steps = 64;
    std::string text;

    for (int i = 0; i < steps; i++)
        text += fmt::format("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" "
                            "fill=\"{}\"/>\n",
                            x + i * bar_width / steps, y, bar_width / steps + 0.3, bar_height,
                            colour(i / (steps - 1.0)));
    for (double share : {0.0, 0.5, 1.0})
        text += text_at(x + share * bar_width, y + bar_height + 13,
                        traffic::bytes_name(share * busiest), "text-anchor=\"middle\"");
    text += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
            x + bar_width + 60, y, bar_height, bar_height, idle_colour);
    return text + text_at(x + bar_width + 66 + bar_height, y + bar_height - 2, "not used");
}

std::string busiest_svg(const Traffic &traffic, const Links &links, double x, double y)
{
    std::string text = text_at(x, y, "Busiest links", "font-weight=\"bold\"");

    for (size_t i = 0; i < std::min(busiest_shown, links.used.size()); i++) {
        const Link &link = links.used[i];
        text += text_at(
                x, y + 17.0 * static_cast<double>(i + 1),
                fmt::format("{} to {} ({}): {} in {} operations", traffic::coords_name(link.from),
                            traffic::coords_name(link.to),
                            traffic::direction_name(traffic.shape, link.axis, link.direction),
                            traffic::bytes_name(static_cast<double>(link.bytes)), link.ops));
    }
    return text;
}

} // namespace

std::string links_svg(const Traffic &traffic)
{
    const Links links = traffic::find_links(traffic);
    const Grid grid(traffic.shape);
    const std::vector<Panel> panels = make_panels(traffic, links);
    const double busiest =
            links.used.empty() ? 1 : std::max(static_cast<double>(links.used[0].bytes), 1.0);
    const double step_x = std::max(grid.width(), 150.0) + panel_gap;
    const double step_y = grid.height() + heading + panel_gap;
    const size_t columns =
            std::max<size_t>(1, std::min<size_t>(panels.size(), step_x > 300 ? 2 : 4));
    const double width = std::max(2 * margin + static_cast<double>(columns) * step_x, 640.0);
    char shape[TORUS_SHAPE_TEXT_MAX];
    std::string body;
    double y = margin + 44;

    for (size_t i = 0; i < panels.size(); i++)
        body += panel_svg(traffic, grid, panels[i], busiest,
                          margin + static_cast<double>(i % columns) * step_x,
                          y + static_cast<double>(i / columns) * step_y);
    y += static_cast<double>((panels.size() + columns - 1) / columns) * step_y;
    body += bar_svg(busiest, margin + 20, y) + busiest_svg(traffic, links, margin, y + 56);
    y += 56 + 17.0 * static_cast<double>(std::min(busiest_shown, links.used.size())) + margin;
    return fmt::format(
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
                   "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
                   "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\" role=\"img\">\n"
                   "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
                   width, y) +
           text_at(margin, margin + 6, fmt::format("Link traffic of job {}", traffic.job),
                   "font-size=\"16\" font-weight=\"bold\"") +
           text_at(margin, margin + 26,
                   fmt::format("Shape {}: a cell is a node's link in that direction. Blocks are "
                               "units (x right, y down, z groups); in them a, c right, b down.",
                               torus_shape_format(&traffic.shape, shape)),
                   "fill=\"#555555\"") +
           body + "</svg>\n";
}

} // namespace tofu_info
