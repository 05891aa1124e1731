"""The source paper's inequality, its hybrids under its own locks, and its strategies in blocks of T items, on the graphs of the study."""
import concurrent.futures
import os

from measure.graphs import LARGER, REAL, SMALL, STUDY, on_roads
from measure.runner import pool_of, seconds_of

LOCKED = {"el-shuffled": ["--attempts", 1], "nl-marks": []}  # as the paper has them
LOCKING = ("el-shuffled", "nl-el", "el-sgm")  # strategies that take --attempts: EL, and the hybrids that have a part of it


def graphs_of(b, default):
    b.o.sets = list(SMALL) if b.o.sets == ["small"] else b.o.sets
    return {name: STUDY[name] for name in b.asked("sets", default)}


def swept(b, file, strategy, *options):
    """A run in the paper's order; the median of its sweeps counts."""
    return b.execute(file, strategy, "--device", b.device, "--rank", 16, "--sweeps", b.asked("sweeps", 5), "--evaluate-every", b.asked("sweeps", 5),
                     "--time-limit", b.asked("time_limit", 2), "--phase-order", "given", "--trust", *options)


def tradeoff(b):
    """The paper's d (p + b) against d (p + l) + b / f of every graph of the study: which side is less, beside agm-e, EL and NL as they were measured.

    f is 1 / passes of a sweep, of NL of all its blocks: 1 / f is how many barriers it has. What EL counts at the hub's edges stands beside it. p, l and b
    are the probe's: an update after another through L2, what two locks make of it, a device-wide barrier. The executor runs rounds of few edges on one
    thread block, whose barrier is cheaper: the last verdict is with that one.
    """
    probe = b.kept("probe", lambda: b.json("lockstep-probe", "--device", b.device, "--rank", 16, *(["--quick"] if b.o.quick else [])))
    p, l, barrier, small = (probe["seconds"][key] for key in ("update_l2", "lock", "barrier", "block_barrier"))
    b.keep("device", ["p µs", "l µs", "b µs", "b of a thread block µs"], [[1e6 * seconds for seconds in (p, l, barrier, small)]])
    add = b.table("tradeoff", "data", "edges", "d", "online", "passes", "f", "f of the hub", "d (p + b) ms", "d (p + l) + b / f ms", "by the model",
                  "agm-e ms", "online ms", "measured", "agrees", "by a thread block's b", "agrees so")
    agreed = {name: [] for name in LOCKED}

    def verdict(offline, online):
        return "offline" if offline < online else "online"

    for name, file in b.prepared(graphs_of(b, [*REAL, *LARGER]), "agm-e,shuffle", "--no-verify").items():
        made, offline = b.record(file), swept(b, file, "agm-e")
        degree = max(made["max_row_degree"], made["max_col_degree"])
        for strategy, options in LOCKED.items() if offline else ():
            if online := swept(b, file, strategy, *options):
                sweep = online["sweeps"][-1]
                model = [degree * (p + by) for by in (barrier, small)], degree * (p + l) + barrier * sweep["passes"]
                found = verdict(seconds_of(offline), seconds_of(online))
                told = [verdict(side, model[1]) for side in model[0]]
                agreed[strategy].append([one == found for one in told])
                add(name, made["edges"], degree, strategy, sweep["passes"], 1 / sweep["passes"], sweep.get("f"), 1e3 * model[0][0], 1e3 * model[1], told[0],
                    1e3 * seconds_of(offline), 1e3 * seconds_of(online), found, "yes" if told[0] == found else "no",
                    told[1], "yes" if told[1] == found else "no")
    for strategy, found in agreed.items():
        print(f"{strategy}: the model agrees with what was measured on {sum(a for a, _ in found)} of {len(found)} graphs, with the barrier of a thread block on "
              f"{sum(c for _, c in found)}")
    b.about = "the inequality of Kaleem et al., section V-A, by the probe of the device, rank 16, beside medians of sweeps"


def side_by_side(b, part, graphs, measure):
    """Yields (graph, what measure(graph) returns) as soon as a graph is done, --running graphs side by side. A graph that an earlier call finished is not
    measured again; one without a result is left out."""
    with pool_of(b.o.running) as pool:
        jobs = {pool.submit(measure, name): name for name in graphs if f"{part} {name}" not in b.runs}
        yield from ((name, b.runs[f"{part} {name}"]) for name in graphs if f"{part} {name}" in b.runs)
        for job in concurrent.futures.as_completed(jobs):
            if found := job.result():
                yield jobs[job], b.kept(f"{part} {jobs[job]}", lambda: found)


def made(b, graphs, name, schedules, *more):
    """The schedule file of one graph, or None."""
    return b.prepared({name: graphs[name]}, schedules, "--no-verify", *more, at_once=1).get(name)


def removed(b, file):
    """Deletes a schedule file: all of them together are tens of gigabytes."""
    for kind in ("", ".json"):
        os.remove(file + kind)


def hybrids(b):
    """The paper's hybrids and their parts under its own locks, one attempt at an edge in a pass, and under ours."""
    graphs = graphs_of(b, [*REAL, *LARGER])
    forms = [*((s, 1) for s in LOCKING), *((s, 0) for s in LOCKING), ("sgm", 0), ("nl", 0), ("nl-marks", 0)]

    def measure(name):
        file = made(b, graphs, name, "shuffle,sgm,el-sgm")
        found = []
        for strategy, attempts in forms if file else ():
            if run := swept(b, file, strategy, *(["--attempts", attempts] if attempts else []), *b.locked()):
                found.append([b.record(file)["edges"], strategy, attempts, run["sweeps"][-1]["passes"], len(run["sweeps"]), 1e3 * seconds_of(run)])
        if file:
            removed(b, file)
        return found

    add = b.table("hybrids", "data", "class", "edges", "strategy", "attempts", "passes", "sweeps", "sweep ms")
    for name, found in side_by_side(b, "hybrids", graphs, measure):
        for edges, *row in found:
            add(name, "road" if on_roads(name) else "scale-free", edges, *row)
    b.about = "EL, NL and the hybrids of Kaleem et al., section V-B; attempts 1: by the paper's locks, 0: by ours; rank 16, medians of sweeps"


def blocks(b):
    """agm-n and sgm by T, the items of a block, in times of the workers of the device (128 a multiprocessor at rank 16), beside EL; by ours (attempts 0)
    and by the paper's locks (1)."""
    probe = b.kept("probe", lambda: b.json("lockstep-probe", "--device", b.device, "--rank", 16, *(["--quick"] if b.o.quick else [])))
    workers = probe["threads"] * 128
    graphs = graphs_of(b, [name for name in STUDY if on_roads(name) and name not in SMALL] + ["goodbooks", "imdb-like", "pokec-like"])

    def measure(name):
        file, found = made(b, graphs, name, "shuffle"), []
        for attempts in (1, 0) if file else ():
            if run := swept(b, file, "el-shuffled", *(["--attempts", attempts] if attempts else []), *b.locked()):
                found.append(["el-shuffled", attempts, None, None, None, 1e3 * seconds_of(run)])
        if file:
            removed(b, file)
        for times in (0.5, 1, 2, 4, 8) if found else ():
            t = round(times * workers)
            if not (file := made(b, graphs, name, "agm-n,sgm", "--workers", t)):
                continue
            rounds = {s["name"]: s["rounds"] for s in b.record(file)["schedules"]}
            for strategy in ("agm-n", "sgm"):
                if run := swept(b, file, strategy, *b.locked()):
                    found.append([strategy, None, times, t, rounds[strategy], 1e3 * seconds_of(run)])
            removed(b, file)
        return found

    add = b.table("blocks", "data", "strategy", "attempts", "times the workers", "T", "rounds", "sweep ms")
    for name, found in side_by_side(b, "blocks", graphs, measure):
        for row in found:
            add(name, *row)
    b.about = "AGM-N and SGM by the items of a block, beside shuffled EL, rank 16, medians of sweeps"
