/* SPDX-License-Identifier: BSD-3-Clause */
#include "program_path.hpp"

#include "failure.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace tofu_run
{

namespace fs = std::filesystem;

namespace
{

bool is_executable(const fs::path &path)
{
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

} // namespace

std::optional<std::string> find_in_path(const std::string &name)
{
    if (name.find('/') != std::string::npos)
        return is_executable(name) ? std::optional<std::string>(name) : std::nullopt;

    const char *path = std::getenv("PATH");
    std::istringstream dirs(path ? path : "/usr/bin:/bin");
    for (std::string dir; std::getline(dirs, dir, ':');) {
        const fs::path candidate = fs::path(dir.empty() ? "." : dir) / name;
        if (is_executable(candidate))
            return candidate;
    }
    return std::nullopt;
}

std::string find_program(const std::string &name)
{
    std::error_code error;

    if (const auto found = find_in_path(name))
        return *found;
    if (name.find('/') == std::string::npos) {
        const bool here = fs::exists(name, error);
        throw Failure(STATUS_NOT_FOUND,
                      name + " is not in PATH: " +
                              (here ? "to run the file of that name here, write ./" + name
                                    : std::string("correct the name, or give its path")));
    }
    if (!fs::exists(name, error))
        throw Failure(STATUS_NOT_FOUND, name + " does not exist: correct the path");
    throw Failure(STATUS_NOT_EXECUTABLE,
                  name + " is not an executable file: name a program, or chmod +x it");
}

} // namespace tofu_run
