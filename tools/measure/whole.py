"""The parts that measure whole runs: what builders take, and from a file to a result by what a user waits for."""
import os
import statistics
import time

from measure.graphs import BIPARTITE, SOURCES, SQUARE, on_roads, ratings

BUILT = "agm-e,agm-n,sgm,diag,blkdiag,tiled,stars,blocked,shuffle,el-sgm,degree"
STAGES = ("read", "schedule", "prove", "choose", "load", "transfer", "execute", "evaluate", "other")


def builders(b):
    """What every builder takes on all threads, beside agm-e: medians of three."""
    add = b.table("builders", "data", "edges", "schedule", "rounds", "s", "M edges/s", "× agm-e")
    for name in b.asked("sets", ["ratings-20m", "pokec-like", "road-9m"]):
        source = b.source(name, SOURCES[name])
        names = BUILT + ",local" if on_roads(name) else BUILT
        runs = [b.json("lockstep-preprocess", source, "-o", b.path("builders.h5"), "--force", "--shape", "square" if on_roads(name) else "bipartite",
                       "--no-verify", "--schedule", names) for _ in range(3)] if source else []
        if not runs or not all(runs):
            continue
        seconds = {s["name"]: statistics.median(t["seconds"] for r in runs for t in r["schedules"] if t["name"] == s["name"]) for s in runs[0]["schedules"]}
        for made in runs[0]["schedules"]:
            took = seconds[made["name"]]
            add(name, runs[0]["edges"], made["name"], made["rounds"], round(took, 3), round(runs[0]["edges"] / took / 1e6, 1), round(took / seconds["agm-e"], 1))


def whole(b):
    """From text to a model, and from a schedule file to the result of 20 sweeps: seconds from start to end of a program, and its stages. --turns of each build."""
    add = b.table("runs", "run", "data", "start to end", *STAGES)
    million = ratings(20_000, 8_000, 1_000_000, 10_000)
    kinds = [("train", name, given, BIPARTITE, None) for name, given in (("1 M ratings", million), ("ratings-20m", SOURCES["ratings-20m"]))]
    kinds += [(strategy, name, SOURCES[name], SQUARE if on_roads(name) else BIPARTITE, schedule) for strategy, name, schedule in (
        ("tiled", "ratings-20m", "tiled"), ("nl", "ratings-20m", "tiled"), ("local", "road-9m", "local"), ("el", "road-9m", "local"), ("stars", "pokec-like", "stars"))]
    for strategy, name, given, read, schedule in kinds:
        source, file = b.source(name, given), b.path(f"whole-{name}.h5".replace(" ", "-"))
        if not source:
            continue
        if schedule and not os.path.exists(file):
            b.run("lockstep-preprocess", source, "-o", file, "--force", "--quiet", *read.split(), "--schedule", schedule)

        def run(build):
            start = time.perf_counter()
            ran = (b.json("lockstep-execute", file, "--strategy", strategy, "--sweeps", 20, "--device", b.device, build=build) if schedule
                   else b.json("lockstep-train", source, "-m", b.path("whole-model.h5"), "--force", "--device", b.device, build=build))
            return time.perf_counter() - start, ran

        turns = [[run(build) for build in b.builds] for _ in range(b.o.turns)]
        for build, of_build in zip(b.builds, zip(*turns)):
            if all(ran for _, ran in of_build):
                took, ran = sorted(of_build, key=lambda one: one[0])[len(of_build) // 2]
                # Of a schedule file these are what made it.
                own = [None if schedule and stage in ("read", "schedule") else round(ran["seconds"].get(stage, 0), 3) for stage in STAGES]
                add(("" if build == b.bin else "other build, ") + ("text to model" if not schedule else f"file to result, {strategy}"), name, round(took, 3), *own)
