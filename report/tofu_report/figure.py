# SPDX-License-Identifier: BSD-3-Clause
"""The figures of a report: what each shows, its plot and its sentence."""

from dataclasses import dataclass
from typing import Callable

from . import series as series_table


def latency_ns(row):
    """Half a round trip. One thread: the median, which disturbances leave alone. More threads take turns on a core, and
    the median of the histogram would be that of the uninterrupted ones: the mean, as every thread has one message under
    way and T messages take T / rate."""
    threads = int(row["threads"])
    if threads == 1:
        return float(row["lat_ns_p50"])
    speed = float(row["rate_Mps"])
    return 1e3 * threads / speed if speed else 0.0


def rate(row):
    return float(row["rate_Mps"])


@dataclass(frozen=True)
class Figure:
    experiment: str
    op: str
    title: str
    axis: str
    unit: str
    value: Callable[[dict], float]
    lower_is_better: bool = False
    caution: str = ""

    @property
    def name(self):
        return f"{self.experiment}-{self.op}".replace("+", "-")

    def rows(self, rows):
        return [row for row in rows if (row["experiment"], row["op"]) == (self.experiment, self.op)]


ONE_CORE = "Each process has its share of the cores; on two cores that is one, so threads add nothing here."
MEDIAN = "With one thread it is the median, with more the mean."

ALL = (
    Figure("pingpong", "put", "Ping-pong by put", "half round trip, ns", "ns", latency_ns, True, f"{MEDIAN} {ONE_CORE}"),
    Figure("rate", "put", "Message rate of put", "million puts a second", "M/s", rate),
    Figure("rate", "get", "Message rate of get", "million gets a second", "M/s", rate),
    Figure("gups", "get+put", "GUPs: updates of random words", "million updates a second", "M/s", rate,
           caution=ONE_CORE),
)


def show(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def reading(figure, rows):
    """One sentence: where UCP over utofu stands at the most threads, next to the others."""
    rows = figure.rows(rows)
    threads = max(int(row["threads"]) for row in rows)
    at = {}
    for series in series_table.present(rows):
        for row in series_table.rows_of(series, rows):
            if int(row["threads"]) == threads and figure.value(row) > 0:
                at[series.key] = figure.value(row)
    first = next((key for key in ("ucp-N", "utofu") if key in at), None)
    if first is None:
        return "Neither UCP over utofu nor raw uTofu was measured."
    factors = []
    for key, value in at.items():
        if key != first:
            factor = value / at[first] if figure.lower_is_better else at[first] / value
            factors.append(f"{show(factor)} times that of {series_table.BY_KEY[key].label}")
    plural = "threads" if threads > 1 else "thread"
    compared = f"its speed is {', '.join(factors)}." if factors else "nothing else was measured."
    return (f"With {threads} {plural} {series_table.BY_KEY[first].label} reaches {show(at[first])} {figure.unit}; "
            f"{compared}")
