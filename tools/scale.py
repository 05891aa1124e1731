#!/usr/bin/env python3
"""The tables of docs/scale.md: what `lockstep-recommend --gpus` predicts beside what was measured, and beyond.

    tools/scale.py measured     every figure of several GPUs in docs/data/devices*.json
    tools/scale.py beyond       more GPUs, hosts and edges than were measured

The program is the lockstep-recommend of the PATH.
"""
import json
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "docs/data"
FITTED = {("devices-h200", 1, 1), ("devices-h200", 4, 1), ("devices-h200", 4, 4)}  # file, groups, GPUs


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


def measured():
    rows = []
    for path in sorted(DATA.glob("devices*.json")):
        data = json.loads(path.read_text())
        edges = data.get("edges", 400_000_000)
        part = data["parts"]["devices"]
        for record in (dict(zip(part["columns"], row)) for row in part["rows"]):
            groups, gpus = int(record["schedule"].split()[0]), record["GPUs"]
            of = predict((1_000_000, 60_000, edges), gpus, groups=groups)
            found, said = record["sweep ms"], 1000 * of["sweep_seconds"]
            used = "fitted" if (path.stem, groups, gpus) in FITTED else "predicted"
            rows.append([path.stem, f"{edges // 10**6} M", groups, gpus, f"{found:.1f}", f"{said:.1f}", f"{100 * (said / found - 1):+.0f} %", used])
    show(["data", "ratings", "groups", "GPUs", "measured", "model", "off", "which is"], rows)


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
    if sys.argv[1:] not in (["measured"], ["beyond"]):
        sys.exit(__doc__)
    {"measured": measured, "beyond": beyond}[sys.argv[1]]()
