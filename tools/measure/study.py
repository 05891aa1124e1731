"""The study: runs every strategy on a list of graphs, and compares the results with the figures of the paper.

It measures the device with lockstep-probe, runs every strategy on every graph (--running graphs in parallel,
but the sweeps of one graph at a time), and predicts each graph with lockstep-recommend. At the end,
lockstep-report writes three reports to OUT, with tables (csv) and pictures: study, normalised to shuffled EL;
study-paper, normalised to the shuffled EL of the paper, which tries each edge once in a pass; and study-el,
normalised to EL in the order of the file. verdicts.json has the results of all three. A run that was refused,
or stopped by a limit, counts as a failure. Graphs that have results are not run again, so an interrupted
study can be continued."""
import json
import os
import pathlib
import statistics
import sys

from measure.floors import COLUMNS, EQUAL, chain_seconds, equal_row, floor_row
from measure.graphs import LARGER, REAL, SMALL, STUDY, on_roads
from measure.runner import seconds_of
from measure.sgd import measured

PAPER = "el-shuffled, one attempt"
BASELINES = {"el-shuffled": "over shuffled EL", PAPER: "over the paper's EL", "el": "over EL as given"}


def study(b):
    """Measures the graphs of --sets, by default all except the small ones; --sets small: three graphs that take seconds."""
    b.o.sets = list(SMALL) if b.o.sets == ["small"] else b.o.sets
    names = b.asked("sets", [*REAL, *LARGER])
    if unknown := [name for name in names if name not in STUDY]:
        sys.exit(f"no such graphs: {', '.join(unknown)}; there are {', '.join(STUDY)}")
    (rank, storage), = b.ranks("16")
    b.o.time_limit, threads = b.asked("time_limit", 2), b.asked("threads", 4)
    os.environ["OMP_NUM_THREADS"] = str(threads)
    if b.device == "cpu":
        b.o.machine = b.o.machine or f"{threads} CPU threads"
    probe = b.path("probe.json")
    if not os.path.exists(probe):
        b.run("lockstep-probe", "--device", b.device, "--rank", rank, "--fresh", *(["--quick"] if b.o.quick else []), "-o", probe)
    chain = b.kept("chain", lambda: chain_seconds(b, "--rank", rank, "--storage", storage))
    missing = {name: STUDY[name] for name in names if name not in b.runs}
    options = ["--evaluate-every", b.asked("sweeps", 5), "--phase-order", "given", "--trust"]
    # The option also sets T, the number of items in a block.
    device = [] if b.device == "cpu" else ["--multiprocessors", json.loads(pathlib.Path(probe).read_text())["threads"]]
    for name, file, inspected, runs in measured(b, missing, rank, storage, *options, preparing=["--no-verify", *device]):
        pathlib.Path(b.path(name + ".inspect.json")).write_text(json.dumps(inspected))
        told = b.run("lockstep-recommend", file, "--device", "probe", "--sweeps", 20, "--probe", probe, "--json")
        pathlib.Path(b.path(name + ".recommend.json")).write_text(told or "")
        os.makedirs(b.path("paper"), exist_ok=True)
        record = pathlib.Path(b.path("paper"), f"{name}.jsonl")
        record.unlink(missing_ok=True)
        runs[PAPER] = "el-shuffled" in runs and b.execute(
            file, "el-shuffled", "--attempts", 1, "--device", b.device, "--rank", rank, "--storage", storage, "--sweeps", b.asked("sweeps", 5),
            "--time-limit", b.o.time_limit, "--record", record, *b.locked(), *options)
        ms = {strategy: 1e3 * seconds_of(run) for strategy, run in runs.items() if run}
        b.kept(name, lambda: [inspected, ms, errors(b, file, ms, rank, storage) if b.o.error_sweeps else {}])
        for build in b.builds:
            os.remove(b.own(file, build))  # all schedule files together would occupy tens of gigabytes
    found = sorted(((name, *b.runs[name]) for name in names if name in b.runs), key=lambda of_graph: of_graph[1]["graph"]["edges"])
    report(b, [name for name, *_ in found])
    verdicts(b, {name: ms for name, _, ms, _ in found})
    online_against_offline(b, {name: ms for name, _, ms, _ in found})
    data(b, found, json.loads(pathlib.Path(probe).read_text()), chain, rank, storage)
    b.about = (f"every strategy on {len(found)} graphs, rank {rank}, {storage}, all edges, medians of {b.asked('sweeps', 5)} sweeps "
               f"(fewer where {b.o.time_limit:g} s were over before)")


def errors(b, file, ms, rank, storage):
    """Returns the training error after each of several sweeps, for racing strategies and for exact strategies
    that are almost the fastest: {strategy: [error, …]}. These are separate runs, because evaluation must not
    affect the measured times."""
    exact = [s for s in b.those("deterministic") if s in ms]
    chosen = [s for s in ms if s in b.those("races") or (s in exact and ms[s] < 1.2 * min(ms[e] for e in exact))]
    runs = {s: b.execute(file, s, "--device", b.device, "--phase-order", "given", "--rank", rank, "--storage", storage, "--trust", *b.locked(),
                         "--sweeps", b.o.error_sweeps, "--early-stop", 0) for s in chosen}
    return {s: [sweep["rmse_train"] for sweep in run["sweeps"]] for s, run in runs.items() if run}


def report(b, names):
    files = [b.path(f) for f in sorted(os.listdir(b.out)) if f.split(".")[0] in names and f.endswith((".jsonl", ".recommend.json"))]
    papers = [f for f in files if ".el-shuffled." not in f] + [f for n in names if os.path.exists(f := b.path(f"paper/{n}.jsonl"))]
    # The paper normalises to shuffled EL. An additional report is normalised to EL in the order of the file.
    for baseline, name, of in (("el", "study-el", files), ("el-shuffled", "study-paper", papers), ("el-shuffled", "study", files)):
        printed = b.run("lockstep-report", *of, b.path("probe.json"), "--baseline", baseline, "--html", b.path(name + ".html"),
                        "--csv", b.path(name + ".csv"), "--force")
    print(printed)


def verdicts(b, times):
    """Computes the geometric mean over graphs of the speedup of every strategy over each baseline, by class
    of graphs. Writes the means to OUT/verdicts.json, and as a table."""
    add, rows = b.table("verdicts", "strategy", "class", *BASELINES.values(), "verdict"), []
    for strategy, roads in ((s, roads) for s in (*b.asked("strategies", b.facts), PAPER) for roads in (False, True)):
        row = {"strategy": strategy, "class": "road" if roads else "scale-free"}
        for over in BASELINES:
            ratios = [ms[strategy] / ms[over] for name, ms in times.items() if on_roads(name) == roads and strategy in ms and over in ms]
            row["over " + over] = round(statistics.geometric_mean(ratios), 4) if ratios else None
            row["graphs"] = len(ratios)
        over = [row["over " + name] for name in BASELINES]
        row["differ"] = strategy not in BASELINES and None not in over and len({ratio < 1 for ratio in over}) > 1
        rows.append(row)
        if row["graphs"]:
            add(strategy, row["class"], *over, "turns round" if row["differ"] else "the same")
    pathlib.Path(b.path("verdicts.json")).write_text(json.dumps(rows, indent=1))


def online_against_offline(b, times):
    """Adds the geometric mean of the best online time divided by the best offline time, for the strategies of
    the paper in the classes of the report (in which EL-SGM is offline): with our locks, and with those of the
    paper."""
    add = b.table("online-offline", "locks", "class", "graphs", "online over offline", "online wins")
    online, offline = ([s for s in b.those("class", kind) if b.facts[s]["source"].startswith("IPDPS 2016")] for kind in ("online", "offline"))
    for locks, those in (("ours", online), ("the paper's", [PAPER, "nl-marks"])):
        for roads in (False, True):
            best = [[min((ms[s] for s in some if ms.get(s)), default=None) for some in (those, offline)] for name, ms in times.items() if on_roads(name) == roads]
            if ratios := [left / right for left, right in best if left and right]:
                add(locks, "road" if roads else "scale-free", len(ratios), statistics.geometric_mean(ratios), sum(ratio < 1 for ratio in ratios))


def data(b, found, probe, chain, rank, storage):
    """Adds the tables of the data file. Among them are, for each graph, the best exact strategy compared with
    racing strategies and with its lower bound."""
    sizes = ("rows", "cols", "edges", "max_row_degree", "max_col_degree")
    exact, racing = b.those("deterministic"), b.those("races")
    b.keep("graphs", ["data", "rows", "columns", "edges", "largest row degree", "largest column degree"],
           [[name, *(inspected["graph"][key] for key in sizes)] for name, inspected, *_ in found])
    b.keep("table", ["data", "strategy", "sweep ms"], [[name, s, ms.get(s)] for name, _, ms, _ in found
                                                              for s in (*b.asked("strategies", b.facts), PAPER)])
    b.keep("device", ["copy TB/s", "barrier µs", "barrier of a thread block µs", "chain ns an edge"],
           [[probe["copy_bytes_per_second"] / 1e12, *(1e6 * probe["seconds"][key] for key in ("barrier", "block_barrier")), 1e9 * chain]])
    beside_floor = [floor_row(name, inspected, rank, ms, exact, racing, probe, chain, storage) for name, inspected, ms, _ in found]
    at_equal_error = [equal_row(name, {s: (ms[s], by_sweep) for s, by_sweep in errors.items()}, racing) for name, _, ms, errors in found]
    for part, columns, rows in (("exact", COLUMNS, beside_floor), ("equal-error", EQUAL, at_equal_error)):
        b.keep(part, columns, filter(None, rows))
        if ratios := [ratio for row in b.parts[part]["rows"] if (ratio := row[columns.index("exact / racing")])]:
            print(f"{part}: geomean of exact / racing {statistics.geometric_mean(ratios):.3f} over {len(ratios)} graphs")
