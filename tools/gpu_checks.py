"""The parts of the GPU benchmark that check SGD: compute-sanitizer, the test program, hashes of CPU and GPU."""
import os

from gpu_runs import BITS, Runs, pool_of

SKIPPED = 77  # what a test exits with that finds its data or device missing (tests/support)


class Checks(Runs):
    def small_file(self):
        """A small schedule file with hubs, all schedules; blocks small enough to have several."""
        text, file = os.path.join(self.out, "small.txt"), os.path.join(self.out, "small.h5")
        self.run([self.program("lockstep-generate"), "ratings", "--users", "300", "--items", "120", "--edges", "3000",
                  "--max-degree", "200", "--seed", "7", "-o", text, "--force"])
        self.run([self.program("lockstep-preprocess"), text, "-o", file, "--schedule", "all", "--workers", "50", "--rank", "256",
                  "--hub-passes", "2"])
        return file

    def sanitize(self):
        file = self.small_file()
        single, half = "fp32", "fp16"
        plan = [("memcheck", single, ("3", "16", "64", "100", "200")), ("memcheck", half, ("3", "16", "64", "100", "200")),
                ("racecheck", single, ("16", "64", "100")), ("racecheck", half, ("16",)), ("synccheck", single, ("16",)), ("synccheck", half, ("16",))]

        def clean(tool, storage, rank, strategy):
            if tool == "racecheck" and self.facts[strategy]["walk"] == "racing_tiles":
                return True  # it races in shared memory: that is what it does
            return self.run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", self.program("lockstep-execute"), file, "--strategy", strategy,
                             "--device", "cuda", "--rank", rank, "--storage", storage, "--sweeps", "2", "--test-fraction", "0.1"]).returncode == 0

        with pool_of(6) as pool:
            for tool, storage, ranks in plan:
                for rank in ranks:
                    count = sum(pool.map(lambda s: clean(tool, storage, rank, s), self.strategies))
                    print(f"compute-sanitizer {tool}, rank {rank}, {storage}: {count} of {len(self.strategies)} strategies clean", flush=True)

    def tests(self):
        """The test program of the executor, a process a case."""
        program = self.program("lockstep_test_executor")
        cases = self.run([program, "--list-test-names-only"], check=False).stdout.splitlines()

        def one(case):
            run = self.run([program, case.strip().replace(",", "\\,")], check=False)
            if run.returncode not in (0, SKIPPED):
                self.fail(f"exit {run.returncode}: {case}\n{run.stdout[-2000:]}")
            return run.returncode

        with pool_of(min(12, os.cpu_count())) as pool:
            codes = list(pool.map(one, cases))
        print(f"tests: {codes.count(0)} of {len(cases)} cases passed, {codes.count(SKIPPED)} skipped", flush=True)

    def bits(self):
        """Every offline strategy on six real sets: a CPU's hash and a GPU's; 20 repeats."""
        files = {name: file for name, (file, _) in self.prepared(self.named or [*BITS]).items()}
        on_chip = ["tiled", "core-tail"]  # made for one rank and storage, as local is
        kinds = [("16", "fp32", "16"), ("64", "fp32", "64"), ("100", "fp32", "100"), ("128", "fp16", "128"),
                 ("12", "fp32, adaptive", "16"), ("60", "fp32, adaptive", "64")]  # rank, storage and rates, the rank made for: rates take a chunk of a vector
        runs = [(name, strategy, *kind) for name in files for kind in kinds for strategy in self.offline + [s for s in self.locality if name.startswith("road")]]

        def fitted(name, storage, rank):
            file = os.path.join(self.out, f"{name}-{rank}-{storage}.h5")
            self.run([self.program("lockstep-preprocess"), files[name], "-o", file, "--force", "--quiet", "--rank", rank, "--storage", storage, "--hub-passes", "2",
                      "--schedule", ",".join(on_chip + (self.locality if name.startswith("road") else []))])
            return file

        with pool_of(4) as pool:
            chosen = list(dict.fromkeys((name, storage.split(",")[0], made_for) for name, _, _, storage, made_for in runs))
            own = dict(zip(chosen, pool.map(lambda c: fitted(*c), chosen)))

        def hashes(run):
            name, strategy, rank, kind, made_for = run
            storage, *adaptive = kind.split(", ")
            file = own[name, storage, made_for] if strategy in on_chip + self.locality else files[name]
            rate = ["--learning-rate", "1e-6"] if name == "road-NY" else []  # weights up to 36,950
            rate += ["--rate-schedule", "adaptive"] if adaptive else []
            both = [self.execute(file, strategy, "--device", device if device == "cpu" else self.device, "--rank", rank, "--storage", storage, "--sweeps", "3", "--evaluate-every", "3", *rate) for device in ("cuda", "cpu")]
            return [made and made["result_hash"] for made in both]

        kept, told = [], None
        with pool_of(4) as pool:
            for (name, strategy, rank, storage, _), (gpu, cpu) in zip(runs, pool.map(hashes, runs)):
                if gpu != cpu:
                    self.fail(f"{name} {strategy} rank {rank} {storage}: CPU and GPU differ")
                elif gpu:
                    kept.append((name, strategy, int(rank), storage, gpu))
                if (name, rank, storage) != told and (told := (name, rank, storage)):
                    print(f"  {name}, rank {rank}, {storage} …: {len(kept)} agree before", flush=True)
        print(f"CPU = GPU: {len(kept)} of {len(runs)}", flush=True)
        self.keep("bits", ["data", "strategy", "rank", "storage", "hash"], kept)
        for strategy in self.offline if "goodbooks" in files else []:
            with pool_of(4) as pool:
                found = set(pool.map(lambda _: self.execute(files["goodbooks"], strategy, "--device", "cuda", "--sweeps", "3", "--evaluate-every", "3")["result_hash"], range(20)))
            print(f"goodbooks {strategy}: 20 runs, {len(found)} hash", flush=True)
            if len(found) != 1:
                self.fail(f"{strategy}: 20 runs gave {len(found)} hashes")
