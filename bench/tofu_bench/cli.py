# SPDX-License-Identifier: BSD-3-Clause
"""The command line of tofu-bench."""

import argparse
import signal
import sys

from . import measure
from .backends import BACKENDS, GROUPS, UnknownBackend, select
from .plan import Plan


def words(text):
    return tuple(word for word in text.split(",") if word)


def numbers(text):
    return tuple(int(word) for word in words(text))


def worker_words(text):
    for word in words(text):
        if word != "N":
            int(word)
    return words(text)


def add_measure_options(parser, sizes):
    known = "; ".join(f"{backend.name}: {backend.help}" for backend in BACKENDS.values())
    parser.add_argument("--backend", action="append", metavar="NAME",
                        help=f"what to measure, repeatable ({known}; {', '.join(GROUPS)}: both MPIs)")
    parser.add_argument("--threads", type=numbers, default=(1,), metavar="T,...", help="threads per process")
    parser.add_argument("--workers", type=worker_words, default=("N",), metavar="W,...",
                        help="workers that the threads share: 1, ..., or N for one per thread")
    if sizes:
        parser.add_argument("--sizes", type=words, default=("8",), metavar="SIZE,...", help="bytes, or as 4KiB")
    parser.add_argument("--seconds", type=float, default=0.5, help="time of each measurement")
    parser.add_argument("--iterations", type=int, default=0, help="operations per thread, instead of a time")
    parser.add_argument("--warmup", type=int, default=1000, help="operations per thread before, if half a second is enough for them")
    parser.add_argument("--pin", choices=("core", "none"), default="core", help="bind threads to cores")
    parser.add_argument("--memory", choices=("mapped", "attached", "heap"), default="mapped",
                        help="memory that processes share, ordinary memory, or what malloc gives")
    parser.add_argument("--processes", "-n", type=int, default=2, help="processes, an even number")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each backend")
    parser.add_argument("--peer", default="ucp-peer", help="backend that ratios refer to, if it is measured")
    parser.add_argument("--csv", metavar="FILE", help="write the results as CSV")
    parser.add_argument("--json", metavar="FILE", help="write the results as JSON")
    parser.add_argument("--self-test-corrupt", action="store_true", help=argparse.SUPPRESS)


def parser():
    top = argparse.ArgumentParser(prog="tofu-bench", description="Measure put and get between processes with many "
                                  "threads, over Tofu-D and next to the peers a user would pick instead.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add_measure_options(commands.add_parser("pingpong", help="latency of put, half round trip"), sizes=True)
    rate = commands.add_parser("rate", help="rate and bandwidth of put and get")
    rate.add_argument("--op", type=words, default=("put", "get"), metavar="OP,...", help="put, get")
    add_measure_options(rate, sizes=True)
    add_measure_options(commands.add_parser("gups", help="updates of random words"), sizes=False)
    demo = commands.add_parser("demo", help="everything once, in less than three minutes, with a report")
    demo.add_argument("--output", default=None, metavar="DIR", help="directory of the report [build/report]")
    demo.add_argument("--seconds", type=float, default=0.15, help="time of each measurement")
    demo.add_argument("--rounds", type=int, default=3, help="how often; medians are shown")
    demo.add_argument("--budget", type=float, default=140, help="seconds after which no other round is begun")
    figures = commands.add_parser("figures", help="the figures to reach, each next to its peer's")
    figures.add_argument("--rounds", type=int, default=5, help="alternating rounds; medians of ratios are shown")
    figures.add_argument("--seconds", type=float, default=0.3, help="time of each measurement")
    figures.add_argument("--only", default="", metavar="WORD", help="only figures with this word in the name")
    figures.add_argument("--json", metavar="FILE", help="write the figures as JSON")
    return top


def plan_of(options):
    return Plan(experiments=(options.command,), ops=getattr(options, "op", ("put",)), threads=options.threads,
                workers=options.workers, sizes=getattr(options, "sizes", ("8",)), processes=options.processes,
                seconds=options.seconds, iterations=options.iterations, warmup=options.warmup, pin=options.pin,
                memory=options.memory, corrupt=options.self_test_corrupt, timeout=options.timeout)


def main(prefix, commit):
    options = parser().parse_args()
    # Asked to end, end as after Ctrl-C: with the programs that were started.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        if options.command == "demo":
            from . import demo  # Here, for it loads the plotting library, which takes a second.
            return demo.run(prefix, commit, options)
        if options.command == "figures":
            from . import figures
            return figures.run(prefix, commit, options)
        backends = select(options.backend or ("utofu", "ucp", "ucp-peer"))
        return measure.measure(prefix, commit, backends, plan_of(options), options.peer, options.csv, options.json)
    except UnknownBackend as error:
        print(f"tofu-bench: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"tofu-bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
