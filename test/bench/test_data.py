# SPDX-License-Identifier: BSD-3-Clause
"""Wrong data must be found: one spoilt byte makes every experiment over every kind of engine fail."""

import pytest


@pytest.mark.parametrize("experiment", ("pingpong", "rate", "gups"))
@pytest.mark.parametrize("backend", ("shm", "ucp-peer", "openmpi"))
def test_spoilt_byte__fails_the_run(bench, needs, tmp_path, backend, experiment):
    from tofu_bench import records
    needs(backend)
    path = tmp_path / "r.csv"
    done = bench(experiment, "--backend", backend, "--seconds", "0.02", "--warmup", "10", "--self-test-corrupt",
                 "--csv", str(path))
    assert done.returncode == 1
    assert "bytes of data were wrong" in done.stderr
    assert all(int(row["wrong_bytes"]) > 0 for row in records.read_csv(path))


def test_engine_that_refuses__is_told_in_one_line(bench):
    done = bench("pingpong", "--backend", "shm", "--sizes", "0", timeout=60)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def test_launcher_without_a_limit_of_its_own__is_stopped(tmp_path, monkeypatch):
    """mpirun would wait for ever."""
    from tofu_bench.backends import Backend
    from tofu_bench.launch import Launcher, LaunchError
    from tofu_bench.plan import Plan
    launcher = Launcher(tmp_path)
    launcher.command = lambda backend, plan: ["tail", "--follow", "/dev/null"]
    backend = Backend("endless", "", "", "", ("tail",))
    monkeypatch.setattr("tofu_bench.launch.GRACE", 0)
    with pytest.raises(LaunchError, match="endless did not end within 0.5 s"):
        launcher.run(backend, Plan(timeout=0.5))
