# SPDX-License-Identifier: BSD-3-Clause
"""UCX emulates without a word what a transport lacks, so its own log must say which lanes it took."""
import re

import pytest

from conftest import perftest

# Test, and what its endpoints need a lane for.
LANES = [
    ("ucp_put_lat", "rma"),
    ("ucp_get", "rma"),
    ("ucp_add", "amo"),
    ("ucp_fadd", "amo"),
    ("ucp_swap", "amo"),
    ("ucp_cswap", "amo"),
    ("tag_lat", "am"),
    ("ucp_am_lat", "am"),
    ("stream_lat", "am"),
]


def lanes(log):
    """Of all endpoints in a log: pairs of a lane's use and its transport, as ("rma", "utofu/tofu0")."""
    # UCX 1.13 has no line of either kind that tells all uses: the first skips endpoints without messages, the other rma.
    #   ep_cfg[0]: rma(utofu/tofu0) am(utofu/tofu0)
    #   lane[0]:  1:utofu/tofu0.0 md[1]  -> addr[1].md[1]/utofu/sysdev[255] am am_bw#0 amo#0
    found = set()
    for line in re.findall(r"ep_cfg\[\d+\]: (.*)", log):
        found |= {(use, transport) for use, all_ in re.findall(r"(\w+)\(([^)]*)\)", line) for transport in all_.split()}
    for transport, uses in re.findall(r"lane\[\d+\]: +\d+:(\S+)\.\d+ .*sysdev\[\d+\](.*)", log):
        found |= {(use.partition("#")[0], transport) for use in uses.split()}
    return found


def perftest_log(folder, *arguments, **variables):
    """What UCX logs in two processes: each to a file, since lines of both in one may mix."""
    perftest(*arguments, env={"UCX_LOG_LEVEL": "debug", "UCX_LOG_FILE": f"{folder}/ucx.%p.log", **variables})
    return "".join(path.read_text() for path in folder.glob("ucx.*.log"))


def emulated(log):
    return set(re.findall(r"\b(?:rma|amo)_am\b", log))


@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("test, use", LANES)
def test_lanes_are_native(tmp_path, test, use, size):
    log = perftest_log(tmp_path, "-t", test, "-s", size, "-n", 10, "-w", 1)
    found = lanes(log)
    assert (use, "utofu/tofu0") in found, log
    # The endpoint of a process to itself may be on "self"; to a peer there is nothing but utofu.
    assert {transport for _, transport in found} <= {"utofu/tofu0", "self/memory0"}, log
    assert (use, "self/memory0") not in found, log
    assert not emulated(log), log


@pytest.mark.parametrize("test, emulation", [("ucp_put_lat", "rma_am"), ("ucp_fadd", "amo_am")])
def test_emulation_is_seen(tmp_path, test, emulation):
    """The check itself: over TCP all but messages is emulated."""
    log = perftest_log(tmp_path, "-t", test, "-n", 10, "-w", 1, UCX_TLS="tcp,self")
    assert emulated(log) == {emulation}
    assert lanes(log) and all(transport.startswith("tcp/") for _, transport in lanes(log))
