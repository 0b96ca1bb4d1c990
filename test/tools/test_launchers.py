# SPDX-License-Identifier: BSD-3-Clause
"""Programs of uTofu and jTofu under real launchers, without tofu-run: each job finds itself, and no other."""
import os
import re
import shutil
import subprocess

import pytest

from conftest import BUILD, LIMIT_S, clean_environment

NEIGHBOUR = str(BUILD / "bin" / "test_neighbour")
ROOT = ["--allow-run-as-root"] if os.getuid() == 0 else []
OPENMPI = ["mpirun.openmpi", *ROOT, "--oversubscribe", "--bind-to", "none"]
HYDRA = ["mpiexec.hydra", "-bind-to", "none"]

# A launcher, as it starts ranks: what comes between its options and the program.
LAUNCHERS = {
    "openmpi": (OPENMPI, []),
    # Open MPI's server is a PMIx one; without Open MPI's own variables nothing else tells rank and size.
    "pmix": (OPENMPI, ["env", "-u", "OMPI_COMM_WORLD_RANK", "-u", "OMPI_COMM_WORLD_SIZE"]),
    "hydra": (HYDRA, []),
    "hydra_and_scripts": (HYDRA, ["sh", "-c", 'sh -c "$*; true"; true', "script"]),
    "prterun": (["prterun", *ROOT, "--map-by", ":oversubscribe"], []),
}

needs_openmpi = pytest.mark.skipif(not shutil.which("mpirun.openmpi"), reason="no Open MPI")
needs_hydra = pytest.mark.skipif(not shutil.which("mpiexec.hydra"), reason="no MPICH")


def command(launcher, ranks, token, *more):
    front, between = LAUNCHERS[launcher]
    if not shutil.which(front[0]):
        pytest.skip(f"{front[0]} is not installed")
    return [*front, *more, "-n", str(ranks), *between, NEIGHBOUR, str(token)]


def start(arguments, **variables):
    return subprocess.Popen(arguments, env=clean_environment({name: str(value) for name, value in variables.items()}),
                            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process):
    try:
        output, errors = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        process.terminate()
        raise
    assert process.returncode == 0, errors
    return output


def expect_job(output, ranks, token):
    found = re.findall(r"rank (\d+) of (\d+): token (\d+), ", output)
    assert sorted(found) == sorted((str(rank), str(ranks), str(token)) for rank in range(ranks)), output


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_job(launcher):
    expect_job(finish(start(command(launcher, 3, 5))), 3, 5)


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_jobs__side_by_side(launcher):
    jobs = [start(command(launcher, ranks, token)) for ranks, token in ((2, 11), (3, 22), (2, 33))]
    for process, (ranks, token) in zip(jobs, ((2, 11), (3, 22), (2, 33))):
        expect_job(finish(process), ranks, token)


@needs_hydra
@needs_openmpi
def test_jobs__of_all_launchers_at_once(tofu_run):
    installed = [name for name, (front, _) in LAUNCHERS.items() if shutil.which(front[0])]
    jobs = [start(command(name, 2, 40 + i)) for i, name in enumerate(installed)]
    jobs.append(start([tofu_run.path, "--no-ucx", "-n", "2", NEIGHBOUR, str(40 + len(installed))]))
    for i, process in enumerate(jobs):
        expect_job(finish(process), 2, 40 + i)


@needs_hydra
@needs_openmpi
@pytest.mark.parametrize("outer, inner", [("openmpi", "hydra"), ("hydra", "openmpi"), ("hydra", "hydra")])
def test_launcher__in_another(outer, inner):
    """Each rank of the outer launcher starts a job of its own; the inner ranks belong to that."""
    script = 'exec "$@" "$((100 + ${OMPI_COMM_WORLD_RANK:-$PMI_RANK}))"'
    front, between = LAUNCHERS[inner]
    # Open MPI refuses to start inside of itself or with what PMIx left in the environment of an outer one.
    arguments = [*LAUNCHERS[outer][0], "-n", "2", "sh", "-c", script, "script", *front, "-n", "2", *between, NEIGHBOUR]
    output = finish(start(arguments))
    found = sorted(re.findall(r"rank (\d+) of (\d+): token (\d+), ", output))
    assert found == [("0", "2", "100"), ("0", "2", "101"), ("1", "2", "100"), ("1", "2", "101")], output


def test_slurm__steps_side_by_side():
    """Slurm's variables without Slurm: two steps of one allocation."""
    jobs = [(token, [start([NEIGHBOUR, str(token)], SLURM_JOB_ID=4711, SLURM_STEP_ID=step, SLURM_PROCID=rank,
                           SLURM_NTASKS=2) for rank in range(2)]) for step, token in ((0, 60), (1, 61))]
    for token, processes in jobs:
        expect_job("".join(finish(process) for process in processes), 2, token)


def test_slurm__launcher_in_a_batch_script():
    """A script's own variables say rank 0 of many; those of the launcher in it count."""
    batch = {"SLURM_JOB_ID": 4712, "SLURM_PROCID": 0, "SLURM_NTASKS": 8}
    expect_job(finish(start(command("hydra", 2, 70), **batch)), 2, 70)


def test_settings__of_the_job_without_tofu_run():
    """Logical neighbours are one hop apart; the last one of a ring is, too."""
    output = finish(start(command("hydra", 12, 80), SOFTTOFU_NODES="12"))
    assert re.findall(r"(\d) hops", output) == ["1"] * 12


def test_size__not_to_be_had():
    """A PMIx environment without its server."""
    process = start([NEIGHBOUR], PMIX_NAMESPACE="gone@1", PMIX_RANK=0)
    _, errors = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 1
    assert "set SOFTTOFU_SIZE" in errors
