# SPDX-License-Identifier: BSD-3-Clause
"""Starts the measuring programs and reads what they print."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

# Seconds that a launcher with a limit of its own is given to stop by itself.
GRACE = 5


class LaunchError(Exception):
    """A program could not be started or failed; one line that says why."""


@dataclass
class Outcome:
    """What a launch of the engine yielded."""

    head: dict = field(default_factory=dict)
    points: list = field(default_factory=list)

    @property
    def wrong_bytes(self):
        return sum(point["wrong_bytes"] for point in self.points)


class Launcher:
    """Knows where the programs are. `prefix` is the build or install directory."""

    def __init__(self, prefix, on_point=None):
        self.prefix = Path(prefix)
        self.on_point = on_point or (lambda point: None)

    def program(self, name):
        """A program of this project in libexec. Raises LaunchError if it was not built."""
        path = self.prefix / "libexec" / name
        if not path.exists():
            raise LaunchError(f"{name} is not installed in {path.parent}: was its library missing at build time?")
        return str(path)

    def command(self, backend, plan):
        first, *options = backend.launcher
        own = self.prefix / "bin" / first
        launcher = str(own) if own.exists() else shutil.which(first)
        if launcher is None:
            raise LaunchError(f"backend {backend.name} needs {first}, which is not installed")
        if own.exists():
            options += ["--timeout", str(plan.timeout)]
        return [launcher, *options, "-n", str(plan.processes), self.program(backend.program),
                *plan.arguments(backend)]

    def run(self, backend, plan):
        """Measure all points of `plan`. Raises LaunchError unless the engine came to its end."""
        outcome = Outcome()
        with tempfile.TemporaryFile("w+") as errors:
            process = self._start(self.command(backend, plan), environment(backend), errors)
            # tofu-run has its own limit and says so; not all launchers do.
            late = threading.Event()
            limit = threading.Timer(plan.timeout + GRACE, lambda: (late.set(), stop(process)))
            limit.start()
            try:
                for line in process.stdout:
                    self._read(line, outcome)
                status = process.wait()
            finally:
                limit.cancel()
                stop(process)
            # Wrong data is a result, with status 1, and not a failure to measure.
            if status != 0 and not (status == 1 and outcome.wrong_bytes > 0):
                errors.seek(0)
                if late.is_set():
                    raise LaunchError(f"backend {backend.name} did not end within {plan.timeout:g} s")
                raise LaunchError(f"backend {backend.name} failed: {reason(errors.read(), status)}")
        return outcome

    def _start(self, command, variables, errors):
        # In a session of its own, so that a launcher and all it started can be ended together.
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL, text=True,
                                env=variables, start_new_session=True)

    def _read(self, line, outcome):
        if not line.startswith("{"):
            return
        record = json.loads(line)
        if "head" in record:
            outcome.head = record["head"]
        else:
            outcome.points.append(record)
            self.on_point(record)


def environment(backend):
    variables = {**os.environ, **backend.environment}
    if os.geteuid() == 0:
        # Open MPI refuses to run as root unless told twice; in a container that is the usual user.
        variables.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
        variables.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    return variables


def stop(process):
    """End a launcher and all it has started, if it still runs."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def reason(errors, status):
    """The line of an error output that tells most: the engine's own, else the last one."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    own = [line for line in lines if line.startswith("tofu-")]
    said = (own or lines[-1:] or ["no message"])[0]
    return f"{said} (status {status})"
