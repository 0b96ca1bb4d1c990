# SPDX-License-Identifier: BSD-3-Clause
"""The command under test and the modules behind it, both of this build tree."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = Path(os.environ["TOFUKIT_BUILD_DIR"])
sys.path.insert(0, str(BUILD / "share" / "tofukit" / "python"))

COLUMNS = ("experiment,op,backend,fabric,processes,threads,workers,size_bytes,iterations,warmup,lat_ns_min,lat_ns_p50,"
           "lat_ns_p99,lat_ns_max,bw_MBps,rate_Mps,wrong_bytes,peer,ratio_to_peer")


@pytest.fixture
def bench():
    """Run tofu-bench and give its exit status and output."""
    def run(*arguments, timeout=300, **variables):
        return subprocess.run([BUILD / "bin" / "tofu-bench", *arguments], capture_output=True, text=True,
                              timeout=timeout, check=False, env={**os.environ, **variables})
    return run


@pytest.fixture
def needs():
    """Skip a test of a backend whose library this machine lacks."""
    def check(backend):
        from tofu_bench.backends import BACKENDS
        if not (BUILD / "libexec" / BACKENDS[backend].program).exists():
            pytest.skip(f"{backend} was not built")
        if "--no-ucx" not in BACKENDS[backend].launcher and "tofu-run" in BACKENDS[backend].launcher:
            if not (BUILD / "lib" / "libuct_utofu.so.0").exists():
                pytest.skip("the UCX transport was not built")
        if "--heap" in BACKENDS[backend].launcher and not (BUILD / "lib" / "libtofuheap.so").exists():
            pytest.skip("the mapped heap was not built")
    return check


@pytest.fixture
def example_rows():
    """Rows of every series that a demo has, made up."""
    from tofu_bench import records
    rows = []
    for backend in ("utofu", "ucp", "ucp-peer", "openmpi", "mpich", "shm"):
        for threads in (1, 2, 24):
            for workers in ({1, threads} if backend == "ucp" else {threads if backend != "openmpi" else 1}):
                for experiment, op in (("pingpong", "put"), ("rate", "put"), ("rate", "get"), ("gups", "get+put")):
                    row = dict.fromkeys(COLUMNS.split(","), 1)
                    row.update(experiment=experiment, op=op, backend=backend, threads=threads, workers=workers,
                               rate_Mps=2.0 * workers, lat_ns_p50=100.0, wrong_bytes=0, fabric="software")
                    rows.append(row)
    return records.add_peers(rows, "ucp-peer")
