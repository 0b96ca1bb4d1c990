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

# Two lines of 64 bytes: processors fetch them in pairs.
LINE_BYTES = 128

# What lies this near to main()'s frame is the stack, of which each thread has its own.
STACK_BYTES = 1 << 16

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


def lines_in_common(launcher, queues=24):
    """Cache lines that the puts of several VCQs write, by a trace of all stores: how many, the stack's left out, and
    how many of them more than one VCQ's puts write."""
    output, trace = traced(launcher, BACKENDS["utofu"], "tofu-bench-put-piggyback", "10", str(queues))
    marker, stack = (int(address, 16) for address in re.search(r"marker (\S+) stack (\S+)", output).groups())
    writers = {}
    queue = 0
    for text, size in re.findall(r"^ [SM] ([0-9a-f]+),(\d+)$", trace, re.MULTILINE):
        address = int(text, 16)
        if address == marker:
            queue += 1
        elif 0 < queue <= queues and abs(address - stack) > STACK_BYTES:
            for line in range(address // LINE_BYTES, (address + int(size) - 1) // LINE_BYTES + 1):
                writers.setdefault(line, set()).add(queue)
    return len(writers), sum(len(by) > 1 for by in writers.values())


def traced(launcher, backend, program, *arguments):
    """Output of `program`, and the trace of all its memory accesses that valgrind wrote."""
    done = under_valgrind(launcher, backend, ("--tool=lackey", "--trace-mem=yes"), program, *arguments)
    return done.stdout, done.stderr


def collected(launcher, backend, function, program, *arguments):
    tool = ("--tool=callgrind", f"--toggle-collect={function}", "--callgrind-out-file=/dev/null")
    done = under_valgrind(launcher, backend, tool, program, *arguments)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if not found:
        raise LaunchError(f"valgrind counted nothing in {program}")
    return int(found.group(1))


def under_valgrind(launcher, backend, tool, program, *arguments):
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise LaunchError("valgrind is not installed")
    start = [str(Path(launcher.prefix) / "bin" / backend.launcher[0]), *backend.launcher[1:], "-n", "1"]
    command = [*start, valgrind, *tool, launcher.program(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**environment(backend), **SETTINGS})
    if done.returncode != 0:
        raise LaunchError(f"{program} failed under valgrind: {reason(done.stderr, done.returncode)}")
    return done
