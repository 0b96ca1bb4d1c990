/* SPDX-License-Identifier: BSD-3-Clause */
/* tofu-info: show the Tofu-D device, the jobs that run on this host, and the settings of the
 * software device. */
#include "report.hpp"

#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

using namespace tofu_info;

namespace
{

struct Options {
    bool device = false, jobs = false, settings = false, json = false;
    std::vector<std::string> names; /* Of jobs; none: all. */
};

void add_options(CLI::App &app, Options &options)
{
    app.set_version_flag("--version", "tofu-info " TOFUKIT_VERSION);
    app.add_flag("--device", options.device, "Show the network interfaces and their limits");
    app.add_flag("--jobs", options.jobs,
                 "Show the running jobs with their owners, ranks and queues");
    app.add_flag("--env", options.settings,
                 "Show the environment variables of the software Tofu-D");
    app.add_flag("--json", options.json, "Print one JSON object");
    app.add_option("JOB", options.names, "Show these jobs alone")->type_name("");
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

} // namespace

int main(int argc, char **argv)
{
    CLI::App app("Show the Tofu-D network interfaces and the jobs that use the software Tofu-D.",
                 "tofu-info");
    Options options;

    add_options(app, options);
    try {
        app.parse(argc, argv);
        const Report report = make_report(options);
        std::cout << (options.json ? to_json(report) : to_text(report));
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
