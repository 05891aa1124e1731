#!/usr/bin/env python3
"""All GPU checks and benchmarks of Lockstep in one call; prints one table.

    tools/gpu_benchmark.py --bin BUILD/bin --data FOLDER --out FOLDER [--only PART[,PART…]] [--json FILE]

Parts: sanitize (compute-sanitizer memcheck and racecheck on small inputs), tests (the test program of the
executor), bits (CPU and GPU hashes, 20 repeats), bounds (what the device can do; the table then says how near each
strategy comes to its own bound, docs/strategies-gpu.md), table (every strategy on every data set), rmse (test RMSE of every
strategy against the serial double-precision reference), pagerank-checks (compute-sanitizer, and CPU against GPU against
the serial reference, of every variant), devices (tiled in groups on one GPU and on all there are, resident and streamed, against
the CPU), pagerank (every variant on every square graph, given and degree-sorted order,
beside the measured copy rate). Data sets that are not in FOLDER are left out and said so. --device cpu tries the script out.

--json writes what was measured, as docs/data/*.json have it, of which tools/tables.py makes the tables of the documents:

    about, device, date, revision, command   texts: what was measured, on what, when, by which build and call
    transcribed   true where figures were taken over from an older page by hand; absent in what this script writes
    notes         texts that a reader of the figures needs; absent where there are none
    failures      how many checks failed; absent where figures were transcribed
    parts         by name {"columns": [title, …], "rows": [[cell, …], …]}; a cell is a number, a text or null (not
                  measured); units stand in the title
      bounds      device-wide barrier µs, barrier of a thread block µs, dependent update through L2 µs, through L1 µs,
                  under two locks µs, racing G updates/s, under free locks G updates/s: one row
      table       data, strategy, preprocess s, rounds, passes, sweep ms, G updates/s, test RMSE, bound ms, × bound
      bits        data, strategy, rank, storage, hash
      rmse        strategy, test RMSE, % off: of serial double precision
      devices     data, rank, groups, GPUs, streamed MB a sweep, sweep ms, G updates/s, GB/s, copy GB/s
      pagerank    graph, variant, order (given, degree, own), ms (of 20 iterations), of worst, G edges/s, of copy
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import time

from strategies import strategies

SETS = {"goodbooks": ("goodbooks-982k.txt.xz", "bipartite"), "gene2pubmed": ("gene2pubmed-human-2022.txt.xz", "bipartite"),
        "road-NE": ("road-NE.txt.xz", "square"), "cnr-2000": ("cnr-2000.txt.xz", "square")}
WEBS = {"cnr-2000": ("cnr-2000.txt.xz", []), "wordnet": ("wordnet-3.0.txt.xz", []), "debian12-deps": ("debian12-deps.txt.xz", []),
        "road-NE": ("road-NE.txt.xz", ["--undirected"])}
SHAPES = {  # generated, and read as undirected
    "rmat-21": ["rmat", "--scale", "21", "--edge-factor", "16"], "grid-2048": ["grid", "--width", "2048", "--height", "2048"],
    "star": ["star", "--vertices", "65536"], "chain": ["chain", "--vertices", "1048576"], "ring": ["ring", "--vertices", "1048576"],
    "regular": ["regular", "--vertices", "1048576", "--degree", "8"], "grid": ["grid", "--width", "1024", "--height", "1024"],
    "tree": ["tree", "--vertices", "1048576"], "complete": ["complete", "--vertices", "2048"]}
RATINGS = ["ratings", "--edges", "20000000", "--noise", "0.5", "--seed", "1"]
GENERATED = {"ratings-20m": [*RATINGS, "--users", "100000", "--items", "20000", "--max-degree", "52000"],
             "low-skew-20m": [*RATINGS, "--users", "100000", "--items", "20000", "--max-degree", "6000"],
             "even-20m": [*RATINGS, "--users", "200000", "--items", "100000", "--max-degree", "900"]}


class Bench:
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
        self.strategies = options.strategies.split(",") if options.strategies else self.all
        self.sets = options.sets.split(",") if options.sets else [*SETS, "ratings-20m"]
        self.named = options.sets.split(",") if options.sets else None
        self.limits = None
        self.extra = options.extra.split()
        self.executable = options.execute or self.program("lockstep-execute")
        self.device = options.device
        self.failures = []
        self.parts = {}
        library = os.path.join(os.path.dirname(os.path.abspath(self.bin)), "lib")
        os.environ["LD_LIBRARY_PATH"] = library + ":" + os.environ.get("LD_LIBRARY_PATH", "")

    def program(self, name):
        return os.path.join(self.bin, name)

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
        return self.json([self.executable, file, "--strategy", strategy, *extra])

    def small_file(self):
        """A small schedule file with hubs, all schedules; blocks small enough to have several."""
        text, file = os.path.join(self.out, "small.txt"), os.path.join(self.out, "small.h5")
        self.run([self.program("lockstep-generate"), "ratings", "--users", "300", "--items", "120", "--edges", "3000",
                  "--max-degree", "200", "--seed", "7", "-o", text, "--force"])
        self.run([self.program("lockstep-preprocess"), text, "-o", file, "--schedule", "all", "--workers", "50", "--rank", "256"])
        return file

    def prepared(self):
        """Schedule files of the data sets, with the preprocessing record of each."""
        sets = {}
        for name, (source, shape) in SETS.items():
            if name not in self.sets:
                continue
            path = os.path.join(self.data, source)
            if os.path.exists(path):
                sets[name] = (path, shape)
            else:
                print(f"left out: {name} ({source} is not in {self.data})")
        for name, arguments in GENERATED.items():
            if name in self.sets:
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

    def sanitize(self):
        file = self.small_file()
        single, half = "fp32", "fp16"
        plan = [("memcheck", single, ("3", "16", "100", "200")), ("memcheck", half, ("3", "16", "100", "200")),
                ("racecheck", single, ("16", "100")), ("racecheck", half, ("16",)), ("synccheck", single, ("16",)), ("synccheck", half, ("16",))]

        def clean(tool, storage, rank, strategy):
            if tool == "racecheck" and self.facts[strategy]["walk"] == "racing_tiles":
                return True  # it races in shared memory: that is what it does
            return self.run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", self.program("lockstep-execute"), file, "--strategy", strategy,
                             "--device", "cuda", "--rank", rank, "--storage", storage, "--sweeps", "2", "--test-fraction", "0.1"]).returncode == 0

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            for tool, storage, ranks in plan:
                for rank in ranks:
                    count = sum(pool.map(lambda s: clean(tool, storage, rank, s), self.all))
                    print(f"compute-sanitizer {tool}, rank {rank}, {storage}: {count} of {len(self.all)} strategies clean", flush=True)

    def tests(self):
        result = self.run([self.program("lockstep_test_executor")])
        print(result.stdout.strip().splitlines()[-1] if result.stdout.strip() else "no test output", result.stderr.strip()[-300:], flush=True)

    def bits(self):
        kept = []
        for name, (file, _) in self.prepared().items():
            for rank, storage in (("16", "fp32"), ("100", "fp32"), ("16", "fp16"), ("100", "fp16")):
                for strategy in self.offline + [s for s in self.locality if name.startswith("road") and rank == "16"]:
                    common = ["--rank", rank, "--storage", storage, "--sweeps", "3", "--evaluate-every", "3"]
                    gpu = self.execute(file, strategy, "--device", "cuda", *common)
                    cpu = self.execute(file, strategy, "--device", "cpu", *common)
                    if not gpu or not cpu:
                        continue
                    same = gpu["result_hash"] == cpu["result_hash"]
                    if not same:
                        self.fail(f"{name} {strategy} rank {rank} {storage}: CPU and GPU differ")
                    kept.append((name, strategy, int(rank), storage, gpu["result_hash"]))
                    print(f"{name:12} {strategy:8} k={rank:3} {storage} {gpu['result_hash']} CPU {'=' if same else 'DIFFERS FROM'} GPU", flush=True)
        self.keep("bits", ["data", "strategy", "rank", "storage", "hash"], kept)
        file = self.prepared().get("goodbooks", (None,))[0]
        if file:
            for strategy in self.offline:
                hashes = {self.execute(file, strategy, "--device", "cuda", "--sweeps", "3", "--evaluate-every", "3")["result_hash"] for _ in range(20)}
                print(f"goodbooks {strategy}: 20 runs, {len(hashes)} hash", flush=True)
                if len(hashes) != 1:
                    self.fail(f"{strategy}: 20 runs gave {len(hashes)} hashes")

    def bounds(self):
        self.limits = self.json([self.program("lockstep-probe"), "--device", self.device, "--fresh"])
        if self.limits:
            print(self.run([self.program("lockstep-probe"), "--device", self.device]).stdout, end="")
            second = self.limits["seconds"]
            times = {"device-wide barrier µs": "barrier", "barrier of a thread block µs": "block_barrier", "dependent update through L2 µs": "update_l2",
                     "through L1 µs": "update_near", "under two locks µs": "update_locked"}
            rates = {"racing G updates/s": "racing_updates_per_second", "under free locks G updates/s": "locked_updates_per_second"}
            self.keep("bounds", [*times, *rates], [[*(1e6 * second[key] for key in times.values()), *(self.limits[key] / 1e9 for key in rates.values())]])

    def bound(self, strategy, graph, schedules, edges):
        """Seconds below which a sweep cannot be, by what binds the strategy (docs/strategies-gpu.md)."""
        if not self.limits:
            return None
        second, racing = self.limits["seconds"], edges / self.limits["racing_updates_per_second"]
        kept = edges / graph["edges"]  # of every hub, about
        barriers = schedules.get(strategy, {}).get("rounds", 0) * second["barrier"]
        degree = kept * max(graph["max_row_degree"], graph["max_col_degree"])
        schedule = schedules.get(self.facts[strategy]["schedule"], {})
        hubs = degree * second["update_locked"] if schedule.get("locked") else 0
        bounds = {"rounds": lambda: barriers + racing,
                  "workers": lambda: barriers + max(kept * schedule["time_steps"] * second["update_near"], racing),
                  "locks": lambda: max(degree * second["update_locked"], edges / self.limits["locked_updates_per_second"]),
                  "hubs": lambda: barriers + hubs + racing,
                  "memory": lambda: racing,
                  "half": lambda: racing / 2}  # of the vectors stay on chip
        return bounds[bound]() if (bound := self.facts[strategy]["bound"]) else None

    def table(self):
        rows = []
        for name, (file, made) in self.prepared().items():
            seconds = {s["name"]: s["seconds"] for s in made["schedules"]}
            inspected = self.json([self.program("lockstep-inspect"), file, "--workers", "1000000"])
            schedules = {s["name"]: s for s in inspected["schedules"]} if inspected else {}
            for strategy in self.strategies:
                if strategy in self.locality and strategy not in schedules:
                    continue
                record = os.path.join(self.out, f"{name}.jsonl")
                run = self.execute(file, strategy, "--device", self.device, "--rank", "16", "--sweeps", "5", "--test-fraction", "0.1",
                                   "--evaluate-every", "5", "--record", record, *self.extra)
                if not run:
                    continue
                schedule = self.facts[strategy]["schedule"]
                sweep = statistics.median(s["seconds"] for s in run["sweeps"])
                exact = all(s["updates"] == run["train_edges"] for s in run["sweeps"])
                if not exact:
                    self.fail(f"{name} {strategy}: not every edge exactly once")
                bound = self.bound(strategy, inspected["graph"], schedules, run["train_edges"]) if inspected else None
                rows.append((name, strategy, seconds.get(schedule, 0.0), schedules.get(schedule, {}).get("rounds", 0), run["sweeps"][-1]["passes"], sweep * 1e3,
                             run["train_edges"] / sweep / 1e9, run["rmse_test"], bound and bound * 1e3, bound and sweep / bound))
        self.keep("table", ["data", "strategy", "preprocess s", "rounds", "passes", "sweep ms", "G updates/s", "test RMSE", "bound ms", "× bound"], rows)
        print(f"{'data':12} {'strategy':15} {'preprocess s':>12} {'rounds':>8} {'passes':>7} {'sweep ms':>10} {'G upd/s':>8} {'test RMSE':>9} {'bound ms':>10} {'x bound':>7}")
        for r in rows:
            nearness = f"{r[8]:10.3f} {r[9]:7.2f}" if r[8] else f"{'–':>10} {'–':>7}"
            print(f"{r[0]:12} {r[1]:15} {r[2]:12.3f} {r[3]:8} {r[4]:7} {r[5]:10.3f} {r[6]:8.3f} {r[7]:9.5f} {nearness}")

    def rmse(self):
        file = self.prepared().get("goodbooks", (None,))[0]
        if not file:
            return
        common = ["--sweeps", "15", "--test-fraction", "0.1", "--evaluate-every", "15"]
        reference = self.execute(file, "el-shuffled", "--device", "reference", *common)["rmse_test"]
        print(f"goodbooks, 15 sweeps: serial double precision, shuffled edges {reference:.5f}")
        rows = []
        for strategy in [s for s in self.strategies if s not in self.locality]:
            value = self.execute(file, strategy, "--device", self.device, *common)["rmse_test"]
            rows.append((strategy, value, 100 * (value / reference - 1)))
            print(f"  {strategy:12} {value:.5f} {100 * (value / reference - 1):+.3f} %", flush=True)
            if abs(value / reference - 1) > 0.01:
                self.fail(f"{strategy}: test RMSE more than 1 % from the reference")
        self.keep("rmse", ["strategy", "test RMSE", "% off"], rows)

    def devices(self):
        """Tiled in groups: the bits of the CPU on 1, 2, 4, … GPUs, with the schedule there and streamed from the host."""
        gpus = self.run(["nvidia-smi", "-L"]).stdout.count("UUID")
        counts = [n for n in (1, 2, 4, 8) if n <= gpus]
        rows = []
        print(f"{'data':12} {'rank':>4} {'groups':>6} {'GPUs':>4} {'streamed MB':>11} {'sweep ms':>9} {'G upd/s':>8} {'GB/s':>6} {'copy GB/s':>9}  bits")
        for name, (file, made) in self.prepared().items():
            for rank in ("16", "64"):
                grouped = os.path.join(self.out, f"{name}-{rank}-groups.h5")
                schedule = self.json([self.program("lockstep-preprocess"), file, "-o", grouped, "--schedule", "tiled", "--rank", rank, "--gpus", str(max(2, counts[-1]))])
                common = [grouped, "tiled", "--rank", rank, "--sweeps", "6", "--evaluate-every", "6"]
                cpu = self.execute(*common, "--device", "cpu")
                if not schedule or not cpu:
                    continue
                groups = next(s for s in schedule["schedules"] if s["name"] == "tiled")["parameters"]["groups"]
                edges, resident = made["edges"], None
                for count, streamed in [(n, False) for n in counts] + [(n, True) for n in counts]:
                    # Room for all but the edges, which are then copied 2^22 at a time, and half of the streams.
                    memory = ["--device-memory", str(resident - 19 * edges + 12 * min(edges, 1 << 22))] if streamed else []
                    run = self.execute(*common, "--device", "cuda", "--gpus", str(count), *memory)
                    if not run:
                        continue
                    resident = resident or run["device"]["bytes"]
                    same = run["result_hash"] == cpu["result_hash"]
                    if not same:
                        self.fail(f"{name} tiled, rank {rank}, {count} GPUs: CPU and GPU differ")
                    sweep, copied = statistics.median(s["seconds"] for s in run["sweeps"]), run["streamed_bytes"]
                    rows.append((name, int(rank), groups, count, copied / 1e6, sweep * 1e3, edges / sweep / 1e9, copied / sweep / 1e9, run["copy_bytes_per_second"] / 1e9))
                    print(f"{name:12} {rank:>4} {groups:>6} {count:4} {copied / 1e6:11.1f} {sweep * 1e3:9.3f} {edges / sweep / 1e9:8.3f} {copied / sweep / 1e9:6.1f} "
                          f"{run['copy_bytes_per_second'] / 1e9:9.1f}  {'=' if same else 'DIFFER'}", flush=True)
        self.keep("devices", ["data", "rank", "groups", "GPUs", "streamed MB a sweep", "sweep ms", "G updates/s", "GB/s", "copy GB/s"], rows)

    def pagerank_file(self, name, source, extra):
        file = os.path.join(self.out, f"{name}.h5")
        if os.path.exists(file):
            return file
        made = self.json([self.program("lockstep-preprocess"), source, "-o", file, "--shape", "square", *extra, "--no-input-order", "--no-verify",
                          "--schedule", "degree,edge-tiled,pull-binned"])
        return file if made else None

    def webs(self):
        """Schedule files of the square graphs: those that are there, and generated ones, made side by side."""
        def make(name):
            if name in WEBS:
                source, extra = os.path.join(self.data, WEBS[name][0]), WEBS[name][1]
                if not os.path.exists(source):
                    return print(f"left out: {name} ({WEBS[name][0]} is not in {self.data})")
            else:
                source, extra = os.path.join(self.out, f"{name}.bin"), ["--undirected", "--repeats", "first"]
                if not os.path.exists(source):
                    self.run([self.program("lockstep-generate"), *SHAPES[name], "--seed", "1", "-o", source, "-q"])
            return self.pagerank_file(name, source, extra)

        names = [n for n in [*WEBS, *SHAPES] if not self.named or n in self.named]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return {n: f for n, f in zip(names, pool.map(make, names)) if f}

    def rank(self, file, variant, *extra):
        return self.execute(file, variant, "--app", "pagerank", *extra)

    def pagerank_checks(self):
        text = os.path.join(self.out, "web.txt")
        self.run([self.program("lockstep-generate"), "rmat", "--scale", "12", "--edge-factor", "16", "--seed", "3", "-o", text, "--force"])
        file = self.pagerank_file("web", text, [])

        def clean(job):
            tool, variant, warp = job
            return self.run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", self.executable, file, "--app", "pagerank", "--strategy", variant,
                             "--device", "cuda", "--iterations", "3", "--tolerance", "1e-12", *(["--warp-size", warp] if variant.endswith("-warp") else [])]).returncode == 0

        for tool in ("memcheck", "racecheck", "synccheck"):
            jobs = [(tool, v, w) for v in self.pagerank_given + self.pagerank_own for w in (("8", "64") if v.endswith("-warp") else ("",))]
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                print(f"compute-sanitizer {tool}: {sum(pool.map(clean, jobs))} of {len(jobs)} variants clean", flush=True)
        cpu = self.rank(file, "pull", "--device", "cpu", "--verify")
        for variant in self.pagerank_given + self.pagerank_own:
            gpu = self.rank(file, variant, "--device", "cuda", "--repeat", "20")
            if not gpu or not cpu or gpu["result_hash"] != cpu["result_hash"]:
                self.fail(f"pagerank {variant}: CPU and GPU differ")
        print(f"20 repeats of {len(self.pagerank_given + self.pagerank_own)} variants, one hash, {cpu['result_hash']} as on the CPU; off by {cpu['check']['distance']:.2g} of serial double precision")

    def pagerank(self):
        rows = []
        for name, file in self.webs().items():
            hashes = set()
            for variant, order in [(v, o) for v in self.pagerank_given for o in ("given", "degree")] + [(v, "own") for v in self.pagerank_own]:
                own = [] if order == "own" else ["--order", order]
                run = self.rank(file, variant, *own, "--device", self.device, "--iterations", "20", "--repeat", "5",
                                "--record", os.path.join(self.out, f"{name}.jsonl"), *self.extra)
                if run:
                    rows.append((name, variant, order, run))
                    hashes.add(run["result_hash"])
            if len(hashes) != 1:
                self.fail(f"pagerank {name}: {len(hashes)} results")
        if not rows:
            return
        rates = [r[3]["device"]["copy_bytes_per_second"] for r in rows if self.device == "cuda"]
        copy = statistics.median(rates) if rates else float("nan")  # a CPU's is not measured
        print(f"copy rate {copy / 1e12:.2f} TB/s; 20 iterations, median of 5 runs; of copy = least bytes of an iteration / its time / copy rate")
        print(f"{'graph':14} {'variant':16} {'order':7} {'ms':>9} {'of worst':>8} {'G edges/s':>9} {'of copy':>8}")
        kept = []
        for name, variant, order, run in rows:
            worst = max(r[3]["seconds"]["execute"] for r in rows if r[0] == name)
            seconds = run["seconds"]["execute"]
            kept.append([name, variant, order, seconds * 1e3, seconds / worst, run["updates_per_second"] / 1e9, 20 * run["work"]["bytes"] / seconds / copy])
            print("{:14} {:16} {:7} {:9.3f} {:8.3f} {:9.2f} {:8.1%}".format(*kept[-1]))
        self.keep("pagerank", ["graph", "variant", "order", "ms", "of worst", "G edges/s", "of copy"], [row[:6] + (row[6:] if rates else [None]) for row in kept])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", default="sanitize,tests,bits,devices,bounds,table,rmse,pagerank-checks,pagerank")
    parser.add_argument("--strategies", help="of the table, comma-separated")
    parser.add_argument("--sets", help="data sets, comma-separated")
    parser.add_argument("--execute", help="another build of lockstep-execute, with other tuning constants, say")
    parser.add_argument("--json", help="write what was measured to this file")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"], help="cpu: for the parts bounds, table, rmse and pagerank")
    parser.add_argument("--extra", default="", help="further options of lockstep-execute for the table")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    bench = Bench(options)
    for part in options.only.split(","):
        start = time.time()
        print(f"== {part}", flush=True)
        getattr(bench, part.replace("-", "_"))()
        print(f"== {part}: {time.time() - start:.1f} s", flush=True)
        if options.json:
            said = [word for name in ("only", "device", "sets", "strategies", "extra") if getattr(options, name) for word in (f"--{name}", getattr(options, name))]
            bench.write(options.json, shlex.join(["tools/gpu_benchmark.py", *said]))  # after each part: a run that is cut keeps what it has
    print(f"{len(bench.failures)} failures")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
