# SPDX-License-Identifier: BSD-3-Clause
"""The figures to reach, each measured next to its peer in turn (A B A B ...), so that a disturbance or a change of the
clock hits both. The median of the rounds' ratios counts."""

import json
import os
import statistics
from dataclasses import dataclass, field, replace
from typing import Callable

from . import barrier, instructions, records, terminal
from .backends import BACKENDS
from .launch import LaunchError, Launcher
from .plan import Plan


@dataclass(frozen=True)
class Side:
    """One of two things compared: a backend, a plan with exactly one point, and its name in the table."""

    backend: str
    plan: Plan
    name: str


@dataclass(frozen=True)
class Metric:
    name: str
    value: Callable[[dict], float]
    show: Callable[[float], str]


def rate(point):
    """Of one thread the rate of the median block: none of the backends compared here puts work off until the flush, and
    a disturbance of the machine would say more than the backend. Many threads take turns: all the time counts."""
    return 1e3 / point["lat_ns_p50"] if point["threads"] == 1 else point["rate_Mps"]


LATENCY = Metric("latency", lambda point: point["lat_ns_p50"], terminal.latency)
RATE = Metric("rate", rate, lambda value: f"{terminal.number(value)} M/s")
BANDWIDTH = Metric("bandwidth", lambda point: point["size_bytes"] * rate(point) / 1e3,
                   lambda value: f"{terminal.number(value)} GB/s")
TIME = Metric("time", lambda point: 1e3 / rate(point), terminal.latency)


@dataclass(frozen=True)
class Comparison:
    """`goal` bounds ours / peer's, from above (at_most) or from below."""

    title: str
    ours: Side
    peer: Side
    metric: Metric
    goal: float
    at_most: bool = False


@dataclass
class Figure:
    title: str
    value: str = ""
    peer: str = ""
    ratio: float | None = None
    goal: str = ""
    reached: bool = False
    note: str = ""
    rounds: list = field(default_factory=list)


def ping(backend, size, name):
    return Side(backend, Plan(sizes=(size,)), name)


def put_rate(backend, name, threads=1, workers="N", size="8", memory="mapped"):
    plan = Plan(experiments=("rate",), threads=(threads,), workers=(workers,), sizes=(size,), memory=memory)
    return Side(backend, plan, name)


def of_malloc(op, size, shown, goal):
    """The same program and buffers, with malloc in mapped memory and without."""
    plan = Plan(experiments=("rate",), ops=(op,), sizes=(size,), memory="heap")
    return Comparison(f"heap {op} {shown}, time", Side("utofu-heap", plan, "tofu-run --heap"),
                      Side("utofu-no-heap", plan, "--no-heap"), TIME, goal, at_most=True)


def comparisons():
    many = put_rate("ucp", "UCP over utofu, 24 workers", 24, "N", "4")
    return (
        Comparison("put_piggyback 8 B, half round trip", ping("utofu", "8", "raw uTofu"),
                   ping("shm", "64", "64 B by shared memory"), LATENCY, 1.5, at_most=True),
        Comparison("put 8 B polled in the MRQ, half round trip", ping("utofu-mrq", "8", "raw uTofu, notices"),
                   ping("shm", "64", "64 B by shared memory"), LATENCY, 2.5, at_most=True),
        Comparison("UCP put 8 B, half round trip", ping("ucp", "8", "UCP over utofu"),
                   ping("ucp-peer", "8", "UCP over posix"), LATENCY, 1 / 0.95, at_most=True),
        Comparison("UCP put 8 B, rate", put_rate("ucp", "UCP over utofu"), put_rate("ucp-peer", "UCP over posix"),
                   RATE, 0.95),
        Comparison("24 threads put 4 B, rate", many, put_rate("ucp", "one worker, spinlock", 24, "1", "4"), RATE, 7),
        Comparison("24 threads put 4 B, rate", many, put_rate("ucp-mutex", "one worker, mutex", 24, "1", "4"), RATE,
                   7),
        Comparison("24 threads put 4 B, rate", many, put_rate("ucp-peer", "posix, 24 workers", 24, "N", "4"), RATE,
                   1.0),
        # What the cores can do is measured with all of them at work, for two of them slow each other down.
        Comparison("24 VCQs put 8 B, rate", put_rate("utofu", "24 threads, a VCQ each", 24),
                   put_rate("utofu", "a thread and VCQ per core", len(os.sched_getaffinity(0))), RATE, 0.85),
        Comparison("put 4 MiB, bandwidth", put_rate("utofu", "raw uTofu", size="4MiB"),
                   put_rate("shm", "memcpy", size="4MiB"), BANDWIDTH, 0.9),
        Comparison("UCP put 4 MiB, bandwidth", put_rate("ucp", "UCP over utofu", size="4MiB"),
                   put_rate("shm", "memcpy", size="4MiB"), BANDWIDTH, 0.9),
        *(Comparison(f"attached put {shown}, time", put_rate("utofu", "raw uTofu", size=size, memory="attached"),
                     put_rate("shm", "process_vm_writev", size=size, memory="attached"), TIME, 1.15, at_most=True)
          for size, shown in (("8", "8 B"), ("4MiB", "4 MiB"))),
        Comparison("attached UCP put 4 MiB, time", put_rate("ucp", "UCP over utofu", size="4MiB", memory="attached"),
                   put_rate("shm", "process_vm_writev", size="4MiB", memory="attached"), TIME, 1.15, at_most=True),
        *(of_malloc(op, size, shown, goal) for op in ("put", "get")
          for size, shown, goal in (("8", "8 B", 0.1), ("4KiB", "4 KiB", 1.0), ("64KiB", "64 KiB", 1.0))),
    )


def measure_side(launcher, side, metric, seconds):
    outcome = launcher.run(BACKENDS[side.backend], replace(side.plan, seconds=seconds))
    if outcome.wrong_bytes:
        raise LaunchError(f"{side.name}: {outcome.wrong_bytes} bytes of data were wrong")
    return metric.value(outcome.points[0])


def compare(launcher, comparison, rounds, seconds, step):
    sign = "<=" if comparison.at_most else ">="
    figure = Figure(f"{comparison.title}", goal=f"{sign} {comparison.goal:.3g}x")
    try:
        for _ in range(rounds):
            ours = measure_side(launcher, comparison.ours, comparison.metric, seconds)
            step(comparison.title)
            peer = measure_side(launcher, comparison.peer, comparison.metric, seconds)
            step(comparison.title)
            figure.rounds.append((ours, peer))
    except LaunchError as error:
        figure.note = str(error)
        return figure
    figure.ratio = statistics.median(ours / peer for ours, peer in figure.rounds)
    figure.value = comparison.metric.show(statistics.median(ours for ours, _ in figure.rounds))
    peer = comparison.metric.show(statistics.median(peer for _, peer in figure.rounds))
    figure.peer = f"{peer} ({comparison.peer.name})"
    figure.reached = figure.ratio <= comparison.goal if comparison.at_most else figure.ratio >= comparison.goal
    return figure


def count_instructions(launcher, step):
    """One uTofu put, and what one UCT put costs on top of it."""
    raw = Figure("put_piggyback 8 B, instructions", goal="<= 80")
    on_top = Figure("uct_ep_put_short on top, instructions", goal="<= 40")
    try:
        low = instructions.put_piggyback(launcher)
        raw.value, raw.reached = f"{low:.0f}", low <= 80
        step(raw.title)
        high = instructions.put_short(launcher, "ucp", "utofu")
        on_top.value, on_top.reached = f"{high - low:.0f} (of {high:.0f})", high - low <= 40
        step(on_top.title)
        posix = instructions.put_short(launcher, "ucp-peer", "posix")
        on_top.peer = f"{posix:.0f} in all (posix)"
    except LaunchError as error:
        (on_top if raw.value else raw).note = str(error)
    return [raw, on_top]


def count_common_lines(launcher, step):
    """Threads with a VCQ each do not slow each other down by writing to the same cache lines."""
    figure = Figure("lines that puts of 24 VCQs write in common", goal="<= 0")
    try:
        lines, common = instructions.lines_in_common(launcher)
        figure.value, figure.reached = f"{common} (of {lines})", common == 0 < lines
        step(figure.title)
    except LaunchError as error:
        figure.note = str(error)
    return figure


def compare_barriers(launcher, rounds, step, processes=8):
    """A barrier of more processes than cores; both sides give up the core after the same number of polls."""
    figure = Figure(f"VBG barrier of {processes} processes, time", goal="<= 1.5x")
    try:
        found = barrier.measure(launcher, processes, rounds)
        figure.value = terminal.latency(found["vbg_barrier_ns"])
        figure.peer = f"{terminal.latency(found['shm_barrier_ns'])} (dissemination in shared memory)"
        figure.ratio, figure.reached = found["ratio"], found["ratio"] <= 1.5
        step(figure.title)
    except LaunchError as error:
        figure.note = str(error)
    return figure


def show(figures, rounds):
    console = terminal.console()
    view = terminal.table("", ("figure", "value", "peer", "ratio", "goal", "reached"), text=(0, 2))
    for figure in figures:
        ratio = "" if figure.ratio is None else f"{figure.ratio:.3g}x"
        verdict = "not measured" if figure.note or not figure.value else "yes" if figure.reached else "NO"
        view.add_row(figure.title, figure.value, figure.peer, ratio, figure.goal, verdict)
    terminal.show(view, console)
    console.print(f"Two processes, software fabric, mapped memory unless attached is said. Medians of {rounds} "
                  "alternating rounds; with one thread, of the median block of each.", soft_wrap=True)
    for figure in figures:
        if figure.note:
            console.print(f"{figure.title}: {figure.note}", soft_wrap=True, markup=False)


def run(prefix, commit, options):
    """Print all figures. Exit status 1 if one could not be measured; a goal that is not reached is a result."""
    launcher = Launcher(prefix)
    wanted = [comparison for comparison in comparisons() if options.only in comparison.title]
    count = not options.only or options.only in "instructions"
    figures = []
    with_barriers = options.only in "VBG barrier"
    with terminal.progress(2 * options.rounds * len(wanted) + 3 * count + with_barriers) as step:
        if count:
            figures += [*count_instructions(launcher, step), count_common_lines(launcher, step)]
        if with_barriers:
            figures.append(compare_barriers(launcher, options.rounds, step))
        figures += [compare(launcher, comparison, options.rounds, options.seconds, step) for comparison in wanted]
    show(figures, options.rounds)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"head": records.head([], commit), "figures": [vars(figure) for figure in figures]}, file,
                      indent=1)
            file.write("\n")
    return 1 if any(figure.note or not figure.value for figure in figures) else 0
