# SPDX-License-Identifier: BSD-3-Clause
"""ucx_perftest between two processes: each operation of UCT and UCP, from 8 bytes to the longest."""
import pytest

from conftest import final_iterations, perftest, tofu_run

SEG_SIZE = 8192
ZCOPY_MAX = 16777215

UCT = [
    *[(test, "short", size) for test in ("put_lat", "put_bw") for size in (8, 32)],
    *[(test, "short", size) for test in ("am_lat", "am_bw") for size in (8, 16, 24, 1024, SEG_SIZE)],
    *[("am_lat", "shortiov", size) for size in (8, 1024)],
    *[(test, "bcopy", size) for test in ("put_lat", "put_bw", "get", "am_lat", "am_bw")
      for size in (8, 33, 4096, SEG_SIZE)],
    *[(test, "zcopy", size) for test in ("put_lat", "put_bw", "get") for size in (8, 65536, ZCOPY_MAX)],
    *[(test, "short", size) for test in ("add_lat", "add_mr", "fadd", "swap", "cswap") for size in (4, 8)],
]

UCP = [
    *[(test, size) for test in ("ucp_put_lat", "ucp_put_bw", "ucp_get") for size in (8, 4096, 1 << 20, 1 << 25)],
    *[(test, size) for test in ("ucp_add", "ucp_fadd", "ucp_swap", "ucp_cswap") for size in (4, 8)],
    *[(test, size) for test in ("tag_lat", "tag_bw", "tag_sync_lat", "tag_sync_bw", "ucp_am_lat", "ucp_am_bw",
                                "stream_lat", "stream_bw") for size in (8, 4096, 1 << 20)],
]


def iterations(size):
    """Enough to wrap the receive ring and the queues, unless the data is long."""
    return 2000 if size <= SEG_SIZE else 20 if size <= 1 << 20 else 4


def check(test, size, *options):
    count = iterations(size)
    output = perftest(*options, "-t", test, "-s", size, "-n", count, "-w", 2)
    assert final_iterations(output) == count
    assert "ERROR" not in output and "WARN" not in output


@pytest.mark.parametrize("test, layout, size", UCT)
def test_uct(test, layout, size):
    check(test, size, "-d", "tofu0", "-x", "utofu", "-D", layout)


@pytest.mark.parametrize("test, size", UCP)
def test_ucp(test, size):
    check(test, size)


@pytest.mark.parametrize("test", ["ucp_put_bw", "ucp_get", "ucp_fadd", "tag_bw"])
def test_threads(test):
    """Each thread with a worker, hence an interface, of its own."""
    check(test, 8, "-T", 4, "-M", "serialized")


@pytest.mark.parametrize("test", ["put_lat", "am_lat", "fadd"])
def test_loopback(test):
    """Two interfaces of one process."""
    result = tofu_run("-n", 1, "ucx_perftest", "-l", "-d", "tofu0", "-x", "utofu", "-t", test, "-n", 1000, "-w", 2)
    assert result.returncode == 0, result.stdout + result.stderr
    assert final_iterations(result.stdout) == 1000
