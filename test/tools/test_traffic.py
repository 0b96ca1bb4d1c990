# SPDX-License-Identifier: BSD-3-Clause
"""What the links carried: tofu-run --traffic, tofu-info --links and --watch."""
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
import xml.dom.minidom

import pytest

from conftest import BUILD, LIMIT_S, clean_environment

JOB = f"tools-test-traffic-{os.getpid()}"
RING = BUILD / "bin" / "example_ring"

# Rank 0, on node 0,0,0,0,0,0, writes 1000 bytes three times to rank 1 on ...,1 and reads 500 bytes twice. Each has its queue
# and memory at places that the other can work out. Rank 0 ends as argv[2] says, rank 1 then at the end of its input.
PAIR = """
import ctypes, mmap, os, signal, sys, time
tofu = ctypes.CDLL(sys.argv[1])
u64 = ctypes.c_uint64
queue, stadd, far, there = ctypes.c_size_t(), u64(), u64(), u64()
memory = mmap.mmap(-1, 4096)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
assert tofu.utofu_create_vcq_with_cmp_id(2, 7, ctypes.c_ulong(0), ctypes.byref(queue)) == 0
assert tofu.utofu_reg_mem_with_stag(queue, ctypes.c_void_p(address), ctypes.c_size_t(4096), 1, ctypes.c_ulong(0),
                                    ctypes.byref(stadd)) == 0
if os.environ["SOFTTOFU_RANK"] == "1":
    while memory[4095] == 0:
        time.sleep(0.001)
else:
    notice = (u64 * 8)()
    def run(call, length, at):
        # 1 << 15: a local notice. It fails as long as rank 1 has not registered its memory.
        while True:
            assert call(queue, far, stadd, u64(there.value + at), ctypes.c_size_t(length), u64(0), ctypes.c_ulong(1 << 15), None) == 0
            code = -1
            while code == -1:
                code = tofu.utofu_poll_mrq(queue, ctypes.c_ulong(0), notice)
            if code == 0:
                return
    assert tofu.utofu_construct_vcq_id((ctypes.c_uint8 * 6)(0, 0, 0, 0, 0, 1), 2, 0, 7, ctypes.byref(far)) == 0
    assert tofu.utofu_query_stadd(far, 1, ctypes.byref(there)) == 0
    for i in range(3):
        run(tofu.utofu_put, 1000, 0)
    for i in range(2):
        run(tofu.utofu_get, 500, 0)
    memory[0] = 1
    run(tofu.utofu_put, 1, 4095)
    print("done", flush=True)
    if sys.argv[2] == "wait":
        sys.stdin.read()
    elif sys.argv[2] == "free":
        assert tofu.utofu_free_vcq(queue) == 0
    else:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def pair(how):
    return ["-n", 2, "--shape", "1x1x1x2x3x2", "--keep-going", "--no-ucx", "--job", JOB, "--", sys.executable, "-c", PAIR,
            BUILD / "lib" / "libtofucom.so", how]


def links_of(tofu_info, source):
    result = tofu_info("--links", source, "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    return {(tuple(link["from"]), tuple(link["to"]), link["direction"]): (link["ops"], link["bytes"])
            for link in report["links"]}


EXPECTED_LINKS = {((0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1), "c"): (4, 3001),
                  ((0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 0), "c"): (2, 1000)}


@pytest.mark.parametrize("how, state", [("free", "exited"), ("kill", "dead")])
def test_traffic__outlives_queue_and_process(tofu_run, tofu_info, tmp_path, how, state):
    file = tmp_path / "t.json"
    result = tofu_run("--traffic", file, *pair(how))
    assert result.returncode == (0 if how == "free" else 128 + 9), result.stderr
    report = json.loads(file.read_text())
    assert report["ranks"] == [{"rank": 0, "state": state}, {"rank": 1, "state": "exited"}]
    first, second = report["senders"]
    assert (first["rank"], first["tni"], first["coordinates"]) == (0, 2, [0] * 6)
    assert first["to"] == [{"node": 1, "coordinates": [0, 0, 0, 0, 0, 1], "ops": 4, "bytes": 3001,
                            "get_ops": 2, "get_bytes": 1000}]
    assert second["to"] == []
    assert links_of(tofu_info, file) == EXPECTED_LINKS


@pytest.fixture
def running(tofu_run):
    process = tofu_run.start(*pair("wait"), stdin=subprocess.PIPE)
    assert process.stdout.readline() == "done\n", process.stderr.read()
    yield process
    process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0


def test_links__of_a_running_job(tofu_info, running):
    assert links_of(tofu_info, JOB) == EXPECTED_LINKS
    text = tofu_info("--links", JOB).stdout
    assert re.search(r"0,0,0,0,0,0 +0,0,0,0,0,1 +c +4 +3001", text)


def test_links__picture(tofu_run, tofu_info, tmp_path):
    file, picture = tmp_path / "t.json", tmp_path / "t.svg"
    assert tofu_run("--no-ucx", "--traffic", file, "-n", 12, "--shape", "1x1x1x2x3x2", RING, 12).returncode == 0
    result = tofu_info("--links", file, "--output", picture)
    assert result.returncode == 0, result.stderr
    groups = xml.dom.minidom.parse(str(picture)).getElementsByTagName("g")
    assert [group.getAttribute("id") for group in groups] == ["direction:a", "direction:+b", "direction:-b", "direction:c"]
    assert all(len(group.getElementsByTagName("rect")) == 12 for group in groups)
    tips = [title.firstChild.data for title in groups[3].getElementsByTagName("title")]
    assert "0,0,0,0,0,0 to 0,0,0,0,0,1: 8 B in 1 operations" in tips


def test_links__of_ranks_placed_by_a_map(tofu_run, tofu_info, tmp_path):
    file, places = tmp_path / "t.json", tmp_path / "map"
    places.write_text("".join(f"({11 - rank})\n" for rank in range(12)))
    result = tofu_run("--no-ucx", "--traffic", file, "-n", 12, "--map", places, "--wrap", "none", RING, 12)
    assert result.returncode == 0, result.stderr
    saved = json.loads(file.read_text())
    assert saved["rings"] == []
    assert {sender["rank"]: sender["node"] for sender in saved["senders"]} == {r: 11 - r for r in range(12)}
    assert all(sender["coordinates"][3] == (sender["rank"] < 6) for sender in saved["senders"])
    (flow,) = [sender["to"] for sender in saved["senders"] if sender["node"] == 11][0]
    assert flow["node"] == 0, "the token returns to the first place of the unit"


def test_links__sum_is_hops(tofu_run, tofu_info, tmp_path):
    file = tmp_path / "t.json"
    assert tofu_run("--no-ucx", "--traffic", file, "-n", 12, "--shape", "1x1x1x2x3x2", RING, 12).returncode == 0
    # Ring order is that of node numbers: 6 steps along c, 4 along b and c, 1 along all three, and back over a, b, c.
    assert sum(ops for ops, size in links_of(tofu_info, file).values()) == 6 * 1 + 4 * 2 + 2 * 3


def test_links__bad_files(tofu_info, tmp_path):
    bad = tmp_path / "bad.json"
    for text in ("", "[]", "{}", '{"kind": "tofu-traffic", "version": 1}', '{"kind": "other", "version": 1}'):
        bad.write_text(text)
        result = tofu_info("--links", bad)
        assert result.returncode == 1
        assert result.stderr.count("\n") == 1 and "bad.json" in result.stderr
    result = tofu_info("--links", tmp_path / "none.json")
    assert result.returncode == 1 and "none.json" in result.stderr
    result = tofu_info("--links", "no-such-job")
    assert result.returncode == 1 and "--traffic" in result.stderr


def test_traffic__file_that_cannot_be_written_is_told_before_the_start(tofu_run, tmp_path):
    result = tofu_run("--no-ucx", "--traffic", tmp_path / "none" / "t.json", "touch", tmp_path / "started")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and "t.json" in result.stderr
    assert not (tmp_path / "started").exists()


def test_watch__into_a_pipe(tofu_info, running):
    result = tofu_info("--watch", "--interval", 0.05, "--count", 2, JOB)
    assert result.returncode == 0, result.stderr
    assert "\033" not in result.stdout
    blocks = result.stdout.split("\n\n")
    assert len(blocks) == 2
    for block in blocks:
        assert f"Job {JOB}" in block
        assert re.search(r"^ +0 +alive +0 +0 +0\.000 +6 +0\.004$", block, re.M), block
        assert re.search(r"^ +2 +0 +0\.000 +6 +0\.004$", block, re.M), block
        assert re.search(r"0,0,0,0,0,0 +0,0,0,0,0,1 +c +0 +0\.000 +4 +0\.003$", block, re.M), block


def read_until(descriptor, end):
    text = b""
    limit = time.monotonic() + LIMIT_S
    while end not in text:
        assert time.monotonic() < limit, text
        if select.select([descriptor], [], [], 1)[0]:
            text += os.read(descriptor, 65536)
    return text


def test_watch__on_a_terminal_until_the_job_ends(tofu_info, tofu_run):
    job = tofu_run.start(*pair("wait"), stdin=subprocess.PIPE)
    assert job.stdout.readline() == "done\n"
    master, slave = pty.openpty()
    watching = subprocess.Popen([tofu_info.path, "--watch", "--interval", "0.02", JOB], stdout=slave,
                                env=clean_environment({"TERM": "vt100"}))
    os.close(slave)
    shown = read_until(master, b"\033[J")
    job.communicate(timeout=LIMIT_S)
    shown += read_until(master, f"Job {JOB} has ended.".encode())
    assert watching.wait(timeout=LIMIT_S) == 0
    os.close(master)
    assert shown.startswith(b"\033[H")
    assert set(re.findall(rb"\033\[[0-9;?]*[A-Za-z]", shown)) == {b"\033[H", b"\033[K", b"\033[J"}


def test_watch__no_job(tofu_info):
    result = tofu_info("--watch", "no-such-job")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and "no-such-job" in result.stderr


@pytest.mark.parametrize("options", [("--count", 2), ("--interval", 1), ("--output", "x.svg"), ("--watch", "--links"),
                                     ("--watch", "--interval", 0, JOB), ("--links", "one", "two")])
def test_options__that_make_no_sense(tofu_info, options):
    result = tofu_info(*options)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
