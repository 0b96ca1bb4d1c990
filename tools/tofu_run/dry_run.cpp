/* SPDX-License-Identifier: BSD-3-Clause */
#include "dry_run.hpp"

namespace tofu_run
{

namespace
{

std::string shell_quote(const std::string &word)
{
    const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    std::string quoted = "'";

    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
        return word;
    for (char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

void print_command(std::ostream &out, const Command &command)
{
    out << shell_quote(command.path);
    for (size_t i = 1; i < command.argv.size(); i++)
        out << ' ' << shell_quote(command.argv[i]);
    out << '\n';
}

void print_rank_range(std::ostream &out, size_t first, size_t count)
{
    out << "SOFTTOFU_RANK=" << first;
    if (count > 1)
        out << ".." << first + count - 1;
    out << '\n';
}

} // namespace

void print_plan(std::ostream &out, const Options &options, const Environment &environment,
                const std::vector<Command> &commands)
{
    for (const auto &[name, value] : environment.entries())
        out << name << '=' << value << '\n';
    if (options.mpi != Mpi::none) {
        print_command(out, commands[0]);
        return;
    }
    size_t first = 0;
    for (const Program &program : options.programs) {
        print_rank_range(out, first, program.ranks);
        print_command(out, commands[first]);
        first += program.ranks;
    }
}

} // namespace tofu_run
