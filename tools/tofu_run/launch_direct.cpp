/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch.hpp"

#include "program_path.hpp"

namespace tofu_run
{

std::vector<Command> direct_commands(const Options &options, const Environment &environment,
                                     const Binding &binding)
{
    const std::vector<std::string> common = environment.merged();
    const bool must_pin = options.bind == Bind::core;
    std::vector<Command> commands;

    for (const Program &program : options.programs) {
        const std::string path = find_program(program.argv[0]);
        for (unsigned i = 0; i < program.ranks; i++) {
            const unsigned rank = static_cast<unsigned>(commands.size());
            Command command;
            command.label = "rank " + std::to_string(rank);
            command.path = path;
            command.argv = program.argv;
            command.environment = common;
            command.environment.push_back("SOFTTOFU_RANK=" + std::to_string(rank));
            command.reads_stdin = rank == 0;
            command.pin = [&binding, rank, must_pin] { return binding.apply(rank) || !must_pin; };
            commands.push_back(std::move(command));
        }
    }
    return commands;
}

} // namespace tofu_run
