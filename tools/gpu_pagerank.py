"""PageRank's parts of the GPU benchmark."""
import os
import statistics

from gpu_runs import Runs, pool_of

WEBS = {"cnr-2000": ("cnr-2000.txt.xz", []), "wordnet": ("wordnet-3.0.txt.xz", []), "debian12-deps": ("debian12-deps.txt.xz", []),
        "road-NE": ("road-NE.txt.xz", ["--undirected"])}
SHAPES = {  # generated, and read as undirected
    "rmat-21": ["rmat", "--scale", "21", "--edge-factor", "16"], "grid-2048": ["grid", "--width", "2048", "--height", "2048"],
    "star": ["star", "--vertices", "65536"], "chain": ["chain", "--vertices", "1048576"], "ring": ["ring", "--vertices", "1048576"],
    "regular": ["regular", "--vertices", "1048576", "--degree", "8"], "grid": ["grid", "--width", "1024", "--height", "1024"],
    "tree": ["tree", "--vertices", "1048576"], "complete": ["complete", "--vertices", "2048"]}


class PageRank(Runs):
    def pagerank_file(self, name, source, extra):
        file = os.path.join(self.out, f"{name}-pagerank.h5")  # the table has its own
        if os.path.exists(file):
            return file
        made = self.json([self.program("lockstep-preprocess"), source, "-o", file, "--shape", "square", *extra, "--no-input-order", "--no-verify",
                          "--schedule", "degree,edge-tiled,pull-binned"])
        return file if made else None

    def side_by_side(self, make):
        """What make(name, source, options of the readers) gives for each square graph, of those that are there, and generated ones."""
        def of_graph(name):
            if name in WEBS:
                source, extra = os.path.join(self.data, WEBS[name][0]), WEBS[name][1]
                if not os.path.exists(source):
                    return print(f"left out: {name} ({WEBS[name][0]} is not in {self.data})")
            else:
                source, extra = os.path.join(self.out, f"{name}.bin"), ["--undirected", "--repeats", "first"]
                if not os.path.exists(source):
                    self.run([self.program("lockstep-generate"), *SHAPES[name], "--seed", "1", "-o", source, "-q"])
            return make(name, source, extra)

        names = [n for n in [*WEBS, *SHAPES] if not self.named or n in self.named]
        with pool_of(4) as pool:
            return {n: made for n, made in zip(names, pool.map(of_graph, names)) if made}

    def rank(self, file, variant, *extra):
        return self.execute(file, variant, "--app", "pagerank", *extra)

    def timed(self, file, variant, *extra):
        """A run whose seconds.execute is the average that was asked for."""
        run = self.rank(file, variant, "--device", self.device, "--iterations", str(self.iterations), "--repeat", str(self.repeats), *extra)
        if run and self.average == "mean":
            run["seconds"]["execute"] = statistics.mean(run["run_seconds"])
        return run

    def warp_shapes(self):
        """Section 4.1 of the source: every size of a virtual warp, and every chunk of it, in the given order, a program a graph."""
        rows = []
        print(f"{'graph':14} {'variant':16} {'best':>8} {'ms':>9} {'worst':>8} {'ms':>9}")
        for name, (source, extra) in self.side_by_side(lambda name, source, extra: (source, extra)).items():
            swept = self.json([self.program("lockstep-bench"), source, "--shape", "square", *extra, "--part", "warp-shapes",
                               "--iterations", str(self.iterations), "--runs", str(self.repeats)])
            times = {}
            for shape in swept["table"] if swept else []:
                ms = getattr(statistics, self.average)(shape["seconds"]) * 1e3
                times.setdefault(shape["strategy"], {})[shape["warp_size"], shape["chunk"]] = ms
                rows.append((name, shape["strategy"], shape["warp_size"], shape["chunk"], ms))
            for variant, of_variant in times.items():
                ends = [pick(of_variant.items(), key=lambda item: item[1]) for pick in (min, max)]
                print(f"{name:14} {variant:16}" + "".join(f" {f'{size} x {chunk}':>8} {ms:9.3f}" for (size, chunk), ms in ends), flush=True)
        self.keep("warp-shapes", ["graph", "variant", "warp size", "chunk", "ms"], rows)

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
            with pool_of(8) as pool:
                print(f"compute-sanitizer {tool}: {sum(pool.map(clean, jobs))} of {len(jobs)} variants clean", flush=True)
        cpu = self.rank(file, "pull", "--device", "cpu", "--verify")
        for variant in self.pagerank_given + self.pagerank_own:
            gpu = self.rank(file, variant, "--device", "cuda", "--repeat", "20")
            if not gpu or not cpu or gpu["result_hash"] != cpu["result_hash"]:
                self.fail(f"pagerank {variant}: CPU and GPU differ")
        print(f"20 repeats of {len(self.pagerank_given + self.pagerank_own)} variants, one hash, {cpu['result_hash']} as on the CPU; off by {cpu['check']['distance']:.2g} of serial double precision")

    def pagerank(self):
        rows = []
        for name, file in self.side_by_side(self.pagerank_file).items():
            hashes = set()
            for variant, order in [(v, o) for v in self.pagerank_given for o in ("given", "degree")] + [(v, "own") for v in self.pagerank_own]:
                own = [] if order == "own" else ["--order", order]
                run = self.timed(file, variant, *own, "--record", os.path.join(self.out, f"{name}.jsonl"), *self.extra)
                if run:
                    rows.append((name, variant, order, run))
                    hashes.add(run["result_hash"])
            if len(hashes) != 1:
                self.fail(f"pagerank {name}: {len(hashes)} results")
        if not rows:
            return
        rates = [r[3]["device"]["copy_bytes_per_second"] for r in rows if self.device == "cuda"]
        copy = statistics.median(rates) if rates else float("nan")  # a CPU's is not measured
        print(f"copy rate {copy / 1e12:.2f} TB/s; {self.iterations} iterations, {self.average} of {self.repeats} runs; of copy = least bytes of an iteration / its time / copy rate")
        print(f"{'graph':14} {'variant':16} {'order':7} {'ms':>9} {'of worst':>8} {'G edges/s':>9} {'of copy':>8}")
        kept = []
        for name, variant, order, run in rows:
            worst = max(r[3]["seconds"]["execute"] for r in rows if r[0] == name)
            seconds = run["seconds"]["execute"]
            kept.append([name, variant, order, seconds * 1e3, seconds / worst, run["edges"] * self.iterations / seconds / 1e9, self.iterations * run["work"]["bytes"] / seconds / copy])
            print("{:14} {:16} {:7} {:9.3f} {:8.3f} {:9.2f} {:8.1%}".format(*kept[-1]))
        self.keep("pagerank", ["graph", "variant", "order", "ms", "of worst", "G edges/s", "of copy"], [row[:6] + (row[6:] if rates else [None]) for row in kept])
