#!/usr/bin/env python3
"""How near the exact, deterministic strategies should come to racing, graph by graph, without a GPU.

    tools/exact_racing.py --bin BUILD/bin --out FOLDER [--data FOLDER] [--graphs NAME,…] [--measured docs/data/study-h100.json] [--json FILE]

It makes the schedules with tiles of the graphs of tools/study.py, and prints what lockstep-preprocess predicts of an H200 beside what a study
measured. The study itself says how near they are: the part "exact" of its data.
"""
import argparse
import json
import math
import os
import shlex
import sys

from gpu_runs import Runs
from strategies import strategies
from study import FILES, GENERATED, generated, on_roads


class Predictions(Runs):
    def __init__(self, options):
        super().__init__(options)
        facts = strategies(options.bin)
        self.exact, self.racing = ([s["name"] for s in facts if s[key]] for key in ("deterministic", "races"))

    def made(self, name, schedules):
        """What lockstep-preprocess says of a graph's schedules; None where they cannot be made."""
        source, shape = {**FILES, **GENERATED}[name]
        path = self.source(name, source, os.path.join(self.out, generated(name)))
        return path and self.json([self.program("lockstep-preprocess"), path, *shape, "-o", os.path.join(self.out, name + ".h5"), "--no-verify", "--force",
                                   "--schedule", schedules])

    def predict(self, name, measured):
        made = self.made(name, "core-tail" + ("" if on_roads(name) else ",tiled"))
        if not made:
            return []
        said = {s["name"]: s["parameters"] for s in made["schedules"]}
        rounds = {s["name"]: s["rounds"] for s in made["schedules"]}
        times = measured.get(name, {})
        best = min((s for s in self.exact if times.get(s)), key=times.get, default=None)
        racing = min((times[s] for s in self.racing if times.get(s)), default=None)
        core, tiled = said["core-tail"], said.get("tiled", {})
        ours = min(float(p["predicted_ms"]) for p in said.values())
        row = (name, made["edges"], best, times.get(best), racing, tiled.get("item_blocks"), float(tiled["predicted_ms"]) if tiled else None, float(core["predicted_ms"]),
               int(core["users_edges"]), int(core["items_edges"]), int(core["tail_edges"]), rounds["core-tail"], ours / racing if racing else None)
        print(" ".join(str(cell) for cell in row), flush=True)
        return [row]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--data", default="")
    parser.add_argument("--graphs", help="names, comma-separated; default: all real ones")
    parser.add_argument("--measured", help="data of a study")
    parser.add_argument("--json", help="write what was found to this file")
    parser.set_defaults(strategies=None, sets=None, extra="", iterations=None, repeats=None, average=None, device="cpu", execute=None)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    predictions, measured = Predictions(options), {}
    if options.measured:
        with open(options.measured) as f:
            for name, strategy, ms in json.load(f)["parts"]["table"]["rows"]:
                measured.setdefault(name, {})[strategy] = ms
    names = options.graphs.split(",") if options.graphs else [*FILES]
    rows = [row for name in names for row in predictions.predict(name, measured)]
    ratios = [row[-1] for row in rows if row[-1]]
    if ratios:
        print(f"geomean of predicted best / racing {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    predictions.keep("exact", ["data", "edges", "best exact", "its ms", "racing ms", "P", "tiled, predicted ms", "core-tail, predicted ms", "edges by users", "edges by items",
                               "edges of the tail", "phases", "predicted best / racing"], rows)
    if options.json:
        predictions.write(options.json, shlex.join(["tools/exact_racing.py", *sys.argv[1:]]))
    return 1 if predictions.failures else 0


if __name__ == "__main__":
    sys.exit(main())
