# SPDX-License-Identifier: BSD-3-Clause
"""What can be measured: which program, started how, with which settings."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Backend:
    """One way to put and get. A new one is an entry of the table below and, if need be, a file of the engine."""

    name: str
    help: str
    program: str  # In libexec.
    engine: str  # Name of the engine's backend.
    launcher: tuple[str, ...]  # Without "-n RANKS"; a program of this project is found next to this one.
    environment: dict[str, str] = field(default_factory=dict)
    workers: bool = False  # It makes a difference how many workers the threads share.
    arguments: tuple[str, ...] = ()


PLAIN = ("tofu-run", "--no-ucx", "--bind", "none")
HEAP = (*PLAIN, "--heap")
NO_HEAP = (*PLAIN, "--no-heap")
UTOFU = ("tofu-run", "--bind", "none")
MUTEX = {"UCX_USE_MT_MUTEX": "y"}
POSIX = {"UCX_TLS": "posix,self"}
# The default of each MPI, as its users run it. MPICH's puts need the target's help all the time.
OPENMPI = ("mpirun.openmpi",)
MPICH = ("mpirun.mpich",)
BUSY = ("--busy-target",)

BACKENDS = {
    backend.name: backend
    for backend in (
        Backend("shm", "bare shared memory: the machine's limit", "tofu-bench-native", "shm", PLAIN),
        Backend("utofu", "raw uTofu, a VCQ per worker", "tofu-bench-native", "utofu", PLAIN, workers=True),
        Backend("utofu-mrq", "raw uTofu, arrival told by notices", "tofu-bench-native", "utofu-mrq", PLAIN),
        Backend("utofu-heap", "raw uTofu, malloc mapped", "tofu-bench-native", "utofu", HEAP, workers=True),
        Backend("utofu-no-heap", "raw uTofu, malloc as ever", "tofu-bench-native", "utofu", NO_HEAP, workers=True),
        Backend("ucp", "UCP over utofu (or what UCX_TLS says)", "tofu-bench-native", "ucp", UTOFU, workers=True),
        Backend("ucp-mutex", "the same, a mutex on shared workers", "tofu-bench-native", "ucp", UTOFU, MUTEX, True),
        Backend("ucp-peer", "UCP over UCX's own posix transport", "tofu-bench-native", "ucp", PLAIN, POSIX, True),
        Backend("openmpi", "Open MPI one-sided, its default", "tofu-bench-openmpi", "mpi", OPENMPI),
        Backend("mpich", "MPICH one-sided, its default", "tofu-bench-mpich", "mpi", MPICH, arguments=BUSY),
        Backend("openmpi-utofu", "Open MPI over utofu", "tofu-bench-openmpi", "mpi", (*UTOFU, "--mpi", "openmpi")),
        Backend("mpich-utofu", "MPICH over utofu", "tofu-bench-mpich", "mpi", (*UTOFU, "--mpi", "mpich"),
                arguments=BUSY),
    )
}

# Short names for several.
GROUPS = {"mpi": ("openmpi", "mpich")}


class UnknownBackend(Exception):
    """The message names the known ones."""


def select(names):
    """Backends by name, each once, in the order given. Raises UnknownBackend."""
    chosen = {}
    for name in names:
        for member in GROUPS.get(name, (name,)):
            if member not in BACKENDS:
                known = ", ".join([*BACKENDS, *GROUPS])
                raise UnknownBackend(f"unknown backend '{name}'; known are: {known}")
            chosen[member] = BACKENDS[member]
    return list(chosen.values())
