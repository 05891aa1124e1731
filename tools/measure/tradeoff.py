"""The source paper's inequality on every graph of the study, and what T, the items of a block, makes of its strategies that are cut into blocks."""
from measure.graphs import LARGER, REAL, SMALL, STUDY
from measure.runner import seconds_of

LOCKED = {"el-shuffled": ["--attempts", 1], "nl-marks": []}  # as the paper has them


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


def blocks(b):
    """agm-n and sgm by T, the items of a block, in times of the workers of the device (128 a multiprocessor at rank 16); a worker keeps several then."""
    probe = b.kept("probe", lambda: b.json("lockstep-probe", "--device", b.device, "--rank", 16, *(["--quick"] if b.o.quick else [])))
    workers = probe["threads"] * 128
    add = b.table("blocks", "data", "strategy", "times the workers", "T", "rounds", "sweep ms")
    for times in (0.5, 1, 2, 4, 8):
        t = round(times * workers)
        for name, file in b.prepared(graphs_of(b, ["road-NE", "road-9m", "goodbooks", "pokec-like"]), "agm-n,sgm", "--no-verify", "--workers", t).items():
            rounds = {s["name"]: s["rounds"] for s in b.record(file)["schedules"]}
            for strategy in ("agm-n", "sgm"):
                if run := swept(b, file, strategy):
                    add(name, strategy, times, t, rounds[strategy], 1e3 * seconds_of(run))
    b.about = "AGM-N and SGM by the items of a block, rank 16, medians of sweeps"
