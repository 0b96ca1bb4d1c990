# SPDX-License-Identifier: BSD-3-Clause
"""A UCX of another version than the transport was built for: the transport stays off and says so."""
import os

import pytest

from conftest import run, tofu_run

OTHER_VERSION = """
void ucp_get_version(unsigned *major, unsigned *minor, unsigned *release);
void ucp_get_version(unsigned *major, unsigned *minor, unsigned *release)
{
    *major = %d;
    *minor = %d;
    *release = 0;
}
"""


@pytest.fixture
def preload_version(tmp_path):
    """A library that says that UCX has another version, before UCX can say its own."""
    def build(major, minor):
        source, library = tmp_path / "version.c", tmp_path / "libversion.so"
        source.write_text(OTHER_VERSION % (major, minor))
        result = run(os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, source)
        assert result.returncode == 0, result.stderr
        return {"LD_PRELOAD": str(library)}
    return build


def built_for():
    """Major and minor version of the UCX that is installed."""
    result = run("ucx_info", "-v")
    words = result.stdout.split()
    return tuple(int(number) for number in words[words.index("Version") + 1].split(".")[:2])


@pytest.mark.parametrize("difference", [(1, 0), (0, 1), (0, -1)])
def test_another_version(preload_version, difference):
    major, minor = (mine + more for mine, more in zip(built_for(), difference))
    result = tofu_run("-n", 1, "ucx_info", "-d", env=preload_version(major, minor))
    assert result.returncode == 0, result.stderr
    assert "Transport: self" in result.stdout
    assert "utofu" not in result.stdout
    [line] = [line for line in result.stderr.splitlines() if "utofu" in line]
    assert line.startswith("utofu: error: ")
    assert f"{major}.{minor}" in line and "{}.{}".format(*built_for()) in line
    assert "Build tofukit against that UCX" in line


def test_another_version_ends_programs_that_need_the_transport(preload_version):
    major, minor = built_for()
    result = tofu_run("-n", 1, "ucx_perftest", "-l", "-d", "tofu0", "-x", "utofu", "-t", "put_lat", "-n", 1,
                      env=preload_version(major, minor + 1))
    assert result.returncode != 0


def test_this_version(preload_version):
    """The check itself."""
    result = tofu_run("-n", 1, "ucx_info", "-d", env=preload_version(*built_for()))
    assert "Transport: utofu" in result.stdout
    assert result.stderr == ""
