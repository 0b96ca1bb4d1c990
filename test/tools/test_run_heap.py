# SPDX-License-Identifier: BSD-3-Clause
"""tofu-run --heap: malloc of programs that know nothing of it gives memory that peers map.

Without cross-memory attach only such memory can be registered, so that is how the programs tell.
"""
import os
import pathlib
import sys

import pytest

from conftest import BUILD, leftovers, shared_memory

PROGRAMS = pathlib.Path(os.environ["TOFUKIT_TEST_PROGRAMS"])
MAPPED_ONLY = {"SOFTTOFU_ATTACH": "no"}

PYTHON = """
import ctypes, multiprocessing, os, subprocess, sys, threading
tofu = ctypes.CDLL(sys.argv[1])
queue, stadd = ctypes.c_size_t(), ctypes.c_uint64()
assert tofu.utofu_create_vcq(0, ctypes.c_ulong(0), ctypes.byref(queue)) == 0
buffer = bytearray(100000)
address = ctypes.addressof(ctypes.c_char.from_buffer(buffer))
assert tofu.utofu_reg_mem(queue, ctypes.c_void_p(address), ctypes.c_size_t(100000), ctypes.c_ulong(0),
                          ctypes.byref(stadd)) == 0
assert subprocess.run(["echo", "ran"], capture_output=True).stdout == b"ran\\n"
assert subprocess.run(["echo", "ran"], capture_output=True, preexec_fn=lambda: None).stdout == b"ran\\n"
assert os.popen("echo piped").read() == "piped\\n"
def square(x):
    buffer[x] = 1
    return x * x
with multiprocessing.get_context("fork").Pool(3) as pool:
    assert pool.map(square, range(1000)) == [x * x for x in range(1000)]
assert not any(buffer)
print("done")
"""


@pytest.fixture
def run(tofu_run):
    """Run without UCX, without attach, and look that nothing is left behind."""
    def run_it(*arguments, env=None, job=f"tools-test-heap-{os.getpid()}"):
        before = shared_memory()
        result = tofu_run("--no-ucx", "--timeout", 60, "--job", job, *arguments, env={**MAPPED_ONLY, **(env or {})})
        assert leftovers(job, before) == []
        return result
    return run_it


@pytest.mark.parametrize("program", ["heap_c", "heap_cxx"])
def test_exchange(run, program):
    result = run("-n", 2, PROGRAMS / program)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "exchanged\n" * 2


@pytest.mark.parametrize("program", ["heap_c", "heap_cxx"])
def test_no_heap(run, program):
    result = run("-n", 2, "--no-heap", PROGRAMS / program)
    assert result.returncode != 0
    assert "cannot register" in result.stderr


def test_fork(run):
    result = run(PROGRAMS / "heap_fork")
    assert (result.returncode, result.stdout, result.stderr) == (0, "forked\n", "")


def test_python(run):
    result = run(sys.executable, "-c", PYTHON, BUILD / "lib" / "libtofucom.so")
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")


def test_full(run):
    """What the heap has no room for comes from the normal one."""
    result = run(sys.executable, "-c", "a = [bytearray(50 << 20) for i in range(4)]; print(len(a))",
                 env={"SOFTTOFU_HEAP_SIZE": "64"})
    assert (result.returncode, result.stdout, result.stderr) == (0, "4\n", "")


def test_given_back(run):
    """Freed memory leaves the file."""
    grow = ("import os, sys\n"
            "a = bytearray(b'x') * (200 << 20)\n"
            "def held(): return max(os.fstat(int(fd)).st_blocks * 512 for fd in os.listdir('/proc/self/fd')"
            " if 'tofu-heap' in os.path.realpath('/proc/self/fd/' + fd))\n"
            "most = held()\n"
            "del a\n"
            "import time; time.sleep(0.5)\n"
            "for i in range(100): bytearray(40 << 20)\n"
            "print(most >= 200 << 20, held() < 120 << 20)\n")
    assert run(sys.executable, "-c", grow).stdout == "True True\n"


@pytest.mark.parametrize("size", ["63", "0", "-1", "much", "67108865"])
def test_size__bad(run, size):
    result = run("-n", 1, "echo", "started", env={"SOFTTOFU_HEAP_SIZE": size})
    assert (result.returncode, result.stdout) == (0, "started\n")
    assert "SOFTTOFU_HEAP_SIZE" in result.stderr and result.stderr.count("\n") == 1


def test_address_space__limited(run):
    result = run("sh", "-c", "ulimit -v 4000000; exec echo started")
    assert (result.returncode, result.stdout) == (0, "started\n")
    assert "ulimit -v" in result.stderr and "normal heap" in result.stderr


def test_mimalloc__missing(run, tmp_path):
    (tmp_path / "libmimalloc.so.2").write_text("no library")
    result = run("echo", "started", env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert (result.returncode, result.stdout) == (0, "started\n")
    assert "libmimalloc" in result.stderr and result.stderr.count("\n") == 1


def test_library__missing(moved_tofu_run):
    assert moved_tofu_run("--no-ucx", "echo", "started").stdout == "started\n"
    result = moved_tofu_run("--no-ucx", "--heap", "echo", "started")
    assert result.returncode == 1
    assert "libtofuheap.so" in result.stderr and "--no-heap" in result.stderr


def test_sanitized(run, tofu_run, tmp_path):
    """A sanitizer's malloc is left alone: such a program holds the name of its entry point."""
    program = tmp_path / "sanitized"
    program.write_text("#!/bin/sh\n# __asan_init\necho \"$LD_PRELOAD\"\n")
    program.chmod(0o755)
    assert run(program).stdout == "\n"
    result = run("--heap", program)
    assert result.returncode == 2 and "sanitizer" in result.stderr


def test_launcher__only_if_asked(tofu_run, tmp_path):
    (tmp_path / "mpirun.mpich").touch(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for option, expected in (((), False), (("--heap",), True), (("--no-heap",), False)):
        result = tofu_run("--dry-run", "--mpi", "mpich", *option, "true", env=env)
        assert ("libtofuheap.so" in result.stdout) == expected, result.stderr


def test_descriptor__closed(run):
    """A child without a heap says so and ends; the parent goes on."""
    close = "import os\nos.closerange(3, 1024)\nprint(os.waitpid(os.fork(), 0)[1] >> 8)"
    result = run(sys.executable, "-c", close)
    assert result.stdout == "127\n"
    assert "could not be copied" in result.stderr
