// SPDX-License-Identifier: BSD-3-Clause
// The measuring program for MPI; built once with each MPI. Its ranks are started by that MPI's
// launcher.
#include "exchange_mpi.h"
#include "session.h"

int main(int argc, char **argv)
{
    return tofu_bench::run_main(argc, argv,
                                [] { return std::make_unique<tofu_bench::MpiExchange>(); });
}
