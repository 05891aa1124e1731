"""The traversals' parts of the GPU benchmark."""
import os
import tempfile

from gpu_runs import Runs, pool_of

UNDIRECTED = ["--undirected", "--repeats", "first"]
WEIGHTS = ["--weights", "1..255"]
# By class; files of the data folder or generated graphs, and what lockstep-preprocess is told of them.
GRAPHS = {
    "rmat-21": ("synthetic", ["rmat", "--scale", "21", "--edge-factor", "16", "--no-self-loops", *WEIGHTS], UNDIRECTED),
    "rmat-22 ef 4": ("synthetic", ["rmat", "--scale", "22", "--edge-factor", "4", *WEIGHTS], []),
    "rmat-20 ef 4": ("synthetic", ["rmat", "--scale", "20", "--edge-factor", "4", *WEIGHTS], []),
    "rmat-16 ef 4": ("synthetic", ["rmat", "--scale", "16", "--edge-factor", "4", *WEIGHTS], []),
    "uniform": ("synthetic", ["random", "--vertices", "4000000", "--edges", "48000000", *WEIGHTS], []),
    "cnr-2000": ("web", "cnr-2000.txt.xz", []),
    "cnr-2000 both ways": ("web", "cnr-2000.txt.xz", UNDIRECTED),
    "debian12-deps": ("web", "debian12-deps.txt.xz", []),
    "wordnet": ("social", "wordnet-3.0.txt.xz", UNDIRECTED),
    "goodbooks": ("social", "goodbooks-982k.txt.xz", UNDIRECTED),
    "road-NE": ("road", "road-NE.txt.xz", UNDIRECTED),
    "road-NW": ("road", "road-NW.txt.xz", UNDIRECTED),
    "road-BAY": ("road", "road-BAY.txt.xz", UNDIRECTED),
    "road-NY": ("road", "road-NY-weighted.txt.xz", UNDIRECTED),
    "osm-delhi": ("road", "osm-delhi.txt.xz", UNDIRECTED),
    "luxembourg": ("road", "luxembourg_osm.txt.xz", UNDIRECTED),
    "grid-2048": ("road", ["grid", "--width", "2048", "--height", "2048", *WEIGHTS], UNDIRECTED),
    "lattice": ("road", ["road", "--vertices", "5600000", *WEIGHTS], UNDIRECTED),
}
APPS = ("bfs", "sssp")


class Traversals(Runs):
    def traversal_file(self, name):
        """The schedule file of a graph, with the schedules for traversals that suit it; None where its data is not there."""
        file = os.path.join(self.out, name.replace(" ", "-") + "-traversals.h5")
        if os.path.exists(file):
            return file
        kind, given, told = GRAPHS[name]
        source = self.source(name, given, file[:-3] + ".bin")
        if not source:
            return None
        schedules = "regions" if kind == "road" else "hubs,hubs-weight"
        made = self.json([self.program("lockstep-preprocess"), source, "-o", file, "--shape", "square", "--no-verify", "--schedule", schedules, *told])
        return file if made else None

    def traversal_files(self, names):
        with pool_of(4) as pool:
            return {n: f for n, f in zip(names, pool.map(self.traversal_file, names)) if f}

    def serial_seconds(self, files):
        """Of the serial reference on the CPU, side by side: {(graph, application): seconds}"""
        keys = [(name, app) for name in files for app in APPS]
        with pool_of(4) as pool:
            runs = pool.map(lambda key: self.execute(files[key[0]], "best", "--app", key[1], "--device", "reference"), keys)
            return {key: run["median_seconds"] for key, run in zip(keys, runs) if run}

    def traverse(self, file, app, strategy, *options):
        return self.execute(file, strategy, "--app", app, "--device", self.device, *options)

    def traversals(self):
        """Every strategy that a graph's file has, from one source; and what `auto` takes without a trial."""
        rows, choices = [], []
        with tempfile.TemporaryDirectory() as cache:  # auto must not know what tune found
            files = self.traversal_files([n for n in GRAPHS if not self.named or n in self.named])
            serial = self.serial_seconds(files)
            for name, file in files.items():
                for app in APPS:
                    os.environ["XDG_CACHE_HOME"] = os.path.join(cache, "auto")
                    auto = self.traverse(file, app, "auto")
                    os.environ["XDG_CACHE_HOME"] = os.path.join(cache, "tune")
                    tuned = self.traverse(file, app, "tune", "--tune-seconds", "60")
                    if not auto or not tuned:
                        continue
                    tried = [t for t in tuned["tune"]["tried"] if t["seconds"]]
                    least = min(t["seconds"] for t in tried)
                    if len({t["result_hash"] for t in tried}) != 1:
                        self.fail(f"{app} on {name}: {len({t['result_hash'] for t in tried})} results")
                    for t in tried:
                        rows.append((name, app, t["strategy"], 1e3 * t["seconds"], t["seconds"] / least, serial[name, app] / t["seconds"], t["rounds"], t["launches"], t["worklist_atomics"],
                                     t["registers"], t["result_hash"]))
                    taken = next((t["seconds"] for t in tried if t["strategy"] == auto["strategy"]), None)
                    choices.append((name, GRAPHS[name][0], app, auto["strategy"], tuned["strategy"], 1e3 * least, taken and taken / least))
                    print("{:20} {:10} {:5} auto {:12} best {:12} {:9.3f} ms  auto / best {}".format(*choices[-1][:6], taken and f"{taken / least:.2f}"), flush=True)
        self.keep("traversals", ["graph", "application", "strategy", "ms", "× best", "× over serial", "rounds", "launches", "worklist atomics", "registers", "hash"], rows)
        self.keep("choices", ["graph", "class", "application", "auto", "best", "best ms", "auto × best"], choices)
        near = [c for c in choices if c[6] and c[6] <= 1.1]
        print(f"auto within 10 % of the best strategy: {len(near)} of {len(choices)}")

    def sources(self):
        """The fastest ways from 16 sources, kernels with their initialisation and the results by original vertex on the device."""
        rows = []
        for name, ways in (("rmat-21", ("hubs", "best")), ("cnr-2000", ("hubs", "best")), ("grid-2048", ("regions", "best", "cluster")), ("lattice", ("regions", "best", "cluster")),
                           ("road-NE", ("regions", "best", "cluster")), ("road-NW", ("regions", "best", "cluster"))):
            file = self.traversal_file(name) if not self.named or name in self.named else None
            for app in APPS:
                for way in ways:
                    strategy = "hubs-weight" if (way, app) == ("hubs", "sssp") else way
                    run = file and self.traverse(file, app, strategy, "--sources", "16")
                    if run:
                        ms = sorted(1e3 * s["seconds"] for s in run["sources"])
                        rows.append((name, app.upper(), strategy, len(ms), 1e3 * run["median_seconds"], ms[0], ms[-1], run["teps"]["harmonic_mean"] / 1e9, run["launches"], run["registers"]))
                        print("{:10} {:5} {:12} {} sources, median {:.3f} ms, {:.3f} to {:.3f}, {:.4g} G edges/s".format(*rows[-1][:8]), flush=True)
        self.keep("sources", ["graph", "application", "strategy", "sources", "median ms", "least ms", "most ms", "G edges/s", "launches", "registers"], rows)

    def axes(self):
        """One axis at a time: balances as IrGL has them, appends, filters, fusions."""
        balance, append, loop = [], [], []
        file = self.traversal_file("rmat-22 ef 4")
        for app in APPS:
            serial = None
            for word in ("serial", "block", "warp", "fine", "warp+block", "fine+block", "fine+warp", "fine+warp+block"):
                run = self.traverse(file, app, "irgl-all", "--balance", word, "--repeat", "3", "--sources", "5", *(["--priority", "near-far"] if app == "sssp" else []))
                if run:
                    serial = serial or run["median_seconds"]
                    balance.append(("rmat-22 ef 4", app, word, 1e3 * run["median_seconds"], serial / run["median_seconds"]))
        for name in ("rmat-22 ef 4", "cnr-2000 both ways", "road-NE"):
            file = self.traversal_file(name)
            for app in APPS:
                each = {}
                for word in ("thread", "warp", "block"):
                    run = file and self.traverse(file, app, "irgl-outline", "--append", word, "--repeat", "3")
                    if run:
                        each[word] = run["worklist_atomics"]
                        append.append((name, app, word, 1e3 * run["median_seconds"], run["worklist_atomics"], each["thread"] / max(1, run["worklist_atomics"])))
        for name in ("rmat-20 ef 4", "cnr-2000 both ways", "wordnet", "road-NE"):
            file = self.traversal_file(name)
            for app in APPS:
                for word in ("host", "fused", "all"):
                    run = file and self.traverse(file, app, "simd-x", "--loop", word, "--repeat", "3")
                    if run:
                        ballots = sum(r["filter"] == "ballot" for r in run["rounds"])
                        loop.append((name, app, word, 1e3 * run["median_seconds"], len(run["rounds"]), ballots, run["launches"], run["registers"]))
        self.keep("balance", ["graph", "application", "balance", "ms", "× over serial"], balance)
        self.keep("append", ["graph", "application", "append", "ms", "worklist atomics", "× fewer than by thread"], append)
        self.keep("fusion", ["graph", "application", "loop", "ms", "rounds", "by ballot", "launches", "registers"], loop)
        for row in balance + append + loop:
            print(*(f"{cell:.4g}" if isinstance(cell, float) else cell for cell in row))

    def traversal_checks(self):
        """compute-sanitizer on small graphs, CPU against GPU on the real ones, 20 repeats."""
        small = {}
        for name, source, told, schedules in (("hubs", ["rmat", "--scale", "9", "--edge-factor", "8", "--weights", "0..9"], [], "hubs,hubs-weight"),
                                              ("regions", ["road", "--vertices", "900"], ["--undirected", "--region-vertices", "128"], "regions")):
            text, small[name] = os.path.join(self.out, f"small-{name}.txt"), os.path.join(self.out, f"small-{name}.h5")
            self.run([self.program("lockstep-generate"), *source, "--seed", "3", "-o", text, "--force", "--quiet"])
            self.run([self.program("lockstep-preprocess"), text, "-o", small[name], "--shape", "square", "--no-verify", "--force", "--schedule", schedules, *told])
        facts = [s for s in self.frontier if s["name"] != "cluster" or self.device == "cuda"]
        pairs = {(a, s["name"], "regions" if s["name"] == "regions" else "hubs") for s in facts for a in APPS} - {("sssp", "hubs", "hubs")}

        def clean(job):
            tool, (app, strategy, graph) = job
            if (tool, strategy) == ("racecheck", "regions"):
                return True  # its queues are read beside writes by design (frontier/regions/queue.cuh)
            return self.run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", self.executable, small[graph], "--app", app, "--strategy", strategy,
                             "--device", "cuda", "--sources", "2", "--verify"]).returncode == 0

        with pool_of(8) as pool:
            for tool in ("memcheck", "racecheck", "synccheck"):
                print(f"compute-sanitizer {tool}: {sum(pool.map(clean, [(tool, p) for p in sorted(pairs)]))} of {len(pairs)} traversals clean", flush=True)
        checked = 0
        for name, file in self.traversal_files([n for n, (_, source, _) in GRAPHS.items() if isinstance(source, str)]).items():
            for app in APPS:
                for strategy in ("regions" if GRAPHS[name][0] == "road" else "hubs" if app == "bfs" else "hubs-weight", "best"):
                    gpu, cpu = (self.execute(file, strategy, "--app", app, "--device", d, "--verify", *more) for d, more in
                                (("cuda", ["--repeat", "20"]), ("cpu", [])))
                    if not gpu or not cpu or gpu["result_hash"] != cpu["result_hash"]:
                        self.fail(f"{app} {strategy} on {name}: CPU and GPU differ")
                    checked += 1
        print(f"CPU = GPU, 20 repeats, --verify: {checked} runs")
