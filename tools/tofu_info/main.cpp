/* SPDX-License-Identifier: BSD-3-Clause */
/* tofu-info: show the Tofu-D device, the jobs that run on this host and their traffic, and the
 * settings of the software device. */
#include "links.hpp"
#include "report.hpp"
#include "watch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include <CLI/CLI.hpp>

using namespace tofu_info;

namespace
{

struct Options {
    bool device = false, jobs = false, settings = false, json = false;
    bool watch = false, links = false;
    WatchOptions watching;
    std::string output;             /* For the picture of the links; empty: none. */
    std::vector<std::string> names; /* Of jobs, or of a file of traffic; none: all. */
};

void add_traffic_options(CLI::App &app, Options &options)
{
    CLI::Option *watch =
            app.add_flag("--watch", options.watch,
                         "Show rates of a job's ranks, interfaces and links until it ends");
    app.add_option("--interval", options.watching.interval_s, "Time between two looks [1]")
            ->check(CLI::Validator(CLI::Range(0.01, 86400.0)).description(""))
            ->type_name("SECONDS")
            ->needs(watch);
    app.add_option("--count", options.watching.count, "Stop after so many looks")
            ->check(CLI::Validator(CLI::PositiveNumber).description(""))
            ->type_name("N")
            ->needs(watch);
    CLI::Option *links =
            app.add_flag("--links", options.links,
                         "Show what the links of the torus carried: of a running job, or of a "
                         "finished one from the file that tofu-run --traffic wrote")
                    ->excludes(watch);
    app.add_option("--output", options.output, "With --links: draw a heat map, as SVG")
            ->type_name("FILE.svg")
            ->needs(links);
}

void add_options(CLI::App &app, Options &options)
{
    app.set_version_flag("--version", "tofu-info " TOFUKIT_VERSION);
    app.add_flag("--device", options.device, "Show the network interfaces and their limits");
    app.add_flag("--jobs", options.jobs,
                 "Show the running jobs with their owners, ranks and queues");
    app.add_flag("--env", options.settings,
                 "Show the environment variables of the software Tofu-D");
    app.add_flag("--json", options.json, "Print one JSON object");
    add_traffic_options(app, options);
    app.add_option("JOB", options.names,
                   "Show these jobs alone; --watch and --links take one, and "
                   "need none if only one runs")
            ->type_name("");
    app.footer("Without options: --device --jobs.");
}

void keep_named(std::vector<Job> &jobs, const std::vector<std::string> &names)
{
    for (const std::string &name : names) {
        const bool there = std::any_of(jobs.begin(), jobs.end(),
                                       [&name](const Job &job) { return job.name == name; });
        if (!there)
            throw std::runtime_error("no job " + name +
                                     " is running: tofu-info --jobs lists those that are");
    }
    const auto unnamed = [&names](const Job &job) {
        return std::find(names.begin(), names.end(), job.name) == names.end();
    };
    if (!names.empty())
        jobs.erase(std::remove_if(jobs.begin(), jobs.end(), unnamed), jobs.end());
}

Report make_report(const Options &options)
{
    const bool nothing_asked = !options.device && !options.jobs && !options.settings;
    Report report;

    /* Jobs first: asking for the device may make this process part of one. */
    if (options.jobs || nothing_asked || !options.names.empty()) {
        report.jobs = read_jobs();
        keep_named(*report.jobs, options.names);
    }
    if (options.device || (nothing_asked && options.names.empty()))
        report.device = read_device();
    if (options.settings)
        report.settings = read_settings();
    return report;
}

std::string only_name(const Options &options)
{
    if (options.names.size() > 1)
        throw CLI::ValidationError("JOB", "give one job");
    if (options.names.empty())
        return find_only_job();
    return options.names[0];
}

void write_file(const std::string &path, const std::string &text)
{
    std::ofstream file(path);

    file << text;
    if (!file.flush())
        throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

void show_links(const Options &options)
{
    const traffic::Traffic traffic = find_traffic(only_name(options));

    if (!options.output.empty())
        write_file(options.output, links_svg(traffic));
    std::cout << (options.json ? links_json(traffic) : links_text(traffic));
}

void show(Options &options)
{
    if (options.watch) {
        options.watching.job = only_name(options);
        watch(options.watching);
    } else if (options.links) {
        show_links(options);
    } else {
        const Report report = make_report(options);
        std::cout << (options.json ? to_json(report) : to_text(report));
    }
}

} // namespace

int main(int argc, char **argv)
{
    CLI::App app("Show the Tofu-D network interfaces and the jobs that use the software Tofu-D.",
                 "tofu-info");
    Options options;

    add_options(app, options);
    try {
        app.parse(argc, argv);
        show(options);
        return std::cout.flush() ? 0 : 1;
    } catch (const CLI::Success &answer) {
        return app.exit(answer);
    } catch (const CLI::ParseError &error) {
        std::cerr << "tofu-info: " << error.what() << ": see tofu-info --help\n";
        return 2;
    } catch (const std::exception &error) {
        std::cerr << "tofu-info: " << error.what() << '\n';
        return 1;
    }
}
