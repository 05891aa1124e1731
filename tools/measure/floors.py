"""Lower bounds of the time of a sweep, for comparison with measured sweeps. They follow from the bytes that a
sweep transfers, its longest chain of dependent updates, its number of phases, and the measured figures of the
device. Also compares exact with racing (unsynchronized) strategies at equal error."""
import math

from measure.graphs import ratings
from measure.runner import seconds_of

# bytes of an edge in the smallest format, that of tiles: its weight, and its position in a block
EDGE_BYTES = 6
SHARED_ROUND = 512  # number of edges in a round up to which one thread block runs the round
STARS = (50_000, 100_000)  # maximum degrees of two graphs from which the time of a chain is measured
COLUMNS = ["data", "edges", "rank", "best exact", "its ms", "G updates/s", "racing ms", "exact / racing", "bytes ms", "chain ms", "phases ms", "floor",
           "floor ms", "exact / floor"]
EQUAL = ["data", "best exact", "ms a sweep", "its sweeps", "best racing", "racing, ms a sweep", "racing, sweeps", "RMSE", "exact / racing"]


def chain_seconds(b, *made_for):
    """Returns the time per edge of a chain of dependent updates in shared memory, in seconds. It is the
    difference of two sweeps of `tiled` on graphs that differ only in the degree of one item, per additional
    edge."""
    seconds = []
    for degree in STARS:
        graph, file = b.source(f"star-{degree}", ratings(max(STARS), 132, max(STARS) + 30_000, degree)), b.path(f"star-{degree}.h5")
        b.run("lockstep-preprocess", graph, "--shape", "bipartite", "-o", file, "--schedule", "tiled", "--item-blocks", 132, "--user-blocks", 264, *made_for,
              "--no-verify", "--force", "--quiet")
        ran = b.execute(file, "tiled", "--device", b.device, *made_for, "--sweeps", 9, "--evaluate-every", 9, "--trust")
        seconds.append(seconds_of(ran) if ran else 0.0)
    return max(0.0, seconds[1] - seconds[0]) / (STARS[1] - STARS[0])


def parts(inspected, strategy, probe, chain, rank, storage="fp32"):
    """Returns lower bounds {bytes, chain, phases} of the time of a sweep, in seconds. `inspected` is the JSON
    of lockstep-inspect for graph and schedule, `probe` the JSON of lockstep-probe for the device, and `chain`
    the result of chain_seconds."""
    graph = inspected["graph"]
    schedule = next((s for s in inspected["schedules"] if s["name"] == strategy), {"rounds": 0, "histogram": [], "parameters": {}})
    vertices = sum(graph["row_degree_histogram"]) + sum(graph["col_degree_histogram"])
    vector = -(-rank // 4) * 4 * (2 if storage == "fp16" else 4)
    barrier, alone = probe["seconds"]["barrier"], probe["seconds"]["block_barrier"]
    if strategy == "tiled":
        given = schedule["parameters"]
        # If there are more blocks than multiprocessors, groups of blocks run one after another.
        turns = max(1.0, int(given.get("item_blocks", 0)) / probe["threads"])
        seconds = turns * schedule["rounds"] * barrier
    elif strategy in ("local", "stars"):
        seconds = schedule["rounds"] * barrier
    else:
        seconds = sum(h["rounds"] * (barrier if h["from"] >= SHARED_ROUND else alone) for h in schedule["histogram"])
    return {"bytes": (EDGE_BYTES * graph["edges"] + 2 * vector * vertices) / probe["copy_bytes_per_second"],
            "chain": chain * max(graph["max_row_degree"], graph["max_col_degree"]), "phases": seconds}


def floor_row(name, inspected, rank, times, exact, racing, probe, chain, storage="fp32"):
    """Returns a row of the table with the columns COLUMNS; None if no exact strategy ran. `times` contains
    the ms of each strategy, and `exact` and `racing` are lists of strategies."""
    best = min((s for s in exact if times.get(s)), key=times.get, default=None)
    if not best or chain is None:
        return None
    fastest = min((times[s] for s in racing if times.get(s)), default=None)
    ms = {part: round(1e3 * seconds, 6) for part, seconds in parts(inspected, best, probe, chain, rank, storage).items()}
    binding = max(ms, key=ms.get)
    edges = inspected["graph"]["edges"]
    return [name, edges, rank, best, times[best], 1e-6 * edges / times[best], fastest, fastest and times[best] / fastest, *ms.values(), binding,
            ms[binding], times[best] / ms[binding]]


def sweeps_to(errors, error):
    """Returns the number of sweeps after which the error was at most `error`; None if it never was. `errors`
    contains the error after each sweep. The number is interpolated linearly between two sweeps."""
    for n, after in enumerate(errors):
        if after <= error:
            before = errors[n - 1] if n else after
            return n + 1 if n == 0 or before == after else n + (before - error) / (before - after)
    return None


def equal_row(name, runs, racing):
    """Returns a row of the table with the columns EQUAL: the times in which exact and racing strategies reach
    an equal error. `runs` contains (ms per sweep, [error after each sweep]) for each strategy, and `racing`
    is the list of racing strategies. Runs that diverged, or never improved after their first sweep, are
    ignored. Returns None if only exact or only racing strategies remain."""
    runs = {s: (ms, errors) for s, (ms, errors) in runs.items() if all(map(math.isfinite, errors)) and min(errors) < errors[0]}
    error = max((min(errors) for _, errors in runs.values()), default=None)
    reached = {s: sweeps_to(errors, error) for s, (_, errors) in runs.items()}
    kinds = [[s for s in runs if (s in racing) == races] for races in (False, True)]
    if not all(kinds):
        return None
    exact, race = (min(kind, key=lambda s: runs[s][0] * reached[s]) for kind in kinds)
    ratio = runs[exact][0] * reached[exact] / (runs[race][0] * reached[race])
    return [name, exact, runs[exact][0], round(reached[exact], 2), race, runs[race][0], round(reached[race], 2), error, ratio]
