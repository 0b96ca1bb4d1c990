# SPDX-License-Identifier: BSD-3-Clause
"""tofu-bench demo: every experiment with 1, 2 and 24 threads over every backend, as one table and one page."""

import statistics
import time
from pathlib import Path

from tofu_report import figure as figure_table
from tofu_report import page
from tofu_report import series as series_table

from . import measure, records, terminal
from .backends import select
from .plan import Plan

BACKENDS = ("utofu", "ucp", "ucp-peer", "openmpi", "mpich", "shm")
PEER = "ucp-peer"
TITLE = "Put and get with many threads"


def plan_for(backend, seconds):
    """The issue is threads; all of them, in all experiments, in one launch."""
    workers = ("1", "N") if backend.name == "ucp" else ("N",)
    return Plan(experiments=("pingpong", "rate", "gups"), ops=("put", "get"), threads=(1, 2, 24), workers=workers,
                sizes=("4",), seconds=seconds, timeout=60)


def identity(point):
    return (*records.place(point), point["backend"], point["workers"])


def medians(rounds):
    """One row per point: the one of median performance, with the median of the ratios of all rounds."""
    groups = {}
    for points in rounds:
        for point in points:
            groups.setdefault(identity(point), []).append(point)
    rows = []
    for group in groups.values():
        ordered = sorted(group, key=records.performance)
        row = dict(ordered[(len(ordered) - 1) // 2])
        ratios = [point["ratio_to_peer"] for point in group if point["ratio_to_peer"] != ""]
        row["ratio_to_peer"] = statistics.median(ratios) if ratios else ""
        row["wrong_bytes"] = sum(point["wrong_bytes"] for point in group)
        rows.append(row)
    return rows


def text_cell(figure, row):
    if row is None:
        return ""
    value = terminal.latency(figure.value(row)) if figure.unit == "ns" else f"{figure_table.show(figure.value(row))}"
    return f"{value} {terminal.ratio(row['ratio_to_peer']):>7}"


def show(rows, console):
    threads = sorted({int(row["threads"]) for row in rows})
    view = terminal.table(TITLE, ("", *(f"{count} thread{'s' * (count > 1)}" for count in threads)))
    for figure in figure_table.ALL:
        part = figure.rows(rows)
        if not part:
            continue
        view.add_section()
        view.add_row(f"[bold]{figure.title}[/bold], {figure.unit}")
        for series in series_table.present(part):
            found = {int(row["threads"]): row for row in series_table.rows_of(series, part)}
            view.add_row(f"  {series.label}", *(text_cell(figure, found.get(count)) for count in threads))
    terminal.show(view, console)
    console.print("Behind each figure: how many times as fast as UCP over posix with a worker per thread.",
                  soft_wrap=True)


def write_report(directory, head, rows, failures):
    directory.mkdir(parents=True, exist_ok=True)
    records.write_csv(directory / "results.csv", head, rows)
    records.write_json(directory / "results.json", head, rows)
    page.write(directory / "index.html", TITLE, head, rows, failures, "UCP over posix with a worker per thread")


def measure_rounds(prefix, options, fail):
    """Points of each round, and all outcomes. In rounds over all backends, so that a disturbance does not hit one
    backend alone; a round that would not fit into the budget is left out."""
    jobs = [(backend, plan_for(backend, options.seconds)) for backend in select(BACKENDS)]
    rounds, outcomes = [], []
    start = time.monotonic()
    while len(rounds) < options.rounds:
        measured = [outcome for _, outcome in measure.run_all(prefix, jobs, fail)]
        outcomes += measured
        rounds.append(records.add_peers([point for outcome in measured for point in outcome.points], PEER))
        passed = time.monotonic() - start
        if passed + passed / len(rounds) > options.budget:
            break
    return rounds, outcomes


def run(prefix, commit, options):
    """Exit status: 0, or 1 if a backend failed or data was wrong; the report is written all the same."""
    directory = Path(options.output or prefix / "report")
    failures = []
    rounds, outcomes = measure_rounds(prefix, options, failures.append)
    rows = medians(rounds)
    wrong = sum(row["wrong_bytes"] for row in rows)
    if wrong:
        failures.append(f"{wrong} bytes of data were wrong")
    failures = list(dict.fromkeys(failures))
    head = records.head(outcomes, commit)
    console = terminal.console()
    if rows:
        show(rows, console)
        console.print(f"Medians of {len(rounds)} rounds. Waiting: {head['waiting']}. Pinning: {head['pinning']}. "
                      "Software fabric.", soft_wrap=True)
        write_report(directory, head, rows, failures)
        console.print(f"Report: {directory / 'index.html'}", soft_wrap=True)
    complaints = terminal.console(stderr=True)
    for failure in failures:
        complaints.print(f"tofu-bench: {failure}", soft_wrap=True, markup=False)
    return 1 if failures else 0
