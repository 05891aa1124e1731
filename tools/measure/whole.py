"""The parts of tools/bench.py that measure complete programs: the times of builders, and the time from a file
to a result."""
import json
import math
import os
import statistics
import subprocess
import time

from measure.graphs import BIPARTITE, LARGER, REAL, SOURCES, SQUARE, STUDY, on_roads, ratings
from measure.runner import environment, seconds_of

BUILT = "agm-e,agm-n,sgm,diag,blkdiag,tiled,stars,blocked,shuffle,el-sgm,degree"
STAGES = ("read", "schedule", "prove", "choose", "load", "transfer", "execute", "evaluate", "fit", "result", "other")


def builders(b):
    """Measures the time of every builder with all threads, relative to agm-e; medians of three runs."""
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
    """Measures programs from start to end, and their stages: from text to a model, and from a schedule file to the result of 20 sweeps; --turns runs of each build."""
    add = b.table("runs", "run", "data", "start to end", *STAGES)
    million = ratings(20_000, 8_000, 1_000_000, 10_000)
    kinds = [("train", name, given, BIPARTITE, None) for name, given in (("1 M ratings", million), ("ratings-20m", SOURCES["ratings-20m"]))]
    kinds += [(strategy, name, SOURCES[name], SQUARE if on_roads(name) else BIPARTITE, schedule) for strategy, name, schedule in (
        ("tiled", "ratings-20m", "tiled"), ("nl", "ratings-20m", "tiled"), ("local", "road-9m", "local"), ("el", "road-9m", "local"), ("stars", "pokec-like", "stars"))]
    for strategy, name, given, read, schedule in kinds:
        source, file = b.source(name, given, as_text=not schedule), b.path(f"whole-{name}.h5".replace(" ", "-"))
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
                # In a run on a schedule file, the times of these stages are those of the program that made
                # the file.
                own = [None if schedule and stage in ("read", "schedule") else round(ran["seconds"].get(stage, 0) + (ran["seconds"].get("plan", 0) if stage == "load" else 0), 3) for stage in STAGES]
                add(("" if build == b.bin else "other build, ") + ("text to model" if not schedule else f"file to result, {strategy}"), name, round(took, 3), *own)


LENGTHS = (5, 20, 100)  # numbers of sweeps of a run


def break_even(b):
    """Computes after how many sweeps exact strategies are faster than the fastest locks, in total time, and how close --strategy auto comes to the fastest run."""
    ways = ("used once", "kept")
    add = b.table("break-even", "data", "edges", "fastest locks", "pays first", *ways, "fastest", *(f"fastest, {way}" for way in ways), *(f"auto / best, {n} sweeps" for n in LENGTHS))
    for name in b.asked("sets", [*REAL, *LARGER]):
        given, read = STUDY[name]
        source = b.source(name, given)
        # Generated files are binary; --value-column is for delimited text, and would be an error.
        read = read if source and source.endswith((".txt", ".xz")) else read.replace("--value-column none", "")
        told = source and b.json("lockstep-recommend", source, *read.split(), "--device", b.device, "--sweeps", 1)
        if not told:
            continue
        before, sweep = costs(b, source, read, b.wanted(name))
        locks = min((s for s in sweep if not b.facts[s]["schedule"]), key=sweep.get)
        exact = [s for s in sweep if b.facts[s]["deterministic"]]

        def after(s, way):
            gain = sweep[locks] - sweep[s]
            return max(0, math.ceil((before[s][way] - before[locks][way]) / gain)) if gain > 0 else math.inf

        shown = [cell for s in (min(exact, key=lambda s: after(s, 0)), min(exact, key=sweep.get))
                 for cell in (s, *("never" if after(s, way) == math.inf else after(s, way) for way in (0, 1)))]
        add(name, told["graph"]["edges"], locks, *shown, *(nearness(told, before, sweep, n) for n in LENGTHS))


def costs(b, source, read, strategies):
    """Returns for each strategy the seconds before the first sweep, with a schedule that is used once (built,
    verified, written and loaded) and with a stored schedule (only loaded), and the seconds of a sweep."""
    before, sweep, graph = {}, {}, None
    for schedule in ("degree", *dict.fromkeys(b.facts[s]["schedule"] for s in strategies if b.facts[s]["schedule"])):
        file = b.path("break-even.h5")
        made = b.json("lockstep-preprocess", source, "-o", file, "--force", *read.split(), "--schedule", schedule)
        if not made:
            continue
        seconds = made["seconds"]
        # writing time of the file with only a vertex order, that is, of the graph itself
        graph = seconds["write"] if graph is None else graph
        once = 0 if schedule == "degree" else seconds["schedule"] + seconds["verify"] + max(0, seconds["write"] - graph)
        for strategy in (s for s in strategies if (b.facts[s]["schedule"] or "degree") == schedule and not b.facts[s]["races"]):
            run = b.execute(file, strategy, "--device", b.device, "--sweeps", b.asked("sweeps", 5), "--evaluate-every", 1000, "--time-limit", b.asked("time_limit", 2))
            if run:
                loaded = sum(run["seconds"][stage] for stage in ("load", "plan", "transfer"))
                before[strategy], sweep[strategy] = (once + loaded, loaded), seconds_of(run)
        os.remove(file)
    return before, sweep


def nearness(told, before, sweep, sweeps):
    """Returns the total time of the strategy that is recommended for this number of sweeps, divided by the
    shortest total time of any strategy."""
    predicted = {s["strategy"]: s["seconds"] for s in told["strategies"] if s["strategy"] in sweep and s["refused"] is None}
    chosen = min(predicted, key=lambda s: predicted[s]["preprocess"] + predicted[s]["load"] + sweeps * predicted[s]["sweep"])
    total = {s: before[s][0] + sweeps * sweep[s] for s in sweep}
    return round(total[chosen] / min(total.values()), 3)


def programs(b):
    """Measures every program on one set of ratings: seconds from start to end, the sum of its stages, and its peak memory; medians of --turns runs of each build."""
    add = b.table("programs", "program", "start to end", "stages", "untold %", "peak MB", "other build, start to end", "other build, peak MB")
    name = b.asked("sets", ["ratings-20m"])[0]
    source, file, model = b.source(name, SOURCES[name]), b.path("programs.h5"), b.path("programs-model.h5")
    asked = [("preprocess", source, "-o", file, "--force", "--schedule", "agm-e,tiled"), ("verify", file),
             *(("execute", file, "--strategy", s, "--sweeps", 20, "--device", b.device) for s in ("agm-e", "tiled", "el")),
             ("train", source, "-m", model, "--force", "--device", b.device), ("recommend", source, "--device", b.device),
             ("predict", model, "--evaluate", source, "--at", 0)]

    def run(program, arguments, build):
        """Returns the time of a run in seconds, the sum of its stages, and its peak memory in megabytes; None
        if it failed."""
        start = time.perf_counter()
        child = subprocess.Popen([b.program("lockstep-" + program, build), *map(str, arguments), "--json", "--quiet"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, env=environment(build))
        printed = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        took = time.perf_counter() - start
        if status:
            return b.fail(f"{program}: exit {os.waitstatus_to_exitcode(status)}")
        told = json.loads(printed).get("seconds", {})
        return took, told.get("total", 0) - told.get("other", 0), usage.ru_maxrss / 1e3

    for program, *arguments in asked if source else ():
        turns = [[run(program, arguments, build) for build in b.builds] for _ in range(b.o.turns)]
        if all(map(all, turns)):
            (took, stages, peak), *others = (sorted(of_build)[len(of_build) // 2] for of_build in zip(*turns))
            add(" ".join([program, *(str(a) for a in arguments[2:3] if program == "execute")]), round(took, 3), round(stages, 3),
                round(100 * (1 - stages / took), 1), round(peak), *(round(x, 3) for other in others for x in (other[0], round(other[2]))))


LOOPS = (2, 4, 8)


def busy(b):
    """Measures runs of ten sweeps while endless loops occupy the processors: their time relative to an idle machine, medians of --turns. Expected with two processors: (loops + 2) / 2."""
    add = b.table("busy", "strategy", "alone s", *(f"× beside {n}" for n in LOOPS))
    file = b.prepared({"busy": (ratings(60_000, 12_000, 5_000_000, 20_000), BIPARTITE)}, "agm-e,tiled,stars,sgm,agm-n,blkdiag,diag", "--no-verify")["busy"]
    for strategy in ("agm-e", "tiled", "stars", "sgm", "agm-n", "blkdiag", "diag", "el", "nl"):
        took = []
        for count in (0, *LOOPS):
            loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
            try:
                times = []
                for _ in range(b.o.turns):
                    start = time.perf_counter()
                    b.execute(file, strategy, "--device", "cpu", "--sweeps", 10, "--trust")
                    times.append(time.perf_counter() - start)
                took.append(statistics.median(times))
            finally:
                for loop in loops:
                    loop.kill()
        add(strategy, round(took[0], 3), *(round(t / took[0], 2) for t in took[1:]))
