"""What every part of tools/bench.py works with: where things lie, how programs are called, what is kept."""
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
    """Of the programs in a folder: those of a bundle (tools/bundle.sh) find its libraries."""
    library = os.path.join(os.path.dirname(os.path.abspath(folder)), "lib")
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(filter(None, [library, os.environ.get("LD_LIBRARY_PATH")]))}


def strategies(folder, app="sgd"):
    """The facts of lockstep-execute --strategies of one application: dictionaries with name, schedule, walk, policy, class, races, …"""
    command = [os.path.join(folder, "lockstep-execute"), "--strategies", "--app", app, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment(folder)).stdout)["strategies"]


@contextlib.contextmanager
def pool_of(count):
    """A pool for so many programs at a time, which share out the processors: threads that spin at barriers would hold up another's work."""
    before = os.environ.get("OMP_NUM_THREADS")
    if count > 1:
        os.environ["OMP_NUM_THREADS"] = str(max(1, os.cpu_count() // count))
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        yield pool
    if count > 1:
        os.environ.pop("OMP_NUM_THREADS")
        os.environ.update({"OMP_NUM_THREADS": before} if before else {})


def text(value):
    """A cell of a table: words and whole numbers as they are, other numbers with four digits."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    return value if isinstance(value, str) else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def name_of(graph, *words):
    """A file's, that differs with what it is made of."""
    return f"{graph}-{zlib.crc32(' '.join(map(str, words)).encode()):08x}".replace(" ", "-")


def seconds_of(run):
    """The median of what a run repeats: sweeps, or all of it."""
    return statistics.median(s["seconds"] for s in run["sweeps"]) if "sweeps" in run else run.get("median_seconds", run["seconds"]["execute"])


@functools.cache
def gpus():
    """Name and driver of each."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    return subprocess.run(query, capture_output=True, text=True).stdout.strip().replace("\n", "; ") if shutil.which(query[0]) else ""


class Runs:
    """Runs of the programs of --bin; with --beside, timed ones are also of the programs there, in turns."""

    def __init__(self, options, command):
        self.command = command
        self.o, self.bin, self.out, self.device = options, options.bin, options.out, options.device
        self.builds = [build for build in (options.bin, options.beside) if build]
        self.failures, self.parts, self.pairs, self.limits = [], {}, [], None
        self.about = "checks and measurements, rank 16, single precision where nothing else is said"

    # Options, and what follows from them.

    def asked(self, option, otherwise):
        given = getattr(self.o, option)
        return otherwise if given is None else given

    def ranks(self, otherwise):
        """Pairs of --ranks, 16 or 128:fp16: (rank, storage)"""
        words = [rank.split(":") for rank in self.asked("ranks", otherwise.split(","))]
        return [(int(rank), *(storage or ["fp32"])) for rank, *storage in words]

    @functools.cached_property
    def facts(self):
        return {s["name"]: s for s in strategies(self.bin)}

    def those(self, fact, value=True):
        """Strategies of SGD, of --strategies where it is given."""
        return [s for s in self.asked("strategies", self.facts) if self.facts[s][fact] == value]

    def wanted(self, graph):
        """The strategies of SGD for a graph: what asks for locality on roads alone."""
        left_out = self.o.not_on_roads if on_roads(graph) else self.those("walk", "local")
        return [s for s in self.asked("strategies", self.facts) if s not in left_out]

    def schedules(self, graph, *more):
        """The schedules that these need, and some more."""
        return ",".join(dict.fromkeys(self.facts[s]["schedule"] for s in (*self.wanted(graph), *more) if self.facts[s]["schedule"])) or "agm-e"

    def locked(self):
        """Of programs that prepare side by side, one at a time sweeps."""
        return ["--lock", self.path("lock")] if self.o.running > 1 else []

    # Programs.

    def path(self, name):
        return os.path.join(self.out, name)

    def program(self, name, build=None):
        return os.path.join(build or self.bin, name)

    def call(self, program, *arguments, build=None):
        """What a program printed; and what it failed by, or None."""
        command = [self.program(program, build) if program.startswith("lockstep") else program, *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=self.o.limit, env=environment(build or self.bin))
        except FileNotFoundError:
            return "", f"{command[0]} is not here"
        except subprocess.TimeoutExpired:
            return "", f"cut after {self.o.limit:g} s: {' '.join(command)}"
        failed = f"exit {done.returncode}: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout, failed if done.returncode else None

    def run(self, program, *arguments, **how):
        """What a program printed; None where it failed, which counts."""
        printed, reason = self.call(program, *arguments, **how)
        return self.fail(reason) if reason else printed

    def json(self, program, *arguments, **how):
        printed = self.run(program, *arguments, "--json", "--quiet", **how)
        return printed and json.loads(printed)

    def execute(self, file, strategy, *options, build=None):
        """Of --app in `options`, else of SGD, whose strategies are compared on the paper's model."""
        form = [] if "--app" in options or "--model-form" in options else ["--model-form", "plain"]
        own = self.own(file, build)
        return self.json("lockstep-execute", own if os.path.exists(own) else file, "--strategy", strategy, *form, *options, build=build)

    def timed(self, what, file, strategy, *options, record=None):
        """The run of the median time of --turns; every turn has each build, and what both took is kept. `record`: made anew, one of each build."""
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
                self.fail(f"{self.pairs[-1][0]}: another result than that of {self.o.beside}")
        return runs[0]

    def compare(self):
        """Of all that was timed in both builds."""
        if self.pairs:
            worst = max(self.pairs, key=lambda pair: pair[3])
            print(f"{len(self.pairs)} runs beside {self.o.beside}: geomean {statistics.geometric_mean(pair[3] for pair in self.pairs):.3f}, "
                  f"worst {worst[3]:.3f} ({worst[0]}), {sum(pair[3] > 1.05 for pair in self.pairs)} above 1.05; "
                  f"{sum(pair[4] == 'same' for pair in self.pairs)} of {sum(pair[4] != 'racing' for pair in self.pairs)} results the same")

    # Files.

    def own(self, file, build):
        """Where a build has a schedule file, which each makes for itself."""
        return file if build in (None, self.bin) else os.path.join(self.out, "beside", os.path.basename(file))

    def source(self, name, given, read="", as_text=False):
        """A graph's file: one of --data, or made by lockstep-generate of these words; as text where its values are passed over, or it is asked for. Else
        None."""
        if " " not in given:
            path = os.path.join(self.o.data or "", given)
            return path if self.o.data and os.path.exists(path) else print(f"left out: {name} ({given} is not in {self.o.data})")
        path = self.path(name_of(name, given) + (".txt" if as_text or "--value-column" in read else ".bin"))
        if not os.path.exists(path):
            self.run("lockstep-generate", *given.split(), "--seed", 1, "-o", path, "--quiet")
        return path if os.path.exists(path) else None

    def prepared(self, graphs, schedules, *more, at_once=4):
        """Schedule files of {name: (source, how it is read)}: {name: file}, of those that are there, made side by side; `schedules`: words, or of a name."""
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
        """What lockstep-preprocess said of a schedule file."""
        with open(file + ".json") as f:
            return json.load(f)

    # What is found.

    @functools.cached_property
    def runs(self):
        """What kept() has of this call and earlier ones."""
        file = pathlib.Path(self.path("runs.json"))
        return json.loads(file.read_text()) if file.exists() else {}

    def kept(self, key, make):
        """What `make` gave for this key, in this call or an earlier one."""
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
        """Begins a part of the data; the function that it returns adds a row, and prints it."""
        def show(cells):
            print("  ".join(cell.rjust(max(6, len(title))) if i else cell.ljust(17) for i, (cell, title) in enumerate(zip(cells, columns))), flush=True)

        def add(*row):
            self.parts[part]["rows"].append(list(row))
            show([text(cell) for cell in row])
            self.write()  # a run that is cut keeps what it has

        self.keep(part, columns, [])
        show(columns)
        return add

    @functools.cached_property
    def revision(self):
        found = re.search(r"revision (\w+(-dirty)?)", self.call("lockstep-execute", "--version")[0])
        return found and found[1]

    def write(self):
        """A file of docs/data with all parts so far, a row a line; where --json asks for it."""
        if not self.o.json:
            return
        device = self.o.machine or (f"{os.cpu_count()} CPU threads" if self.device == "cpu" else gpus())
        head = {"about": self.o.about or f"tools/bench.py {' '.join(self.o.parts)}: {self.about}", "device": device,
                "date": f"{datetime.date.today():%-d %B %Y}", "revision": self.revision, "command": self.command, "failures": len(self.failures)}
        parts = []
        for name, part in list(self.parts.items()):  # threads may add one
            rows = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in part["rows"])
            parts.append(f'\n  "{name}": {{"columns": {json.dumps(part["columns"], ensure_ascii=False)},\n   "rows": [\n    {rows}]}}')
        with open(self.o.json, "w") as f:
            f.write(json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "parts": {' + ",".join(parts) + "}}\n")
