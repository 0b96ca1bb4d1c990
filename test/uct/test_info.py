# SPDX-License-Identifier: BSD-3-Clause
"""What UCX's own ucx_info says of the transport."""
import pytest

from conftest import tofu_run


@pytest.fixture(scope="module")
def device():
    """The lines that ucx_info has of the transport, by what stands before the colon."""
    result = tofu_run("-n", 1, "ucx_info", "-d")
    assert result.returncode == 0, result.stderr
    block = result.stdout.partition("# Memory domain: utofu")[2].partition("# Memory domain:")[0]
    pairs = (line.lstrip("# ").partition(":") for line in block.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


CAPABILITIES = {
    "Component": "utofu",
    "Transport": "utofu",
    "Device": "tofu0",
    "Type": "network",
    "allocate": "unlimited",
    # One STADD for each of six TNIs, however many workers there are.
    "remote key": "48 bytes",
    # What fits a descriptor.
    "put_short": "<= 32",
    "put_bcopy": "<= 8K",
    # The hardware's longest transfer.
    "put_zcopy": "<= 16777215, up to 1 iov",
    "get_bcopy": "<= 8K",
    "get_zcopy": "<= 16777215, up to 1 iov",
    "am_short": "<= 8K",
    "am_bcopy": "<= 8K",
    # In hardware, so not to be mixed with the CPU's own.
    "domain": "device",
    "atomic_add": "32, 64 bit",
    "atomic_and": "32, 64 bit",
    "atomic_or": "32, 64 bit",
    "atomic_xor": "32, 64 bit",
    "atomic_fadd": "32, 64 bit",
    "atomic_fand": "32, 64 bit",
    "atomic_for": "32, 64 bit",
    "atomic_fxor": "32, 64 bit",
    "atomic_swap": "32, 64 bit",
    "atomic_cswap": "32, 64 bit",
    # No handshake, so no other transport is needed to connect.
    "connection": "to iface",
    "max eps": "inf",
}


@pytest.mark.parametrize("name", CAPABILITIES)
def test_capability(device, name):
    assert device[name] == CAPABILITIES[name]


def test_errors_of_peers_are_handled(device):
    assert "peer failure" in device["error handling"]
    assert "ep_check" in device["error handling"]


def test_registers_any_memory(device):
    assert device["register"].startswith("unlimited")


def test_settings_are_listed():
    result = tofu_run("-n", 1, "ucx_info", "-cf")
    assert result.returncode == 0, result.stderr
    for name in ("JOB", "RCACHE", "RCACHE_MAX_REGIONS", "SEG_SIZE", "RX_QUEUE_LEN", "ALLOC", "TX_MAX_BUFS"):
        assert f"UCX_UTOFU_{name}=" in result.stdout


@pytest.mark.parametrize("setting, value", [("RX_QUEUE_LEN", "3"), ("RX_QUEUE_LEN", "0"), ("SEG_SIZE", "1"),
                                            ("SEG_SIZE", "1g")])
def test_wrong_setting_is_named(setting, value):
    result = tofu_run("-n", 1, "ucx_perftest", "-l", "-d", "tofu0", "-x", "utofu", "-t", "am_lat", "-n", 1,
                      env={f"UCX_UTOFU_{setting}": value})
    assert result.returncode != 0
    assert f"UCX_UTOFU_{setting}" in result.stdout + result.stderr
