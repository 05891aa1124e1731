"""The part of the GPU benchmark that measures loading: from a schedule file in the page cache to the first sweep, and whole runs."""
import os
import statistics
import time

from gpu_runs import GENERATED, Runs

SHAPES = {20_000_000: GENERATED["ratings-20m"],
          99_000_000: ["ratings", "--users", "480189", "--items", "17770", "--edges", "99000000", "--max-degree", "227715", "--noise", "0.5", "--seed", "1"]}


class Loading(Runs):
    def loading(self):
        """Medians of five runs of one sweep, and one of twenty."""
        stages, whole = [], []
        for edges, arguments in SHAPES.items():
            source, file = os.path.join(self.out, "loading.bin"), os.path.join(self.out, "loading.h5")
            self.run([self.program("lockstep-generate"), *arguments, "-o", source, "--quiet", "--force"])
            self.run([self.program("lockstep-preprocess"), source, "--shape", "bipartite", "-o", file, "--force", "--quiet", "--schedule", "tiled"])
            os.remove(source)
            for form in ("plain", "biased"):
                ran = [self.loaded(file, form, 1) for _ in range(5)]
                load, plan, transfer, run = (1e3 * statistics.median(r[key] for r in ran) for key in ("load", "plan", "transfer", "run"))
                both = 1e3 * statistics.median(r["load"] + r["transfer"] for r in ran)
                stages.append((form, edges, round(load), round(plan), round(transfer, 1), round(both), round(run)))
                one = self.loaded(file, form, 20)
                whole.append((form, edges, *(round(1e3 * one[key], 1) for key in ("load", "transfer", "execute", "evaluate", "run"))))
                print(*stages[-1], "; 20 sweeps:", *whole[-1][2:], flush=True)
            os.remove(file)
        self.keep("stages", ["model", "edges", "load ms", "of it plan", "transfer ms", "load + transfer ms", "whole run ms"], stages)
        self.keep("whole", ["model", "edges", "load ms", "transfer ms", "20 sweeps ms", "evaluation ms", "whole run ms"], whole)

    def loaded(self, file, form, sweeps):
        """Seconds of a run by stage, and as `run` from its start to its end."""
        start = time.perf_counter()
        ran = self.json([self.executable, file, "--strategy", "tiled", "--device", self.device, "--rank", "16", "--sweeps", str(sweeps), "--evaluate-every", "20", "--model-form", form,
                         "--trust"])
        return {**ran["seconds"], "run": time.perf_counter() - start}
