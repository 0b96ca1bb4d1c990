// SPDX-License-Identifier: BSD-3-Clause
#include "session.h"

#include "backend.h"
#include "pinning.h"
#include "report.h"

#include <iostream>
#include <stdexcept>

#include <unistd.h>

namespace tofu_bench
{
namespace
{

std::vector<std::string> names(const std::map<std::string, Runner> &backends)
{
    std::vector<std::string> all;
    for (const auto &backend : backends) {
        all.push_back(backend.first);
    }
    return all;
}

} // namespace

int run_main(int argc, char **argv, const std::function<std::unique_ptr<Exchange>()> &meet)
{
    const Options options = parse_options(argc, argv, names(known_backends()));
    try {
        const std::unique_ptr<Exchange> exchange = meet();
        if (exchange->size() < 2 || exchange->size() % 2 != 0) {
            throw std::runtime_error("an even number of processes is needed, 2 for a start");
        }
        exchange->set_busy(options.busy_target);
        const Pinning pinning(options.pin);
        Report report(options, exchange->rank(), exchange->size());
        Session session{options, *exchange, pinning, report};
        known_backends().at(options.backend)(session);
        return report.any_wrong() ? 1 : 0;
    } catch (const std::exception &error) {
        std::cerr << "tofu-bench (" << options.label << "): " << error.what() << std::endl;
        // Other threads may be inside the library that has just failed: end without destructors.
        _exit(1);
    }
}

} // namespace tofu_bench
