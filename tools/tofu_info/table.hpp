/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of text in aligned columns. */
#ifndef TOFU_INFO_TABLE_HPP
#define TOFU_INFO_TABLE_HPP

#include <string>
#include <vector>

namespace tofu_info
{

class Table
{
  public:
    /* A heading that starts with '>' makes a column of numbers: aligned at the right. */
    explicit Table(const std::vector<std::string> &headings);

    void add(const std::vector<std::string> &cells);

    /* Lines, each with @a indent blanks in front and none at the end. */
    std::string text(unsigned indent) const;

  private:
    std::string line(const std::vector<std::string> &cells, unsigned indent) const;

    std::vector<std::vector<std::string>> rows; /* The first holds the headings. */
    std::vector<bool> right;
    std::vector<size_t> widths;
};

} // namespace tofu_info

#endif
