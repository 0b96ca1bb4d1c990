/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of tofu-run, parsed and checked as far as that is possible without looking at
 * the system. */
#ifndef TOFU_RUN_OPTIONS_HPP
#define TOFU_RUN_OPTIONS_HPP

#include <optional>
#include <string>
#include <vector>

namespace tofu_run
{

enum class Mpi { none, openmpi, mpich };

enum class Bind {
    automatic, /* Equal shares of the cores if every rank gets a core at least, else none. */
    core,      /* One core a rank, round robin. */
    none
};

enum class Heap {
    automatic, /* For programs that tofu-run starts itself, as far as that can be done. */
    mapped,    /* Always, or fail. */
    normal
};

/* One part of an MPMD job: as many ranks of one program. */
struct Program {
    unsigned ranks = 1;
    std::vector<std::string> argv;
};

struct Options {
    std::vector<Program> programs;
    std::string job;   /* Empty: make one up. */
    std::string shape; /* Empty: the library's default; so are those that follow. */
    std::string nodes; /* In logical dimensions. */
    std::string wrap;
    std::string map;   /* File. */
    unsigned view = 0; /* Logical dimensions of the shape; 0: as nodes says. */
    unsigned ppn = 1;
    Mpi mpi = Mpi::none;
    Bind bind = Bind::automatic;
    bool ucx = true; /* Load the UCX plug-in into the ranks. */
    Heap heap = Heap::automatic;

    bool dry_run = false;
    bool keep_going = false;
    double timeout = 0;  /* Seconds; 0: none. */
    double grace = 3;    /* Seconds between SIGTERM and SIGKILL. */
    std::string traffic; /* File for the counters at the end; empty: none. */
    std::string trace;   /* File for what the ranks did and when; empty: none. */

    unsigned ranks() const;
};

/*
 * Parse a command line. Variables SOFTTOFU_JOB, _SHAPE, _NODES, _WRAP, _MAP and _PPN of the environment
 * stand in for options that are not given. Returns nothing if the user asked for help or the
 * version, which has then been printed. Throws Failure with STATUS_USAGE.
 */
std::optional<Options> parse_options(int argc, const char *const *argv);

} // namespace tofu_run

#endif
