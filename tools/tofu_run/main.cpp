/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tofu-run: make a software Tofu-D network and run programs on it.
 *
 *     options -> fabric -> environment -> commands -> job
 *
 * Each step either succeeds or throws a Failure, which is the one line that the user sees; only the
 * last one starts processes.
 */
#include "binding.hpp"
#include "dry_run.hpp"
#include "environment.hpp"
#include "fabric.hpp"
#include "failure.hpp"
#include "install.hpp"
#include "job.hpp"
#include "launch.hpp"
#include "options.hpp"
#include "trace.hpp"

#include <iostream>

using namespace tofu_run;

static int run(int argc, char **argv)
{
    const std::optional<Options> options = parse_options(argc, argv);
    if (!options)
        return 0;

    const Install install = find_install();
    const Fabric fabric(*options);
    const Environment environment = make_environment(*options, fabric, install);
    const Binding binding(options->bind, options->ranks());
    const std::vector<Command> commands = options->mpi == Mpi::none
                                                  ? direct_commands(*options, environment, binding)
                                                  : mpi_commands(*options, environment, binding);
    if (options->dry_run) {
        print_plan(std::cout, *options, environment, commands);
        return 0;
    }
    if (!options->traffic.empty())
        fabric.check_traffic_file(options->traffic);
    if (!options->trace.empty())
        check_trace_file(options->trace);
    const int status = Job(*options).run(commands);
    if (!options->traffic.empty())
        fabric.write_traffic(options->traffic);
    if (!options->trace.empty())
        join_trace(options->trace, options->ranks());
    return status;
}

int main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const Failure &failure) {
        std::cerr << "tofu-run: " << failure.what() << '\n';
        return failure.status;
    } catch (const std::exception &error) {
        std::cerr << "tofu-run: " << error.what() << '\n';
        return STATUS_FAILED;
    }
}
