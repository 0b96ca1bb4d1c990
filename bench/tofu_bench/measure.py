# SPDX-License-Identifier: BSD-3-Clause
"""The subcommands pingpong, rate and gups: measure the backends asked for, print a table, write files."""

from . import records, terminal
from .launch import LaunchError, Launcher


def run_all(prefix, jobs, fail):
    """Launch each (backend, plan) of `jobs`. `fail` is told of those that could not be measured."""
    outcomes = []
    with terminal.progress(sum(plan.points(backend) for backend, plan in jobs)) as step:
        launcher = Launcher(prefix, lambda point: step(terminal.words_of(point)))
        for backend, plan in jobs:
            try:
                outcomes.append((backend, launcher.run(backend, plan)))
            except LaunchError as error:
                fail(str(error))
    return outcomes


def show(points, console):
    """One row a point. A ping-pong has a mean that matters when threads take turns, the others have a bandwidth."""
    is_ping = points[0]["experiment"] == "pingpong"
    last = "mean" if is_ping else "MB/s"
    view = terminal.table("", ("backend", "op", "T", "W", "size", "p50", "p99", last, "M/s", "wrong", "to peer"), text=())
    for point in points:
        figure = (terminal.latency(records.mean_latency_ns(point)) if is_ping
                  else terminal.number(point["bw_MBps"]))
        view.add_row(point["backend"], point["op"], str(point["threads"]), str(point["workers"]),
                     terminal.size(point["size_bytes"]), terminal.latency(point["lat_ns_p50"]),
                     terminal.latency(point["lat_ns_p99"]), figure, terminal.number(point["rate_Mps"]),
                     str(point["wrong_bytes"]), terminal.ratio(point["ratio_to_peer"]))
    terminal.show(view, console)
    console.print("T threads and W workers per process; p50 and p99 of the time of an operation"
                  f"{', half a round trip' if is_ping else ''}; to peer: how many times as good", soft_wrap=True)


def measure(prefix, commit, backends, plan, peer, csv_file=None, json_file=None):
    """Exit status: 0, or 1 if a backend failed or data was wrong."""
    for path in filter(None, (csv_file, json_file)):
        with open(path, "w", encoding="utf-8"):
            pass  # Better now than after all measurements.
    failures = []
    complaints = terminal.console(stderr=True)
    outcomes = [outcome for _, outcome in run_all(prefix, [(backend, plan) for backend in backends], failures.append)]
    points = records.add_peers([point for outcome in outcomes for point in outcome.points], peer)
    head = records.head(outcomes, commit)
    console = terminal.console()
    if points:
        show(points, console)
        if head["waiting"]:  # Of ping-pong only: nobody polls in the others.
            console.print(f"waiting: {head['waiting']}; pinning: {head['pinning']}; software fabric", soft_wrap=True)
    if csv_file:
        records.write_csv(csv_file, head, points)
    if json_file:
        records.write_json(json_file, head, points)
    wrong = sum(point["wrong_bytes"] for point in points)
    if wrong:
        failures.append(f"{wrong} bytes of data were wrong")
    for failure in failures:
        complaints.print(f"tofu-bench: {failure}", soft_wrap=True, markup=False)
    return 1 if failures else 0
