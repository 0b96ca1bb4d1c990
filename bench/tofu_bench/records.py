# SPDX-License-Identifier: BSD-3-Clause
"""The result file: one schema for all experiments, as CSV and as JSON, with a head that tells how it came about."""

import csv
import json
import os
import platform
import re
import sys
from datetime import datetime, timezone

from tofu_report.figure import latency_ns

COLUMNS = ("experiment,op,backend,fabric,processes,threads,workers,size_bytes,iterations,warmup,lat_ns_min,lat_ns_p50,"
           "lat_ns_p99,lat_ns_max,bw_MBps,rate_Mps,wrong_bytes,peer,ratio_to_peer").split(",")

SETTINGS = ("UCX_", "SOFTTOFU_", "UTOFU_", "OMPI_", "MPICH_", "LD_PRELOAD")


def mean_latency_ns(point):
    """Mean time of an operation as a thread sees it; of a ping-pong, half a round trip."""
    return 1e3 * point["threads"] / point["rate_Mps"] if point["rate_Mps"] else 0.0


def performance(point):
    """A figure that is the better the higher, for ratios: the rate; for a ping-pong the inverse of what the report
    shows as latency."""
    if point["experiment"] != "pingpong":
        return point["rate_Mps"]
    latency = latency_ns(point)
    return 1e3 / latency if latency else 0.0


def add_peers(points, peer):
    """Fill peer and ratio_to_peer: how many times as good a point is as the same one of backend `peer`. Of a peer with
    shared workers and with a worker per thread, the latter counts."""
    best = {}
    for point in points:
        if point["backend"] == peer:
            key = place(point)
            if key not in best or point["workers"] > best[key]["workers"]:
                best[key] = point
    for point in points:
        other = best.get(place(point))
        point["peer"] = peer if other and other is not point else ""
        known = point["peer"] and performance(other) > 0
        point["ratio_to_peer"] = performance(point) / performance(other) if known else ""
    return points


def place(point):
    return tuple(point[name] for name in ("experiment", "op", "processes", "threads", "size_bytes"))


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return re.search(r"model name\s*:\s*(.*)", file.read()).group(1)
    except (OSError, AttributeError):
        return platform.processor() or platform.machine()


def head(outcomes, commit):
    """What a reader needs to judge the figures. `outcomes` are those of the launches."""
    heads = [outcome.head for outcome in outcomes if outcome.head]
    points = [point for outcome in outcomes for point in outcome.points]
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": " ".join(sys.argv),
        "commit": commit,
        "fabric": "software",
        "compiler": "; ".join(sorted({f"{head['compiler']} {head['flags']}" for head in heads})),
        "libraries": "; ".join(sorted({f"{head['backend']}: {head['library']}" for head in heads})),
        "cpu": f"{cpu_model()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "pinning": "; ".join(sorted({head["pin"] for head in heads})),
        "memory": "; ".join(sorted({head["memory"] for head in heads})),
        "passive_target": "; ".join(sorted({f"{head['backend']}: {head['target']}" for head in heads})),
        "waiting": "; ".join(sorted({f"{point['threads']} threads: {point['wait']}" for point in points
                                     if point["experiment"] == "pingpong"})),
        "environment": {name: value for name, value in sorted(os.environ.items()) if name.startswith(SETTINGS)},
    }


def cell(value):
    return f"{value:.6g}" if isinstance(value, float) else value


def write_csv(path, head_fields, points):
    with open(path, "w", encoding="utf-8", newline="") as file:
        for name, value in head_fields.items():
            file.write(f"# {name}: {json.dumps(value) if isinstance(value, dict) else value}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([cell(point[column]) for column in COLUMNS] for point in points)


def write_json(path, head_fields, points):
    rows = [{column: point[column] for column in COLUMNS} for point in points]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"head": head_fields, "results": rows}, file, indent=1)
        file.write("\n")


def read_csv(path):
    """Rows as dictionaries of text, without the head."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))
