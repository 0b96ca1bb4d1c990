# SPDX-License-Identifier: BSD-3-Clause
"""tofu-info, alone and beside a running job."""
import getpass
import json
import os
import subprocess
import sys

import pytest

from conftest import BUILD, LIMIT_S, clean_environment

JOB = f"tools-test-info-{os.getpid()}"

# A rank that opens a queue on the first interface, says so, and waits for the end of its input.
RANK = """
import ctypes, os, sys
tofu = ctypes.CDLL(sys.argv[1])
queue, ids, count = ctypes.c_size_t(), ctypes.POINTER(ctypes.c_uint16)(), ctypes.c_size_t()
assert tofu.utofu_get_onesided_tnis(ctypes.byref(ids), ctypes.byref(count)) == 0
assert tofu.utofu_create_vcq(ids[0], ctypes.c_ulong(0), ctypes.byref(queue)) == 0
print(os.getpid(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def job(tofu_run):
    """A job of one rank with one queue; the value is the rank's process id."""
    process = tofu_run.start("--no-ucx", "--job", JOB, "--shape", "2x1x1x2x3x2", "--", sys.executable, "-c", RANK,
                             BUILD / "lib" / "libtofucom.so", stdin=subprocess.PIPE)
    pid = process.stdout.readline()
    assert pid, process.stderr.read()
    yield int(pid)
    process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0


def as_json(result):
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_device(tofu_info):
    report = as_json(tofu_info("--device", "--json"))
    tnis = report["device"]["tnis"]
    assert [tni["tni"] for tni in tnis] == list(range(6))
    assert tnis[0]["putget_size_max_bytes"] == 2**24 - 1
    assert tnis[0]["piggyback_size_max_bytes"] == 32
    assert "cswap" in tnis[0]["atomics"].split()
    for tni in tnis:
        assert tni["barrier"] is True
        assert tni["reductions"].split() == ["barrier", "band", "bor", "bxor", "max", "maxloc", "sum", "bfpsum"]
        assert (tni["reduction_uint64s_max"], tni["reduction_doubles_max"]) == (6, 3)
    assert list(report) == ["device"]


def test_device__text(tofu_info):
    result = tofu_info("--device")
    assert result.returncode == 0
    assert "TNI 0 1 2 3 4 5" in result.stdout and "16777215" in result.stdout
    assert "barrier gates: barrier band bor bxor max maxloc sum bfpsum\n" in result.stdout


def test_job(tofu_info, job):
    (entry,) = as_json(tofu_info("--json", JOB))["jobs"]
    assert entry["job"] == JOB
    assert entry["owner"] == getpass.getuser()
    assert entry["shape"] == "2x1x1x2x3x2"
    assert (entry["wrap"], entry["logical"], entry["nodes"]) == ("xzb", "1", 1)
    assert (entry["processes_max"], entry["ppn"]) == (1, 1)
    assert entry["memory_bytes"] > 0
    assert entry["ranks"] == [{"rank": 0, "pid": job, "state": "alive", "coordinates": [0] * 6, "logical": [0],
                               "rank_in_node": 0}]
    (queue,) = entry["vcqs"]
    assert (queue["rank"], queue["tni"], queue["exclusive"], queue["sent_ops"]) == (0, 0, False, 0)


def test_job__in_logical_dimensions(tofu_info, tofu_run, tmp_path):
    """A rank shows its own job: the device part attaches it first."""
    places = tmp_path / "map"
    places.write_text("(3,5,3)\n")
    script = f"{tofu_info.path} --device >/dev/null; exec {tofu_info.path} --json {JOB}"
    result = tofu_run("--no-ucx", "--job", JOB, "--nodes", "4x6x4", "--wrap", "b", "--map", places, "sh", "-c", script)
    (entry,) = as_json(result)["jobs"]
    assert (entry["shape"], entry["logical"], entry["wrap"]) == ("2x2x2x2x3x2", "4x6x4", "b")
    (rank,) = entry["ranks"]
    assert rank["logical"] == [3, 5, 3]
    assert rank["coordinates"] == [0, 0, 0, 1, 1, 1], "the end of each line is beside its start"
    text = tofu_run("--no-ucx", "--job", JOB, "--nodes", "4x6x4", "--wrap", "b", "--map", places, "sh", "-c",
                    script.replace("--json", "")).stdout
    assert "rings b, logical 4x6x4, ranks on 1 nodes" in text and "3,5,3" in text


def test_job__text(tofu_info, job):
    result = tofu_info()
    assert result.returncode == 0
    assert f"Job {JOB}, owner {getpass.getuser()}" in result.stdout
    assert str(job) in result.stdout


def test_job__inside_of_one(tofu_info, tofu_run):
    result = tofu_run("--no-ucx", "--job", JOB, tofu_info.path, "--json", "--jobs")
    assert JOB in [entry["job"] for entry in as_json(result)["jobs"]]


def test_job__unknown(tofu_info):
    result = tofu_info("no-such-job")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and "no-such-job" in result.stderr


def test_jobs__none_after_the_end(tofu_info, tofu_run):
    assert tofu_run("--no-ucx", "--job", JOB, "true").returncode == 0
    assert JOB not in [entry["job"] for entry in as_json(tofu_info("--json", "--jobs"))["jobs"]]


def test_settings(tofu_info):
    settings = as_json(tofu_info("--env", "--json"))["settings"]
    assert {"SOFTTOFU_JOB", "SOFTTOFU_SHAPE", "SOFTTOFU_PPN"} <= {setting["name"] for setting in settings}
    assert all(setting["help"] for setting in settings)


def test_settings__are_in_the_help_of_tofu_run(tofu_info, tofu_run):
    shown = tofu_run("--help").stdout
    for setting in as_json(tofu_info("--env", "--json"))["settings"]:
        assert setting["name"] in shown


def test_option__unknown(tofu_info):
    result = tofu_info("--no-such-option")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


def test_output__that_cannot_be_written(tofu_info):
    with open("/dev/full", "w") as full:
        result = subprocess.run([tofu_info.path, "--env"], stdout=full, env=clean_environment())
    assert result.returncode == 1
