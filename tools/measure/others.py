"""The parts of tools/bench.py that compare Lockstep with other programs: the time until a test error is
reached.

The part time-to-error runs strategies with each setting in SETTINGS on NAME.train.bin in the folder --data,
and tests on NAME.test.bin. These files have the triples of cuMF_SGD (i32, i32, f32), and every tested user
and item has training edges. The part adds one JSON line per run to OUT/curves.jsonl: program, data, rank,
storage, options; the seconds for reading the file and for preparing (everything between edges in memory and
the first sweep); and the curve, which is [seconds of the sweeps so far, test RMSE] for each sweep. A driver
for another program's library can write lines with the same keys.

The part errors reads such lines from --files. For every program, data set and rank, it determines the setting
that reaches each error first (--errors NAME=0.55/0.53,…), without interpolation between sweeps. The first
sweep counts as long as a median sweep; its additional time counts as preparation."""
import itertools
import json
import os
import pathlib
import statistics

from measure.sgd import measured


def plain(rate, decay, regularisation):
    return f"--model-form plain --rate-schedule inverse --learning-rate {rate} --decay {decay} --regularisation {regularisation}"


# Settings by the kind of data set: generated ratings begin far from their mean, real ratings near it. In the
# biased form, all other options have their defaults.
BIASED = "--model-form biased"
SETTINGS = {"generated": [plain(0.02, 0.2, 0.02), plain(0.03, 0.5, 0.02), plain(0.03, 0.5, 0.01)],
            "real": [plain(0.01, 0.1, 0.1), *(plain(0.02, 0.3, regularisation) for regularisation in (0.05, 0.1, 0.2)), BIASED]}


def time_to_error(b):
    """Measures the test error as a function of the time of the sweeps, for --strategies with each of some settings."""
    b.o.sweeps, b.o.sets = b.asked("sweeps", 15), b.asked("sets", ["ratings-20m", "goodbooks", "movietweetings"])
    for name, (rank, storage) in itertools.product(b.o.sets, b.ranks("16,64,128:fp16")):
        train, test = (os.path.join(b.o.data, f"{name}.{part}.bin") for part in ("train", "test"))
        for options in SETTINGS["generated" if os.path.getsize(train) > 1e8 else "real"]:
            tested = ["--test", test, "--early-stop", 0, *options.split()]
            for _, file, _, runs in measured(b, {name: (os.path.basename(train), "")}, rank, storage, *tested):
                for strategy, ran in runs.items():
                    tell(b, name, rank, storage, strategy, options, b.record(file)["seconds"], ran)


def tell(b, name, rank, storage, strategy, options, made, ran):
    """Adds the JSON line of a run to the file of curves."""
    biased, seconds = options == BIASED, ran["seconds"]
    ends = itertools.accumulate(sweep["seconds"] for sweep in ran["sweeps"])
    curve = [[0.0, ran["rmse_baseline"]]] * biased + [[round(end, 7), sweep["rmse_test"]] for end, sweep in zip(ends, ran["sweeps"])]
    line = {"program": strategy + ", biased" * biased, "data": name, "rank": rank, "storage": storage, "options": options, "read": made["read"],
            "prepare": made["schedule"] + seconds["load"] + seconds["plan"] + seconds["transfer"], "curve": curve}
    with open(b.path("curves.jsonl"), "a") as f:
        f.write(json.dumps(line) + "\n")


def per_sweep(run):
    """Returns the median time of a sweep in seconds."""
    ends = [seconds for seconds, _ in run["curve"]]
    return statistics.median(after - before for before, after in zip([0.0, *ends], ends) if after > 0)


def started(run):
    """Returns the run with the median time for its first sweep. The additional time of the first sweep, in
    which the driver loads the kernels, is added to the preparation."""
    first = next(seconds for seconds, _ in run["curve"] if seconds > 0)
    late = max(0.0, first - per_sweep(run))
    return {**run, "prepare": run["prepare"] + late, "curve": [[max(0.0, seconds - late), rmse] for seconds, rmse in run["curve"]]}


def reached(run, error):
    """Returns the time of the sweeps in seconds after which the run has reached the error; infinity if it
    never does."""
    return next((seconds for seconds, rmse in run["curve"] if rmse <= error), float("inf"))


def to_errors(runs, data, errors):
    """Returns a table (columns and rows) of the times until each error for a data set, and the settings that
    reach the errors first."""
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
    """Computes the times until --errors of each data set are reached, from the lines in --files."""
    b.about = "sweeps' time until the test error is as low, each program at the best of some settings, the same split"
    runs, settings = [json.loads(line) for file in b.o.files for line in pathlib.Path(file).read_text().splitlines()], []
    for name, asked in (given.split("=") for given in b.asked("errors", [])):
        columns, rows, chosen = to_errors(runs, name, [float(error) for error in asked.split("/")])
        b.keep(name, columns, rows)
        settings += chosen
    b.keep("settings", ["data", "rank", "program", "RMSE (none: the least)", "options"], settings)
