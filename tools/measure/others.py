"""Lockstep compared with other programs: edge colourings of packages, and the time until an error is reached.

The part time-to-error runs strategies with each setting of SETTINGS on NAME.train.bin of --data, and tests on
NAME.test.bin: cuMF_SGD's triples (i32, i32, f32); every tested user and item has edges to learn from. It adds
one JSON line per run to OUT/curves.jsonl: program, data, rank, storage, options, the seconds to read the file
and to prepare (everything between the edges in memory and the first sweep), and the curve, [seconds of the
sweeps so far, test RMSE] for each sweep. The runs of another program are lines with the same keys, which a
driver around its library writes. The part errors reads such lines from --files and determines, for every
program, data set and rank, the setting that reaches each error first (--errors NAME=0.55/0.53,…). It does not
interpolate between sweeps. The first sweep counts as a median one; its additional time counts as preparation.
"""
import itertools
import json
import os
import pathlib
import statistics
import time

from measure.graphs import ratings
from measure.sgd import measured


def plain(rate, decay, regularisation):
    return f"--model-form plain --rate-schedule inverse --learning-rate {rate} --decay {decay} --regularisation {regularisation}"


# Settings by the kind of data set: generated ratings start far from their mean, real ones near it. With
# biases, the other options have their defaults.
BIASED = "--model-form biased"
SETTINGS = {"generated": [plain(0.02, 0.2, 0.02), plain(0.03, 0.5, 0.02), plain(0.03, 0.5, 0.01)],
            "real": [plain(0.01, 0.1, 0.1), *(plain(0.02, 0.3, regularisation) for regularisation in (0.05, 0.1, 0.2)), BIASED]}


def time_to_error(b):
    """Errors of held-out edges by seconds of sweeps, of --strategies with each of some settings."""
    b.o.sweeps, b.o.sets = b.asked("sweeps", 15), b.asked("sets", ["ratings-20m", "goodbooks", "movietweetings"])
    for name, (rank, storage) in itertools.product(b.o.sets, b.ranks("16,64,128:fp16")):
        train, test = (os.path.join(b.o.data, f"{name}.{part}.bin") for part in ("train", "test"))
        for options in SETTINGS["generated" if os.path.getsize(train) > 1e8 else "real"]:
            tested = ["--test", test, "--early-stop", 0, *options.split()]
            for _, file, _, runs in measured(b, {name: (os.path.basename(train), "")}, rank, storage, *tested):
                for strategy, ran in runs.items():
                    tell(b, name, rank, storage, strategy, options, b.record(file)["seconds"], ran)


def tell(b, name, rank, storage, strategy, options, made, ran):
    """Adds the line of a run."""
    biased, seconds = options == BIASED, ran["seconds"]
    ends = itertools.accumulate(sweep["seconds"] for sweep in ran["sweeps"])
    curve = [[0.0, ran["rmse_baseline"]]] * biased + [[round(end, 7), sweep["rmse_test"]] for end, sweep in zip(ends, ran["sweeps"])]
    line = {"program": strategy + ", biased" * biased, "data": name, "rank": rank, "storage": storage, "options": options, "read": made["read"],
            "prepare": made["schedule"] + seconds["load"] + seconds["plan"] + seconds["transfer"], "curve": curve}
    with open(b.path("curves.jsonl"), "a") as f:
        f.write(json.dumps(line) + "\n")


def per_sweep(run):
    """Returns the median seconds of a sweep."""
    ends = [seconds for seconds, _ in run["curve"]]
    return statistics.median(after - before for before, after in zip([0.0, *ends], ends) if after > 0)


def started(run):
    """Returns the run with a first sweep of median time. Its additional time, in which the driver loads
    the kernels, is added to the preparation."""
    first = next(seconds for seconds, _ in run["curve"] if seconds > 0)
    late = max(0.0, first - per_sweep(run))
    return {**run, "prepare": run["prepare"] + late, "curve": [[max(0.0, seconds - late), rmse] for seconds, rmse in run["curve"]]}


def reached(run, error):
    """Returns the seconds of the sweeps after which the run has reached the error, or infinity."""
    return next((seconds for seconds, rmse in run["curve"] if rmse <= error), float("inf"))


def to_errors(runs, data, errors):
    """Returns for a data set the columns and rows of the times to each error, each for the setting that
    reaches it first, and these settings."""
    runs = sorted((started(r) for r in runs if r["data"] == data), key=lambda r: r["rank"])
    rows, settings = [], []
    for rank, program in dict.fromkeys((r["rank"], r["program"]) for r in runs):
        own, cells = [r for r in runs if (r["rank"], r["program"]) == (rank, program)], []
        least = min(rmse for r in own for _, rmse in r["curve"])
        for error, asked in (*zip(errors, errors), (least, None)):
            first = min(own, key=lambda r: reached(r, error))
            there = reached(first, error) < float("inf")
            cells.append(round(1e3 * reached(first, error), 2) if there else None)
            settings += [[data, rank, program, asked, first["options"]]] if there else []
        rows.append([rank, program, first["storage"], round(1e3 * min(map(per_sweep, own)), 3), *cells[:-1], round(least, 4), round(cells[-1], 1),
                     *(round(min(r[key] for r in own), 3) for key in ("read", "prepare"))])
    columns = ["rank", "program", "storage", "ms a sweep", *(f"ms to {error:g}" for error in errors), "least RMSE", "after ms", "read s", "prepare s"]
    return columns, rows, settings


def errors(b):
    """The time to --errors of each data set, of the lines of --files."""
    b.about = "sweeps' time until the test error is as low, each program at the best of some settings, the same split"
    runs, settings = [json.loads(line) for file in b.o.files for line in pathlib.Path(file).read_text().splitlines()], []
    for name, asked in (given.split("=") for given in b.asked("errors", [])):
        columns, rows, chosen = to_errors(runs, name, [float(error) for error in asked.split("/")])
        b.keep(name, columns, rows)
        settings += chosen
    b.keep("settings", ["data", "rank", "program", "RMSE (none: the least)", "options"], settings)


def networkx_colours(path):
    """Returns seconds and colours of networkx's greedy colouring of the line graph; None if networkx is
    not installed."""
    try:
        import networkx
    except ImportError:
        return print("networkx is not installed")
    with open(path) as lines:
        graph = networkx.Graph(("r" + row, "c" + col) for row, col, *_ in map(str.split, lines))
    start = time.perf_counter()
    colours = networkx.greedy_color(networkx.line_graph(graph), strategy="connected_sequential")
    return {"seconds": time.perf_counter() - start, "colours": max(colours.values()) + 1}


def peers(b):
    """Our matchings beside Boost.Graph's (Misra and Gries) and networkx's, on ratings of 20,000 edges (times --scale), since both take long."""
    edges = round(20_000 * b.o.scale)
    b.run("lockstep-generate", *ratings(edges // 10, edges // 40, edges, edges // 20).split(), "--seed", 1, "-o", b.path("peers.txt"), "--force", "--quiet")
    made = b.json("lockstep-bench", b.path("peers.txt"), "--part", "peers", "--runs", b.asked("repeats", 5), "--seconds", 3600)
    found = made["sizes"][-1] | {"networkx": networkx_colours(b.path("peers.txt"))}
    add = b.table("peers", "edge colouring", "seconds", "colours", "× first-fit")
    titles = {"first-fit": "Lockstep, first-fit", "euler": "Lockstep, Euler splitting", "exact": "Lockstep, exact", "boost": "Boost.Graph edge_coloring",
              "networkx": "networkx greedy_color"}
    for name, title in titles.items():
        if found[name]:
            add(title, found[name]["seconds"], found[name]["colours"], found[name]["seconds"] / found["first-fit"]["seconds"])
