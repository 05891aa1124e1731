#!/usr/bin/env python3
"""What every stage of preprocessing takes on this machine, on generated graphs of three kinds; prints one table.

    tools/preprocessing.py --bin BUILD/bin --out FOLDER [--runs 3] [--scale 1] --device "two cores of …" [--json FILE]

The graphs, made in FOLDER: 99 M ratings of the Netflix shape, R-MAT 22, and a road of 34 M arcs; --scale 0.01 makes a hundredth of that,
to try the script out. --json writes docs/data/preprocessing-*.json (gpu_benchmark.py says what such a file has), of which the table of
docs/performance.md is made.
"""
import argparse
import json
import math
import os
import shlex
import subprocess
import sys

from gpu_runs import write_data

TITLES = {"copy of the triples": "memory copy of the triples", "one radix pass": "one radix pass, 8-byte records",
          "graph with input order": "triples → graph, with the order of the input", "triples to agm-e": "triples → AGM-E schedule",
          "graph": "triples → graph", "maximal matchings": "first-fit matchings alone"}


def graphs(scale):
    """Name: its file, how it is made and how it is read."""
    def size(full, by=scale):
        return str(round(full * by))

    side = math.sqrt(scale)
    return {"99 M edges": ("ratings.bin", ["ratings", "--users", size(480_189, side), "--items", size(17_770, side), "--edges", size(99_000_000),
                                           "--max-degree", size(227_715, side)], []),
            "R-MAT 22": ("rmat.bin", ["rmat", "--scale", str(max(8, 22 + round(math.log2(scale)))), "--edge-factor", "16"], ["--shape", "square"]),
            "road": ("road.txt", ["road", "--vertices", size(13_600_000)], ["--shape", "square", "--undirected", "--value-column", "none"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--runs", type=int, default=3, help="of each stage, of which the median counts")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--device", required=True, help="what the file says of the machine")
    parser.add_argument("--json")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    found = {}  # graph -> stage -> what is told of it
    for name, (file, made, read) in graphs(options.scale).items():
        path = os.path.join(options.out, file)
        if not os.path.exists(path):
            subprocess.run([os.path.join(options.bin, "lockstep-generate"), *made, "--seed", "1", "-o", path, "--quiet"], check=True)
        text = subprocess.run([os.path.join(options.bin, "lockstep-bench"), path, *read, "--part", "pipeline", "--runs", str(options.runs), "--json"],
                              check=True, stdout=subprocess.PIPE, text=True).stdout
        found[name] = {stage["stage"]: stage for stage in json.loads(text)["stages"]}
    rows = []
    for stage in dict.fromkeys(stage for of_graph in found.values() for stage in of_graph):
        first = found["99 M edges"].get(stage)
        seconds = [round(found[name][stage]["seconds"], 3) if stage in found[name] else None for name in found]
        more = [round(first["edges_per_second"] / 1e6), round(first["peak_bytes_per_edge"], 1), round(first["radix_passes"], 1)] if first else [None] * 3
        rows.append([TITLES.get(stage, stage), seconds[0], *more, *seconds[1:]])
    columns = ["stage", "99 M edges, s", "M edges/s", "bytes/edge", "radix passes", "R-MAT 22, s", "road, s"]
    for row in rows:
        print(f"{row[0]:46}" + "".join(f" {'–' if cell is None else format(cell, 'g'):>10}" for cell in row[1:]))
    if options.json:
        command = shlex.join(["tools/preprocessing.py", "--runs", str(options.runs)] + (["--scale", str(options.scale)] if options.scale != 1 else []))
        write_data(options.json, {"pipeline": {"columns": columns, "rows": rows}}, os.path.join(options.bin, "lockstep-bench"), command,
                   about="tools/preprocessing.py: seconds from triples in memory, of 99.0 M edges in random order (480,189 × 17,770, largest degree 227,715), R-MAT 22 (67.1 M edges) and a road (34.0 M arcs); "
                         "bytes/edge: memory at the peak of a stage beyond what was there before, its result included" + (f"; all times {options.scale:g}" if options.scale != 1 else ""), device=options.device)
    return 0


if __name__ == "__main__":
    sys.exit(main())
