# SPDX-License-Identifier: BSD-3-Clause
"""The transport uses utofu.h and nothing else of this project, so that one binary runs on hardware and on software."""
import os
import re
import shutil

import pytest

from conftest import BUILD, PLUGIN, SOURCE, UCX_TREE, run

SOURCES = sorted((SOURCE / "src" / "uct").glob("*.c"))


def compiler_flags(include):
    return ["-std=gnu11", "-fsyntax-only", "-D_GNU_SOURCE", "-DHAVE_CONFIG_H", '-DCPU_FLAGS=""', f"-I{include}",
            f"-I{BUILD / 'ucx-config'}", f"-I{UCX_TREE / 'src'}"]


def symbols(path, *options):
    result = run("nm", "-D", "--format=posix", *options, path)
    assert result.returncode == 0, result.stderr
    return {line.split()[0].partition("@")[0] for line in result.stdout.splitlines()}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_compiles_with_the_header_alone(tmp_path, source):
    shutil.copy(SOURCE / "include" / "utofu.h", tmp_path)
    result = run(os.environ.get("CC", "cc"), *compiler_flags(tmp_path), source)
    assert result.returncode == 0, result.stderr


def test_there_is_something_to_compile():
    assert len(SOURCES) > 5


def test_sources_do_not_name_the_software_device():
    files = [path for path in (SOURCE / "src" / "uct").iterdir() if path.suffix in (".c", ".h")]
    assert [path.name for path in files if "softtofu" in path.read_text().lower()] == []


def test_symbols_needed_are_those_of_the_header():
    header = (SOURCE / "include" / "utofu.h").read_text()
    needed = {name for name in symbols(PLUGIN, "--undefined-only") if "tofu" in name}
    assert "utofu_put" in needed
    assert {name for name in needed if not re.search(rf"\b{name}\(", header)} == set()


def test_symbols_shown_are_those_that_ucx_needs():
    """UCX finds the transport by its constructor, so it needs none."""
    assert symbols(PLUGIN, "--defined-only", "--extern-only") <= {"_init", "_fini"}


def test_name_is_what_ucx_looks_for():
    dynamic = run("readelf", "-d", PLUGIN).stdout
    assert "soname: [libuct_utofu.so.0]" in dynamic
