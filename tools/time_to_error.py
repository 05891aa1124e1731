#!/usr/bin/env python3
"""Time to error: how long the sweeps of Lockstep and of other programs take until the error of the same held-out edges is as low as asked.

    tools/time_to_error.py --bin build/bin --out FOLDER [--sets NAME,…] [--ranks 16,64,128] >> curves.jsonl
    tools/time_to_error.py --table curves.jsonl … --errors 'NAME=0.55/0.53/0.52' … --json docs/data/peers-h100.json

FOLDER has NAME.train.bin and NAME.test.bin, cuMF_SGD's triples (i32, i32, f32), of each set; who is tested has edges to learn from. The first command runs each strategy with each
setting of SETTINGS, and prints a line of JSON for each run: program, data, rank, storage, options, seconds to read the file and to prepare (all from
the edges in memory to the first sweep), and the curve, [seconds of the sweeps so far, test RMSE] by sweep. Another program's runs are lines of the
same keys, made by a driver around its library. The second finds, of every program, data set and rank, the setting that reaches each error first:
nothing between two sweeps is interpolated, and the first sweep counts as the median one, what it took beyond as preparation.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import statistics
import subprocess
import sys

from gpu_runs import write_data
from strategies import strategies


def plain(schedule, rate, decay, regularisation):
    return ["--model-form", "plain", "--rate-schedule", schedule, "--learning-rate", str(rate), "--decay", str(decay), "--regularisation", str(regularisation)]


# By the kind of set: generated ratings begin far from their mean, real ones near it. Racing takes one rate for all vectors, with which it is fastest.
INVERSE = [plain("inverse", 0.02, 0.3, regularisation) for regularisation in (0.05, 0.1, 0.2)]
SETTINGS = {("generated", False): [plain("adaptive", *setting) for setting in ((0.1, 0.05, 0.02), (0.1, 0.1, 0.02), (0.15, 0.05, 0.02), (0.15, 0.1, 0.02),
                                                                            (0.1, 0.05, 0.01), (0.1, 0.1, 0.01), (0.1, 0.15, 0.01))],
            ("generated", True): [plain("inverse", 0.02, 0.2, 0.02), plain("inverse", 0.03, 0.5, 0.02), plain("inverse", 0.03, 0.5, 0.01)],
            ("real", False): [plain("inverse", 0.01, 0.1, 0.1), *INVERSE, plain("adaptive", 0.05, 0.15, 0.1), []],
            ("real", True): [plain("inverse", 0.01, 0.1, 0.1), *INVERSE, []]}
STRATEGIES = {"generated": ["tiled", "hogwild-blocked"], "real": ["core-tail", "hogwild-blocked"]}


class Curves:
    def __init__(self, options):
        self.o = options
        self.facts = {s["name"]: s for s in strategies(options.bin)}

    def call(self, program, *arguments):
        done = subprocess.run([os.path.join(self.o.bin, program), *arguments, "--json", "--quiet"], capture_output=True, text=True)
        if done.returncode:
            print(f"{program} {' '.join(arguments)}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def prepared(self, name, rank, storage, strategy):
        """Its schedule file, for adaptive rates too, which take a chunk of each vector, and what preprocessing took."""
        file = os.path.join(self.o.out, f"{name}-{rank}-{storage}-{strategy}.h5")
        return file, self.call("lockstep-preprocess", os.path.join(self.o.out, f"{name}.train.bin"), "-o", file, "--force", "--no-verify", "--schedule",
                               self.facts[strategy]["schedule"], "--rank", str(rank + (4 if storage == "fp32" else 8)), "--storage", storage)

    def run(self, name, rank, storage, strategy, file, made, options, sweeps):
        lock = [] if self.o.device == "cpu" else ["--lock", os.path.join(self.o.out, "lock")]
        ran = self.call("lockstep-execute", file, "--strategy", strategy, "--device", self.o.device, "--rank", str(rank), "--storage", storage, "--trust",
                        "--test", os.path.join(self.o.out, f"{name}.test.bin"), "--sweeps", str(sweeps), "--early-stop", "0", *lock, *options)
        if not ran:
            return
        seconds, biased, elapsed, curve = ran["seconds"], not options, 0.0, []
        for sweep in ran["sweeps"]:
            elapsed += sweep["seconds"]
            curve.append([round(elapsed, 7), sweep["rmse_test"]])
        if biased:
            curve.insert(0, [0.0, ran["rmse_baseline"]])
        print(json.dumps({"program": strategy + (", biased" if biased else ""), "data": name, "rank": rank, "storage": storage, "options": " ".join(options) or "defaults",
                          "read": made["seconds"]["read"], "prepare": made["seconds"]["schedule"] + seconds["load"] + seconds["plan"] + seconds["transfer"], "curve": curve}), flush=True)

    def all(self):
        runs = []
        for name in self.o.sets.split(","):
            kind = "generated" if os.path.getsize(os.path.join(self.o.out, f"{name}.train.bin")) > 1e8 else "real"
            for rank in map(int, self.o.ranks.split(",")):
                storage = "fp16" if rank >= 128 else "fp32"
                for strategy in STRATEGIES[kind]:
                    file, made = self.prepared(name, rank, storage, strategy)
                    if made:
                        runs += [(name, rank, storage, strategy, file, made, options, self.o.sweeps) for options in SETTINGS[kind, self.facts[strategy]["races"]]]
        with concurrent.futures.ThreadPoolExecutor(1 if self.o.device == "cpu" else self.o.running) as pool:
            list(pool.map(lambda run: self.run(*run), runs))


def started(run):
    """A run whose first sweep counts as the median one: what it took beyond, as the driver loads its kernels then, is preparation."""
    curve = run["curve"]
    first = curve[0][0] == 0  # the error before the sweeps
    ends = [seconds for seconds, _ in curve[first:]]
    late = max(0.0, ends[0] - per_sweep(run))
    return {**run, "prepare": run["prepare"] + late, "curve": [[max(0.0, seconds - late), rmse] for seconds, rmse in curve]}


def reached(run, error):
    """Seconds of the sweeps after which a run was at the error, or None."""
    return next((seconds for seconds, rmse in run["curve"] if rmse <= error), None)


def per_sweep(run):
    """Its median."""
    ends = [seconds for seconds, _ in run["curve"]]
    return statistics.median(b - a for a, b in zip([0.0, *ends], ends) if b > 0)


def table(runs, data, errors):
    """Of a data set: columns and rows of the time to each error, by the setting that is there first; and which one that was."""
    runs = sorted((started(r) for r in runs if r["data"] == data), key=lambda r: r["rank"])
    rows, settings = [], []
    for rank, program in dict.fromkeys((r["rank"], r["program"]) for r in runs):
        own = [r for r in runs if (r["rank"], r["program"]) == (rank, program)]
        cells = []
        for error in errors:
            first = min((r for r in own if reached(r, error) is not None), key=lambda r: reached(r, error), default=None)
            cells.append(None if first is None else round(1e3 * reached(first, error), 2))
            if first:
                settings.append([data, rank, program, error, first["options"]])
        best = min(own, key=lambda r: min(rmse for _, rmse in r["curve"]))
        least = min(rmse for _, rmse in best["curve"])
        settings.append([data, rank, program, None, best["options"]])
        rows.append([rank, program, best["storage"], round(1e3 * min(map(per_sweep, own)), 3), *cells, round(least, 4), round(1e3 * reached(best, least), 1),
                     *(round(min(r[key] for r in own), 3) for key in ("read", "prepare"))])
    return {"columns": ["rank", "program", "storage", "ms a sweep", *(f"ms to {error:g}" for error in errors), "least RMSE", "after ms", "read s", "prepare s"], "rows": rows}, settings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--out")
    parser.add_argument("--sets", default="ratings-20m,goodbooks,movietweetings")
    parser.add_argument("--ranks", default="16,64,128")
    parser.add_argument("--sweeps", type=int, default=15)
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--running", type=int, default=4, help="runs that prepare side by side; one at a time sweeps")
    parser.add_argument("--table", nargs="+", metavar="FILE", help="make the data file of these runs")
    parser.add_argument("--errors", nargs="+", default=[])
    parser.add_argument("--json")
    parser.add_argument("--machine", default="one NVIDIA H200, 16 cores of its host")
    parser.add_argument("--about", default="tools/time_to_error.py: sweeps' time until the test error is as low, each program at the best of some settings, the same split")
    options = parser.parse_args()
    if not options.table:
        return Curves(options).all()
    runs = [json.loads(line) for file in options.table for line in open(file)]
    parts, settings = {}, []
    for name, errors in (given.split("=") for given in options.errors):
        parts[name], chosen = table(runs, name, [float(error) for error in errors.split("/")])
        settings += chosen
    parts["settings"] = {"columns": ["data", "rank", "program", "RMSE (none: the least)", "options"], "rows": settings}
    write_data(options.json, parts, os.path.join(options.bin, "lockstep-execute"), shlex.join(["tools/time_to_error.py", *sys.argv[1:]]), options.about, options.machine)


if __name__ == "__main__":
    main()
