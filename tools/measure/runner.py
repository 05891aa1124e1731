"""Functions that all parts of tools/bench.py use: paths, calls of programs, and stored results."""
import concurrent.futures
import contextlib
import datetime
import functools
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import zlib

from measure.graphs import on_roads


def environment(folder):
    """Returns the environment variables for programs in this folder. Programs of a bundle (tools/bundle.sh)
    then find the libraries of the bundle."""
    library = os.path.join(os.path.dirname(os.path.abspath(folder)), "lib")
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(filter(None, [library, os.environ.get("LD_LIBRARY_PATH")]))}


def strategies(folder, app="sgd"):
    """Returns the strategies of an application, as lockstep-execute --strategies prints them: for each name a
    dictionary with name, schedule, walk, policy, class, races, …."""
    command = [os.path.join(folder, "lockstep-execute"), "--strategies", "--app", app, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment(folder)).stdout)["strategies"]


@contextlib.contextmanager
def pool_of(count):
    """Yields a pool that runs `count` programs concurrently. Each program uses an equal share of the
    processors, since threads that spin at barriers would delay other programs."""
    before = os.environ.get("OMP_NUM_THREADS")
    if count > 1:
        os.environ["OMP_NUM_THREADS"] = str(max(1, os.cpu_count() // count))
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        yield pool
    if count > 1:
        os.environ.pop("OMP_NUM_THREADS")
        os.environ.update({"OMP_NUM_THREADS": before} if before else {})


def text(value):
    """Formats a cell of a table. Words and integers are unchanged, other numbers have four digits."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    return value if isinstance(value, str) else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def name_of(graph, *words):
    """Returns a file name that depends on the graph and on the arguments with which the file is made."""
    return f"{graph}-{zlib.crc32(' '.join(map(str, words)).encode()):08x}".replace(" ", "-")


def seconds_of(run):
    """Returns the median time in seconds of the repeated part of a run: of its sweeps, or of its
    executions."""
    return statistics.median(s["seconds"] for s in run["sweeps"]) if "sweeps" in run else run.get("median_seconds", run["seconds"]["execute"])


@functools.cache
def gpus():
    """Returns the names and driver versions of all GPUs as text."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    return subprocess.run(query, capture_output=True, text=True).stdout.strip().replace("\n", "; ") if shutil.which(query[0]) else ""


class Runs:
    """Runs the programs in the folder --bin and stores their results. With --beside, a folder with another
    build, timed runs alternate between both builds."""

    def __init__(self, options, command):
        self.command = command
        self.o, self.bin, self.out, self.device = options, options.bin, options.out, options.device
        self.builds = [build for build in (options.bin, options.beside) if build]
        self.failures, self.parts, self.pairs, self.limits = [], {}, [], None
        self.about = "checks and measurements, rank 16, single precision where nothing else is said"

    # Functions for options, and for values that follow from them.

    def asked(self, option, otherwise):
        given = getattr(self.o, option)
        return otherwise if given is None else given

    def ranks(self, otherwise):
        """Returns the value of --ranks, such as 16 or 128:fp16, as pairs (rank, storage)."""
        words = [rank.split(":") for rank in self.asked("ranks", otherwise.split(","))]
        return [(int(rank), *(storage or ["fp32"])) for rank, *storage in words]

    @functools.cached_property
    def facts(self):
        return {s["name"]: s for s in strategies(self.bin)}

    def those(self, fact, value=True):
        """Returns the strategies of SGD (only those of --strategies, if given) whose property `fact` has this
        value."""
        return [s for s in self.asked("strategies", self.facts) if self.facts[s][fact] == value]

    def wanted(self, graph):
        """Returns the strategies of SGD that are measured on a graph. Strategies that require locality are
        measured only on roads."""
        left_out = self.o.not_on_roads if on_roads(graph) else self.those("walk", "local")
        return [s for s in self.asked("strategies", self.facts) if s not in left_out]

    def schedules(self, graph, *more):
        """Returns the names of the schedules that the strategies measured on this graph, and the strategies
        in `more`, require."""
        return ",".join(dict.fromkeys(self.facts[s]["schedule"] for s in (*self.wanted(graph), *more) if self.facts[s]["schedule"])) or "agm-e"

    def locked(self):
        """Returns the option with which only one of several concurrent programs runs its sweeps at a time."""
        return ["--lock", self.path("lock")] if self.o.running > 1 else []

    # Functions that call programs.

    def path(self, name):
        return os.path.join(self.out, name)

    def program(self, name, build=None):
        return os.path.join(build or self.bin, name)

    def call(self, program, *arguments, build=None):
        """Runs a program. Returns its output, and the reason if it failed, otherwise None."""
        command = [self.program(program, build) if program.startswith("lockstep") else program, *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=self.o.limit, env=environment(build or self.bin))
        except FileNotFoundError:
            return "", f"{command[0]} was not found"
        except subprocess.TimeoutExpired:
            return "", f"killed after {self.o.limit:g} s: {' '.join(command)}"
        failed = f"exit {done.returncode}: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout, failed if done.returncode else None

    def run(self, program, *arguments, **how):
        """Runs a program. Returns its output. If the program fails, counts the failure and returns None."""
        printed, reason = self.call(program, *arguments, **how)
        return self.fail(reason) if reason else printed

    def json(self, program, *arguments, **how):
        printed = self.run(program, *arguments, "--json", "--quiet", **how)
        return printed and json.loads(printed)

    def execute(self, file, strategy, *options, build=None):
        """Runs lockstep-execute with the application in `options`; by default SGD with the plain model, in
        which strategies are compared as in the paper."""
        form = [] if "--app" in options or "--model-form" in options else ["--model-form", "plain"]
        own = self.own(file, build)
        return self.json("lockstep-execute", own if os.path.exists(own) else file, "--strategy", strategy, *form, *options, build=build)

    def timed(self, what, file, strategy, *options, record=None):
        """Runs a strategy --turns times with each build, and stores the times of both builds. Returns the run
        with the median time. `record` is the name of a run record, of which each build has its own."""
        def run(build):
            return self.execute(file, strategy, *options, *(["--record", self.own(self.path(record), build)] if record else []), build=build)

        for build in self.builds if record else []:
            pathlib.Path(self.own(self.path(record), build)).unlink(missing_ok=True)
        turns = [[run(build) for build in self.builds] for _ in range(self.o.turns)]
        runs = [sorted(of_build, key=seconds_of)[len(of_build) // 2] if all(of_build) else None for of_build in zip(*turns)]
        if len(runs) > 1 and all(runs):
            times, exact = [1e3 * seconds_of(run) for run in runs], runs[0]["deterministic"]
            same = len({run["result_hash"] for turn in turns for run in turn}) == 1
            self.pairs.append([" ".join(map(str, what)), *times, times[0] / times[1], "racing" if not exact else "same" if same else "another"])
            self.keep("beside", ["run", "ms", "ms of the other build", "ratio", "result"], self.pairs)
            print("  beside:", *map(text, self.pairs[-1]), flush=True)
            if exact and not same:
                self.fail(f"{self.pairs[-1][0]}: a different result than {self.o.beside}")
        return runs[0]

    def compare(self):
        """Prints a comparison of all times that were measured with both builds."""
        if self.pairs:
            worst = max(self.pairs, key=lambda pair: pair[3])
            print(f"{len(self.pairs)} runs beside {self.o.beside}: geomean {statistics.geometric_mean(pair[3] for pair in self.pairs):.3f}, "
                  f"worst {worst[3]:.3f} ({worst[0]}), {sum(pair[3] > 1.05 for pair in self.pairs)} above 1.05; "
                  f"{sum(pair[4] == 'same' for pair in self.pairs)} of {sum(pair[4] != 'racing' for pair in self.pairs)} results the same")

    # Functions for files.

    def own(self, file, build):
        """Returns the path of a build's own copy of a schedule file."""
        return file if build in (None, self.bin) else os.path.join(self.out, "beside", os.path.basename(file))

    def source(self, name, given, read="", as_text=False):
        """Returns the path of a graph: a file in --data or, if `given` consists of several words, a file that
        lockstep-generate makes with these arguments. The generated file is text if `as_text`, or if its
        values are to be skipped. Returns None if the file does not exist."""
        if " " not in given:
            path = os.path.join(self.o.data or "", given)
            return path if self.o.data and os.path.exists(path) else print(f"left out: {name} ({given} is not in {self.o.data})")
        path = self.path(name_of(name, given) + (".txt" if as_text or "--value-column" in read else ".bin"))
        if not os.path.exists(path):
            self.run("lockstep-generate", *given.split(), "--seed", 1, "-o", path, "--quiet")
        return path if os.path.exists(path) else None

    def prepared(self, graphs, schedules, *more, at_once=4):
        """Returns {name: schedule file} for those of the graphs {name: (source, input options)} that exist.
        The files are built in parallel. `schedules` is a list of names, or a function of the graph's name."""
        def made(name):
            given, read = graphs[name]
            source, words = self.source(name, given, read), [*read.split(), "--schedule", schedules(name) if callable(schedules) else schedules, *more]
            file = self.path(name_of(name, given, *words) + ".h5")
            for build in self.builds if source else []:
                own = self.own(file, build)
                os.makedirs(os.path.dirname(own), exist_ok=True)
                if not os.path.exists(own) or not os.path.exists(own + ".json"):
                    record = self.json("lockstep-preprocess", source, "-o", own, "--force", *words, build=build)
                    if record is None:
                        return None
                    with open(own + ".json", "w") as f:
                        json.dump(record, f)
            return source and file

        names = [name for name in graphs if name in self.asked("sets", graphs)]
        with pool_of(at_once) as pool:
            return {name: file for name, file in zip(names, pool.map(made, names)) if file}

    def record(self, file):
        """Returns the JSON that lockstep-preprocess printed when it made a schedule file."""
        with open(file + ".json") as f:
            return json.load(f)

    # Functions for results.

    @functools.cached_property
    def runs(self):
        """Results of kept(), from this call and earlier ones."""
        file = pathlib.Path(self.path("runs.json"))
        return json.loads(file.read_text()) if file.exists() else {}

    def kept(self, key, make):
        """Returns the stored result for this key. If there is none, calls `make` and stores its result."""
        if key not in self.runs:
            self.runs[key] = make()
            part = pathlib.Path(self.path("runs.json.part"))
            part.write_text(json.dumps(self.runs))
            part.replace(self.path("runs.json"))
        return self.runs[key]

    def fail(self, words):
        self.failures.append(words)
        print("FAILED", words, flush=True)

    def keep(self, part, columns, rows):
        self.parts[part] = {"columns": list(columns), "rows": [list(row) for row in rows]}

    def table(self, part, *columns):
        """Begins a table of the data file. Returns a function that adds a row to the table and prints it."""
        def show(cells):
            print("  ".join(cell.rjust(max(6, len(title))) if i else cell.ljust(17) for i, (cell, title) in enumerate(zip(cells, columns))), flush=True)

        def add(*row):
            self.parts[part]["rows"].append(list(row))
            show([text(cell) for cell in row])
            self.write()  # writes after each row, so that an interrupted run keeps its results

        self.keep(part, columns, [])
        show(columns)
        return add

    @functools.cached_property
    def revision(self):
        found = re.search(r"revision (\w+(-dirty)?)", self.call("lockstep-execute", "--version")[0])
        return found and found[1]

    def write(self):
        """If --json is given, writes all tables so far to this file, with one row per line."""
        if not self.o.json:
            return
        device = self.o.machine or (f"{os.cpu_count()} CPU threads" if self.device == "cpu" else gpus())
        head = {"about": self.o.about or f"tools/bench.py {' '.join(self.o.parts)}: {self.about}", "device": device,
                "date": f"{datetime.date.today():%-d %B %Y}", "revision": self.revision, "command": self.command, "failures": len(self.failures)}
        parts = []
        for name, part in list(self.parts.items()):  # a copy, since other threads may add tables meanwhile
            rows = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in part["rows"])
            parts.append(f'\n  "{name}": {{"columns": {json.dumps(part["columns"], ensure_ascii=False)},\n   "rows": [\n    {rows}]}}')
        with open(self.o.json, "w") as f:
            f.write(json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "parts": {' + ",".join(parts) + "}}\n")
