/* SPDX-License-Identifier: BSD-3-Clause */
#include "install.hpp"

#include "failure.hpp"

#include <filesystem>

namespace tofu_run
{

namespace fs = std::filesystem;

namespace
{

const char plugin_name[] = "libuct_utofu.so.0";

/* From the directory of the executable: as installed, and as in a build tree. */
const char *const library_dirs[] = {TOFUKIT_BIN_TO_LIB, "../lib"};

} // namespace

std::string Install::plugin() const
{
    const fs::path path = fs::path(library_dir) / plugin_name;

    if (!fs::exists(path))
        throw Failure(STATUS_FAILED, "the UCX transport " + path.string() +
                                             " is missing: build or install tofukit whole, or give "
                                             "--no-ucx for a program that uses uTofu itself");
    /* The dynamic linker splits LD_PRELOAD at both and knows no quoting. */
    if (path.string().find_first_of(" :") != std::string::npos)
        throw Failure(STATUS_FAILED,
                      "the path " + path.string() +
                              " holds a space or a colon, which LD_PRELOAD cannot express: "
                              "move tofukit, or give --no-ucx");
    return path;
}

Install find_install()
{
    std::error_code error;
    const fs::path executable = fs::read_symlink("/proc/self/exe", error);

    if (error)
        throw Failure(STATUS_FAILED, "cannot read /proc/self/exe: is /proc mounted?");
    for (const char *dir : library_dirs) {
        const fs::path path = (executable.parent_path() / dir).lexically_normal();
        if (fs::exists(path / "libtofucom.so"))
            return Install{path};
    }
    throw Failure(STATUS_FAILED, "libtofucom.so is in none of the library directories beside " +
                                         executable.string() + ": build or install tofukit whole");
}

} // namespace tofu_run
