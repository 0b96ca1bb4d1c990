#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write docs/settings.md from the tables in the code, or check that it is up to date.

    docs/settings.py BIN            write
    docs/settings.py BIN --check    status 1 if the file differs

BIN is the folder of tofu-run and tofu-info.
"""

import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).with_name("settings.md")

HEAD = """# Settings

All environment variables of tofukit, made by `docs/settings.py` from the tables that the code itself reads.
`tofu-run` sets what a job needs and keeps what you have set.

## Software Tofu-D

`tofu-info --env` prints this table.

"""

TRANSPORT_HEAD = """
## UCX transport

`tofu-run -n 1 ucx_info -cf` prints these among UCX's own.

"""


def table(rows):
    lines = ["| variable | default | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {f'`{default}`' if default else ''} | {text} |" for name, default, text in rows]
    return "\n".join(lines) + "\n"


def device_rows(folder):
    output = subprocess.run([folder / "tofu-info", "--env", "--json"], check=True, capture_output=True, text=True)
    return [(entry["name"], entry["default"], entry["help"]) for entry in json.loads(output.stdout)["settings"]]


def transport_rows(folder):
    """ucx_info prints comments, the name's values and then NAME=default."""
    command = [folder / "tofu-run", "-n", "1", "ucx_info", "-cf"]
    output = subprocess.run(command, check=True, capture_output=True, text=True)
    rows, comment = [], []
    for line in output.stdout.splitlines():
        setting = re.fullmatch(r"(UCX_UTOFU_\w+)=(.*)", line)
        if line.startswith("#"):
            comment.append(line.lstrip("# ").strip())
        elif setting:
            text = " ".join(part for part in comment if part and not part.startswith(("syntax:", "inherits:")))
            default = "" if setting[1] == "UCX_UTOFU_JOB" else setting[2]
            rows.append((setting[1], default, text))
            comment = []
        else:
            comment = []
    return rows


def main():
    folder = pathlib.Path(sys.argv[1])
    page = HEAD + table(device_rows(folder)) + TRANSPORT_HEAD + table(transport_rows(folder))
    if "--check" not in sys.argv:
        PAGE.write_text(page)
    elif PAGE.read_text() != page:
        sys.exit(f"{PAGE} differs from the code: run docs/settings.py {folder}")


if __name__ == "__main__":
    main()
