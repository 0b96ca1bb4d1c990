/* SPDX-License-Identifier: BSD-3-Clause */
#include "fabric.hpp"

#include "failure.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <pwd.h>
#include <sys/random.h>
#include <unistd.h>

#include <fmt/format.h>

#include "torus/logical.h"
#include "traffic/traffic.hpp"

namespace tofu_run
{

namespace
{

/* user-pid-random: says whose it is to whoever looks, and never meets the name of another run. */
std::string new_job_name()
{
    const passwd *entry = getpwuid(getuid());
    std::string user = entry ? entry->pw_name : std::to_string(getuid());
    unsigned random = 0;

    user.resize(std::min<size_t>(user.size(), 32));
    for (char &c : user) {
        if (!std::isalnum(static_cast<unsigned char>(c)))
            c = '_';
    }
    if (getrandom(&random, sizeof(random), 0) != sizeof(random))
        throw Failure(STATUS_FAILED, "the system has no random numbers: name the job with --job");
    return fmt::format("{}-{}-{:08x}", user, getpid(), random);
}

torus_shape parse_shape(const std::string &text)
{
    torus_shape shape = {};

    if (!text.empty() && torus_shape_parse(text.c_str(), &shape) != 0)
        throw Failure(STATUS_USAGE,
                      "'" + text +
                              "' is no shape: write six sizes XxYxZxAxBxC, x, y and z from 1 to "
                              "32, a and c 1 or 2, b from 1 to 3, for example 1x1x1x2x3x2");
    return shape;
}

/* The nodes of --nodes, or all of the shape in as many dimensions as --view wants. */
std::string logical_nodes(const Options &options, torus_shape shape)
{
    char text[TORUS_LOGICAL_TEXT_MAX];

    if (options.view == 0)
        return options.nodes;
    if (options.shape.empty() && torus_shape_default((options.ranks() + options.ppn - 1) / options.ppn, &shape) != 0)
        throw Failure(STATUS_USAGE, "no shape has so many nodes");
    const torus_logical whole = torus_logical_whole(&shape, options.view);
    return torus_logical_format(&whole, text);
}

/* Messages of the library are lines; some end as such. */
std::string without_newline(std::string text)
{
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

} // namespace

Fabric::Fabric(const Options &options) : view(nullptr), info()
{
    const std::string name = options.job.empty() ? new_job_name() : options.job;
    const torus_shape shape = parse_shape(options.shape);
    logical = logical_nodes(options, shape);
    softtofu_job_spec spec = {};
    char message[512] = "";

    spec.name = name.c_str();
    spec.processes_max = options.ranks();
    spec.ppn = options.ppn;
    spec.wrap = options.wrap.c_str();
    spec.nodes = logical.c_str();
    spec.map = options.map.c_str();
    std::copy(std::begin(shape.size), std::end(shape.size), spec.shape);
    if (softtofu_job_create(&spec, &view, message, sizeof(message)) != 0)
        throw Failure(STATUS_FAILED, without_newline(message));
    softtofu_view_job(view, &info);
}

Fabric::~Fabric()
{
    softtofu_view_close(view);
}

std::string Fabric::job() const
{
    return info.name;
}

std::string Fabric::shape() const
{
    torus_shape shape;
    char text[TORUS_SHAPE_TEXT_MAX];

    std::copy(std::begin(info.shape), std::end(info.shape), shape.size);
    return torus_shape_format(&shape, text);
}

std::string Fabric::wrap() const
{
    return info.wrap;
}

std::string Fabric::nodes() const
{
    return logical;
}

unsigned Fabric::ppn() const
{
    return info.ppn;
}

void Fabric::check_traffic_file(const std::string &path) const
{
    if (!std::ofstream(path, std::ios::app))
        throw Failure(STATUS_FAILED, "cannot write " + path + ": " + std::strerror(errno));
}

void Fabric::write_traffic(const std::string &path) const
{
    std::ofstream file(path);

    file << traffic::to_json(traffic::read_traffic(view));
    if (!file.flush())
        throw Failure(STATUS_FAILED, "cannot write " + path + ": " + std::strerror(errno));
}

} // namespace tofu_run
