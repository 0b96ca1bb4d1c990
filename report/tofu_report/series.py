# SPDX-License-Identifier: BSD-3-Clause
"""Which rows of a result belong together in a plot, in what order and colour."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    key: str
    label: str
    colour: str
    dash: str = "-"
    ours: bool = True


# Ours in blue and green, peers in warm colours, the machine's limit in grey.
ALL = (
    Series("utofu", "raw uTofu", "#1b4f9c"),
    Series("ucp-N", "UCP over utofu, worker per thread", "#2a9d8f"),
    Series("ucp-1", "UCP over utofu, one worker", "#7fb8d8", "--"),
    Series("ucp-peer-N", "UCP over posix, worker per thread", "#d1495b", ours=False),
    Series("ucp-peer-1", "UCP over posix, one worker", "#e8a0aa", "--", ours=False),
    Series("openmpi", "Open MPI", "#e07b00", ours=False),
    Series("mpich", "MPICH", "#8f5a2a", ours=False),
    Series("openmpi-utofu", "Open MPI over utofu", "#6a4c93"),
    Series("mpich-utofu", "MPICH over utofu", "#b39bc8"),
    Series("shm", "shared memory: the limit", "#777777", ":", ours=False),
)
BY_KEY = {series.key: series for series in ALL}

# Backends in whose rows the number of workers makes two series.
WITH_WORKERS = ("ucp", "ucp-peer")


def keys_of(row):
    """Series that a row belongs to: with one thread, one worker and a worker per thread are the same."""
    backend = row["backend"]
    if backend not in WITH_WORKERS:
        return (backend,)
    workers, threads = int(row["workers"]), int(row["threads"])
    shared = (f"{backend}-1",) if workers == 1 else ()
    own = (f"{backend}-N",) if workers == threads else ()
    return own + shared


def present(rows):
    """Series in `rows`, in the order of the table above. A shared worker that was never shared is no series."""
    shared = {row["backend"] for row in rows if int(row["workers"]) < int(row["threads"])}
    found = {key for row in rows for key in keys_of(row)}
    return [series for series in ALL
            if series.key in found and not (series.key.endswith("-1") and series.key[:-2] not in shared)]


def rows_of(series, rows):
    return [row for row in rows if series.key in keys_of(row)]
