"""The parts of tools/bench.py that test statements of the paper of Kaleem et al. on the graphs of the study:
its inequality, its hybrid strategies with the paper's locks, and its strategies in blocks of T items."""
import concurrent.futures
import os

from measure.graphs import LARGER, REAL, SMALL, STUDY, on_roads
from measure.runner import pool_of, seconds_of

# options that make these strategies use the locks of the paper
LOCKED = {"el-shuffled": ["--attempts", 1], "nl-marks": []}
LOCKING = ("el-shuffled", "nl-el", "el-sgm")  # strategies with the option --attempts
TRADEOFF = ("data", "edges", "d", "online", "passes", "f of the hub", "agm-e ms", "online ms",
            "measured", "d (p + b) ms", "d (p + l) + b × passes ms", "d (p + l) + b / f ms",
            "by passes", "by passes, b of a thread block",
            "by f of the hub", "by f of the hub, b of a thread block",
            "passes agree", "passes agree, b of a thread block",
            "f of the hub agrees", "f of the hub agrees, b of a thread block")


def graphs_of(b, default):
    b.o.sets = list(SMALL) if b.o.sets == ["small"] else b.o.sets
    return {name: STUDY[name] for name in b.asked("sets", default)}


def swept(b, file, strategy, *options):
    """Runs a strategy in the order of the paper. The result has the median time of the sweeps."""
    sweeps = b.asked("sweeps", 5)
    return b.execute(file, strategy, "--device", b.device, "--rank", 16, "--sweeps", sweeps,
                     "--evaluate-every", sweeps, "--time-limit", b.asked("time_limit", 2),
                     "--phase-order", "given", "--trust", *options)


def with_attempts(attempts):
    """Returns the options for this number of attempts to lock an edge; 0: our default number."""
    return ["--attempts", attempts] if attempts else []


def probed(b):
    words = ["--device", b.device, "--rank", 16, *(["--quick"] if b.o.quick else [])]
    return b.kept("probe", lambda: b.json("lockstep-probe", *words))


def verdict(offline, online):
    return "offline" if offline < online else "online"


def inequality(device, degree, passes, f, measured):
    """Tests the paper's inequality, d (p + b) against d (p + l) + b / f, in two variants: 1 / f is the number
    of passes of a sweep; or f is counted at the edges of the hub (None: not counted).

    `device` contains p, l, b and the b of a thread block, in µs. Returns the offline side and both online
    sides in ms. Also returns four verdicts, by passes and by f of the hub, each with either b; and for each
    verdict whether it agrees with the measured times."""
    p, l, barrier, small = (1e-3 * microseconds for microseconds in device)
    online = [degree * (p + l) + barrier * steps for steps in (passes, *([1 / f] if f else []))]
    told = [verdict(degree * (p + b), side) for side in online for b in (barrier, small)]
    told += [None] * (4 - len(told))
    agree = [one and ("yes" if one == measured else "no") for one in told]
    return [degree * (p + barrier), online[0], online[1] if f else None, *told, *agree]


def tradeoff(b):
    """Tests the inequality of the paper (section V-A) in both readings of f, with measured times of agm-e, EL and NL.

    The figures p, l and b are measured by lockstep-probe: the time of an update that depends on the previous one
    through the L2 cache, the additional time of two locks, and the time of a device-wide barrier. Rounds with few
    edges run on one thread block, whose barrier takes less time.
    """
    seconds = probed(b)["seconds"]
    device = [1e6 * seconds[key] for key in ("update_l2", "lock", "barrier", "block_barrier")]
    b.keep("device", ["p µs", "l µs", "b µs", "b of a thread block µs"], [device])
    add = b.table("tradeoff", *TRADEOFF)
    graphs = graphs_of(b, [*REAL, *LARGER])
    for name, file in b.prepared(graphs, "agm-e,shuffle", "--no-verify").items():
        of_graph, offline = b.record(file), swept(b, file, "agm-e")
        degree = max(of_graph["max_row_degree"], of_graph["max_col_degree"])
        for strategy, options in LOCKED.items() if offline else ():
            if online := swept(b, file, strategy, *options):
                passes, f = online["sweeps"][-1]["passes"], online["sweeps"][-1].get("f")
                ms = [1e3 * seconds_of(run) for run in (offline, online)]
                found = verdict(*ms)
                add(name, of_graph["edges"], degree, strategy, passes, f, *ms, found,
                    *inequality(device, degree, passes, f, found))
    b.about = ("the inequality of Kaleem et al., section V-A, by the probe of the device, rank 16, "
               "beside medians of sweeps")


def side_by_side(b, part, graphs, measure):
    """Measures --running graphs in parallel. Yields (graph, result of measure(graph)) in the order in which
    the graphs are finished. A graph that an earlier call finished is not measured again. A graph without a
    result is omitted."""
    key = {name: f"{part} {name}" for name in graphs}
    done = [name for name in graphs if key[name] in b.runs]
    with pool_of(b.o.running) as pool:
        jobs = {pool.submit(measure, name): name for name in graphs if name not in done}
        yield from ((name, b.runs[key[name]]) for name in done)
        for job in concurrent.futures.as_completed(jobs):
            if found := job.result():
                yield jobs[job], b.kept(key[jobs[job]], lambda: found)


def made(b, graphs, name, schedules, *more):
    """Makes the schedule file of one graph. Returns its path; None if the graph does not exist."""
    words = ("--no-verify", *more)
    return b.prepared({name: graphs[name]}, schedules, *words, at_once=1).get(name)


def removed(file):
    """Deletes a schedule file, because all of them together would occupy tens of gigabytes."""
    for kind in ("", ".json"):
        os.remove(file + kind)


def hybrids(b):
    """Measures EL, NL and the hybrid strategies of the paper, with the locks of the paper (one attempt at an edge in a pass) and with ours."""
    graphs = graphs_of(b, [*REAL, *LARGER])
    forms = [*((s, attempts) for attempts in (1, 0) for s in LOCKING),
             ("sgm", None), ("nl", None), ("nl-marks", None)]

    def measure(name):
        file, found = made(b, graphs, name, "shuffle,sgm,el-sgm"), []
        for strategy, attempts in forms if file else ():
            if run := swept(b, file, strategy, *with_attempts(attempts), *b.locked()):
                sweeps = run["sweeps"]
                found.append([b.record(file)["edges"], strategy, attempts, sweeps[-1]["passes"],
                              len(sweeps), 1e3 * seconds_of(run)])
        if file:
            removed(file)
        return found

    add = b.table("hybrids", "data", "class", "edges", "strategy", "attempts", "passes", "sweeps",
                  "sweep ms")
    for name, found in side_by_side(b, "hybrids", graphs, measure):
        for edges, *row in found:
            add(name, "road" if on_roads(name) else "scale-free", edges, *row)
    b.about = ("EL, NL and the hybrids of Kaleem et al., section V-B; attempts 1: the paper's locks, 0: "
               "ours; rank 16, medians of sweeps")


def blocks(b):
    """Measures agm-n and sgm for several T, the number of items in a block, relative to EL with the paper's locks and with ours.

    T is a multiple of the number of workers of the device, which is 128 per multiprocessor at rank 16.
    """
    workers = probed(b)["threads"] * 128
    roads = [name for name in STUDY if on_roads(name) and name not in SMALL]
    graphs = graphs_of(b, [*roads, "goodbooks", "imdb-like", "pokec-like"])

    def measure(name):
        file, found = made(b, graphs, name, "shuffle"), []
        for attempts in (1, 0) if file else ():
            if run := swept(b, file, "el-shuffled", *with_attempts(attempts), *b.locked()):
                form = "el-shuffled" + (", one attempt" if attempts else "")
                found.append(["el-shuffled", form, None, None, 1e3 * seconds_of(run)])
        if file:
            removed(file)
        for times in (0.5, 1, 2, 4, 8) if found else ():
            t = round(times * workers)
            if not (file := made(b, graphs, name, "agm-n,sgm", "--workers", t)):
                continue
            rounds = {s["name"]: s["rounds"] for s in b.record(file)["schedules"]}
            for strategy in ("agm-n", "sgm"):
                if run := swept(b, file, strategy, *b.locked()):
                    found.append([strategy, f"{strategy}, T × {times:g}", t, rounds[strategy],
                                  1e3 * seconds_of(run)])
            removed(file)
        return found

    add = b.table("blocks", "data", "strategy", "form", "T", "rounds", "sweep ms")
    for name, found in side_by_side(b, "blocks", graphs, measure):
        for row in found:
            add(name, *row)
    b.about = ("AGM-N and SGM by the items of a block, beside shuffled EL, rank 16, medians of "
               "sweeps")
