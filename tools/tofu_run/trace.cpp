/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace.hpp"

#include "failure.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tofu_run
{

namespace
{

/* Ranks may change their working directory before they open it. */
std::string part(const std::string &file, const std::string &rank)
{
    return std::filesystem::absolute(file).string() + "." + rank + ".part";
}

Failure cannot_write(const std::string &file)
{
    return Failure(STATUS_FAILED, "cannot write " + file + ": " + std::strerror(errno));
}

/* An event is a line of its own, with or without a comma behind it; a killed rank's last may be cut
 * off. */
void add_part(std::ofstream &out, const std::string &name, bool &first)
{
    std::ifstream in(name);
    std::string line;

    while (std::getline(in, line)) {
        if (!line.empty() && line.back() == ',')
            line.pop_back();
        if (line.size() < 2 || line.front() != '{' || line.back() != '}')
            continue;
        out << (first ? "" : ",\n") << line;
        first = false;
    }
}

} // namespace

std::string trace_parts(const std::string &file)
{
    return part(file, "%r");
}

void check_trace_file(const std::string &file)
{
    if (!std::ofstream(file, std::ios::app))
        throw cannot_write(file);
}

void join_trace(const std::string &file, unsigned ranks)
{
    std::ofstream out(file);
    bool first = true;

    out << "[\n";
    for (unsigned rank = 0; rank < ranks; rank++)
        add_part(out, part(file, std::to_string(rank)), first);
    out << "\n]\n";
    if (!out.flush())
        throw cannot_write(file);
    for (unsigned rank = 0; rank < ranks; rank++) {
        std::error_code ignored;
        std::filesystem::remove(part(file, std::to_string(rank)), ignored);
    }
}

} // namespace tofu_run
