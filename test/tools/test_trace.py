# SPDX-License-Identifier: BSD-3-Clause
"""SOFTTOFU_TRACE and tofu-run --trace; that SOFTTOFU_CHECK leaves a correct program alone."""
import json
import signal
import sys

from conftest import BUILD

RING = BUILD / "bin" / "example_ring"
BARRIERS = BUILD / "bin" / "example_ring_barrier"
RANKS = 12

# Puts for ever to itself; says so after enough of them for several buffers of events.
ENDLESS = """
import ctypes, mmap, sys
tofu = ctypes.CDLL(sys.argv[1])
u64, size, long = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_ulong
queue, own, stadd, data = size(), u64(), u64(), u64(7)
memory = mmap.mmap(-1, 4096)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
assert tofu.utofu_create_vcq(0, long(0), ctypes.byref(queue)) == 0
assert tofu.utofu_query_vcq_id(queue, ctypes.byref(own)) == 0
assert tofu.utofu_reg_mem(queue, ctypes.c_void_p(address), size(4096), long(0), ctypes.byref(stadd)) == 0
count = 0
while True:
    assert tofu.utofu_put_piggyback(queue, own, ctypes.byref(data), stadd, size(8), u64(0), long(0), None) == 0
    count += 1
    if count == 5000:
        print("busy", flush=True)
"""


def ring(tofu_run, *options, **keywords):
    return tofu_run("--no-ucx", *options, "-n", RANKS, "--shape", "1x1x1x2x3x2", RING, RANKS, **keywords)


def calls(events, name):
    return [event for event in events if event["name"] == name and event["ph"] == "X"]


def check_ring(events):
    """Each rank puts once or, while the next one is not there, more often; notices lead from rank to rank."""
    begins = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    assert len(ends) == RANKS
    for number, end in ends.items():
        assert end["pid"] == (begins[number]["pid"] + 1) % RANKS
        assert end["ts"] >= begins[number]["ts"], "one clock for all"
    for rank in range(RANKS):
        mine = [event for event in events if event["pid"] == rank]
        puts = calls(mine, "utofu_put_piggyback")
        assert puts and all(put["args"]["bytes"] == 8 and put["args"]["result"] == 0 for put in puts)
        assert all(put["args"]["tni"] == 0 and put["dur"] >= 0 for put in puts)
        assert calls(mine, "utofu_poll_mrq")
        assert [event["args"]["name"] for event in mine if event["name"] == "process_name"] == [
            f"rank {rank} on node 0,0,0,{rank // 6},{rank // 2 % 3},{rank % 2}"]


def test_trace__of_a_job(tofu_run, tmp_path):
    file = tmp_path / "t.json"
    result = ring(tofu_run, "--trace", file)
    assert result.returncode == 0, result.stderr
    check_ring(json.loads(file.read_text()))
    assert list(tmp_path.iterdir()) == [file], "parts are gone"
    assert file.stat().st_size > 0


def test_trace__of_barriers(tofu_run, tmp_path):
    file = tmp_path / "t.json"
    result = tofu_run("--no-ucx", "--trace", file, "-n", RANKS, BARRIERS, RANKS)
    assert result.returncode == 0, result.stderr
    events = json.loads(file.read_text())
    for rank in range(RANKS):
        barriers = calls([event for event in events if event["pid"] == rank], "utofu_barrier")
        assert barriers and all(barrier["args"]["result"] == 0 and barrier["dur"] >= 0 for barrier in barriers)


def test_trace__a_file_each(tofu_run, tmp_path):
    result = ring(tofu_run, env={"SOFTTOFU_TRACE": str(tmp_path / "t.json")})
    assert result.returncode == 0, result.stderr
    files = [tmp_path / f"t.{rank}.json" for rank in range(RANKS)]
    assert sorted(tmp_path.iterdir()) == sorted(files)
    check_ring([event for file in files for event in json.loads(file.read_text())])


def test_trace__named_by_rank_and_process(tofu_run, tmp_path):
    assert ring(tofu_run, env={"SOFTTOFU_TRACE": str(tmp_path / "%r-%p")}).returncode == 0
    assert sorted(int(file.name.split("-")[0]) for file in tmp_path.iterdir()) == list(range(RANKS))


def test_trace__file_that_cannot_be_written(tofu_run, tmp_path):
    result = tofu_run("--no-ucx", "--trace", tmp_path / "none" / "t.json", "touch", tmp_path / "started")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and "t.json" in result.stderr
    assert not (tmp_path / "started").exists()
    result = tofu_run("--no-ucx", RING, 1, env={"SOFTTOFU_TRACE": str(tmp_path / "none" / "t.json")})
    assert result.returncode != 0 and "SOFTTOFU_TRACE" in result.stderr


def load_unfinished(text):
    """As readers of the format do: the last line may be incomplete, and the array has no end."""
    lines = text[:text.rindex("\n")].splitlines()
    assert lines[0] == "[" and lines[-1] != "]"
    return [json.loads(line.rstrip(",")) for line in lines[1:]]


def test_trace__of_a_killed_process(tofu_run, tmp_path):
    endless = tofu_run.start("--no-ucx", "--trace", tmp_path / "t.json", sys.executable, "-c", ENDLESS,
                             BUILD / "lib" / "libtofucom.so", env={})
    assert endless.stdout.readline() == "busy\n", endless.stderr.read()
    part = tmp_path / "t.json.0.part"
    events = load_unfinished(part.read_text())
    assert len(calls(events, "utofu_put_piggyback")) > 1000
    endless.send_signal(signal.SIGTERM)
    endless.communicate(timeout=60)
    joined = json.loads((tmp_path / "t.json").read_text())
    assert len(calls(joined, "utofu_put_piggyback")) > 1000


def test_check__leaves_a_correct_program_alone(tofu_run):
    result = ring(tofu_run, env={"SOFTTOFU_CHECK": "abort"})
    assert (result.returncode, result.stderr) == (0, "")


def test_check__bad_setting(tofu_run):
    result = tofu_run("--no-ucx", RING, 1, env={"SOFTTOFU_CHECK": "maybe"})
    assert result.returncode != 0
    assert "SOFTTOFU_CHECK=maybe is none of" in result.stderr
