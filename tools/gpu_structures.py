"""The parts of the GPU benchmark about graphs as a whole, belief propagation and meshes."""
import os

from gpu_frontier import UNDIRECTED, WEIGHTS
from gpu_runs import Runs, pool_of
from strategies import strategies

# Files of the data folder, or generated graphs; the last ones are large.
GRAPHS = {
    "rmat-16": ["rmat", "--scale", "16", "--edge-factor", "16", "--no-duplicates", "--no-self-loops", *WEIGHTS],
    "cnr-2000": "cnr-2000.txt.xz",
    "wordnet": "wordnet-3.0.txt.xz",
    "debian12-deps": "debian12-deps.txt.xz",
    "road-NE": "road-NE.txt.xz",
    "rmat-21": ["rmat", "--scale", "21", "--edge-factor", "16", "--no-duplicates", "--no-self-loops", *WEIGHTS],
    "grid-2048": ["grid", "--width", "2048", "--height", "2048", *WEIGHTS],
}
LARGE = ("rmat-21", "grid-2048")
APPS = ("cc", "kcore", "mis", "mst", "triangles", "bp")
MORE = {"kcore": [("of 16", ["--k", "16"]), ("of 32", ["--k", "32"])], "mis": [("at random", ["--priorities", "random"])],
        "triangles": [("each vertex", ["--per-vertex"])], "bp": [("", ["--iterations", "20"])]}
POINTS = (250_000, 1_000_000)


class Structures(Runs):
    def structure_file(self, name, given=None):
        """A graph's file, read both ways, with the schedules of these applications; None where its data is not there."""
        file = os.path.join(self.out, name + "-structures.h5")
        if os.path.exists(file):
            return file
        source = self.source(name, given or GRAPHS[name], file[:-3] + ".bin")
        if not source:
            return None
        return file if self.json([self.program("lockstep-preprocess"), source, "-o", file, "--shape", "square", "--no-verify", "--schedule", "hubs,edge-tiled,pull-binned", *UNDIRECTED]) else None

    def structure_files(self):
        """Of the named graphs, or all."""
        names = [n for n in GRAPHS if not self.named or n in self.named]
        with pool_of(4) as pool:
            return {n: f for n, f in zip(names, pool.map(self.structure_file, names)) if f}

    def ways(self, app):
        """(strategy, what differs, options) of an application: all that give one result stand together."""
        named = [s["name"] for s in strategies(self.bin, app)]
        for label, more in MORE.get(app, []) + ([] if app == "bp" else [("", [])]):
            for name in named:
                if app == "kcore" and not more and name in ("irgl-all", "simd-x"):
                    continue  # they find one core
                yield name, label, more

    def structures(self):
        """Every strategy of every application on every graph, one result of all."""
        rows = []
        for graph, file in self.structure_files().items():
            for app in APPS:
                results = {}
                for name, label, more in self.ways(app):
                    if (graph in LARGE and name in ("pull", "irgl-all", "simd-x") and app == "kcore") or (graph, name) == ("grid-2048", "label-simd-x"):
                        continue  # a launch a round, for seconds
                    run = self.execute(file, name, "--app", app, "--device", self.device, "--repeat", "9", *more)
                    if run:
                        results.setdefault(label, set()).add(run["result_hash"])
                        seconds = run["seconds"]["execute"]
                        rows.append((graph, app, f"{name} {label}".strip(), 1e3 * seconds, run["result_hash"]))
                        print("{:14} {:10} {:24} {:10.3f} ms {}".format(*rows[-1]), flush=True)
                for label, hashes in results.items():
                    if len(hashes) != 1:
                        self.fail(f"{app} {label} on {graph}: {len(hashes)} results")
        self.keep("structures", ["graph", "application", "strategy", "ms", "hash"], rows)

    def meshes(self):
        """Refinement of random points' meshes by every strategy: one mesh of those that are deterministic."""
        rows = []
        for points in POINTS:
            file = os.path.join(self.out, f"{points}.ele")
            if not os.path.exists(file):
                self.run([self.program("lockstep-generate"), "mesh", "--points", str(points), "--seed", "1", "-o", file, "--quiet"])
            hashes = set()
            for s in strategies(self.bin, "dmr"):
                run = self.execute(file, s["name"], "--app", "dmr", "--device", self.device, "--repeat", "5")
                if run:
                    hashes |= {run["result_hash"]} if s["deterministic"] else set()
                    rows.append((points, s["name"], 1e3 * run["seconds"]["execute"], run["result_hash"]))
                    print("{:9} {:16} {:9.2f} ms {}".format(*rows[-1]), flush=True)
            if len(hashes) > 1:
                self.fail(f"dmr of {points} points: {len(hashes)} meshes")
        self.keep("meshes", ["points", "strategy", "ms", "hash"], rows)

    def structure_checks(self):
        """compute-sanitizer on small inputs, CPU against GPU on real graphs, 20 repeats, --verify."""
        mesh = os.path.join(self.out, "small.ele")
        self.run([self.program("lockstep-generate"), "mesh", "--points", "300", "--seed", "1", "-o", mesh, "--quiet", "--force"])
        graph = self.structure_file("small", ["rmat", "--scale", "9", "--edge-factor", "8", "--weights", "0..9"])
        small = [(app, graph, name, more) for app in APPS for name, _, more in self.ways(app)]
        small += [("dmr", mesh, s["name"], []) for s in strategies(self.bin, "dmr")]
        small += [("pagerank", graph, "pull-push", ["--until", "1e-6"])]

        def clean(job):
            tool, (app, file, name, more) = job
            result = self.run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", self.executable, file, "--app", app, "--strategy", name, "--device", "cuda", "-q", *more])
            return result.returncode == 0

        if self.device == "cuda":
            with pool_of(8) as pool:
                for tool in ("memcheck", "racecheck", "synccheck"):
                    print(f"compute-sanitizer {tool}: {sum(pool.map(clean, [(tool, s) for s in small]))} of {len(small)} clean", flush=True)
        checked = 0
        for name, file in {n: f for n, f in self.structure_files().items() if n not in LARGE}.items():
            for app in APPS:
                for strategy, label, more in self.ways(app):
                    if strategy not in ("best", "hubs", "edge-tiled"):
                        continue
                    gpu, cpu = (self.execute(file, strategy, "--app", app, "--device", d, "--verify", *more, *repeat) for d, repeat in
                                ((self.device, ["--repeat", "20"]), ("cpu", [])))
                    if not gpu or not cpu or gpu["result_hash"] != cpu["result_hash"]:
                        self.fail(f"{app} {strategy} {label} on {name}: CPU and GPU differ")
                    checked += 1
        print(f"CPU = GPU, 20 repeats, --verify: {checked} runs")
