# SPDX-License-Identifier: BSD-3-Clause
"""What one launch of the engine measures: a product of experiments, operations, threads, workers and sizes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    experiments: tuple[str, ...] = ("pingpong",)
    ops: tuple[str, ...] = ("put",)
    threads: tuple[int, ...] = (1,)
    workers: tuple[str, ...] = ("N",)  # Numbers, or N for one per thread.
    sizes: tuple[str, ...] = ("8",)
    processes: int = 2
    seconds: float = 0.3
    iterations: int = 0
    warmup: int = 1000
    pin: str = "core"
    memory: str = "mapped"
    corrupt: bool = False  # Self-test.
    timeout: float = 120.0

    def arguments(self, backend):
        """The engine's command line for `backend`, without the program."""
        workers = self.workers if backend.workers else ("N",) if backend.engine != "mpi" else ("1",)
        arguments = ["--backend", backend.engine, "--label", backend.name,
                     "--experiment", ",".join(self.experiments), "--op", ",".join(self.ops),
                     "--threads", ",".join(map(str, self.threads)), "--workers", ",".join(workers),
                     "--sizes", ",".join(self.sizes), "--seconds", str(self.seconds),
                     "--iterations", str(self.iterations), "--warmup", str(self.warmup),
                     "--pin", self.pin, "--memory", self.memory, *backend.arguments]
        return arguments + (["--corrupt"] if self.corrupt else [])

    def points(self, backend):
        """How many points the engine will print, for the progress bar."""
        per_worker = sum(1 if name == "gups" else len(self.sizes) * (len(self.ops) if name == "rate" else 1)
                         for name in self.experiments)
        pairs = 0
        for threads in self.threads:
            counts = {threads if word == "N" else min(int(word), threads) for word in self.workers}
            pairs += len(counts) if backend.workers else 1
        return pairs * per_worker
