# SPDX-License-Identifier: BSD-3-Clause
"""A short run of every backend in every experiment, with right data."""

import pytest

EXPERIMENTS = ("pingpong", "rate", "gups")
BACKENDS = ("shm", "utofu", "ucp", "ucp-mutex", "ucp-peer", "openmpi", "mpich", "openmpi-utofu", "mpich-utofu")


@pytest.mark.parametrize("experiment", EXPERIMENTS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_short_run__of_every_backend(bench, needs, tmp_path, backend, experiment):
    from tofu_bench import records
    needs(backend)
    path = tmp_path / "r.csv"
    sizes = () if experiment == "gups" else ("--sizes", "1,7,8,64,4097")
    done = bench(experiment, "--backend", backend, "--threads", "1,3", "--workers", "1,N", *sizes, "--seconds", "0.01",
                 "--warmup", "50", "--csv", str(path))
    assert done.returncode == 0, done.stderr
    rows = records.read_csv(path)
    assert {row["threads"] for row in rows} == {"1", "3"}
    assert all(row["backend"] == backend and row["wrong_bytes"] == "0" for row in rows)


@pytest.mark.parametrize("backend", ("shm", "utofu", "ucp"))
def test_attached_memory__works(bench, needs, backend):
    needs(backend)
    done = bench("rate", "--backend", backend, "--memory", "attached", "--sizes", "8,65536", "--seconds", "0.01",
                 "--warmup", "10")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("backend, mapped", (("utofu-heap", True), ("utofu-no-heap", False)))
def test_malloced_memory__is_mapped_if_the_heap_is(bench, needs, backend, mapped):
    """What is not mapped cannot be registered without cross-memory attach."""
    needs(backend)
    done = bench("rate", "--backend", backend, "--memory", "heap", "--op", "put,get", "--sizes", "8,65536", "--seconds",
                 "0.01", "--warmup", "10", SOFTTOFU_ATTACH="no")
    assert (done.returncode == 0) == mapped, done.stderr


@pytest.mark.parametrize("backend", ("shm", "utofu", "ucp", "ucp-peer"))
def test_four_processes__work(bench, needs, backend):
    needs(backend)
    done = bench("gups", "--backend", backend, "-n", "4", "--threads", "2", "--seconds", "0.02", "--warmup", "10")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("backend", ("shm", "utofu", "ucp"))
def test_large_message__works(bench, needs, backend):
    """Larger than one transfer of the device, which is a byte short of 16 MiB."""
    needs(backend)
    done = bench("rate", "--backend", backend, "--sizes", "20MiB", "--iterations", "2", "--warmup", "1")
    assert done.returncode == 0, done.stderr
