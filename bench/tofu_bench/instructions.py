# SPDX-License-Identifier: BSD-3-Clause
"""Instructions of one call, from its first to its return with all that it calls, counted by callgrind: the difference
between a program that calls N times and one that calls 2 N times."""

import re
import shutil
import subprocess
from pathlib import Path

from .backends import BACKENDS
from .launch import LaunchError, environment, reason

CALLS = 20000

# UCX cannot watch memory under valgrind, and a registration cache depends on that. A put of 8 bytes registers nothing.
SETTINGS = {"UCX_UTOFU_RCACHE": "n"}


def count(launcher, backend, function, program, *arguments):
    """Instructions of one call of `function` in `program`, which takes the number of calls as its last argument."""
    once = collected(launcher, backend, function, program, *arguments, str(CALLS))
    twice = collected(launcher, backend, function, program, *arguments, str(2 * CALLS))
    if twice == once:
        raise LaunchError(f"callgrind saw no call of {function} in {program}")
    return (twice - once) / CALLS


def put_piggyback(launcher):
    return count(launcher, BACKENDS["utofu"], "utofu_put_piggyback", "tofu-bench-put-piggyback")


def put_short(launcher, backend, transport):
    """With the dispatch that uct_ep_put_short() inlines into its caller."""
    return count(launcher, BACKENDS[backend], "tofu_bench_put_short", "tofu-bench-put-short", transport)


def collected(launcher, backend, function, program, *arguments):
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise LaunchError("valgrind is not installed")
    start = [str(Path(launcher.prefix) / "bin" / backend.launcher[0]), *backend.launcher[1:], "-n", "1"]
    command = [*start, valgrind, "--tool=callgrind", f"--toggle-collect={function}",
               "--callgrind-out-file=/dev/null", launcher.program(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**environment(backend), **SETTINGS})
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode != 0 or not found:
        raise LaunchError(f"{program} failed under valgrind: {reason(done.stderr, done.returncode)}")
    return int(found.group(1))
