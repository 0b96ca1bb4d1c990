// SPDX-License-Identifier: BSD-3-Clause
// The measuring program for everything but MPI. Its ranks are started by tofu-run.
#include "exchange_socket.h"
#include "session.h"

#include <cstdlib>
#include <stdexcept>

namespace
{

std::string variable(const char *name)
{
    const char *value = std::getenv(name);
    if (value == nullptr) {
        throw std::runtime_error(std::string(name) +
                                 " is not set: start this program by tofu-run -n 2");
    }
    return value;
}

} // namespace

int main(int argc, char **argv)
{
    return tofu_bench::run_main(argc, argv, [] {
        return std::make_unique<tofu_bench::SocketExchange>(variable("SOFTTOFU_JOB"),
                                                            std::stoi(variable("SOFTTOFU_RANK")),
                                                            std::stoi(variable("SOFTTOFU_SIZE")));
    });
}
