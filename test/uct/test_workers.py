# SPDX-License-Identifier: BSD-3-Clause
"""Many workers in each of two processes: the published design of such a transport ends at 24."""
import re

import pytest

from conftest import pair, program


def key_size(folder, workers):
    folder.mkdir()
    result = pair(program("uct_workers"), folder, workers)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "WARNING: ThreadSanitizer" not in result.stderr
    return int(re.search(r"^key (\d+)$", result.stdout, re.MULTILINE)[1])


def test_48_workers(tmp_path):
    few, many = key_size(tmp_path / "few", 1), key_size(tmp_path / "many", 48)
    # Else 48 workers would need more than the 255 bytes that UCX has for a transport's key.
    assert few == many < 100
