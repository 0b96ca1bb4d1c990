# SPDX-License-Identifier: BSD-3-Clause
"""Instructions of one call, counted by callgrind: the difference between a program that calls N times and one that
calls 2 N times. The loop around the call, some five instructions, is part of it."""

import re
import shutil
import subprocess
from pathlib import Path

from .launch import LaunchError, environment, reason

CALLS = 20000


def count(launcher, backend, program, *arguments):
    """Instructions of one call in `program`, which takes the number of calls as its last argument."""
    once = collected(launcher, backend, program, *arguments, str(CALLS))
    twice = collected(launcher, backend, program, *arguments, str(2 * CALLS))
    return (twice - once) / CALLS


def collected(launcher, backend, program, *arguments):
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise LaunchError("valgrind is not installed")
    start = [str(Path(launcher.prefix) / "bin" / backend.launcher[0]), *backend.launcher[1:], "-n", "1"]
    command = [*start, valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", launcher.program(program),
               *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(backend), check=False)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode != 0 or not found:
        raise LaunchError(f"{program} failed under valgrind: {reason(done.stderr, done.returncode)}")
    return int(found.group(1))
