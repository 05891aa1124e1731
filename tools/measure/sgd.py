"""The parts of tools/bench.py that measure SGD: limits of the device, times of sweeps, test errors, several
GPUs, and the stages of preprocessing."""
import json
import math
import os
import statistics
import time

from measure.graphs import BIPARTITE, RATED, ROAD, SQUARE, STUDY, TABLE, ratings
from measure.runner import gpus, pool_of, seconds_of

PROBED = {"device-wide barrier µs": "barrier", "barrier of a thread block µs": "block_barrier", "dependent update through L2 µs": "update_l2",
          "through L1 µs": "update_near", "under two locks µs": "update_locked"}
RATES = {"racing G updates/s": "racing_updates_per_second", "under free locks G updates/s": "locked_updates_per_second"}


def bounds(b):
    """Measures the limits of the device with lockstep-probe; the part table of the same call compares strategies with these limits."""
    b.limits = found = b.json("lockstep-probe", "--device", b.device, "--fresh")
    if found:
        b.table("bounds", *PROBED, *RATES)(*(1e6 * found["seconds"][key] for key in PROBED.values()), *(found[key] / 1e9 for key in RATES.values()))


def bound(limits, fact, inspected, edges):
    """Returns a lower bound of the time of a sweep in seconds. It follows from the resource that limits the
    strategy (docs/research/strategies-gpu.md). Returns None if the bound is unknown."""
    second, racing, graph = limits["seconds"], edges / limits["racing_updates_per_second"], inspected["graph"]
    schedule = next((s for s in inspected["schedules"] if s["name"] == fact["schedule"]), {})
    of_own = next((s for s in inspected["schedules"] if s["name"] == fact["name"]), {})
    kept = edges / graph["edges"]  # approximate share of each hub's edges that are training edges
    barriers = of_own.get("rounds", 0) * second["barrier"]
    degree = kept * max(graph["max_row_degree"], graph["max_col_degree"])
    hubs = degree * second["update_locked"] if schedule.get("locked") else 0
    found = {"rounds": lambda: barriers + racing,
             "workers": lambda: barriers + max(kept * schedule["time_steps"] * second["update_near"], racing),
             "locks": lambda: max(degree * second["update_locked"], edges / limits["locked_updates_per_second"]),
             "hubs": lambda: barriers + hubs + racing,
             "memory": lambda: racing,
             "half": lambda: racing / 2}.get(fact["bound"])  # half of the vectors stay in shared memory
    return found and found()


def measured(b, graphs, rank, storage, *options, preparing=()):
    """Yields the runs of every strategy for each graph: (graph, its schedule file, the JSON of
    lockstep-inspect, {strategy: run}). Processes --running graphs in parallel."""
    made_for = ["--rank", rank, "--storage", storage]
    limit = ["--time-limit", b.o.time_limit] if b.o.time_limit else []

    def of_graph(name):
        file = b.prepared({name: graphs[name]}, b.schedules, *made_for, *preparing, at_once=1).get(name)
        inspected = file and b.json("lockstep-inspect", file)
        runs = {s: b.timed((name, s, rank, storage), file, s, "--device", b.device, *made_for, "--sweeps", b.asked("sweeps", 5), *limit,
                           *b.locked(), *options, *b.o.extra.split(), record=f"{name}.{rank}-{storage}.{s}.jsonl") for s in b.wanted(name)} if inspected else {}
        return name, file, inspected, {s: run for s, run in runs.items() if run}

    names = [name for name in graphs if name in b.asked("sets", graphs)]
    with pool_of(b.o.running) as pool:
        yield from filter(lambda found: found[3], (pool.map if b.o.running > 1 else map)(of_graph, names))


def table(b):
    """Measures every strategy of SGD on every data set (with --sets also those of the study) at each rank (16), and compares it with its lower bound and with the build of --beside."""
    add = b.table("table", "data", "strategy", "rank", "storage", "preprocess s", "rounds", "passes", "sweep ms", "G updates/s", "test RMSE", "bound ms",
                  "× bound")
    options = ["--evaluate-every", b.asked("sweeps", 5), "--test-fraction", 0.1]
    for rank, storage in b.ranks("16"):
        for name, file, inspected, runs in measured(b, {**STUDY, **TABLE} if b.o.sets else TABLE, rank, storage, *options):
            seconds, rounds = ({s["name"]: s[key] for s in told["schedules"]} for told, key in ((b.record(file), "seconds"), (inspected, "rounds")))
            for strategy, run in runs.items():
                edges, sweep, schedule = run["train_edges"], seconds_of(run), b.facts[strategy]["schedule"]
                if any(s["updates"] != edges for s in run["sweeps"]):
                    b.fail(f"{name} {strategy}: not every edge exactly once")
                least = b.limits and bound(b.limits, b.facts[strategy], inspected, edges)
                add(name, strategy, rank, storage, seconds.get(schedule, 0.0), rounds.get(schedule, 0), run["sweeps"][-1]["passes"], sweep * 1e3,
                    edges / sweep / 1e9, run["rmse_test"], least and 1e3 * least, least and sweep / least)


def rmse(b):
    """Compares the test RMSE of every strategy with that of serial double precision, with a constant rate and with biases and decreasing rates."""
    add = b.table("rmse", "data", "model", "serial: RMSE", "strategy", "% off")
    for name, file in b.prepared(RATED, lambda name: b.schedules(name, "el-shuffled")).items():
        for form in ("plain", "biased"):
            def error(way):
                run = b.execute(file, way[1], "--device", way[0], "--model-form", form, "--rank", 16, "--sweeps", 15, "--test-fraction", 0.1,
                                "--evaluate-every", 15, "--early-stop", 0)
                return run and run["rmse_test"]

            wanted = b.wanted(name)
            with pool_of(4) as pool:
                serial, *errors = pool.map(error, [("reference", "el-shuffled"), *((b.device, s) for s in wanted)])
            for strategy, off in zip(wanted, (found and round(100 * (found / serial - 1), 2) for found in errors)):
                if off is not None:
                    add(name, form, round(serial, 4), strategy, off)
                    if not off <= 1:
                        b.fail(f"{name}, {form}: {strategy}: test RMSE {off:+.2f} % above the reference")


def devices(b):
    """Measures tiled in groups on 1, 2, 4, … GPUs, with tiles in GPU memory and streamed from the host, and compares the results with the CPU's bitwise."""
    add = b.table("devices", "data", "rank", "groups", "GPUs", "streamed MB a sweep", "sweep ms", "G updates/s", "GB/s", "copy GB/s")
    counts = [n for n in (1, 2, 4, 8) if n <= gpus().count(";") + 1]
    for rank, _ in b.ranks("16,64"):
        for name, file in b.prepared(TABLE, "tiled", "--rank", rank, "--gpus", max(2, counts[-1])).items():
            made, resident = b.record(file), None
            groups, edges = next(s for s in made["schedules"] if s["name"] == "tiled")["parameters"]["groups"], made["edges"]
            common = [file, "tiled", "--rank", rank, "--sweeps", 6, "--evaluate-every", 6]
            cpu = b.execute(*common, "--device", "cpu")
            for count, streamed in [(n, False) for n in counts] + [(n, True) for n in counts]:
                # Memory for everything but the edges of the training error (which are then copied in pieces
                # of 2^22), and for half of the tiles.
                memory = ["--device-memory", resident - 19 * edges + 12 * min(edges, 1 << 22)] if streamed and resident else []
                run = b.timed((name, rank, count, "streamed" if streamed else "resident"), *common, "--device", b.device, "--gpus", count, *memory)
                if not run or not cpu:
                    continue
                resident = resident or run["device"]["bytes"]
                if run["result_hash"] != cpu["result_hash"]:
                    b.fail(f"{name} tiled, rank {rank}, {count} GPUs: CPU and GPU differ")
                sweep, copied = seconds_of(run), run["streamed_bytes"]
                add(name, rank, groups, count, copied / 1e6, sweep * 1e3, edges / sweep / 1e9, copied / sweep / 1e9, run["copy_bytes_per_second"] / 1e9)


BUILDERS = ("agm-e agm-n sgm diag blkdiag tiled stars local regions blocked shuffle el-sgm degree "
            "edge-tiled hubs hubs-weight").split()


def preprocessing(b):
    """Measures how long reading a binary file and every builder take, and the peak memory of a program that does both, on graphs of three kinds; --scale 0.01 makes graphs of a hundredth of the size, as a trial."""
    scale, found = b.o.scale, {}  # for each graph and stage: seconds, M edges/s, bytes/edge
    side = math.sqrt(scale)
    graphs = {"99 M edges": (ratings(*(round(by * full) for by, full in ((side, 480_189), (side, 17_770), (scale, 99_000_000), (side, 227_715)))), BIPARTITE),
              "R-MAT 22": (f"rmat --scale {max(8, 22 + round(math.log2(scale)))} --edge-factor 16", SQUARE),
              "road": (f"road --vertices {round(scale * 13_600_000)}", ROAD)}
    for name, (given, read) in graphs.items():
        source = b.source(name, given, read)
        for schedule in BUILDERS:
            words = [source, "-o", b.path("stage.h5"), "--force", *read.split(), "--no-verify",
                     "--schedule", schedule, "--json", "--quiet"]
            calls = [b.call("lockstep-preprocess", *words) for _ in range(b.asked("repeats", 3))]
            if any(reason for _, reason in calls):  # the graph cannot have this schedule
                continue
            runs = [json.loads(printed) for printed, _ in calls]
            edges = runs[0]["edges"]
            for stage, of in (("file → graph", "read"), (schedule, "schedule")):
                seconds = statistics.median(run["seconds"][of] for run in runs)
                rate, edge_bytes = edges / seconds / 1e6, runs[0]["peak_bytes"] / edges
                found.setdefault((stage, name), [round(seconds, 3), round(rate), round(edge_bytes, 1)])
    add = b.table("pipeline", "stage", "99 M edges, s", "M edges/s", "bytes/edge", "R-MAT 22, s",
                  "road, s")
    for stage in ("file → graph", *BUILDERS):
        first, *others = [found.get((stage, name), [None] * 3) for name in graphs]
        add(stage, *first, *(seconds for seconds, *_ in others))
    b.about = ("seconds on 99.0 M edges (480,189 × 17,770, largest degree 227,715), R-MAT 22 (67.1 M "
               "edges) and a road (34.0 M arcs); bytes/edge: peak memory of the program that reads the "
               "file and builds the schedule" + (f"; all times {scale:g}" if scale != 1 else ""))
