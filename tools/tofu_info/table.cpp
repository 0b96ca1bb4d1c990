/* SPDX-License-Identifier: BSD-3-Clause */
#include "table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tofu_info
{

Table::Table(const std::vector<std::string> &headings) : widths(headings.size(), 0)
{
    std::vector<std::string> names;
    for (const std::string &heading : headings) {
        right.push_back(heading[0] == '>');
        names.push_back(right.back() ? heading.substr(1) : heading);
    }
    add(names);
}

void Table::add(const std::vector<std::string> &cells)
{
    for (size_t i = 0; i < cells.size(); i++)
        widths[i] = std::max(widths[i], cells[i].size());
    rows.push_back(cells);
}

std::string Table::line(const std::vector<std::string> &cells, unsigned indent) const
{
    std::string text(indent, ' ');
    for (size_t i = 0; i < cells.size(); i++) {
        text += right[i] ? fmt::format("{:>{}}", cells[i], widths[i])
                         : fmt::format("{:<{}}", cells[i], widths[i]);
        text += "  ";
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string Table::text(unsigned indent) const
{
    std::string text;
    for (const auto &row : rows)
        text += line(row, indent);
    return text;
}

} // namespace tofu_info
