#!/usr/bin/env python3
"""All GPU checks and benchmarks of Lockstep in one call; prints one table.

    tools/gpu_benchmark.py --bin BUILD/bin --data FOLDER --out FOLDER [--only PART[,PART…]] [--json FILE]

Parts: sanitize (compute-sanitizer memcheck and racecheck on small inputs), tests (the test program of the
executor), bits (CPU and GPU hashes, 20 repeats), bounds (what the device can do; the table then says how near each
strategy comes to its own bound, docs/strategies-gpu.md), table (every strategy on every data set), rmse (test RMSE of every
strategy on five sets against the serial double-precision reference), pagerank-checks (compute-sanitizer, and CPU against GPU against
the serial reference, of every variant), devices (tiled in groups on one GPU and on all there are, resident and streamed, against
the CPU), pagerank (every variant on every square graph, given and degree-sorted order,
beside the measured copy rate), traversals (every strategy of BFS and SSSP on graphs of four classes, and what `auto` takes), sources (the fastest of them from 16 sources), axes (balances,
appends and fusions one at a time), traversal-checks (compute-sanitizer, CPU against GPU, 20 repeats),
loading (from a schedule file of 20 and 99 million edges to the first sweep, and whole runs),
warp-shapes (not part of a run unless asked for: 7 sizes of virtual warps x 10 chunks, of every warp variant and graph),
structures and meshes (every strategy of the graph applications and of mesh refinement), structure-checks (as traversal-checks). Data sets that are not in FOLDER are left out and said so. --device cpu tries the script out.

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
      rmse        data, model, serial: RMSE (double precision), strategy, % off
      stages      model, edges, load ms, of it plan, transfer ms, load + transfer ms, whole run ms: medians of five runs of one sweep
      whole       model, edges, load ms, transfer ms, 20 sweeps ms, evaluation ms, whole run ms: one run
      devices     data, rank, groups, GPUs, streamed MB a sweep, sweep ms, G updates/s, GB/s, copy GB/s
      traversals  graph, application, strategy, ms (from one source, median of 3), × best, × over serial (the reference on the CPU), rounds, launches, worklist atomics, registers, hash
      sources     graph, application, strategy, sources, median ms, least ms, most ms, G edges/s (harmonic mean), launches, registers
      choices     graph, class, application, auto, best, best ms, auto × best
      balance     graph, application, balance, ms, × over serial          append, fusion: likewise
      structures  graph, application, strategy, ms (median of 9), hash
      meshes      points, strategy, ms (median of 5), hash
      pagerank    graph, variant, order (given, degree, own), ms (of --iterations), of worst, G edges/s, of copy
      warp-shapes graph, variant, warp size, chunk, ms
"""
import argparse
import json
import os
import shlex
import statistics
import sys
import time

from gpu_checks import Checks
from gpu_frontier import Traversals
from gpu_loading import Loading
from gpu_pagerank import PageRank
from gpu_runs import RATED, SETS, pool_of
from gpu_structures import Structures


class Bench(Checks, Loading, PageRank, Traversals, Structures):
    def __init__(self, options):
        super().__init__(options)
        self.sets = self.named or [*SETS, "ratings-20m"]
        self.limits = None

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
        """Test RMSE of every strategy on five sets of ratings, with one rate and with biases and rates that fall, beside serial double precision."""
        files = {name: file for name, (file, _) in self.prepared(["insteval", "movietweetings", "goodbooks"]).items()}
        for name, arguments in RATED.items():
            source, file = os.path.join(self.out, f"{len(files)}.bin"), os.path.join(self.out, f"{len(files)}.h5")
            self.run([self.program("lockstep-generate"), *arguments, "-o", source, "--force", "--quiet"])
            self.run([self.program("lockstep-preprocess"), source, "--shape", "bipartite", "-o", file, "--force", "--quiet", "--schedule", ",".join(self.schedules)])
            files[name] = file
        rows = []
        for name, file in files.items():
            for form in ("plain", "biased"):
                common = ["--model-form", form, "--rank", "16", "--sweeps", "15", "--test-fraction", "0.1", "--evaluate-every", "15", "--early-stop", "0"]
                with pool_of(4) as pool:
                    wanted = [("reference", "el-shuffled"), *((self.device, s) for s in self.strategies if s not in self.locality)]
                    ran = list(pool.map(lambda w: self.json([self.executable, file, "--strategy", w[1], "--device", w[0], *common]), wanted))
                reference = ran[0]["rmse_test"]
                offs = {strategy: round(100 * (run["rmse_test"] / reference - 1), 2) for (_, strategy), run in zip(wanted[1:], ran[1:]) if run}
                rows += [(name, form, round(reference, 4), strategy, off) for strategy, off in offs.items()]
                print(f"{name}, {form}: serial {reference:.5f}; " + ", ".join(f"{strategy} {off:+.2f} %" for strategy, off in offs.items()), flush=True)
                for strategy, off in offs.items():
                    if not off <= 1:
                        self.fail(f"{name}, {form}: {strategy}: test RMSE {off:+.2f} % above the reference")
        self.keep("rmse", ["data", "model", "serial: RMSE", "strategy", "% off"], rows)

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", default="sanitize,tests,bits,devices,bounds,table,rmse,loading,pagerank-checks,pagerank,traversal-checks,traversals,sources,axes,structure-checks,structures,meshes")
    parser.add_argument("--strategies", help="of the table, comma-separated")
    parser.add_argument("--sets", help="data sets, comma-separated")
    parser.add_argument("--execute", help="another build of lockstep-execute, with other tuning constants, say")
    parser.add_argument("--json", help="write what was measured to this file")
    parser.add_argument("--iterations", type=int, default=20, help="of pagerank and warp-shapes; its source has 30")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each of these; the source has 30")
    parser.add_argument("--average", default="median", choices=["median", "mean"], help="over the repeats; the source has mean")
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
            said = [word for name in ("only", "device", "sets", "strategies", "extra", "iterations", "repeats", "average") if getattr(options, name) for word in (f"--{name}", str(getattr(options, name)))]
            bench.write(options.json, shlex.join(["tools/gpu_benchmark.py", *said]))  # after each part: a run that is cut keeps what it has
    print(f"{len(bench.failures)} failures")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
