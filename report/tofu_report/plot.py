# SPDX-License-Identifier: BSD-3-Clause
"""A figure as SVG text, to be put into a page as it is."""

import io
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

from . import series as series_table  # noqa: E402

STYLE = {"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10, "axes.spines.top": False,
         "axes.spines.right": False, "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True}


def svg(figure, rows):
    """Value over threads, one line a series. Each line's group in the SVG has the id FIGURE:SERIES."""
    rows = figure.rows(rows)
    threads = sorted({int(row["threads"]) for row in rows})
    with plt.rc_context(STYLE):
        canvas, axes = plt.subplots(figsize=(9.5, 4.2))
        for series in series_table.present(rows):
            values = {int(row["threads"]): figure.value(row) for row in series_table.rows_of(series, rows)}
            places = [place for place, count in enumerate(threads) if values.get(count, 0) > 0]
            axes.plot(places, [values[threads[place]] for place in places], series.dash, marker="o",
                      color=series.colour, label=series.label, linewidth=2 if series.ours else 1.5,
                      markersize=7 if series.ours else 5, gid=f"{figure.name}:{series.key}")
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_xticks(range(len(threads)), [str(count) for count in threads])
        axes.set_xlim(-0.25, len(threads) - 0.75)
        axes.set_xlabel("threads per process")
        better = "lower is better" if figure.lower_is_better else "higher is better"
        axes.set_ylabel(f"{figure.axis} ({better})")
        axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False)
        text = io.StringIO()
        canvas.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
        plt.close(canvas)
    return inline(text.getvalue(), figure)


def inline(text, figure):
    """The svg element alone, with names that cannot clash with those of another one in the same page."""
    text = text[text.index("<svg"):]
    text = re.sub(r'(id="|url\(#|href="#)(?!' + re.escape(figure.name) + r':)', rf"\g<1>{figure.name}-", text)
    return text.replace("<svg ", f'<svg role="img" aria-label="{figure.title}" ', 1)
