# SPDX-License-Identifier: BSD-3-Clause
"""Ranks that tofu-run starts itself: what they get, and what becomes of their exit status."""
import os
import pathlib
import shutil

import pytest

SHOW = 'echo "$SOFTTOFU_RANK/$SOFTTOFU_SIZE $SOFTTOFU_JOB" "$@"'


def test_ranks(tofu_run):
    result = tofu_run("--no-ucx", "-n", 3, "--job", "tools-test-ranks", "sh", "-c", SHOW, "sh", "-n", "9", "--", ":x")
    assert result.returncode == 0, result.stderr
    assert sorted(result.stdout.splitlines()) == [f"{rank}/3 tools-test-ranks -n 9 -- :x" for rank in range(3)]


def test_mpmd(tofu_run):
    result = tofu_run("--no-ucx", "-n", 1, "sh", "-c", SHOW, "sh", "first", ":", "-n", 2, "sh", "-c", SHOW, "sh", "second")
    assert sorted(line.split()[0::2] for line in result.stdout.splitlines()) == [
        ["0/3", "first"], ["1/3", "second"], ["2/3", "second"]]


def test_stdin__goes_to_rank_0(tofu_run):
    result = tofu_run("--no-ucx", "-n", 3, "sh", "-c", "sed s/^/$SOFTTOFU_RANK:/", input="one\ntwo\n")
    assert result.stdout.splitlines() == ["0:one", "0:two"]


def test_rank__of_an_outer_job_is_not_inherited(tofu_run):
    result = tofu_run("--no-ucx", "sh", "-c", "echo $SOFTTOFU_RANK", env={"SOFTTOFU_RANK": "7"})
    assert result.stdout == "0\n"


def test_script(tofu_run, tmp_path):
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\necho from $SOFTTOFU_RANK\n")
    script.chmod(0o755)
    assert tofu_run("--no-ucx", script).stdout == "from 0\n"


def test_status__of_the_rank_that_fails(tofu_run):
    assert tofu_run("--no-ucx", "true", ":", "sh", "-c", "exit 3").returncode == 3


def test_status__of_a_killed_rank(tofu_run):
    result = tofu_run("--no-ucx", "sh", "-c", "kill -SEGV $$")
    assert result.returncode == 128 + 11
    assert "rank 0" in result.stderr and "signal 11" in result.stderr


def test_status__of_the_first_that_fails(tofu_run):
    result = tofu_run("--no-ucx", "--keep-going", "sh", "-c", "sleep 0.5; exit 4", ":", "sh", "-c", "exit 5")
    assert result.returncode == 5


def test_failure__stops_the_others(tofu_run):
    result = tofu_run("--no-ucx", "sleep", "1000", ":", "sh", "-c", "exit 6")
    assert result.returncode == 6
    assert result.stderr.count("\n") == 1 and "rank 1" in result.stderr


def test_failure__kills_who_ignores_sigterm(tofu_run, tmp_path):
    stubborn = f"trap '' TERM; touch {tmp_path}/ready; while :; do sleep 0.1; done"
    fails = f"while [ ! -e {tmp_path}/ready ]; do sleep 0.01; done; exit 7"
    assert tofu_run("--no-ucx", "--grace", 0.3, "sh", "-c", stubborn, ":", "sh", "-c", fails).returncode == 7


def test_keep_going(tofu_run, tmp_path):
    survivor = f"while [ ! -e {tmp_path}/dying ]; do sleep 0.01; done; sleep 0.3; echo survived"
    result = tofu_run("--no-ucx", "--keep-going", "sh", "-c", survivor, ":", "sh", "-c",
                      f"touch {tmp_path}/dying; kill -KILL $$")
    assert result.stdout == "survived\n"
    assert result.returncode == 128 + 9


def test_timeout(tofu_run):
    result = tofu_run("--no-ucx", "--timeout", 0.2, "-n", 2, "sleep", "1000")
    assert result.returncode == 124
    assert "--timeout" in result.stderr


def allowed_cores(text):
    return [line.split(":")[1].strip() for line in text.splitlines()]


def test_bind__one_core_each(tofu_run):
    ranks = len(os.sched_getaffinity(0)) + 1
    result = tofu_run("--no-ucx", "--bind", "core", "-n", ranks, "grep", "Cpus_allowed_list", "/proc/self/status")
    cores = allowed_cores(result.stdout)
    assert len(cores) == ranks
    assert len(set(cores)) > 1 or ranks == 2


def test_bind__auto_leaves_oversubscribed_ranks_alone(tofu_run):
    own = next(line for line in pathlib.Path("/proc/self/status").read_text().splitlines()
               if line.startswith("Cpus_allowed_list"))
    ranks = len(os.sched_getaffinity(0)) + 1
    result = tofu_run("--no-ucx", "-n", ranks, "grep", "Cpus_allowed_list", "/proc/self/status")
    assert set(allowed_cores(result.stdout)) == set(allowed_cores(own))


def test_bind__none(tofu_run):
    result = tofu_run("--no-ucx", "--bind", "none", "-n", 2, "grep", "Cpus_allowed_list", "/proc/self/status")
    assert len(set(allowed_cores(result.stdout))) == 1


@pytest.mark.parametrize("mpi, rank", [("openmpi", "OMPI_COMM_WORLD_RANK"), ("mpich", "PMI_RANK")])
def test_mpi(tofu_run, mpi, rank):
    if shutil.which(f"mpirun.{mpi}") is None:
        pytest.skip(f"no mpirun.{mpi}")
    show = f'echo "${rank}/$SOFTTOFU_SIZE $SOFTTOFU_JOB $SOFTTOFU_SHAPE" "$@" $SOFTTOFU_RANK'
    result = tofu_run("--no-ucx", "--mpi", mpi, "-n", 2, "--job", "tools-test-mpi", "--shape", "1x1x1x2x1x1",
                      "sh", "-c", show, "sh", "-n", env={"SOFTTOFU_RANK": "9"})
    assert result.returncode == 0, result.stderr
    assert sorted(result.stdout.splitlines()) == [f"{r}/2 tools-test-mpi 1x1x1x2x1x1 -n" for r in range(2)]


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_mpi__status(tofu_run, mpi):
    if shutil.which(f"mpirun.{mpi}") is None:
        pytest.skip(f"no mpirun.{mpi}")
    assert tofu_run("--no-ucx", "--mpi", mpi, "-n", 2, "sh", "-c", "exit 3").returncode == 3
