# SPDX-License-Identifier: BSD-3-Clause
"""The command line: answers to wrong input, and result files that keep to the schema."""

import json

import pytest
from conftest import COLUMNS

SHORT = ("--backend", "shm", "--seconds", "0.02", "--warmup", "10")


def test_unknown_backend__names_the_known_ones(bench):
    done = bench("pingpong", "--backend", "nonesuch")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    for known in ("nonesuch", "shm", "utofu", "ucp", "ucp-peer", "openmpi", "mpich"):
        assert known in done.stderr


def test_missing_engine__is_one_line(bench, tmp_path):
    from tofu_bench.backends import BACKENDS
    from tofu_bench.launch import Launcher, LaunchError
    from tofu_bench.plan import Plan
    with pytest.raises(LaunchError, match="tofu-bench-openmpi is not installed"):
        Launcher(tmp_path).command(BACKENDS["openmpi"], Plan())


def test_unwritable_result__is_one_line(bench):
    done = bench("pingpong", *SHORT, "--csv", "/nonexistent/file")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def test_odd_number_of_processes__fails(bench):
    done = bench("rate", *SHORT, "-n", "3")
    assert done.returncode == 1
    assert "even number" in done.stderr


@pytest.mark.parametrize("command", ("pingpong", "rate", "gups"))
def test_csv__keeps_to_the_schema(bench, tmp_path, command):
    from tofu_bench import records
    done = bench(command, *SHORT, "--threads", "1,2", "--csv", str(tmp_path / "r.csv"))
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "r.csv").read_text().splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert lines[len(head)] == COLUMNS
    for name in ("commit", "compiler", "libraries", "cpu", "pinning", "waiting", "environment"):
        assert any(line.startswith(f"# {name}: ") for line in head)
    rows = records.read_csv(tmp_path / "r.csv")
    assert len(rows) == (4 if command == "rate" else 2)
    for row in rows:
        assert row["fabric"] == "software"
        assert row["wrong_bytes"] == "0"
        assert int(row["iterations"]) > 0
        assert float(row["lat_ns_min"]) <= float(row["lat_ns_p50"]) <= float(row["lat_ns_p99"])
        assert float(row["lat_ns_p99"]) <= float(row["lat_ns_max"]) * 1.0001
        assert float(row["bw_MBps"]) == pytest.approx(float(row["rate_Mps"]) * int(row["size_bytes"]), rel=1e-4)


def test_json_and_csv__agree(bench, tmp_path):
    from tofu_bench import records
    done = bench("rate", *SHORT, "--csv", str(tmp_path / "r.csv"), "--json", str(tmp_path / "r.json"))
    assert done.returncode == 0, done.stderr
    rows = records.read_csv(tmp_path / "r.csv")
    results = json.loads((tmp_path / "r.json").read_text())["results"]
    assert len(rows) == len(results)
    for row, result in zip(rows, results):
        assert list(row) == list(result)
        assert [str(records.cell(value)) for value in result.values()] == list(row.values())


def test_iterations__are_kept_to(bench, tmp_path):
    from tofu_bench import records
    path = tmp_path / "r.csv"
    done = bench("pingpong", "--backend", "shm", "--iterations", "500", "--threads", "2", "--csv", str(path))
    assert done.returncode == 0, done.stderr
    # 500 round trips of 2 threads, two messages each.
    assert records.read_csv(path)[0]["iterations"] == "2000"


def test_no_terminal__no_progress_bar(bench):
    done = bench("pingpong", *SHORT)
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_more_threads_than_cores__say_how_they_wait(bench):
    done = bench("pingpong", *SHORT, "--threads", "99")
    assert done.returncode == 0, done.stderr
    assert "99 threads: yield after 200 failed polls" in done.stdout


@pytest.mark.parametrize("command", ("pingpong", "rate", "gups"))
def test_warmup__has_a_limit(bench, tmp_path, command):
    """As many operations are told in the result as were done: a thousand of 4 MiB took minutes once."""
    from tofu_bench import records
    path = tmp_path / "r.csv"
    done = bench(command, "--backend", "shm", "--seconds", "0.02", "--warmup", str(10**12), "--csv", str(path),
                 timeout=60)
    assert done.returncode == 0, done.stderr
    assert all(0 < int(row["warmup"]) < 10**12 for row in records.read_csv(path))
