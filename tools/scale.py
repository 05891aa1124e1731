#!/usr/bin/env python3
"""The tables of docs/scale.md: what `lockstep-recommend --gpus` predicts beside what was measured, and beyond.

    tools/scale.py measured     every figure of tiled in groups in docs/data, at rank 64 and single precision
    tools/scale.py fit          the model's three constants, from four of them
    tools/scale.py beyond       more GPUs, hosts and edges than were measured

The program is the lockstep-recommend of the PATH.
"""
import json
import math
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "docs/data"
# File, million edges, groups, GPUs.
FITTED = {("devices-300m-h200", 300, 1, 1), ("devices-300m-h200", 300, 4, 1), ("devices-300m-h200", 300, 4, 4), ("groups-h200", 75, 2, 1)}


def graph(rows, cols, edges):
    """As lockstep-inspect --json says it of a file: all that counts here are the sizes."""
    side = {f"{s}_degree_squares": 0.0 for s in ("row", "col")} | {f"{s}_degree_histogram": [] for s in ("row", "col")}
    sizes = {"rows": rows, "cols": cols, "edges": edges, "max_row_degree": 0, "max_col_degree": 0, "col_reuse": 0.0}
    return json.dumps({"file": "made-up", "graph": sizes | side, "seconds": {"write": 0.0}, "schedules": []})


def predict(sizes, gpus, hosts=1, groups=0, rank=64):
    words = f"lockstep-recommend - --rank {rank} --gpus {gpus} --hosts {hosts} --groups {groups} --json"
    return json.loads(subprocess.run(words.split(), input=graph(*sizes), capture_output=True, text=True, check=True).stdout)


def show(titles, rows):
    cells = [titles, *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(titles))]
    for row in cells:
        print("  ".join(cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths))).rstrip())


def points():
    """What was measured: file, users, items, edges, groups, GPUs, ms."""
    for path in [*sorted(DATA.glob("devices*.json")), DATA / "groups-h200.json", DATA / "processes-2-h200.json"]:
        data = {"users": 1_000_000, "items": 60_000, "edges": 400_000_000} | json.loads(path.read_text())
        part = data["parts"]["processes" if "processes" in data["parts"] else "devices"]
        for record in (data | dict(zip(part["columns"], row)) for row in part["rows"]):
            if record["GPUs"] and record.get("storage", "fp32") == "fp32":
                groups = record["groups"] if "groups" in record else int(record["schedule"].split()[0])
                yield path.stem, record["users"], record["items"], record["edges"], groups, record["GPUs"], record["sweep ms"]


def measured():
    rows = []
    for file, users, items, edges, groups, gpus, found in points():
        said = 1000 * predict((users, items, edges), gpus, groups=groups)["sweep_seconds"]
        used = "fitted" if (file, edges // 10**6, groups, gpus) in FITTED else "predicted"
        rows.append([file, f"{edges // 10**6} M", groups, gpus, f"{found:.1f}", f"{said:.1f}", f"{100 * (said / found - 1):+.0f} %", used])
    show(["data", "ratings", "groups", "GPUs", "measured", "model", "off", "which is"], rows)
    off = [abs(int(row[-2].split()[0])) for row in rows if row[-1] == "predicted"]
    print(f"{sum(o <= 15 for o in off)} of {len(off)} predicted within 15 %, {sum(o <= 10 for o in off)} within 10 %")


def fit():
    """executor/insight/scale.cpp anew, for these points: least squares of the logarithms."""
    def seconds(x, users, edges, groups, gpus):
        work = math.hypot(edges * x[0] * 1e-9, users * groups * 132 * 512 / (x[1] * 1e12)) / gpus
        return work * (1 + x[2] * (1 - 1 / gpus)) + (gpus > 1) * groups * (26e-6 + users / groups * 256 / 393e9)

    chosen = [(p[1], *p[3:6], p[6]) for p in points() if (p[0], p[3] // 10**6, *p[4:6]) in FITTED]
    loss = lambda x: sum(math.log(1000 * seconds(x, *p[:-1]) / p[-1]) ** 2 for p in chosen)
    x, step = [0.1, 5.0, 0.2], 0.5
    while step > 1e-4:  # pattern search
        best = min(([v * (1 + s * step * (i == j)) for i, v in enumerate(x)] for j in range(3) for s in (1, -1)), key=loss)
        x, step = (best, step) if loss(best) < loss(x) else (x, step / 2)
    print(f"edge {x[0]:.3f} ns, visits {x[1]:.2f} TB/s, wait {x[2]:.2f}")


def size(value):
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value:.0f} B"


def beyond():
    rows = []
    for exponent in (9, 10, 11, 12):
        edges = 10**exponent
        users, items = edges // 400, min(10_000_000, edges // 6_667)
        for gpus, hosts in ((1, 1), (8, 1), (64, 8), (1024, 128)):
            of = predict((users, items, edges), gpus, hosts)
            part = lambda name: f"{100 * of['seconds'][name] / of['sweep_seconds']:.0f} %"
            rows.append([f"1e{exponent}", gpus, hosts, of["groups"], f"{of['sweep_seconds']:.3g}", part("edges"), part("phases"), part("waiting"), part("links"),
                         part("copies") if of["streamed"] else "-", f"{of['one_gpu_seconds'] / of['sweep_seconds']:.2f}",
                         size(of["vector_bytes_each"]) + ("" if of["fits"] else " !"), size(of["stream_bytes_each"])])
    show(["edges", "GPUs", "hosts", "groups", "seconds", "edges", "phases", "waiting", "links", "copies", "speedup", "vectors", "streams"], rows)


if __name__ == "__main__":
    commands = {"measured": measured, "fit": fit, "beyond": beyond}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]]()
