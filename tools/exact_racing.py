#!/usr/bin/env python3
"""The exact, deterministic strategies beside racing, graph by graph: ms a sweep, ratio, geomean, and how far from a floor.

    tools/exact_racing.py --bin BUILD/bin --out FOLDER [--data FOLDER] [--graphs NAME,…] [--ranks 16,64] [--json FILE]
    tools/exact_racing.py --predict [--measured docs/data/study-h200.json] …        without a GPU

Graphs are those of tools/study.py, and some more real ones. Exact are agm-e, core-tail, tiled with grid and side by predicted cost, tiled with a block a
multiprocessor (tiled-132), and on roads local; racing are hogwild and hogwild-blocked. The floor is the most of the chain (the most
rated item's edges, one after another on chip, 19 ns each at rank 16), and of the bytes that must move once (edges, vectors both ways, at
4 TB/s). --predict makes the schedules and prints what lockstep-preprocess predicts of an H200 beside what a study measured.
"""
import argparse
import json
import math
import os
import shlex
import statistics
import sys

from gpu_runs import Runs
from study import BIPARTITE, FILES, GENERATED, ROAD

MORE = {"movietweetings": ("native/movietweetings.dat", BIPARTITE), "road-NY": ("road-NY-weighted.txt.xz", ROAD), "road-BAY": ("road-BAY.txt.xz", ROAD),
        "osm-delhi": ("osm-delhi.txt.xz", ROAD)}
RACING = {"hogwild": "shuffle", "hogwild-blocked": "blocked"}
TODAY = ["agm-e", "agm-n", "sgm", "diag", "blkdiag", "tiled", "local"]


class Comparison(Runs):
    def schedule_file(self, name, suffix, *options):
        """Its schedules, as lockstep-preprocess says them; None where it cannot be made."""
        file = os.path.join(self.out, f"{name}{suffix}.h5")
        source, shape = {**FILES, **MORE, **GENERATED}[name]
        if name in GENERATED:
            path = os.path.join(self.out, name + ".bin")
            if not os.path.exists(path):
                self.run([self.program("lockstep-generate"), *source, "--seed", "1", "-o", path])
        else:
            path = os.path.join(self.data or "", source)
        if not os.path.exists(path):
            print(f"left out: {name} ({path} is not there)")
            return None
        made = self.run([self.program("lockstep-preprocess"), path, *shape, "-o", file, "--no-verify", "--force", "--json", "--quiet", *options])
        return {"file": file, **json.loads(made.stdout)} if made.returncode == 0 else None

    def sweep(self, file, strategy, rank):
        record = self.run([self.executable, file, "--strategy", strategy, "--device", self.device, "--rank", str(rank), "--sweeps", "7", "--evaluate-every", "7",
                           "--model-form", "plain", "--trust", "--json", "--quiet"], check=False)
        if record.returncode != 0:  # does not fit on chip, say
            return None
        return 1e3 * statistics.median(s["seconds"] for s in json.loads(record.stdout)["sweeps"])

    def measure(self, name, ranks):
        road = name.startswith(("road", "osm"))
        exact = ["agm-e", "local"] if road else ["agm-e", "core-tail", "tiled"]
        rows = []
        for rank in ranks:
            tuned = self.schedule_file(name, "", "--schedule", ",".join([*exact, *RACING.values()]), "--rank", str(rank))
            one_each = None if road else self.schedule_file(name, "-132", "--schedule", "tiled", "--item-blocks", "0", "--rank", str(rank))
            if not tuned:
                return rows
            times = {s: self.sweep(tuned["file"], s, rank) for s in [*exact, *RACING]}
            if one_each:
                times["tiled-132"] = self.sweep(one_each["file"], "tiled", rank)
            best = min((t, s) for s, t in times.items() if t and s not in RACING)
            racing = min(times[s] for s in RACING if times[s])
            vectors = (tuned["rows"] + tuned["cols"]) * 4 * rank
            floor = max(tuned["max_col_degree"] * 19e-6 * max(1, (rank / 16) ** 0.65), (12 * tuned["edges"] + 2 * vectors) / 4e9)
            rows.append((name, tuned["edges"], rank, best[1], *best[:1], racing, best[0] / racing, floor, best[0] / floor,
                         *(times.get(s) for s in ("tiled", "tiled-132", "core-tail", "agm-e", "local"))))
            print(f"{name:15} {tuned['edges']:>10} k={rank:<3} {best[1]:10} {best[0]:8.3f} ms, racing {racing:7.3f}, ratio {best[0] / racing:5.2f}, floor {floor:6.3f}   "
                  + " ".join(f"{s} {t:.3f}" for s, t in times.items() if t), flush=True)
        return rows

    def predict(self, name, measured):
        made = self.schedule_file(name, "", "--schedule", "core-tail" + ("" if name.startswith(("road", "osm")) else ",tiled"))
        if not made:
            return []
        said = {s["name"]: s["parameters"] for s in made["schedules"]}
        rounds = {s["name"]: s["rounds"] for s in made["schedules"]}
        times = measured.get(name, {})
        today = min(((times[s], s) for s in TODAY if times.get(s)), default=(None, None))
        racing = min((times[s] for s in RACING if times.get(s)), default=None)
        core, tiled = said["core-tail"], said.get("tiled", {})
        ours = min(float(p["predicted_ms"]) for p in said.values())
        row = (name, made["edges"], today[1], today[0], racing, tiled.get("item_blocks"), float(tiled["predicted_ms"]) if tiled else None, float(core["predicted_ms"]),
               int(core["users_edges"]), int(core["items_edges"]), int(core["tail_edges"]), rounds["core-tail"], ours / racing if racing else None)
        print(" ".join(str(cell) for cell in row), flush=True)
        return [row]


def geomean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--data")
    parser.add_argument("--graphs", help="names, comma-separated; default: all real ones")
    parser.add_argument("--ranks", default="16,64")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--execute", help="another build of lockstep-execute")
    parser.add_argument("--predict", action="store_true")
    parser.add_argument("--measured", help="with --predict: docs/data of a study")
    parser.add_argument("--json", help="write what was found to this file")
    parser.set_defaults(strategies=None, sets=None, extra="", iterations=None, repeats=None, average=None)
    options = parser.parse_args()
    if options.predict:
        options.device = "cpu"
    os.makedirs(options.out, exist_ok=True)
    comparison = Comparison(options)
    names = options.graphs.split(",") if options.graphs else [*FILES, *MORE]
    if options.predict:
        measured = {}
        if options.measured:
            with open(options.measured) as f:
                for name, strategy, ms in json.load(f)["parts"]["table"]["rows"]:
                    measured.setdefault(name, {})[strategy] = ms
        columns = ["data", "edges", "best exact so far", "its ms", "racing ms", "P", "tiled, predicted ms", "core-tail, predicted ms", "edges by users", "edges by items", "edges of the tail",
                   "phases", "predicted best / racing"]
        rows = [row for name in names for row in comparison.predict(name, measured)]
    else:
        columns = ["data", "edges", "rank", "best exact", "its ms", "racing ms", "exact / racing", "floor ms", "× floor", "tiled ms", "tiled-132 ms", "core-tail ms", "agm-e ms", "local ms"]
        rows = [row for name in names for row in comparison.measure(name, [int(k) for k in options.ranks.split(",")])]
        for rank in options.ranks.split(","):
            print(f"k={rank}: geomean of exact / racing {geomean([r[6] for r in rows if r[2] == int(rank)]):.2f}, of exact / floor {geomean([r[8] for r in rows if r[2] == int(rank)]):.2f}")
    comparison.keep("exact", columns, rows)
    if options.json:
        comparison.write(options.json, shlex.join(["tools/exact_racing.py", *sys.argv[1:]]))
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
