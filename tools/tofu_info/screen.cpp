/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Three sequences that every terminal since the VT100 knows suffice: home, erase to the end of the
 * line, erase to the end of the screen. Nothing is hidden or switched, so there is nothing to
 * restore when the program is interrupted.
 */
#include "screen.hpp"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include <sys/ioctl.h>
#include <unistd.h>

namespace tofu_info
{

namespace
{

const char home[] = "\033[H", end_of_line[] = "\033[K", end_of_screen[] = "\033[J";

bool is_terminal()
{
    const char *kind = std::getenv("TERM");
    return isatty(STDOUT_FILENO) && kind != nullptr && std::string(kind) != "dumb";
}

winsize terminal_size()
{
    winsize size = {};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 2 || size.ws_col < 2)
        size = {24, 80, 0, 0};
    return size;
}

} // namespace

Screen::Screen(std::ostream &out) : out(out), in_place(is_terminal()) {}

void Screen::show(const std::string &text)
{
    const winsize size = in_place ? terminal_size() : winsize();
    std::istringstream lines(text);
    std::string line;
    unsigned row = 0;

    if (!in_place) {
        out << (first ? "" : "\n") << text;
    } else {
        out << home;
        /* The last row stays free: a line break there would scroll. */
        while (++row < size.ws_row && std::getline(lines, line))
            out << line.substr(0, size.ws_col - 1u) << end_of_line << '\n';
        out << end_of_screen;
    }
    first = false;
    flush();
}

void Screen::add_line(const std::string &line)
{
    out << line << '\n';
    flush();
}

void Screen::flush()
{
    if (!out.flush())
        throw std::runtime_error("cannot write to standard output");
}

} // namespace tofu_info
