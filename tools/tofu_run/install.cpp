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

const char heap_name[] = "libtofuheap.so";

/* From the directory of the executable: as installed, and as in a build tree. */
const char *const library_dirs[] = {TOFUKIT_BIN_TO_LIB, "../lib"};

/* The dynamic linker splits LD_PRELOAD at both and knows no quoting. */
bool can_be_preloaded(const fs::path &path)
{
    return path.string().find_first_of(" :") == std::string::npos;
}

/* @a path, or a Failure that names the option to do without it. */
std::string check_preload(const fs::path &path, const std::string &what, const std::string &without)
{
    if (!fs::exists(path))
        throw Failure(STATUS_FAILED, "the " + what + ' ' + path.string() +
                                             " is missing: build or install tofukit whole, or give " + without);
    if (!can_be_preloaded(path))
        throw Failure(STATUS_FAILED,
                      "the path " + path.string() +
                              " holds a space or a colon, which LD_PRELOAD cannot express: "
                              "move tofukit, or give " + without);
    return path;
}

} // namespace

std::string Install::plugin() const
{
    return check_preload(fs::path(library_dir) / plugin_name, "UCX transport",
                         "--no-ucx for a program that uses uTofu itself");
}

bool Install::has_heap() const
{
    const fs::path path = fs::path(library_dir) / heap_name;
    return fs::exists(path) && can_be_preloaded(path);
}

std::string Install::heap() const
{
    return check_preload(fs::path(library_dir) / heap_name, "heap", "--no-heap");
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
