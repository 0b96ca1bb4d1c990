# SPDX-License-Identifier: BSD-3-Clause
"""Signals to tofu-run: ranks get them, and no rank outlives tofu-run whatever happens to it."""
import os
import pty
import shutil
import signal

import pytest

from conftest import LIMIT_S, clean_environment, is_running, leftovers, shared_memory, wait_until


class Running:
    """A job of shell scripts, each of which calls `ready` when its traps are set."""

    def __init__(self, tofu_run, folder, *options, script="ready; exec sleep 1000", ranks=3, rank="SOFTTOFU_RANK"):
        # A file appears under its name only once the process id is in it.
        ready = f"ready() {{ echo $$ >{folder}/tmp.${rank}; mv {folder}/tmp.${rank} {folder}/${rank}; }}; "
        files = [folder / str(number) for number in range(ranks)]
        self.job = f"tools-test-{os.getpid()}-{folder.name}"[:63]
        self.shared_before = shared_memory()
        self.process = tofu_run.start("--no-ucx", "--job", self.job, "-n", ranks, *options, "sh", "-c",
                                      ready + script)
        wait_until(lambda: all(file.exists() for file in files), "all ranks to start")
        self.pids = [int(file.read_text()) for file in files]

    def send(self, number):
        self.process.send_signal(number)

    def end(self):
        """Status and output, once nothing of the job is left."""
        out, err = self.process.communicate(timeout=LIMIT_S)
        wait_until(lambda: not any(map(is_running, self.pids)), "all ranks to end")
        wait_until(lambda: leftovers(self.job, self.shared_before) == [], "all traces of the job to vanish")
        return self.process.returncode, out, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal__ends_the_ranks(tofu_run, tmp_path, number):
    job = Running(tofu_run, tmp_path)
    job.send(number)
    status, _, err = job.end()
    assert status == 128 + number
    assert err == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2])
def test_signal__can_be_handled_by_the_ranks(tofu_run, tmp_path, number):
    script = f"trap 'echo got it; exit 0' {number.name[3:]}; ready; while :; do sleep 0.05; done"
    job = Running(tofu_run, tmp_path, script=script)
    job.send(number)
    status, out, _ = job.end()
    assert status == 0
    assert out == "got it\n" * 3


def test_sigterm__that_ranks_ignore_becomes_sigkill(tofu_run, tmp_path):
    job = Running(tofu_run, tmp_path, "--grace", "0.3", script="trap '' TERM; ready; while :; do sleep 0.05; done")
    job.send(signal.SIGTERM)
    assert job.end()[0] == 128 + signal.SIGKILL


def test_sigint__the_second_is_final(tofu_run, tmp_path):
    script = f"trap 'touch {tmp_path}/first' INT; ready; while :; do sleep 0.05; done"
    job = Running(tofu_run, tmp_path, "--grace", "0.3", script=script)
    job.send(signal.SIGINT)
    wait_until((tmp_path / "first").exists, "the first SIGINT to arrive")
    assert job.process.poll() is None
    job.send(signal.SIGINT)
    assert job.end()[0] == 128 + signal.SIGKILL


def test_sigkill__no_rank_outlives_tofu_run(tofu_run, tmp_path):
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        job = Running(tofu_run, folder, script="trap '' TERM HUP INT; ready; exec sleep 1000")
        job.send(signal.SIGKILL)
        assert job.end()[0] == -signal.SIGKILL


def test_children_of_ranks__end_with_a_job_that_is_stopped(tofu_run, tmp_path):
    script = f"sleep 1000 >/dev/null 2>&1 & echo $! >{tmp_path}/child; ready; wait"
    job = Running(tofu_run, tmp_path, ranks=1, script=script)
    job.send(signal.SIGTERM)
    job.end()
    child = int((tmp_path / "child").read_text())
    wait_until(lambda: not is_running(child), "the rank's child to end")


def test_sighup__ignored_as_under_nohup(tofu_run, tmp_path):
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        job = Running(tofu_run, tmp_path)
    finally:
        signal.signal(signal.SIGHUP, previous)
    job.send(signal.SIGHUP)
    job.send(signal.SIGTERM)
    assert job.end()[0] == 128 + signal.SIGTERM


def text_of(file):
    return file.read_text() if file.exists() else None


def test_terminal(tofu_run, tmp_path):
    """Rank 0 can read the terminal, and Ctrl-C reaches each rank once."""
    script = (f"trap 'echo int >>{tmp_path}/ints.$SOFTTOFU_RANK' INT; "
              f"[ $SOFTTOFU_RANK != 0 ] || read line; echo $line >{tmp_path}/$SOFTTOFU_RANK; "
              f"while [ ! -e {tmp_path}/end ]; do sleep 0.05; done")
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(tofu_run.path, ["tofu-run", "--no-ucx", "-n", "2", "sh", "-c", script], clean_environment())
    os.write(terminal, b"typed\n")
    wait_until(lambda: text_of(tmp_path / "0") == "typed\n", "rank 0 to read the terminal")
    wait_until(lambda: text_of(tmp_path / "1") == "\n", "rank 1 to read nothing")
    os.write(terminal, b"\x03")
    for rank in "01":
        wait_until(lambda: text_of(tmp_path / f"ints.{rank}") == "int\n", f"rank {rank} to be interrupted")
    (tmp_path / "end").touch()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)
    assert [(tmp_path / f"ints.{rank}").read_text() for rank in "01"] == ["int\n"] * 2


@pytest.mark.parametrize("mpi, rank", [("openmpi", "OMPI_COMM_WORLD_RANK"), ("mpich", "PMI_RANK")])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_mpi__ranks_end_with_tofu_run(tofu_run, tmp_path, mpi, rank, number):
    if shutil.which(f"mpirun.{mpi}") is None:
        pytest.skip(f"no mpirun.{mpi}")
    job = Running(tofu_run, tmp_path, "--mpi", mpi, ranks=2, rank=rank)
    job.send(number)
    assert job.end()[0] != 0
