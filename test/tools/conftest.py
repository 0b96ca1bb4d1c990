# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of tofu-run and tofu-info share. TOFUKIT_BUILD_DIR names the build tree that is tested."""
import os
import pathlib
import shutil
import subprocess
import time

import pytest

BUILD = pathlib.Path(os.environ["TOFUKIT_BUILD_DIR"])
# Generous, for sanitizers on a busy machine; a test that hangs should still end.
LIMIT_S = 60

# What tofu-run sets; a test starts from an environment that has none of it.
MANAGED = ("SOFTTOFU_", "UCX_", "LD_PRELOAD", "LD_LIBRARY_PATH", "OMPI_", "PMI_", "PMIX_")


def clean_environment(extra=None):
    env = {name: value for name, value in os.environ.items() if not name.startswith(MANAGED)}
    env.update(extra or {})
    return env


class Tool:
    """A program of the build tree, or of a copy of it."""

    def __init__(self, path):
        self.path = str(path)

    def __call__(self, *arguments, env=None, **options):
        options.setdefault("timeout", LIMIT_S)
        return subprocess.run([self.path, *map(str, arguments)], env=clean_environment(env), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def start(self, *arguments, env=None, **options):
        return subprocess.Popen([self.path, *map(str, arguments)], env=clean_environment(env), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


@pytest.fixture
def tofu_run():
    return Tool(BUILD / "bin" / "tofu-run")


@pytest.fixture
def tofu_info():
    return Tool(BUILD / "bin" / "tofu-info")


@pytest.fixture
def installation(tmp_path):
    """A moved tofukit with a plug-in file that is there but never loaded, as in dry runs."""
    for folder in ("bin", "lib"):
        (tmp_path / folder).mkdir()
    shutil.copy(BUILD / "bin" / "tofu-run", tmp_path / "bin")
    (tmp_path / "lib" / "libtofucom.so").symlink_to(BUILD / "lib" / "libtofucom.so")
    (tmp_path / "lib" / "libuct_utofu.so.0").touch()
    return tmp_path


@pytest.fixture
def moved_tofu_run(installation):
    return Tool(installation / "bin" / "tofu-run")


def wait_until(condition, what):
    end = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < end, f"waited {LIMIT_S} s in vain for: {what}"
        time.sleep(0.01)


def is_running(pid):
    """A zombie counts as ended: who has to reap it is not ours to say."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def shared_memory():
    return set(os.listdir("/dev/shm"))


def leftovers(job, shared_before):
    """Anything of a job that can be seen once its processes are gone; other programs may come and go meanwhile."""
    shared = [name for name in shared_memory() - shared_before if job in name or "tofu" in name]
    sockets = [line for line in pathlib.Path("/proc/net/unix").read_text().splitlines() if job in line]
    return shared + sockets
