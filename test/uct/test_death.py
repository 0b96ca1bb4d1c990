# SPDX-License-Identifier: BSD-3-Clause
"""Processes that are killed at any moment. Who worked with them goes on."""
import os
import random
import signal
import time

import pytest

from conftest import pair_start, program, start, wait_for_file

DELAYS_S = [0, 0.001, 0.01, 0.1]


def kill_after(pid_file, delay):
    time.sleep(delay)
    os.kill(int(pid_file.read_text()), signal.SIGKILL)


@pytest.mark.parametrize("delay", DELAYS_S)
@pytest.mark.parametrize("mode", ["none", "peer"])
@pytest.mark.parametrize("work", ["puts", "gets", "messages", "mixed"])
def test_target_dies(tmp_path, work, mode, delay):
    job = pair_start(program("uct_survivor"), tmp_path, work, mode, env={"UCX_KEEPALIVE_INTERVAL": "0.2s"})
    wait_for_file(tmp_path / "started", job)
    kill_after(tmp_path / "pid", delay)
    out, err = job.communicate(timeout=50)
    # The first failure's status is the job's: that of the one which was killed.
    assert job.returncode == 128 + signal.SIGKILL, out + err
    assert "survived: " in out and "failed: " not in err, out + err


SENDERS = 8
MESSAGES = 1500


@pytest.mark.parametrize("seed", range(6))
def test_sender_dies(tmp_path, seed):
    """Messages of all senders share one ring. A dead one's place in it must not keep the others waiting."""
    chance = random.Random(seed)
    job = start(program("uct_flood"), tmp_path, SENDERS + 1, SENDERS, MESSAGES)
    victim = chance.randint(1, SENDERS)
    wait_for_file(tmp_path / f"pid.{victim}", job)
    kill_after(tmp_path / f"pid.{victim}", chance.uniform(0, 0.15))
    (tmp_path / "killed").write_text(str(victim))
    out, err = job.communicate(timeout=50)
    assert job.returncode == 128 + signal.SIGKILL, out + err
    assert "received all" in out and "failed: " not in err, out + err


def test_nobody_dies(tmp_path):
    job = start(program("uct_flood"), tmp_path, SENDERS + 1, SENDERS, MESSAGES)
    out, err = job.communicate(timeout=50)
    assert job.returncode == 0, out + err
    assert "received all" in out
