# SPDX-License-Identifier: BSD-3-Clause
"""Registration of memory that comes and goes, and that nobody may reach."""
import pytest

from conftest import pair, program


@pytest.mark.parametrize("cache", ["y", "n"])
@pytest.mark.parametrize("kind", ["private", "shared"])
def test_remapped_memory(tmp_path, kind, cache):
    result = pair(program("uct_remap"), tmp_path, kind, env={"UCX_UTOFU_RCACHE": cache})
    assert result.returncode == 0, result.stdout + result.stderr


def test_forbidden_attach(tmp_path):
    result = pair(program("uct_forbidden"), tmp_path, env={"SOFTTOFU_ATTACH": "no"})
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("works") == 2
    assert "refused: ucp_mem_map: Unsupported operation" in result.stdout
    # The device says what is wrong and what to do.
    lines = [line for line in result.stderr.splitlines() if line.startswith("softtofu: error: ")]
    assert lines and all("cross-memory attach is not possible: SOFTTOFU_ATTACH=no" in line for line in lines)
    assert all("Allow it, or put " in line for line in lines)
