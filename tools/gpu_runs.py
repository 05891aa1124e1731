"""What every part of the GPU benchmark works with: where things lie, how programs are called, what is kept."""
import datetime
import json
import os
import re
import subprocess

from strategies import strategies


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
        library = os.path.join(os.path.dirname(os.path.abspath(self.bin)), "lib")
        os.environ["LD_LIBRARY_PATH"] = library + ":" + os.environ.get("LD_LIBRARY_PATH", "")

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
        """The parts as JSON, a row a line."""
        version = self.run([self.executable, "--version"]).stdout
        cpu = self.device == "cpu"
        names = "" if cpu else self.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).stdout.strip().replace("\n", "; ")
        head = {"about": "tools/gpu_benchmark.py: checks and measurements, rank 16, single precision where nothing else is said",
                "device": names or f"{os.cpu_count()} CPU threads", "date": f"{datetime.date.today()}",
                "revision": (re.search(r"revision (\w+(-dirty)?)", version) or [None, None])[1], "command": command, "failures": len(self.failures)}
        parts = []
        for name, part in self.parts.items():
            rows = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in part["rows"])
            parts.append(f'\n  "{name}": {{"columns": {json.dumps(part["columns"], ensure_ascii=False)},\n   "rows": [\n    {rows}]}}')
        with open(file, "w") as f:
            f.write(json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "parts": {' + ",".join(parts) + "}}\n")

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
