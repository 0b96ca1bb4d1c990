# SPDX-License-Identifier: BSD-3-Clause
"""Barriers by gates next to a barrier in shared memory: a program of its own, which takes turns itself."""

import json
import subprocess
from pathlib import Path

from .backends import BACKENDS
from .launch import LaunchError, environment, reason

PROGRAM = "tofu-bench-barrier"


def measure(launcher, processes, rounds):
    """Median times in ns by name, and "ratio": the median of the rounds' ratios, gates to shared memory."""
    backend = BACKENDS["utofu"]
    start = [str(Path(launcher.prefix) / "bin" / backend.launcher[0]), *backend.launcher[1:], "-n", str(processes)]
    done = subprocess.run([*start, launcher.program(PROGRAM), str(rounds)], capture_output=True, text=True, check=False,
                          env=environment(backend))
    if done.returncode != 0:
        raise LaunchError(f"{PROGRAM} failed: {reason(done.stderr, done.returncode)}")
    return json.loads(done.stdout.strip().splitlines()[-1])
