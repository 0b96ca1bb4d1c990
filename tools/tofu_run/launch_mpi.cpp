/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch.hpp"

#include "failure.hpp"
#include "program_path.hpp"

#include <cstdlib>

#include <unistd.h>

namespace tofu_run
{

namespace
{

using Words = std::vector<std::string>;

void append(Words &words, std::initializer_list<std::string> more)
{
    words.insert(words.end(), more);
}

/*
 * Open MPI's components for UCX decline unless they know a transport's name, hence the two "any".
 * The parameters choose components only; which transport UCX takes is UCX_TLS's business.
 */
const std::pair<const char *, const char *> openmpi_parameters[] = {
        {"pml", "ucx"},
        {"osc", "ucx"},
        {"spml", "ucx"},
        {"opal_common_ucx_tls", "any"},
        {"opal_common_ucx_devices", "any"},
};

Words openmpi_argv(const Environment &environment, const Binding &binding, Bind bind)
{
    Words argv = {"mpirun.openmpi", "--oversubscribe"};

    if (getuid() == 0)
        argv.push_back("--allow-run-as-root");
    if (bind == Bind::core)
        append(argv, {"--bind-to", "core:overload-allowed"});
    else
        append(argv, {"--bind-to", binding.pins_to_one_core() ? "core" : "none"});
    for (const auto &[name, value] : openmpi_parameters) {
        if (std::getenv((std::string("OMPI_MCA_") + name).c_str()) == nullptr)
            append(argv, {"--mca", name, value});
    }
    for (const auto &[name, value] : environment.entries())
        append(argv, {"-x", name + "=" + value});
    return argv;
}

Words mpich_argv(const Environment &environment, const Binding &binding, Bind bind)
{
    Words argv = {"mpirun.mpich"};

    append(argv, {"-bind-to", bind == Bind::core || binding.pins_to_one_core() ? "core" : "none"});
    for (const auto &[name, value] : environment.entries())
        append(argv, {"-genv", name, value});
    return argv;
}

} // namespace

std::vector<Command> mpi_commands(const Options &options, const Environment &environment,
                                  const Binding &binding)
{
    const Program &program = options.programs[0];
    const bool openmpi = options.mpi == Mpi::openmpi;
    const std::string name = openmpi ? "mpirun.openmpi" : "mpirun.mpich";
    const auto path = find_in_path(name);
    Command command;

    if (!path)
        throw Failure(STATUS_NOT_FOUND, name + " is not in PATH: install the Debian package " +
                                                (openmpi ? "openmpi-bin" : "mpich"));
    command.label = name;
    command.path = *path;
    command.argv = openmpi ? openmpi_argv(environment, binding, options.bind)
                           : mpich_argv(environment, binding, options.bind);
    append(command.argv, {"-n", std::to_string(program.ranks), find_program(program.argv[0])});
    command.argv.insert(command.argv.end(), program.argv.begin() + 1, program.argv.end());
    /* The launcher itself has no use for the plug-in: the variables reach the ranks by its options.
     */
    command.environment = Environment().merged();
    command.reads_stdin = true;
    command.launcher = true;
    command.parent_death_signal = SIGTERM;
    return {command};
}

} // namespace tofu_run
