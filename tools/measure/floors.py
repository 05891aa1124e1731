"""Lower bounds for measured sweeps: the minimum time of a sweep by its bytes, its longest chain and its
phases, from the figures of the device. Also compares exact with racing strategies at the same error."""
import math

from measure.graphs import ratings
from measure.runner import seconds_of

EDGE_BYTES = 6  # size of an edge in the smallest format, that of tiles: a weight, and a position in a block
SHARED_ROUND = 512  # edges; one thread block runs smaller rounds
STARS = (50_000, 100_000)  # maximum degrees of the two graphs on which the chain is measured
COLUMNS = ["data", "edges", "rank", "best exact", "its ms", "G updates/s", "racing ms", "exact / racing", "bytes ms", "chain ms", "phases ms", "floor",
           "floor ms", "exact / floor"]
EQUAL = ["data", "best exact", "ms a sweep", "its sweeps", "best racing", "racing, ms a sweep", "racing, sweeps", "RMSE", "exact / racing"]


def chain_seconds(b, *made_for):
    """Returns the seconds per edge of the longest chain in shared memory: the time by which a sweep of
    `tiled` grows with the degree of an item, all else equal."""
    seconds = []
    for degree in STARS:
        graph, file = b.source(f"star-{degree}", ratings(max(STARS), 132, max(STARS) + 30_000, degree)), b.path(f"star-{degree}.h5")
        b.run("lockstep-preprocess", graph, "--shape", "bipartite", "-o", file, "--schedule", "tiled", "--item-blocks", 132, "--user-blocks", 264, *made_for,
              "--no-verify", "--force", "--quiet")
        ran = b.execute(file, "tiled", "--device", b.device, *made_for, "--sweeps", 9, "--evaluate-every", 9, "--trust")
        seconds.append(seconds_of(ran) if ran else 0.0)
    return max(0.0, seconds[1] - seconds[0]) / (STARS[1] - STARS[0])


def parts(inspected, strategy, probe, chain, rank, storage="fp32"):
    """Returns the seconds of each part, {bytes, chain, phases}, for a graph and a schedule (JSON of
    lockstep-inspect), a device (JSON of lockstep-probe), and the result of chain_seconds."""
    graph = inspected["graph"]
    schedule = next((s for s in inspected["schedules"] if s["name"] == strategy), {"rounds": 0, "histogram": [], "parameters": {}})
    vertices = sum(graph["row_degree_histogram"]) + sum(graph["col_degree_histogram"])
    vector = -(-rank // 4) * 4 * (2 if storage == "fp16" else 4)
    barrier, alone = probe["seconds"]["barrier"], probe["seconds"]["block_barrier"]
    if strategy == "tiled":
        given = schedule["parameters"]
        # Groups of blocks take turns on the multiprocessors.
        turns = max(1.0, int(given.get("item_blocks", 0)) / probe["threads"])
        seconds = turns * schedule["rounds"] * barrier
    elif strategy in ("local", "stars"):
        seconds = schedule["rounds"] * barrier
    else:
        seconds = sum(h["rounds"] * (barrier if h["from"] >= SHARED_ROUND else alone) for h in schedule["histogram"])
    return {"bytes": (EDGE_BYTES * graph["edges"] + 2 * vector * vertices) / probe["copy_bytes_per_second"],
            "chain": chain * max(graph["max_row_degree"], graph["max_col_degree"]), "phases": seconds}


def floor_row(name, inspected, rank, times, exact, racing, probe, chain, storage="fp32"):
    """Returns a row of a table with COLUMNS; None if no exact strategy ran. `times` maps strategies to ms;
    `exact` and `racing` contain names of strategies."""
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
    """Returns the number of sweeps after which the error was at most `error`, interpolated linearly
    between two sweeps; None if it never was. `errors` has the error after each sweep."""
    for n, after in enumerate(errors):
        if after <= error:
            before = errors[n - 1] if n else after
            return n + 1 if n == 0 or before == after else n + (before - error) / (before - after)
    return None


def equal_row(name, runs, racing):
    """Returns a row of a table with EQUAL columns. `runs` are {strategy: (ms per sweep, [error after each
    sweep])}; `racing` contains the names of racing strategies. Ignores runs that diverged or never had a
    lower error than after their first sweep; returns None if only one kind of strategies is left."""
    runs = {s: (ms, errors) for s, (ms, errors) in runs.items() if all(map(math.isfinite, errors)) and min(errors) < errors[0]}
    error = max((min(errors) for _, errors in runs.values()), default=None)
    reached = {s: sweeps_to(errors, error) for s, (_, errors) in runs.items()}
    kinds = [[s for s in runs if (s in racing) == races] for races in (False, True)]
    if not all(kinds):
        return None
    exact, race = (min(kind, key=lambda s: runs[s][0] * reached[s]) for kind in kinds)
    ratio = runs[exact][0] * reached[exact] / (runs[race][0] * reached[race])
    return [name, exact, runs[exact][0], round(reached[exact], 2), race, runs[race][0], round(reached[race], 2), error, ratio]
