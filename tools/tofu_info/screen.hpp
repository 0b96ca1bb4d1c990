/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that changes in place on a terminal, and follows what was there before anywhere else. */
#ifndef TOFU_INFO_SCREEN_HPP
#define TOFU_INFO_SCREEN_HPP

#include <ostream>
#include <string>

namespace tofu_info
{

class Screen
{
  public:
    /* @a out is standard output, which may be a terminal. */
    explicit Screen(std::ostream &out);

    /*
     * Show @a text: on a terminal in place of the last one, as much of it as there is room for;
     * else behind it and an empty line. Throws std::runtime_error if it cannot be written.
     */
    void show(const std::string &text);

    /* Add a line behind what is shown, to stay. */
    void add_line(const std::string &line);

  private:
    void flush();

    std::ostream &out;
    const bool in_place;
    bool first = true;
};

} // namespace tofu_info

#endif
