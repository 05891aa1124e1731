"""PageRank's parts of the GPU benchmark."""
import concurrent.futures
import os
import statistics

from gpu_runs import Runs

WEBS = {"cnr-2000": ("cnr-2000.txt.xz", []), "wordnet": ("wordnet-3.0.txt.xz", []), "debian12-deps": ("debian12-deps.txt.xz", []),
        "road-NE": ("road-NE.txt.xz", ["--undirected"])}
SHAPES = {  # generated, and read as undirected
    "rmat-21": ["rmat", "--scale", "21", "--edge-factor", "16"], "grid-2048": ["grid", "--width", "2048", "--height", "2048"],
    "star": ["star", "--vertices", "65536"], "chain": ["chain", "--vertices", "1048576"], "ring": ["ring", "--vertices", "1048576"],
    "regular": ["regular", "--vertices", "1048576", "--degree", "8"], "grid": ["grid", "--width", "1024", "--height", "1024"],
    "tree": ["tree", "--vertices", "1048576"], "complete": ["complete", "--vertices", "2048"]}

WARP_SIZES, CHUNKS = (1, 2, 4, 8, 16, 32, 64), range(1, 11)


class PageRank(Runs):
    def pagerank_file(self, name, source, extra):
        file = os.path.join(self.out, f"{name}-pagerank.h5")  # the table has its own
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

    def timed(self, file, variant, *extra):
        """A run whose seconds.execute is the average that was asked for."""
        run = self.rank(file, variant, "--device", self.device, "--iterations", str(self.iterations), "--repeat", str(self.repeats), *extra)
        if run and self.average == "mean":
            run["seconds"]["execute"] = statistics.mean(run["run_seconds"])
        return run

    def warp_shapes(self):
        """Section 4.1 of the source: every size of a virtual warp, and every chunk of it, in the given order. Programs prepare side by side,
        one at a time runs."""
        rows, lock = [], os.path.join(self.out, "warp-shapes.lock")
        variants = [v for v in self.pagerank_given if v.endswith("-warp")]
        print(f"{'graph':14} {'variant':16} {'best':>8} {'ms':>9} {'worst':>8} {'ms':>9}")
        with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) * 3 // 4)) as pool:
            for name, file in self.webs().items():
                wanted = [(variant, size, chunk) for variant in variants for size in WARP_SIZES for chunk in CHUNKS]
                runs = pool.map(lambda w: self.timed(file, w[0], "--warp-size", str(w[1]), "--chunk", str(w[2]), "--lock", lock), wanted)
                times, hashes = {}, set()
                for (variant, size, chunk), run in zip(wanted, runs):
                    if run:
                        times.setdefault(variant, {})[size, chunk] = run["seconds"]["execute"] * 1e3
                        rows.append((name, variant, size, chunk, run["seconds"]["execute"] * 1e3))
                        hashes.add(run["result_hash"])
                for variant, of_variant in times.items():
                    ends = [pick(of_variant.items(), key=lambda item: item[1]) for pick in (min, max)]
                    print(f"{name:14} {variant:16}" + "".join(f" {f'{size} x {chunk}':>8} {ms:9.3f}" for (size, chunk), ms in ends), flush=True)
                if len(hashes) != 1:
                    self.fail(f"pagerank {name}: {len(hashes)} results of warp shapes")
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
