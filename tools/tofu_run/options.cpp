/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.hpp"

#include "failure.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include "softtofu.h"

namespace tofu_run
{

namespace
{

using Words = std::vector<std::string>;

const char separator[] = ":";

const std::map<std::string, Mpi> mpi_names = {{"openmpi", Mpi::openmpi}, {"mpich", Mpi::mpich}};

const std::map<std::string, Bind> bind_names = {
        {"auto", Bind::automatic}, {"core", Bind::core}, {"none", Bind::none}};

/* Splits "-n 1 prog a : -n 1 prog b" at the colons. */
std::vector<Words> split_programs(int argc, const char *const *argv)
{
    std::vector<Words> parts(1);
    for (int i = 1; i < argc; i++) {
        if (argv[i] == std::string(separator))
            parts.emplace_back();
        else
            parts.back().push_back(argv[i]);
    }
    return parts;
}

std::string environment_help()
{
    size_t count;
    const softtofu_env *table = softtofu_env_table(&count);
    std::string text = "Environment variables of the software Tofu-D:\n";

    for (size_t i = 0; i < count; i++)
        text += fmt::format("  {:<24}{} ({}{}{})\n", table[i].name, table[i].help, table[i].type,
                            *table[i].default_value ? ", default " : "", table[i].default_value);
    text += "\nA variable that is already set is kept; LD_PRELOAD and LD_LIBRARY_PATH are added "
            "to.\n"
            "The exit status is that of the first rank that fails, 128 + n if signal n killed it.";
    return text;
}

/* CLI11 knows nothing of the program and its arguments, which follow the options. */
class HelpFormatter : public CLI::Formatter
{
  public:
    std::string make_usage(const CLI::App *, std::string) const override
    {
        return "Usage: tofu-run [OPTION...] PROGRAM [ARGUMENT...] [: [-n RANKS] PROGRAM "
               "[ARGUMENT...]]...\n";
    }
};

/* CLI11's own check lists every enumerator twice, by name and by number. */
template <typename Value>
CLI::Option *add_choice(CLI::App &app, const std::string &name,
                        const std::map<std::string, Value> &names, Value &value,
                        const std::string &help)
{
    std::vector<std::string> words;
    for (const auto &entry : names)
        words.push_back(entry.first);
    auto store = [&names, &value](const std::string &word) { value = names.at(word); };
    return app.add_option_function<std::string>(name, store, help)
            ->check(CLI::IsMember(words).description(""))
            ->type_name(fmt::format("{}", fmt::join(words, "|")));
}

void add_ranks(CLI::App &app, Program &program)
{
    app.prefix_command();
    app.add_option("-n", program.ranks, "Ranks of the program that follows, 1 to 4096 [1]")
            ->check(CLI::Range(1u, 4096u).description(""))
            ->type_name("RANKS");
}

void add_job_options(CLI::App &app, Options &options)
{
    app.add_option("--shape", options.shape, "Nodes along the six axes [smallest that fits]")
            ->type_name("XxYxZxAxBxC")
            ->envname("SOFTTOFU_SHAPE");
    app.add_option("--nodes", options.nodes,
                   "Nodes in one to three logical dimensions, folded over the six so that neighbours are one "
                   "hop apart [one dimension, by node number]")
            ->type_name("LX[xLY[xLZ]]")
            ->envname("SOFTTOFU_NODES");
    app.add_option("--view", options.view, "Logical dimensions of the whole shape, instead of --nodes")
            ->check(CLI::Range(1u, 3u).description(""))
            ->type_name("1|2|3")
            ->excludes("--nodes");
    app.add_option("--wrap", options.wrap, "Axes of the shape that are rings, as xzb, or none [xzb]")
            ->type_name("AXES")
            ->envname("SOFTTOFU_WRAP");
    app.add_option("--map", options.map,
                   "Where ranks are: a line (x), (x,y), (x,y,z) or (x,y,z,a,b,c) for each rank or node")
            ->type_name("FILE")
            ->envname("SOFTTOFU_MAP");
    app.add_option("--ppn", options.ppn, "Processes per node, 1 to 48 [1]")
            ->check(CLI::Range(1u, 48u).description(""))
            ->type_name("K")
            ->envname("SOFTTOFU_PPN");
    app.add_option("--job", options.job, "Name of the job [user-pid-random]")
            ->type_name("NAME")
            ->envname("SOFTTOFU_JOB");
    add_choice(app, "--mpi", mpi_names, options.mpi, "Let this MPI's launcher start the ranks");
    add_choice(app, "--bind", bind_names, options.bind,
               "Pin ranks: to a core each, or auto: to equal shares of the cores if all get one "
               "[auto]");
    app.add_flag_callback(
            "--no-ucx", [&options] { options.ucx = false; },
            "Leave UCX alone: for programs that use uTofu itself");
    app.add_flag_callback(
            "--heap", [&options] { options.heap = Heap::mapped; },
            "Put the ranks' malloc into memory that peers map [unless --mpi is given]");
    app.add_flag_callback(
            "--no-heap", [&options] { options.heap = Heap::normal; }, "Leave malloc alone");
    app.add_flag("--dry-run", options.dry_run, "Print what would be set and run; start nothing");
    app.add_flag("--keep-going", options.keep_going, "Let the other ranks go on when one fails");
    app.add_option("--timeout", options.timeout, "Stop the job after this time")
            ->check(CLI::Validator(CLI::PositiveNumber).description(""))
            ->type_name("SECONDS");
    app.add_option("--grace", options.grace,
                   "Time from SIGTERM to SIGKILL when stopping the job [3]")
            ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
            ->type_name("SECONDS");
    app.add_option("--traffic", options.traffic,
                   "Write what each queue sent to each node to this file at the end; see "
                   "tofu-info --links")
            ->type_name("FILE");
    app.add_option("--trace", options.trace,
                   "Write what all ranks did and when to this file, for Perfetto: see "
                   "SOFTTOFU_TRACE")
            ->type_name("FILE.json");
}

/* Parses one part; what the options leave over is the program with its arguments. */
void parse_part(CLI::App &app, Words words, Program &program)
{
    std::reverse(words.begin(), words.end()); /* As CLI11 takes them. */
    app.parse(words);
    program.argv = app.remaining();
    if (!program.argv.empty() && program.argv[0] == "--")
        program.argv.erase(program.argv.begin());
    else if (!program.argv.empty() && program.argv[0][0] == '-')
        throw Failure(STATUS_USAGE, "no option " + program.argv[0] + ": see tofu-run --help");
    if (program.argv.empty())
        throw Failure(STATUS_USAGE, "no program to run: tofu-run -n RANKS PROGRAM [ARGUMENT...]");
}

} // namespace

unsigned Options::ranks() const
{
    unsigned sum = 0;
    for (const Program &program : programs)
        sum += program.ranks;
    return sum;
}

std::optional<Options> parse_options(int argc, const char *const *argv)
{
    const std::vector<Words> parts = split_programs(argc, argv);
    Options options;
    CLI::App app("Run a program as the ranks of a job on a software Tofu-D network.", "tofu-run");

    options.programs.resize(parts.size());
    add_ranks(app, options.programs[0]);
    add_job_options(app, options);
    app.set_version_flag("--version", "tofu-run " TOFUKIT_VERSION);
    app.formatter(std::make_shared<HelpFormatter>());
    app.footer(environment_help);
    try {
        parse_part(app, parts[0], options.programs[0]);
        for (size_t i = 1; i < parts.size(); i++) {
            CLI::App part;
            part.set_help_flag();
            add_ranks(part, options.programs[i]);
            parse_part(part, parts[i], options.programs[i]);
        }
    } catch (const CLI::Success &answer) {
        app.exit(answer);
        return std::nullopt;
    } catch (const CLI::ParseError &error) {
        throw Failure(STATUS_USAGE, std::string(error.what()) + ": see tofu-run --help");
    }
    if (options.mpi != Mpi::none && options.programs.size() > 1)
        throw Failure(STATUS_USAGE,
                      "':' joins programs that tofu-run starts itself: leave out --mpi, "
                      "or run one program");
    return options;
}

} // namespace tofu_run
