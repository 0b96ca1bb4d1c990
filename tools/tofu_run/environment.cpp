/* SPDX-License-Identifier: BSD-3-Clause */
#include "environment.hpp"

#include "failure.hpp"
#include "program_path.hpp"
#include "sanitized.hpp"
#include "trace.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace tofu_run
{

namespace
{

/*
 * UCX's order with the transport's memory first: what it allocates is a shared mapping, which peers
 * reach by plain stores. Names after "md:" are those of UCX components.
 */
const char alloc_prio[] = "md:utofu,md:sysv,md:posix,huge,thp,md:*,mmap,heap";

void add_ucx(Environment &environment, const std::string &job, const Install &install)
{
    const std::string plugin = install.plugin();

#if TOFUKIT_UCX_PLUGIN_PATH
    environment.add_to_list("UCX_PLUGIN_PATH", std::filesystem::path(plugin).parent_path());
#else
    /* Before 1.22 UCX loads the modules it was built with and no others, and warns of
     * UCX_PLUGIN_PATH. */
    environment.add_to_list("LD_PRELOAD", plugin);
#endif
    environment.set_default("UCX_TLS", "utofu,self");
    environment.set_default("UCX_ALLOC_PRIO", alloc_prio);
    environment.set_default("UCX_UTOFU_JOB", job);
}

/* Which program has a malloc that must not be replaced; empty: none. */
std::string find_sanitized(const Options &options)
{
    for (const Program &program : options.programs) {
        if (is_sanitized(find_program(program.argv[0])))
            return program.argv[0];
    }
    return "";
}

void add_heap(Environment &environment, const Options &options, const Install &install)
{
    const bool must = options.heap == Heap::mapped;

    if (options.heap == Heap::normal || (!must && (options.mpi != Mpi::none || !install.has_heap())))
        return;
    const std::string sanitized = find_sanitized(options);
    if (sanitized.empty())
        environment.add_to_list("LD_PRELOAD", install.heap());
    else if (must)
        throw Failure(STATUS_USAGE, sanitized + " is built with a sanitizer, which brings a malloc of its "
                                                "own: leave out --heap");
}

} // namespace

Environment::Entry *Environment::find(const std::string &name)
{
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&name](const Entry &entry) { return entry.first == name; });
    return found == list.end() ? nullptr : &*found;
}

void Environment::set(const std::string &name, const std::string &value)
{
    if (Entry *entry = find(name))
        entry->second = value;
    else
        list.emplace_back(name, value);
}

void Environment::set_default(const std::string &name, const std::string &value)
{
    const char *present = std::getenv(name.c_str());
    set(name, present ? present : value);
}

void Environment::add_to_list(const std::string &name, const std::string &item)
{
    const char *present = std::getenv(name.c_str());
    const Entry *entry = find(name);
    const std::string old = entry ? entry->second : present ? present : "";
    const std::string both = old.empty() ? item : old + ":" + item;

    set(name, (":" + old + ":").find(":" + item + ":") == std::string::npos ? both : old);
}

const std::vector<Environment::Entry> &Environment::entries() const
{
    return list;
}

std::vector<std::string> Environment::merged() const
{
    std::vector<std::string> result;

    for (char **variable = environ; *variable != nullptr; variable++) {
        const std::string text = *variable;
        const std::string name = text.substr(0, text.find('='));
        /* A rank of another job may itself call tofu-run; its rank there means nothing here. */
        const bool replaced = name == "SOFTTOFU_RANK" ||
                              std::any_of(list.begin(), list.end(), [&name](const Entry &entry) {
                                  return entry.first == name;
                              });
        if (!replaced)
            result.push_back(text);
    }
    for (const Entry &entry : list)
        result.push_back(entry.first + "=" + entry.second);
    return result;
}

Environment make_environment(const Options &options, const Fabric &fabric, const Install &install)
{
    Environment environment;

    environment.set("SOFTTOFU_JOB", fabric.job());
    environment.set("SOFTTOFU_SIZE", std::to_string(options.ranks()));
    environment.set("SOFTTOFU_SHAPE", fabric.shape());
    environment.set("SOFTTOFU_WRAP", fabric.wrap());
    if (!fabric.nodes().empty())
        environment.set("SOFTTOFU_NODES", fabric.nodes());
    if (!options.map.empty())
        environment.set("SOFTTOFU_MAP", std::filesystem::absolute(options.map));
    environment.set("SOFTTOFU_PPN", std::to_string(fabric.ppn()));
    add_heap(environment, options, install);
    if (!options.trace.empty())
        environment.set("SOFTTOFU_TRACE", trace_parts(options.trace));
    if (options.ucx)
        add_ucx(environment, fabric.job(), install);
    environment.add_to_list("LD_LIBRARY_PATH", install.library_dir);
    return environment;
}

} // namespace tofu_run
