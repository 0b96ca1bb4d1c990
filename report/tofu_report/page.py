# SPDX-License-Identifier: BSD-3-Clause
"""The page: figures with their sentences, a table, and how it was measured. It refers to no other file."""

from html import escape
from pathlib import Path
from string import Template

from . import figure as figure_table
from . import plot
from . import series as series_table

TEMPLATE = Path(__file__).with_name("page.html")


def figures_html(rows):
    parts = []
    for figure in figure_table.ALL:
        if not figure.rows(rows):
            continue
        sentence = " ".join(filter(None, (figure_table.reading(figure, rows), figure.caution)))
        parts.append(f"<h2>{escape(figure.title)}</h2>\n<figure>\n{plot.svg(figure, rows)}\n"
                     f"<figcaption>{escape(sentence)}</figcaption>\n</figure>")
    return "\n".join(parts)


def value_cell(figure, row):
    if row is None:
        return "<td></td>"
    ratio = row.get("ratio_to_peer", "")
    behind = f" <small>({float(ratio):.2f})</small>" if ratio not in ("", None) else ""
    wrong = f" <strong>{row['wrong_bytes']} bytes wrong</strong>" if int(row["wrong_bytes"]) else ""
    return f"<td>{figure_table.show(figure.value(row))} {figure.unit}{behind}{wrong}</td>"


def table_html(rows):
    threads = sorted({int(row["threads"]) for row in rows})
    lines = ["<table>", "<tr><th></th>" + "".join(f"<th>{count} thread{'s' * (count > 1)}</th>" for count in threads) + "</tr>"]
    for figure in figure_table.ALL:
        part = figure.rows(rows)
        if not part:
            continue
        lines.append(f'<tr class="group"><th colspan="{len(threads) + 1}">{escape(figure.title)}, '
                     f"{escape(figure.axis)}</th></tr>")
        for series in series_table.present(part):
            found = {int(row["threads"]): row for row in series_table.rows_of(series, part)}
            cells = "".join(value_cell(figure, found.get(count)) for count in threads)
            lines.append(f"<tr><td>{escape(series.label)}</td>{cells}</tr>")
    return "\n".join([*lines, "</table>"])


def facts_html(head):
    def text(value):
        if isinstance(value, dict):
            return ", ".join(f"{name}={content}" for name, content in value.items()) or "nothing set"
        return str(value) or "-"

    return "\n".join(f"<dt>{escape(name.replace('_', ' '))}</dt><dd>{escape(text(value))}</dd>"
                     for name, value in head.items())


def write(path, title, head, rows, failures=(), peer="UCP over posix"):
    """Write the page. `rows` are dictionaries in the terms of the result schema."""
    complaints = "\n".join(f'<p class="failure">{escape(failure)}</p>' for failure in failures)
    page = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(title), failures=complaints, figures=figures_html(rows), table=table_html(rows),
        facts=facts_html(head), peer=escape(peer))
    Path(path).write_text(page, encoding="utf-8")
