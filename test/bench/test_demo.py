# SPDX-License-Identifier: BSD-3-Clause
"""tofu-bench demo as a user runs it, only shorter."""

import json


def test_demo__measures_everything(bench, needs, tmp_path):
    for backend in ("utofu", "ucp", "openmpi", "mpich"):
        needs(backend)
    done = bench("demo", "--rounds", "1", "--seconds", "0.02", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "index.html").exists() and (tmp_path / "results.csv").exists()
    results = json.loads((tmp_path / "results.json").read_text())["results"]
    assert {row["backend"] for row in results} == {"utofu", "ucp", "ucp-peer", "openmpi", "mpich", "shm"}
    assert {row["threads"] for row in results} == {1, 2, 24}
    assert {(row["experiment"], row["op"]) for row in results} == {
        ("pingpong", "put"), ("rate", "put"), ("rate", "get"), ("gups", "get+put")}
    assert all(row["wrong_bytes"] == 0 for row in results)
    assert all(row["ratio_to_peer"] > 0 for row in results if row["backend"] == "ucp")


def test_demo__fails_if_a_backend_does(tmp_path, monkeypatch, capsys):
    """The others are still measured and reported."""
    from types import SimpleNamespace

    from conftest import BUILD
    from tofu_bench import demo
    monkeypatch.setattr(demo, "BACKENDS", ("shm", "ucp"))
    monkeypatch.setenv("UCX_TLS", "nonesuch")
    options = SimpleNamespace(output=str(tmp_path), rounds=1, seconds=0.01, budget=60)
    assert demo.run(BUILD, "commit", options) == 1
    assert "backend ucp failed" in capsys.readouterr().err
    assert "backend ucp failed" in (tmp_path / "index.html").read_text()


def test_medians__keep_wrong_bytes_of_any_round(example_rows):
    from tofu_bench import demo
    spoilt = [dict(row) for row in example_rows]
    spoilt[0]["wrong_bytes"] = 3
    rows = demo.medians([example_rows, spoilt, example_rows])
    assert len(rows) == len(example_rows)
    assert sum(row["wrong_bytes"] for row in rows) == 3
