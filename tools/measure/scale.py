"""The measurements of docs/guides/gpus.md: runs on 1, 2, 4, … GPUs, in one process, and in one process per
GPU under mpirun. They need NumPy."""
import json
import math
import os
import time

from measure.graphs import RMAT, SQUARE, ratings
from measure.runner import gpus, name_of, pool_of, seconds_of

MOST = 12_500_000  # maximum number of ratings that one call of lockstep-generate makes, since it is serial
SIZES = {"300 M": (1_000_000, 60_000, 300_000_000, 200_000), "1 G": (2_500_000, 375_000, 1_000_000_000, 300_000)}
STAGES = ("load", "plan", "transfer")


def ratings_of(b, users, items, edges, degree):
    """Returns a binary file of generated ratings. The file consists of parts that are generated in parallel,
    each with its own users. In every part, items are numbered by their degree, so that hubs of the parts are
    hubs of the whole."""
    import numpy as np

    file = b.path(name_of("ratings", users, items, edges, degree) + ".bin")
    if os.path.exists(file):
        return file
    count = -(-edges // MOST)

    def part(i):
        made = f"{file}.{i}"
        b.run("lockstep-generate", *ratings(users // count, items, edges // count, degree // count).split(), "--seed", 1 + i, "-o", made + ".bin", "--quiet")
        of = np.fromfile(made + ".bin", [("row", "<u4"), ("col", "<u4"), ("value", "<f4")])
        os.remove(made + ".bin")
        number = np.empty(items, np.uint32)
        number[np.argsort(-np.bincount(of["col"], minlength=items), kind="stable")] = np.arange(items, dtype=np.uint32)
        of["row"] += np.uint32(i * (users // count))
        of["col"] = number[of["col"]]
        return of

    with pool_of(min(count, os.cpu_count())) as pool, open(file + ".part", "wb") as out:
        for of in pool.map(part, range(count)):
            of.tofile(out)
    os.rename(file + ".part", file)
    return file


def counts(most):
    return [n for n in (1, 2, 4, 8) if n <= most]


def scale(b):
    """Measures tiled in groups on 1, 2, 4, … GPUs, in one process and in several: 300 M ratings (--sets "300 M"), 1 G (--sets "1 G"); --scale 0.001: a thousandth."""
    most = counts(gpus().count(";") + 1)[-1]
    made_of = b.table("schedules", "data", "rank", "storage", "for GPUs", "on chip", "groups", "laps", "preprocess s", "predicted ms")
    add = b.table("scale", "data", "rank", "storage", "on chip", "groups", "laps", "processes", "GPUs", "load s", "transfer s", "sweep ms", "G updates/s",
                  "MB a GPU", "whole run s", "result")
    for name in b.asked("sets", ["300 M"]):
        users, items, edges, degree = SIZES[name]
        source = ratings_of(b, round(users * b.o.scale), items, round(edges * b.o.scale), round(degree * b.o.scale))
        for rank, storage in b.ranks("64,128:fp16"):
            common = ["--rank", rank, "--storage", storage]
            for side, devices in (("auto", 1), ("items", most), ("users", most)) if name == "300 M" else (("auto", most),):
                file = b.path(name_of(name, rank, storage, side, devices) + ".h5")
                start = time.perf_counter()
                record = b.json("lockstep-preprocess", source, "--shape", "bipartite", "-o", file, "--force", "--schedule", "tiled", "--gpus", devices,
                                "--resident", side, *common, *b.o.extra.split())
                if not record:
                    continue
                told = record["schedules"][0]["parameters"]
                on_chip, groups, laps = told.get("resident", "items"), int(told.get("groups", 1)), int(told.get("laps", 1))
                made_of(name, rank, storage, devices, on_chip, groups, laps, time.perf_counter() - start, float(told["predicted_ms"]))
                words = [file, "--strategy", "tiled", *common, "--sweeps", b.asked("sweeps", 5), "--evaluate-every", b.asked("sweeps", 5), "--model-form", "plain",
                         "--learning-rate", 0.002]
                ways = [(1, n) for n in (counts(devices) if side == "users" else [devices])] + ([(devices, devices)] if devices > 1 else [])
                if devices > 1 and side == "users" and storage == "fp32":
                    ways += [(1, 0)]  # a run on the CPU
                for processes, n in ways:
                    start = time.perf_counter()
                    run = several(b, processes, *words, "--device", b.device if n else "cpu", *(["--gpus", n] if processes == 1 and n and b.device == "cuda" else []))
                    if run:
                        seconds, sweep = run["seconds"], seconds_of(run)
                        add(name, rank, storage, on_chip, groups, laps, processes, n, seconds["load"] + seconds["plan"], seconds.get("transfer", 0.0), 1e3 * sweep,
                            run["train_edges"] / sweep / 1e9, run["device"]["bytes"] / (max(n, 1) if processes == 1 else 1) / 1e6, time.perf_counter() - start, run["result_hash"])
                os.remove(file)
    results = {}
    for row in b.parts["scale"]["rows"]:
        results.setdefault(tuple(row[:6]), set()).add(row[-1])
    for schedule, hashes in results.items():
        if len(hashes) > 1:
            b.fail(f"{schedule}: {len(hashes)} results")


def several(b, processes, *words):
    """Runs lockstep-execute with this number of processes: under mpirun if there are several."""
    if processes == 1:
        return b.json("lockstep-execute", *words)
    with pool_of(processes):
        printed = b.run("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", processes, b.program("lockstep-execute"), *words, "--json",
                        "--quiet")
    return printed and json.loads(printed)


def scale_arcs(b):
    """Measures PageRank and belief propagation on R-MAT 24 on 1, 2, 4, … GPUs, in one process and in several."""
    most = counts(gpus().count(";") + 1)[-1]
    add = b.table("arcs", "application", "processes", "GPUs", "load s", "transfer s", "ms", "whole run s", "result")
    graph = max(10, 24 + round(math.log2(b.o.scale)))
    file = b.prepared({"rmat-24": (RMAT.format(graph, 16), SQUARE)}, "edge-tiled", "--no-verify").get("rmat-24")
    for app, rounds in (("pagerank", ["--iterations", 20]), ("bp", ["--iterations", 20])):
        for processes, n in [(1, n) for n in counts(most)] + ([(most, most)] if most > 1 else []):
            start = time.perf_counter()
            run = several(b, processes, file, "--app", app, "--strategy", "edge-tiled", *rounds, "--repeat", 5, "--device", b.device,
                          *(["--gpus", n] if processes == 1 and b.device == "cuda" else []))
            if run:
                add(app, processes, n, run["seconds"]["load"] + run["seconds"]["plan"], run["seconds"].get("transfer", 0.0), 1e3 * seconds_of(run), time.perf_counter() - start,
                    run["result_hash"])
    if any(len({row[-1] for row in b.parts["arcs"]["rows"] if row[0] == app}) > 1 for app in ("pagerank", "bp")):
        b.fail("several GPUs came to another result")
