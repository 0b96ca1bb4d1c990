# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the UCX transport share. TOFUKIT_BUILD_DIR names the build tree that is tested."""
import os
import pathlib
import re
import socket
import subprocess
import time

import pytest

BUILD = pathlib.Path(os.environ["TOFUKIT_BUILD_DIR"])
SOURCE = pathlib.Path(__file__).resolve().parents[2]
PLUGIN = BUILD / "lib" / "libuct_utofu.so.0"
# The UCX sources that the plug-in was built with, for internal headers.
UCX_TREE = pathlib.Path(os.environ.get("TOFUKIT_UCX_TREE", ""))
# Generous, for a busy machine; a test that hangs should still end.
LIMIT_S = 60

# What tofu-run sets; a test starts from an environment that has none of it.
MANAGED = ("SOFTTOFU_", "UCX_", "LD_PRELOAD", "LD_LIBRARY_PATH", "OMPI_", "PMI_", "PMIX_")

# ucx_perftest's client gives up at once when nobody listens, and to try the port would use up the server's accept.
WAIT_FOR_SERVER = ('until grep -q ":$(printf %04X $0) 0*:0000 0A" /proc/net/tcp; do sleep 0.01; done; '
                   'exec "$@"')


def clean_environment(extra=None):
    env = {name: value for name, value in os.environ.items() if not name.startswith(MANAGED)}
    env.update(extra or {})
    return env


def run(*command, env=None, timeout=LIMIT_S, **options):
    return subprocess.run([str(word) for word in command], env=clean_environment(env), text=True, timeout=timeout,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **options)


def tofu_run(*arguments, **options):
    return run(BUILD / "bin" / "tofu-run", "--timeout", LIMIT_S - 10, *arguments, **options)


def program(name):
    """A program that is built for these tests."""
    return BUILD / "test" / "uct" / name


def start_arguments(path, folder, ranks, *arguments):
    """Of a job of RANKS processes that are given a folder for their exchange, and each its rank."""
    words = ["--keep-going"]
    for rank in range(ranks):
        words += [":"] * (rank > 0) + ["-n", 1, path, folder, rank, *arguments]
    return words


def start(path, folder, ranks, *arguments, env=None):
    command = [BUILD / "bin" / "tofu-run", *start_arguments(path, folder, ranks, *arguments)]
    return subprocess.Popen([str(word) for word in command], env=clean_environment(env), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def pair_start(path, folder, *arguments, env=None):
    return start(path, folder, 2, *arguments, env=env)


def pair(path, folder, *arguments, env=None):
    return tofu_run(*start_arguments(path, folder, 2, *arguments), env=env)


def wait_for_file(path, job):
    end = time.monotonic() + LIMIT_S
    while not path.exists():
        if job.poll() is not None:
            out, err = job.communicate()
            pytest.fail(f"the job ended with status {job.returncode} before {path.name}: {out}{err}")
        assert time.monotonic() < end, f"waited in vain for {path}"
        time.sleep(0.002)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def perftest(*arguments, env=None):
    """ucx_perftest between two processes. Returns what both said."""
    port = free_port()
    result = tofu_run("-n", 1, "ucx_perftest", "-p", port, ":",
                      "-n", 1, "sh", "-c", WAIT_FOR_SERVER, port, "ucx_perftest", "localhost", "-p", port, *arguments,
                      env=env)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def final_iterations(output):
    """Of the client's last line, which it writes when all went well."""
    return int(re.search(r"^Final: +(\d+) ", output, re.MULTILINE)[1])


@pytest.fixture(autouse=True)
def nothing_stays():
    """No test may leave anything of the device behind."""
    def shared():
        return {name for name in os.listdir("/dev/shm") if "tofu" in name}
    before = shared()
    yield
    assert shared() - before == set()
