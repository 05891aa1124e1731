#!/usr/bin/python3
"""Lockstep's model beside LIBMF's: test error by sweep, and times, of the same split; and the picture of it.

    tools/model_curves.py --bin build/bin --libmf FOLDER --data FOLDER --out FOLDER --json docs/data/model-xeon.json
    tools/model_curves.py --draw docs/data/model-xeon.json      writes docs/pictures/model-curves.svg

Each data set is split once (a tenth of its ratings to test, without those whose user or item has none left).
lockstep-train runs at its defaults, LIBMF (its folder has mf-train) over a grid of rates and regularisations, of which the one with
the least test error counts, at its best sweep. Times are of whole programs, reading included: LIBMF's best setting up to its best sweep, the
programs in turns, the least of --repeat runs. What is measured is kept in --out, so that a second call goes on. Needs NumPy.
"""
import argparse
import json
import lzma
import math
import os
import pathlib
import subprocess
import sys
import time

from gpu_runs import write_data

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools/python"), str(ROOT / "docs/pictures")]
RANKS = (16, 32, 64)
DEMO = "LIBMF's demo"  # the real-valued sample that LIBMF comes with, split as it is
# Name: file, how a line is cut, LIBMF's regularisations (by the spread of the ratings) and rates.
SETS = {
    "goodbooks": ("goodbooks-982k.txt.xz", None, (0.05, 0.06, 0.08, 0.12, 0.2), (0.05, 0.1)),
    "insteval": ("insteval.txt.xz", None, (0.02, 0.05, 0.08, 0.12, 0.2), (0.02, 0.05, 0.1)),
    "movietweetings": ("native/movietweetings.dat", "::", (0.05, 0.08, 0.12, 0.2, 0.3), (0.05, 0.1, 0.2)),
    DEMO: (None, None, (0.02, 0.05, 0.1, 0.2, 0.4), (0.02, 0.05, 0.1)),
}
SWEEPS = 60


def read_edges(path, delimiter):
    """Edges {edges, 3} of a file of ratings; of one without, 1 each."""
    import numpy as np

    with (lzma.open if path.suffix == ".xz" else open)(path, "rt") as lines:
        edges = np.array([line.split(delimiter)[:3] for line in lines], float)
    return edges if edges.shape[1] == 3 else np.column_stack([edges, np.ones(len(edges))])


def write_split(edges, files):
    """A tenth of the edges to test, without those whose row or column has none left, and the others; ids from 0."""
    import numpy as np

    for side in (0, 1):
        edges[:, side] = np.unique(edges[:, side], return_inverse=True)[1]
    held_out = np.random.default_rng(1).random(len(edges)) < 0.1
    train, test = edges[~held_out], edges[held_out]
    test = test[np.isin(test[:, 0], train[:, 0]) & np.isin(test[:, 1], train[:, 1])]
    for file, part in zip(files, (train, test)):
        np.savetxt(file, part, fmt="%d %d %g")


class Measurement:
    def __init__(self, options):
        self.o = options
        os.makedirs(options.out, exist_ok=True)
        self.file = os.path.join(options.out, "runs.json")
        self.runs = json.loads(pathlib.Path(self.file).read_text()) if os.path.exists(self.file) else {}

    def kept(self, key, make):
        """What `make` gave for this key, in this call or an earlier one."""
        if key not in self.runs:
            self.runs[key] = make()
            pathlib.Path(self.file + ".part").write_text(json.dumps(self.runs))
            os.replace(self.file + ".part", self.file)
            print(key, {k: v for k, v in self.runs[key].items() if k != "curve"}, flush=True)
        return self.runs[key]

    def split(self, name):
        """The files of the ratings to train and to test, with ids from 0."""
        if name == DEMO:
            return [os.path.join(self.o.libmf, f"demo/real_matrix.{part}.txt") for part in ("tr", "te")]
        files = [os.path.join(self.o.out, f"{name}.{part}.txt") for part in ("train", "test")]
        if not all(map(os.path.exists, files)):
            path, delimiter, *_ = SETS[name]
            edges = read_edges(pathlib.Path(self.o.data, path), delimiter)
            write_split(edges, files)
        return files

    def libmf(self, name, rank, regularisation, rate, sweeps=SWEEPS, threads=1):
        train, test = self.split(name)
        start = time.perf_counter()
        done = subprocess.run([os.path.join(self.o.libmf, "mf-train"), "-k", str(rank), "-t", str(sweeps), "-s", str(threads), "-l2", str(regularisation),
                               "-r", str(rate), "-p", test, train, os.path.join(self.o.out, "libmf-model")], capture_output=True, text=True, check=True)
        seconds = time.perf_counter() - start
        curve = [float(line.split()[2]) for line in done.stdout.splitlines()[1:] if line.strip()]
        return {"curve": curve, "seconds": seconds}

    def lockstep(self, name, rank):
        import lockstep

        train, test = self.split(name)
        start = time.perf_counter()
        done = lockstep.run("lockstep-train", train, bin=self.o.bin, model=os.path.join(self.o.out, "model.h5"), test=test, rank=rank, device="cpu",
                            threads=self.o.threads, force=True)
        seconds = time.perf_counter() - start
        # Before the first sweep the factors are next to zero: the biases alone.
        return {"curve": [done.rmse_baseline, *(sweep["rmse_test"] for sweep in done.sweeps)], "kept": done.kept_sweep, "strategy": done.strategy, "seconds": seconds}

    def times(self, ours, theirs):
        """The least seconds of each, in turns."""
        turns = [(ours()["seconds"], theirs()["seconds"]) for _ in range(self.o.repeat)]
        return {"Lockstep": min(turn[0] for turn in turns), "LIBMF": min(turn[1] for turn in turns)}

    def best_of_libmf(self, name, rank):
        """The setting of the grid with the least test error: regularisation, rate, and its curve."""
        grid = {(l, r): self.kept(f"LIBMF {name} {rank} {l} {r}", lambda: self.libmf(name, rank, l, r))["curve"] for l in SETS[name][2] for r in SETS[name][3]}
        return min(((l, r, curve) for (l, r), curve in grid.items()), key=lambda setting: min(setting[2]))

    def measure(self):
        parts = {"data": [], "best": [], "times": [], "curves": []}
        for name in SETS:
            counts = [pathlib.Path(file).read_text().count("\n") for file in self.split(name)]
            parts["data"].append([name, *counts])
            for rank in RANKS:
                ours = self.kept(f"Lockstep {name} {rank}", lambda: self.lockstep(name, rank))
                regularisation, rate, curve = self.best_of_libmf(name, rank)
                sweeps = 1 + curve.index(min(curve))
                biases, best = ours["curve"][0], ours["curve"][ours["kept"]]
                parts["best"].append([name, rank, biases, best, round(biases - best, 5), ours["kept"], min(curve), sweeps, rate, regularisation])
                for program, by_sweep in (("Lockstep", ours["curve"]), ("LIBMF", [None, *curve])):
                    parts["curves"].append([name, rank, program, by_sweep])
                if self.o.repeat:
                    theirs = lambda: self.libmf(name, rank, regularisation, rate, sweeps, self.o.threads)
                    seconds = self.kept(f"times {name} {rank}", lambda: self.times(lambda: self.lockstep(name, rank), theirs))
                    parts["times"].append([name, rank, ours["strategy"], seconds["Lockstep"], len(ours["curve"]) - 1, seconds["LIBMF"], sweeps])
        return parts

    def write(self, parts, command, about=None, titles=None):
        titles = titles or {"data": ["data", "to train", "to test"],
                  "best": ["data", "rank", "biases alone", "Lockstep", "below biases", "after sweeps", "LIBMF", "after its sweeps", "its rate", "its regularisation"],
                  "times": ["data", "rank", "strategy", "lockstep-train, s", "sweeps", "LIBMF, s", "its sweeps"],
                  "curves": ["data", "rank", "program", "test RMSE by sweep, from 0"]}
        write_data(self.o.json, {part: {"columns": titles[part], "rows": rows} for part, rows in parts.items() if rows}, os.path.join(self.o.bin, "lockstep-train"), command,
                   about or "tools/model_curves.py: test RMSE of lockstep-train at its defaults and of LIBMF's best setting, the same split", self.o.machine)


def draw(file):
    """A panel a data set, a column a rank: both programs' errors by sweep, and the biases alone."""
    from draw import COLOURS, Picture

    parts = json.loads(pathlib.Path(file).read_text())["parts"]
    rows = {part: [dict(zip(parts[part]["columns"], row)) for row in parts[part]["rows"]] for part in ("best", "curves")}
    names, colours = list(dict.fromkeys(row["data"] for row in rows["best"])), {"Lockstep": COLOURS[0], "LIBMF": COLOURS[1]}
    width, height, left, top, gap_x, gap_y = 250, 130, 120, 66, 46, 54
    p = Picture(left + len(RANKS) * (width + gap_x), top + len(names) * (height + gap_y), "Test error by sweep of Lockstep and LIBMF")
    for i, (program, note) in enumerate((("Lockstep", "lockstep-train at its defaults"), ("LIBMF", "the best of its grid"))):
        p.line(left + 300 * i, 20, left + 300 * i + 24, 20, f'stroke="{colours[program]}" stroke-width="2.5"')
        p.text(left + 300 * i + 32, 25, f"{program}, {note}", "small")
    p.line(left + 600, 20, left + 624, 20, 'class="line" stroke-dasharray="5 4"')
    p.text(left + 632, 25, "biases alone", "small")
    for j, name in enumerate(names):
        best = [row for row in rows["best"] if row["data"] == name]
        low = min(min(row["Lockstep"], row["LIBMF"]) for row in best)
        high = max(max(row["biases alone"], row["LIBMF"]) for row in best)
        low, high = low - 0.15 * (high - low), high + 0.6 * (high - low)
        for i, rank in enumerate(RANKS):
            x0, y0 = left + i * (width + gap_x), top + j * (height + gap_y)
            place = lambda sweep, rmse: (x0 + width * sweep / SWEEPS, y0 + height * (high - rmse) / (high - low))
            p.rect(x0, y0, width, height, 'class="grid"', 0)
            p.text(x0, y0 - 8, f"{name}, rank {rank}" if i == 0 else f"rank {rank}", "small")
            baseline = next(row["biases alone"] for row in best if row["rank"] == rank)
            y = place(0, baseline)[1]
            p.line(x0, f"{y:.1f}", x0 + width, f"{y:.1f}", 'class="line" stroke-dasharray="5 4"')
            ticks = nice_ticks(low, high)
            for tick in ticks if i == 0 else []:
                p.text(x0 - 44, f"{place(0, tick)[1] + 4:.1f}", f"{tick:.{decimals(ticks)}f}", "small faint")
            for sweep in (0, 20, 40, 60):
                p.text(f"{place(sweep, 0)[0]:.1f}", y0 + height + 16, sweep, "small faint middle")
            for row in rows["curves"]:
                if (row["data"], row["rank"]) != (name, rank):
                    continue
                curve = {sweep: rmse for sweep, rmse in enumerate(row["test RMSE by sweep, from 0"][:SWEEPS + 1]) if rmse is not None}
                inside = [sweep for sweep, rmse in curve.items() if rmse < high]
                points = " ".join("{:.1f},{:.1f}".format(*place(sweep, min(rmse, high))) for sweep, rmse in curve.items() if inside[0] - 1 <= sweep <= inside[-1] + 1)
                p.add(f'<polyline fill="none" stroke="{colours[row["program"]]}" stroke-width="2" points="{points}"/>')
                x, y = place(*min(curve.items(), key=lambda point: point[1]))
                p.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colours[row["program"]]}"/>')
    p.text(left, top + len(names) * (height + gap_y) - 8, "Across: sweeps. Up: RMSE of the ratings held out. A dot: the least error.", "small faint")
    p.save("model-curves.svg")


def decimals(ticks):
    return max(0, -math.floor(math.log10(ticks[1] - ticks[0]) + 1e-9))


def nice_ticks(low, high):
    """Three to six round numbers between two."""
    step = next(s for e in range(-6, 6) for s in (10.0 ** e, 2 * 10.0 ** e, 5 * 10.0 ** e) if (high - low) / s <= 5)
    first = math.ceil(low / step)
    return [step * n for n in range(first, math.floor(high / step) + 1)]


def add_options(parser):
    """Those of every measurement."""
    parser.add_argument("--bin", help="folder of the programs")
    parser.add_argument("--libmf", help="folder of LIBMF, built")
    parser.add_argument("--data", help="folder of the real ratings")
    parser.add_argument("--out", help="folder of what is measured")
    parser.add_argument("--json", help="file to write, in docs/data")
    parser.add_argument("--machine", default=f"{os.cpu_count()} CPU threads", help="what the file says of it")
    parser.add_argument("--threads", type=int, default=os.cpu_count())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--repeat", type=int, default=3, help="runs that are timed; 0: none")
    parser.add_argument("--draw", metavar="FILE", help="draw the picture of this file, and measure nothing")
    options = parser.parse_args()
    if options.draw:
        return draw(options.draw)
    measurement = Measurement(options)
    measurement.write(measurement.measure(), "tools/model_curves.py")


if __name__ == "__main__":
    main()
