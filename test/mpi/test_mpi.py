# SPDX-License-Identifier: BSD-3-Clause
"""One MPI program under each MPI that is installed, on utofu alone. TOFUKIT_BUILD_DIR names the build tree."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["TOFUKIT_BUILD_DIR"])
# Ranks that share cores wait for each other by polling, which takes long on a small machine.
LIMIT_S = 200
RANKS = 4
MANAGED = ("SOFTTOFU_", "UCX_", "LD_PRELOAD", "LD_LIBRARY_PATH", "OMPI_", "PMI_", "PMIX_")

# What each MPI asks UCX for; MPICH's atomics are messages of its own.
USES = {"openmpi": {"tag", "rma", "amo"}, "mpich": {"tag", "rma", "am"}}


def run(mpi, folder, **variables):
    env = {name: value for name, value in os.environ.items() if not name.startswith(MANAGED)}
    # A file for each process: lines of several that share one may mix.
    env.update(UCX_LOG_LEVEL="info", UCX_LOG_FILE=str(folder / "ucx.%p.log"), **variables)
    command = [BUILD / "bin" / "tofu-run", "--timeout", str(LIMIT_S - 20), "--mpi", mpi, "-n", str(RANKS),
               BUILD / "test" / "mpi" / f"rma_and_messages_{mpi}"]
    return subprocess.run(command, env=env, text=True, timeout=LIMIT_S, check=False, capture_output=True)


def lanes(log):
    """Pairs of use and transports, of each endpoint configuration: ep_cfg[0]: rma(utofu/tofu0) amo(utofu/tofu0)."""
    return [pair for line in re.findall(r"ep_cfg\[\d+\]: (.*)", log) for pair in re.findall(r"(\w+)\(([^)]*)\)", line)]


def check_lanes(mpi, log):
    pairs = lanes(log)
    peers = {use for use, transports in pairs if transports == "utofu/tofu0"}
    assert USES[mpi] <= peers, log
    # "self" is for a rank's messages to itself; uses of another name, as rma_am, are emulations.
    assert all(set(transports.split()) <= {"utofu/tofu0", "self/memory0"} for _, transports in pairs), log
    assert {use for use, _ in pairs} <= {"tag", "rma", "amo", "am", "ka"}, log


def shared_memory():
    return {name for name in os.listdir("/dev/shm") if "tofu" in name or "vader" in name}


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_rma_and_messages(tmp_path, mpi):
    if shutil.which(f"mpirun.{mpi}") is None or shutil.which(f"mpicc.{mpi}") is None:
        pytest.skip(f"{mpi} is not installed")
    before = shared_memory()
    result = run(mpi, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout == "all is well\n"
    assert result.stderr == ""
    logs = [path.read_text() for path in tmp_path.glob("ucx.*.log")]
    logs = [log for log in logs if "ep_cfg" in log]
    assert len(logs) == RANKS
    for log in logs:
        check_lanes(mpi, log)
        assert "ERROR" not in log and "WARN" not in log
    assert shared_memory() - before == set()
