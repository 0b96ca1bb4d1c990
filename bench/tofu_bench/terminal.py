# SPDX-License-Identifier: BSD-3-Clause
"""What the user sees: tables, and a progress bar if somebody is there to see it."""

from contextlib import contextmanager

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

PLAIN_WIDTH = 120


def console(stderr=False):
    view = Console(stderr=stderr, highlight=False)
    return view if view.is_terminal else Console(stderr=stderr, highlight=False, width=PLAIN_WIDTH, no_color=True)


@contextmanager
def progress(total):
    """Gives a function to call after each measured point with a few words about it. Silent if not on a terminal."""
    view = console(stderr=True)
    if not view.is_terminal:
        yield lambda words="": None
        return
    columns = (TextColumn("{task.description:40}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=view, transient=True) as bar:
        task = bar.add_task("starting", total=total)
        yield lambda words="": bar.update(task, advance=1, description=words)


def table(title, columns, text=(0,)):
    """An empty table; the columns with an index in `text` are words that may be wrapped, the others are figures."""
    view = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, collapse_padding=True)
    for index, column in enumerate(columns):
        is_text = index in text
        view.add_column(column, justify="left" if is_text or index == 0 else "right", no_wrap=not is_text)
    return view


def show(view, output):
    """Print a table. In a terminal that is too narrow its lines are wrapped: better than figures that are cut off."""
    for column in view.columns:
        if column.no_wrap:
            column.min_width = max(len(str(cell)) for cell in (column.header, *column.cells))
    output.print(view, crop=False)


def words_of(point):
    return f"{point['backend']}: {point['experiment']} {point['op']}, {point['threads']} threads"


def latency(ns):
    for unit, factor in (("ns", 1), ("us", 1e3), ("ms", 1e6)):
        if ns < 1e4 * factor:
            break
    return f"{number(ns / factor) if factor > 1 else format(ns, '.0f')} {unit}"


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def size(bytes_):
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if bytes_ >= factor and bytes_ % factor == 0:
            return f"{bytes_ // factor} {unit}"
    return f"{bytes_} B"


def ratio(value):
    return "" if value == "" else f"{value:.2f}x"
