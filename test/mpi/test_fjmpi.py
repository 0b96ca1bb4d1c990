# SPDX-License-Identifier: BSD-3-Clause
"""FJMPI's topology calls under each MPI, with tofu-run and without it."""
import os
import pathlib
import re
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["TOFUKIT_BUILD_DIR"])
LIMIT_S = 90
LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", *(["--allow-run-as-root"] if os.getuid() == 0 else []), "--oversubscribe"],
    "mpich": ["mpirun.mpich"],
}
PROGRAMS = {mpi: BUILD / "test" / "mpi" / f"fjmpi_places_{mpi}" for mpi in LAUNCHERS}
INSTALLED = [mpi for mpi in LAUNCHERS if PROGRAMS[mpi].exists()]


def run(arguments, **variables):
    managed = ("SOFTTOFU_", "OMPI_", "PMI_", "PMIX_", "LD_PRELOAD")
    env = {name: value for name, value in os.environ.items() if not name.startswith(managed)}
    result = subprocess.run([str(argument) for argument in arguments], env={**env, **variables}, text=True,
                            stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S)
    assert result.returncode == 0, result.stderr
    return result.stdout


def tofu_run(mpi, *options):
    return run([BUILD / "bin" / "tofu-run", "--no-ucx", "--mpi", mpi, *options])


@pytest.mark.parametrize("mpi", INSTALLED)
@pytest.mark.parametrize("nodes, ppn, seen", [("2x3x2", 1, "3: 2x3x2"), ("4x3", 1, "2: 4x3x1"), ("4", 3, "1: 4x1x1")])
def test_under_tofu_run(mpi, nodes, ppn, seen):
    output = tofu_run(mpi, "-n", 12, "--nodes", nodes, "--ppn", ppn, PROGRAMS[mpi], ppn)
    assert seen in output.splitlines()


@pytest.mark.parametrize("mpi", INSTALLED)
def test_by_node_number(mpi):
    assert "1: 4x1x1" in tofu_run(mpi, "-n", 4, PROGRAMS[mpi]).splitlines()


@pytest.mark.parametrize("mpi", INSTALLED)
def test_under_the_mpi_alone(mpi):
    output = run([*LAUNCHERS[mpi], "-n", "4", PROGRAMS[mpi]], SOFTTOFU_NODES="2x1x2")
    assert "3: 2x1x2" in output.splitlines()


@pytest.mark.skipif("openmpi" not in INSTALLED, reason="no Open MPI")
def test_pmix_is_shared_with_the_mpi():
    """Without Open MPI's own size the device asks PMIx, between MPI_Init and MPI_Finalize."""
    output = run([*LAUNCHERS["openmpi"], "-n", "4", "env", "-u", "OMPI_COMM_WORLD_SIZE", PROGRAMS["openmpi"]])
    assert "1: 4x1x1" in output.splitlines()


@pytest.mark.parametrize("mpi", INSTALLED)
def test_exported_names(mpi):
    output = run(["nm", "-D", "--defined-only", BUILD / "lib" / f"libfjmpi_{mpi}.so"])
    assert {re.sub(r"(?i)^fjmpi_.*", "", line.split()[-1]) for line in output.splitlines()} == {""}


def test_fortran_constants_are_those_of_c():
    include = pathlib.Path(__file__).parents[2] / "include" / "fjmpi"
    fortran = dict(re.findall(r"parameter \((FJMPI_\w+) = (\d+)\)", (include / "mpif-ext.h").read_text()))
    assert fortran == dict(re.findall(r"#define (FJMPI_\w+) +(\d+)", (include / "mpi-ext.h").read_text()))
