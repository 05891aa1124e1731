#!/usr/bin/env python3
"""The study: every strategy on a list of graphs, and the figures of the source paper drawn anew.

    tools/study.py --bin BUILD/bin --out FOLDER [--data FOLDER] [--graphs NAME,…] [--device cuda|cpu] [--rank K] …

It probes the device, makes schedule files (side by side), runs every strategy on every graph (several programs prepare side
by side, one at a time sweeps), lets lockstep-recommend predict each, and ends with FOLDER/study.html and FOLDER/study.csv by
lockstep-report, with their pictures in FOLDER/study, normalised to shuffled EL as the paper is, and study-el to EL in the order of the file; verdicts.json has both. What is there already is not done again, so that a study that was stopped goes on where it was. Graphs whose
file is not in --data are left out, and said so; --list prints them. What was cut or refused is in FOLDER/left-out.json.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import threading
import time

import equal_error
import floors
from gpu_runs import write_data
from strategies import strategies

# How each file of --data is read.
BIPARTITE, SQUARE, ROAD = ["--shape", "bipartite"], ["--shape", "square"], ["--shape", "square", "--undirected", "--value-column", "none"]
FILES = {"goodbooks": ("goodbooks-982k.txt.xz", BIPARTITE), "gene2pubmed": ("gene2pubmed-human-2022.txt.xz", BIPARTITE),
         "insteval": ("insteval.txt.xz", BIPARTITE), "cnr-2000": ("cnr-2000.txt.xz", SQUARE), "wordnet": ("wordnet-3.0.txt.xz", SQUARE),
         "debian12-deps": ("debian12-deps.txt.xz", SQUARE), "movietweetings": ("native/movietweetings.dat", BIPARTITE), "road-NE": ("road-NE.txt.xz", ROAD),
         "road-NW": ("road-NW.txt.xz", ROAD), "road-BAY": ("road-BAY.txt.xz", ROAD), "road-NY": ("road-NY-weighted.txt.xz", ROAD),  # both ways, as the paper's
         "osm-delhi": ("osm-delhi.txt.xz", ROAD), "osm-amsterdam": ("osm-amsterdam.txt.xz", ROAD), "luxembourg-osm": ("luxembourg_osm.txt.xz", ROAD)}


def ratings(users, items, edges, degree):
    return ["ratings", "--users", str(users), "--items", str(items), "--edges", str(edges), "--max-degree", str(degree)]


# Shapes and sizes of the paper's inputs (named after them; road-15m is W, road-34m CTR, road-5m CAL, road-9m E), and graphs of 20 M edges that differ in skew alone. The
# paper gives STACK 0.6 M vertices and 0.1 M edges, fewer than one a vertex; stack-like has the shape of KONECT's stackexchange-stackoverflow, whose largest degree is STACK's.
GENERATED = {"wiki-like": (ratings(105_000, 8_000, 5_000_000, 100_022), BIPARTITE), "bgg-like": (ratings(80_000, 20_000, 6_000_000, 43_331), BIPARTITE),
             "imdb-like": (ratings(900_000, 400_000, 3_700_000, 1_590), BIPARTITE), "pokec-like": (ratings(1_600_000, 1_600_000, 22_300_000, 14_734), BIPARTITE),
             "stack-like": (ratings(641_876, 545_196, 1_301_942, 6_119), BIPARTITE), "citp-like": (ratings(3_750_000, 3_750_000, 16_500_000, 779), BIPARTITE),
             "livej-like": (ratings(4_800_000, 4_800_000, 68_900_000, 20_293), BIPARTITE), "road-5m": (["road", "--vertices", "1840000"], ROAD), "road-9m": (["road", "--vertices", "3480000"], ROAD),
             "ratings-20m": (ratings(100_000, 20_000, 20_000_000, 52_000), BIPARTITE), "low-skew-20m": (ratings(100_000, 20_000, 20_000_000, 6_000), BIPARTITE),
             "even-20m": (ratings(200_000, 100_000, 20_000_000, 900), BIPARTITE), "netflix-like": (ratings(480_189, 17_770, 99_000_000, 227_715), BIPARTITE),
             "rmat-22": (["rmat", "--scale", "22", "--edge-factor", "16"], SQUARE), "road-15m": (["road", "--vertices", "6050000"], ROAD),
             "road-34m": (["road", "--vertices", "13600000"], ROAD),
             "small-ratings": (ratings(3_000, 800, 60_000, 2_000), BIPARTITE), "small-even": (ratings(3_000, 2_000, 60_000, 90), BIPARTITE),
             "small-road": (["road", "--vertices", "30000"], ROAD)}
SMALL = ["small-ratings", "small-even", "small-road"]


def on_roads(name):
    return "road" in name or "osm" in name


def generated(name):
    """The file of a generated graph: roads as text, whose lengths can be passed over."""
    return name + (".txt" if on_roads(name) else ".bin")


class Study:
    def __init__(self, options):
        self.o = options
        self.bin, self.out = options.bin, options.out
        self.end = time.time() + options.budget
        self.left_out, self.mutex = [], threading.Lock()
        facts = [s for s in strategies(options.bin) if s["app"] == "sgd"]
        self.names = options.strategies.split(",") if options.strategies else [s["name"] for s in facts]
        self.locality = [s["name"] for s in facts if s["walk"] == "local"]  # on roads alone
        self.exact, self.racing = ([s["name"] for s in facts if s[key]] for key in ("deterministic", "races"))
        self.schedule_of = {s["name"]: s["schedule"] for s in facts}

    def path(self, name):
        return os.path.join(self.out, name)

    def say(self, text):
        print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)

    def leave_out(self, graph, strategy, reason):
        with self.mutex:
            self.left_out.append({"graph": graph, "strategy": strategy, "reason": reason})
            with open(self.path("left-out.json"), "w") as f:
                json.dump(self.left_out, f, indent=1)
        self.say(f"left out: {graph} {strategy}: {reason}")

    def call(self, program, *arguments, threads=None, limit=None):
        """Standard output of a program, or None and why not."""
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads)) if threads else None
        limit = min(limit or self.o.limit, self.end - time.time())
        if limit <= 0:
            return None, "no time was left"
        try:
            done = subprocess.run([os.path.join(self.bin, program), *arguments], capture_output=True, text=True, timeout=limit, env=environment)
        except subprocess.TimeoutExpired:
            return None, f"cut after {limit:.0f} s"
        if done.returncode != 0:
            return None, f"exit {done.returncode}: {done.stderr.strip()[-300:]}"
        return done.stdout, None

    def probe(self):
        if not os.path.exists(self.path("probe.json")):
            quick = ["--quick"] if self.o.quick else []
            _, reason = self.call("lockstep-probe", "--device", self.o.device, "--rank", str(self.o.rank), "--fresh", *quick, "-o", self.path("probe.json"), threads=self.o.threads)
            if reason:
                sys.exit(f"lockstep-probe: {reason}")
        if not os.path.exists(self.path("chain.json")):
            chain = floors.chain_seconds(lambda *command: self.call(*command, threads=self.o.threads)[0], self.out, self.o.rank, self.o.device, self.o.storage)
            pathlib.Path(self.path("chain.json")).write_text(json.dumps(chain))

    def source(self, name):
        """The graph's file and how to read it; None where it is not there."""
        if name in FILES:
            file = os.path.join(self.o.data or "", FILES[name][0])
            return (file, FILES[name][1]) if self.o.data and os.path.exists(file) else None
        command, read = GENERATED[name]
        file = self.path(generated(name))
        if not os.path.exists(file):
            _, reason = self.call("lockstep-generate", *command, "--seed", "1", "-o", file, "--quiet")
            if reason:
                return self.leave_out(name, "", reason)
        return file, read

    def wanted(self, name):
        """The strategies for a graph."""
        left_out = self.o.not_on_roads.split(",") if on_roads(name) else self.locality
        return [s for s in self.names if s not in left_out]

    def prepare(self, name):
        """The schedule file of a graph; a schedule that cannot be is left out."""
        file, record = self.path(name + ".h5"), self.path(name + ".preprocess.json")
        if os.path.exists(record) and (os.path.exists(file) or all(os.path.exists(self.path(f"{name}.{s}.jsonl")) for s in self.wanted(name))):
            return file
        source = self.source(name)
        if source is None:
            return self.leave_out(name, "", f"{FILES[name][0]} is not in {self.o.data}" if name in FILES else "not generated")
        made_of = dict.fromkeys(self.schedule_of[s] for s in self.wanted(name))
        wanted = [s for s in made_of if s and s not in self.o.without.split(",")]
        made, reason = self.call("lockstep-preprocess", source[0], *source[1], "-o", file, "--force", "--schedule", ",".join(wanted), "--rank", str(self.o.rank),
                                 "--storage", self.o.storage, "--no-verify", "--json", "--quiet", threads=self.o.threads)
        if reason:
            return self.leave_out(name, "", reason)
        if source[0].startswith(self.out):
            os.remove(source[0])
        pathlib.Path(record).write_text(made)
        for program, arguments, suffix in (("lockstep-inspect", [], "inspect"), ("lockstep-recommend", ["--device", "probe", "--sweeps", "20", "--probe", self.path("probe.json")], "recommend")):
            text, reason = self.call(program, file, *arguments, "--json")
            self.say(f"{name}: {program}: {reason or 'said'}")
            if text:
                pathlib.Path(self.path(f"{name}.{suffix}.json")).write_text(text)
        self.say(f"{name}: schedules are there")
        return file

    def execute(self, name, strategy):
        record = self.path(f"{name}.{strategy}.jsonl")
        if os.path.exists(record):
            return
        _, reason = self.call("lockstep-execute", self.path(name + ".h5"), "--strategy", strategy, *self.settings(),
                              "--sweeps", str(self.o.sweeps), "--evaluate-every", str(self.o.sweeps), "--time-limit", str(self.o.time_limit), "--trust", "--record", record + ".part", "--quiet", "--json",
                              threads=self.o.threads)
        if reason:
            self.leave_out(name, strategy, reason)
            if os.path.exists(record + ".part"):
                os.remove(record + ".part")
        else:
            os.rename(record + ".part", record)

    def errors(self, name, strategy):
        """The training error after each of some sweeps, to a file of its own: what evaluates them is not to be timed."""
        file = self.path(f"{name}.{strategy}.errors")
        if os.path.exists(file):
            return
        text, reason = self.call("lockstep-execute", self.path(name + ".h5"), "--strategy", strategy, *self.settings(), "--sweeps", str(self.o.error_sweeps),
                                 "--early-stop", "0", "--trust", "--quiet", "--json", threads=self.o.threads)
        if reason:
            self.leave_out(name, strategy, "errors: " + reason)
        else:
            pathlib.Path(file).write_text(json.dumps([sweep["rmse_train"] for sweep in json.loads(text)["sweeps"]]))

    def settings(self):
        """What all runs of strategies have in common."""
        lock = [] if self.o.device == "cpu" else ["--lock", self.path("lock")]  # one program at a time sweeps
        return [*lock, "--model-form", "plain", "--phase-order", "given", "--device", self.o.device, "--rank", str(self.o.rank), "--storage", self.o.storage]

    def run(self, names):
        with concurrent.futures.ThreadPoolExecutor(self.o.preparing) as makers, concurrent.futures.ThreadPoolExecutor(1 if self.o.device == "cpu" else self.o.running) as runners:
            runs = []
            made = {makers.submit(self.prepare, name): name for name in names}
            for done in concurrent.futures.as_completed(made):
                if done.result() and not self.o.prepare_only:
                    own = [runners.submit(self.execute, made[done], s) for s in self.wanted(made[done])]
                    runs += [*own, runners.submit(self.finish, made[done], own)]
            for run in runs:
                run.result()
        self.end = float("inf")

    def finish(self, name, runs):
        """When a graph's runs are done: errors sweep by sweep, of racing and of the exact strategies that are nearly the fastest. Then its schedule file is
        removed: all of them together are tens of gigabytes."""
        for run in runs:
            run.result()
        if self.o.error_sweeps:
            seconds = self.times(name).get(name, {})
            fastest = min((seconds[s] for s in self.exact if s in seconds), default=0)
            for strategy in seconds:
                if strategy in self.racing or (strategy in self.exact and seconds[strategy] < 1.2 * fastest):
                    self.errors(name, strategy)
        pathlib.Path(self.path(name + ".h5")).unlink(missing_ok=True)

    def report(self):
        files = sorted(f for f in os.listdir(self.out) if f.endswith((".jsonl", ".recommend.json")) or f == "probe.json")
        # The paper normalises to shuffled EL; what the order of the file makes of it stands beside.
        for baseline, name in (("el", "study-el"), ("el-shuffled", "study")):
            text, reason = self.call("lockstep-report", *[self.path(f) for f in files], "--baseline", baseline, "--html", self.path(name + ".html"), "--csv", self.path(name + ".csv"),
                                     "--pictures", self.path(name), "--force")
            if reason:
                print(reason)
                return False
        print(text)
        times = self.times()
        verdicts = self.verdicts(times)
        if self.o.json:
            self.data(times, verdicts)
        return True

    def times(self, only=None):
        """{graph: {strategy: median seconds of a sweep}}, graphs by their edges; of all graphs, or of one."""
        times = {}
        for file in sorted(os.listdir(self.out)):
            if file.endswith(".jsonl"):
                graph, strategy = file[:-len(".jsonl")].rsplit(".", 1)
                if only not in (None, graph):
                    continue
                with open(self.path(file)) as f:
                    seconds = [line["seconds"] for line in map(json.loads, f) if line["record"] == "sweep"]
                times.setdefault(graph, {})[strategy] = statistics.median(seconds)
        return {name: times[name] for name in sorted(times, key=lambda name: self.read(name + ".inspect.json")["graph"]["edges"])}

    def read(self, name):
        with open(self.path(name)) as f:
            return json.load(f)

    def data(self, times, verdicts):
        """The measurements as a file of docs/data; of each graph the best exact strategy beside racing and its floor."""
        probe, chain = self.read("probe.json"), self.read("chain.json")
        parts = {"graphs": {"columns": ["data", "rows", "columns", "edges", "largest row degree", "largest column degree"], "rows": []},
                 "table": {"columns": ["data", "strategy", "sweep ms"], "rows": []}, "exact": {"columns": floors.COLUMNS, "rows": []},
                 "equal-error": {"columns": equal_error.COLUMNS, "rows": []},
                 "device": {"columns": ["copy TB/s", "barrier µs", "barrier of a thread block µs", "chain ns an edge"],
                            "rows": [[probe["copy_bytes_per_second"] / 1e12, *(1e6 * probe["seconds"][b] for b in ("barrier", "block_barrier")), chain and 1e9 * chain]]}}
        if told := [v for v in verdicts if v["graphs"]]:
            parts["verdicts"] = {"columns": ["strategy", "class", "over shuffled EL", "over EL as given", "verdict"],
                                 "rows": [[v["strategy"], v["class"], v["over el-shuffled"], v["over el"], "turns round" if v["differ"] else "the same"] for v in told]}
        for name, seconds in times.items():
            inspected = self.read(name + ".inspect.json")
            ms = {strategy: 1e3 * seconds[strategy] for strategy in self.names if strategy in seconds}
            parts["graphs"]["rows"].append([name, *(inspected["graph"][key] for key in ("rows", "cols", "edges", "max_row_degree", "max_col_degree"))])
            parts["table"]["rows"] += [[name, strategy, ms.get(strategy)] for strategy in self.names]
            row = floors.row(name, inspected, self.o.rank, ms, self.exact, self.racing, probe, chain, self.o.storage)
            parts["exact"]["rows"] += [row] if row else []
            runs = {s: (ms[s], self.read(f"{name}.{s}.errors")) for s in ms if os.path.exists(self.path(f"{name}.{s}.errors"))}
            equal = equal_error.row(name, runs, self.racing)
            parts["equal-error"]["rows"] += [equal] if equal else []
        for part in ("exact", "equal-error"):
            column = parts[part]["columns"].index("exact / racing")
            if ratios := [row[column] for row in parts[part]["rows"] if row[column]]:
                print(f"{part}: geomean of exact / racing {statistics.geometric_mean(ratios):.3f} over {len(ratios)} graphs")
        write_data(self.o.json, parts, os.path.join(self.bin, "lockstep-execute"), shlex.join(["tools/study.py", *sys.argv[1:]]),
                   f"tools/study.py: every strategy on {len(times)} graphs, rank {self.o.rank}, {self.o.storage}, all edges, medians of {self.o.sweeps} sweeps (fewer where {self.o.time_limit:g} s were over before)",
                   f"{self.o.threads} CPU threads" if self.o.device == "cpu" else None)

    def verdicts(self, times):
        """Geomeans by class of graphs, of every strategy over both baselines; to FOLDER/verdicts.json, and as a table."""
        rows = []
        for strategy in self.names:
            for roads in (False, True):
                row = {"strategy": strategy, "class": "road" if roads else "scale-free"}
                for baseline in ("el-shuffled", "el"):
                    ratios = [t[strategy] / t[baseline] for g, t in times.items() if on_roads(g) == roads and strategy in t and baseline in t and t[baseline] > 0]
                    row["over " + baseline] = round(statistics.geometric_mean(ratios), 4) if ratios else None
                    row["graphs"] = len(ratios)
                both = [row["over el-shuffled"], row["over el"]]
                row["differ"] = strategy not in ("el", "el-shuffled") and None not in both and (both[0] < 1) != (both[1] < 1)
                rows.append(row)
        with open(self.path("verdicts.json"), "w") as f:
            json.dump(rows, f, indent=1)
        print(f"\n{'strategy':<16} {'class':<11} {'over shuffled EL':>17} {'over EL as given':>17}  verdict")
        for row in rows:
            cells = ["–" if row[k] is None else f"{row[k]:.3f}" for k in ("over el-shuffled", "over el")]
            print(f"{row['strategy']:<16} {row['class']:<11} {cells[0]:>17} {cells[1]:>17}  {'turns round' if row['differ'] else ''}")
        return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of the programs")
    parser.add_argument("--out", required=True, help="folder of everything that is made")
    parser.add_argument("--data", help="folder of the real graphs")
    parser.add_argument("--graphs", help="names, comma-separated (see --list); default: all but the small ones; small: three that take seconds")
    parser.add_argument("--strategies", help="comma-separated; default: all of SGD")
    parser.add_argument("--not-on-roads", default="", help="strategies that roads are not run with, comma-separated")
    parser.add_argument("--without", default="", help="schedules not to make, comma-separated")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--storage", default="fp32", choices=["fp32", "fp16"])
    parser.add_argument("--quick", action="store_true", help="a rough probe, enough where predictions are not asked for")
    parser.add_argument("--sweeps", type=int, default=5)
    parser.add_argument("--error-sweeps", type=int, default=0, help="sweeps of runs that say how the error falls, by exact strategies and racing; 0: none")
    parser.add_argument("--time-limit", type=float, default=2, help="a run stops after the sweep with which its sweeps take so many seconds")
    parser.add_argument("--limit", type=float, default=120, help="seconds after which a program is cut")
    parser.add_argument("--budget", type=float, default=1e6, help="seconds of the whole study; what is not done by then is left out")
    parser.add_argument("--threads", type=int, default=4, help="of a program; several run side by side")
    parser.add_argument("--preparing", type=int, default=3, help="schedule files made side by side")
    parser.add_argument("--running", type=int, default=4, help="runs that prepare side by side; on a CPU one at a time")
    parser.add_argument("--prepare-only", action="store_true")
    parser.add_argument("--json", help="write what was found to this file, of the form of docs/data")
    parser.add_argument("--list", action="store_true", help="print the names of the graphs, and end")
    options = parser.parse_args()
    if options.list:
        return print("\n".join([*FILES, *GENERATED]))
    os.makedirs(options.out, exist_ok=True)
    names = SMALL if options.graphs == "small" else options.graphs.split(",") if options.graphs else [n for n in [*FILES, *GENERATED] if n not in SMALL]
    unknown = [n for n in names if n not in FILES and n not in GENERATED]
    if unknown:
        parser.error(f"no such graphs: {', '.join(unknown)}; --list prints them")
    study = Study(options)
    study.probe()
    study.run(names)
    return 0 if study.report() else 1


if __name__ == "__main__":
    sys.exit(main())
