# SPDX-License-Identifier: BSD-3-Clause
"""docs/guide.md does what it says.

A block of C is an excerpt of the file that the comment before it names, or is written to that file. Blocks of sh
are run one after the other in one folder that has the examples, as after "make install". The lines of a text block
behind one are among those that it prints, in any order; an ellipsis stands for anything within a line.
"""
import os
import pathlib
import re
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["TOFUKIT_BUILD_DIR"])
ROOT = pathlib.Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guide.md"
BLOCK = re.compile(r"(?:<!-- (?P<verb>\w+) (?P<file>\S+) -->\n)?```(?P<language>\w+)\n(?P<body>.*?)```", re.DOTALL)
LIMIT_S = 60


def blocks():
    return [match.groupdict() for match in BLOCK.finditer(GUIDE.read_text())]


def environment():
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SOFTTOFU_", "LD_"))}
    return env | {"PATH": f"{BUILD / 'bin'}:{env['PATH']}", "C_INCLUDE_PATH": str(ROOT / "include"),
                  "LIBRARY_PATH": str(BUILD / "lib")}


def prints(output, line):
    pattern = ".*".join(map(re.escape, line.split("…")))
    return any(re.fullmatch(pattern, printed) for printed in output.splitlines())


def test_blocks_are_known():
    for block in blocks():
        assert block["language"] in ("c", "sh", "text", "console", "yaml")
        assert (block["language"] == "c") == (block["verb"] in ("excerpt", "write"))


def test_excerpts_are_of_the_examples():
    excerpts = [block for block in blocks() if block["verb"] == "excerpt"]
    assert excerpts
    for block in excerpts:
        assert block["body"] in (ROOT / block["file"]).read_text(), block["body"]


@pytest.fixture
def folder(tmp_path):
    for example in (ROOT / "examples").glob("*.c"):
        (tmp_path / example.name).symlink_to(example)
    for block in blocks():
        if block["verb"] == "write":
            (tmp_path / block["file"]).write_text(block["body"])
    return tmp_path


def test_commands_print_what_is_shown(folder):
    ran = 0
    output = ""
    for block in blocks():
        if block["language"] == "sh":
            result = subprocess.run(["bash", "-e", "-c", block["body"]], cwd=folder, env=environment(), text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S)
            output = result.stdout
            assert result.returncode == 0, block["body"] + output
            ran += 1
        elif block["language"] == "text":
            for line in block["body"].splitlines():
                assert prints(output, line), f"{line}\nis not in:\n{output}"
    assert ran > 5


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_pages_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target
