"""What every part of the GPU benchmark works with: where things lie, how programs are called, what is kept."""
import concurrent.futures
import contextlib
import datetime
import json
import os
import re
import subprocess

from strategies import strategies


SETS = {"goodbooks": ("goodbooks-982k.txt.xz", "bipartite"), "gene2pubmed": ("gene2pubmed-human-2022.txt.xz", "bipartite"),
        "road-NE": ("road-NE.txt.xz", "square"), "cnr-2000": ("cnr-2000.txt.xz", "square")}
BITS = {"goodbooks": SETS["goodbooks"], "insteval": ("insteval.txt.xz", "bipartite"), "movietweetings": ("native/movietweetings.dat", "bipartite"),
        "wordnet": ("wordnet-3.0.txt.xz", "bipartite"), "debian12-deps": ("debian12-deps.txt.xz", "bipartite"), "road-NY": ("road-NY-weighted.txt.xz", "square")}
RATINGS = ["ratings", "--edges", "20000000", "--noise", "0.5", "--seed", "1"]
GENERATED = {"ratings-20m": [*RATINGS, "--users", "100000", "--items", "20000", "--max-degree", "52000"],
             "low-skew-20m": [*RATINGS, "--users", "100000", "--items", "20000", "--max-degree", "6000"],
             "even-20m": [*RATINGS, "--users", "200000", "--items", "100000", "--max-degree", "900"]}


RATED = {"200,000 x 20,000, 3 M": ["ratings", "--users", "200000", "--items", "20000", "--edges", "3000000", "--max-degree", "20000", "--noise", "0.5", "--seed", "1"],
         "20,000 x 4,000, 2 M": ["ratings", "--users", "20000", "--items", "4000", "--edges", "2000000", "--max-degree", "8000", "--noise", "0.5", "--seed", "1"]}


@contextlib.contextmanager
def pool_of(count):
    """A pool for so many programs at a time, which share out the processors: threads that spin at barriers would hold up another's work."""
    threads, before = str(max(1, os.cpu_count() // count)), os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = threads
    try:
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            yield pool
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before


def write_data(file, parts, program, command, about, device=None, failures=0):
    """A file of docs/data: the parts, {name: {"columns", "rows"}}, a row a line, with the revision of `program`; of the GPUs here where no device is named."""
    def said(*words):
        return subprocess.run(words, capture_output=True, text=True).stdout

    device = device or said("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").strip().replace("\n", "; ")
    revision = (re.search(r"revision (\w+(-dirty)?)", said(program, "--version")) or [None, None])[1]
    head = {"about": about, "device": device, "date": f"{datetime.date.today():%-d %B %Y}", "revision": revision, "command": command, "failures": failures}
    texts = []
    for name, part in parts.items():
        rows = ",\n    ".join(json.dumps(list(row), ensure_ascii=False) for row in part["rows"])
        texts.append(f'\n  "{name}": {{"columns": {json.dumps(part["columns"], ensure_ascii=False)},\n   "rows": [\n    {rows}]}}')
    with open(file, "w") as f:
        f.write(json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "parts": {' + ",".join(texts) + "}}\n")


class Runs:
    def __init__(self, options):
        self.bin, self.data, self.out = options.bin, options.data, options.out
        self.facts = {s["name"]: s for app in ("sgd", "pagerank") for s in strategies(options.bin, app)}
        sgd = [s for s in self.facts.values() if s["app"] == "sgd"]
        self.locality = [s["name"] for s in sgd if s["walk"] == "local"]  # on roads
        self.offline = [s["name"] for s in sgd if s["deterministic"] and s["walk"] != "local"]
        self.online = [s["name"] for s in sgd if not s["deterministic"]]
        self.all = self.offline + self.locality + self.online
        self.schedules = list(dict.fromkeys(s["schedule"] for s in sgd if s["schedule"] and s["walk"] != "local"))
        self.pagerank_own = [s["name"] for s in self.facts.values() if s["app"] == "pagerank" and s["class"] == "offline"]
        self.pagerank_given = [s["name"] for s in self.facts.values() if s["app"] == "pagerank" and s["class"] == "online"]
        self.frontier = strategies(options.bin, "bfs")
        self.strategies = options.strategies.split(",") if options.strategies else self.all
        self.named = options.sets.split(",") if options.sets else None
        self.extra = options.extra.split()
        self.executable = options.execute or self.program("lockstep-execute")
        self.device = options.device
        self.iterations, self.repeats, self.average = options.iterations, options.repeats, options.average
        self.failures = []
        self.parts = {}

    def program(self, name):
        return os.path.join(self.bin, name)

    def source(self, name, given, generated):
        """A graph's file: one of the data folder (a text), or made by lockstep-generate (its arguments) as `generated`; None where its data is not there."""
        if isinstance(given, str):
            path = os.path.join(self.data, given)
            return path if os.path.exists(path) else print(f"left out: {name} ({given} is not in {self.data})")
        self.run([self.program("lockstep-generate"), *given, "--seed", "1", "-o", generated, "--quiet", "--force"])
        return generated

    def run(self, command, check=True):
        result = subprocess.run(command, capture_output=True, text=True)
        if check and result.returncode != 0:
            self.fail(f"exit {result.returncode}: {' '.join(command)}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
        return result

    def keep(self, part, columns, rows):
        self.parts[part] = {"columns": columns, "rows": [list(row) for row in rows]}

    def write(self, file, command):
        write_data(file, self.parts, self.executable, command, about="tools/gpu_benchmark.py: checks and measurements, rank 16, single precision where nothing else is said",
                   device=f"{os.cpu_count()} CPU threads" if self.device == "cpu" else None, failures=len(self.failures))

    def fail(self, text):
        self.failures.append(text)
        print("FAILED", text, flush=True)

    def json(self, command):
        result = self.run(command + ["--json", "--quiet"])
        return json.loads(result.stdout) if result.returncode == 0 else None

    def execute(self, file, strategy, *extra):
        """Of --app in `extra`, else of SGD, whose strategies are compared on the paper's model."""
        form = [] if "--app" in extra else ["--model-form", "plain"]
        return self.json([self.executable, file, "--strategy", strategy, *form, *extra])

    def prepared(self, named=None):
        """Schedule files of the data sets, with the preprocessing record of each."""
        sets = {}
        for name, (source, shape) in {**BITS, **SETS}.items():
            if name not in (named or self.sets):
                continue
            path = os.path.join(self.data, source)
            if os.path.exists(path):
                sets[name] = (path, shape)
            else:
                print(f"left out: {name} ({source} is not in {self.data})")
        for name, arguments in GENERATED.items():
            if name in (named or self.sets):
                generated = os.path.join(self.out, name + ".bin")
                if not os.path.exists(generated):
                    self.run([self.program("lockstep-generate"), *arguments, "-o", generated])
                sets[name] = (generated, "bipartite")
        files = {}
        for name, (path, shape) in sets.items():
            file = os.path.join(self.out, name + ".h5")
            record = os.path.join(self.out, name + ".json")
            if not os.path.exists(record):
                made = self.json([self.program("lockstep-preprocess"), path, "--shape", shape, "-o", file, "--schedule",
                                  ",".join(self.schedules + (self.locality if name.startswith("road") else []))])
                if made is None:
                    continue
                with open(record, "w") as f:
                    json.dump(made, f)
            with open(record) as f:
                files[name] = (file, json.load(f))
        return files
