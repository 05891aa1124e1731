"""What a sweep takes at least, for tables of measured ones: its bytes, its longest chain, its phases, by the figures of the device."""
import json
import os
import statistics

EDGE_BYTES = 6  # the tightest form here, that of tiles: a weight, and a place in a block
SHARED_ROUND = 512  # edges; smaller rounds are run by one thread block
STARS = (50_000, 100_000)  # largest degrees of the two graphs that the chain is measured on
COLUMNS = ["data", "edges", "rank", "best exact", "its ms", "G updates/s", "racing ms", "exact / racing", "bytes ms", "chain ms", "phases ms", "floor", "floor ms", "exact / floor"]


def chain_seconds(call, out, rank, device, storage="fp32"):
    """Seconds of an edge of the longest chain on chip: what a sweep of `tiled` grows by with an item's degree, all else equal. `call` runs a
    program with arguments and gives its standard output."""
    seconds = []
    for degree in STARS:
        graph, file = os.path.join(out, f"star-{degree}.bin"), os.path.join(out, f"star-{degree}-{rank}.h5")
        call("lockstep-generate", "ratings", "--users", str(max(STARS)), "--items", "132", "--edges", str(max(STARS) + 30_000), "--max-degree", str(degree),
             "--seed", "1", "-o", graph, "--force", "--quiet")
        call("lockstep-preprocess", graph, "--shape", "bipartite", "-o", file, "--schedule", "tiled", "--item-blocks", "132", "--user-blocks", "264",
             "--rank", str(rank), "--storage", storage, "--no-verify", "--force", "--quiet")
        ran = call("lockstep-execute", file, "--strategy", "tiled", "--device", device, "--rank", str(rank), "--storage", storage, "--model-form", "plain",
                   "--sweeps", "9", "--evaluate-every", "9", "--trust", "--json", "--quiet")
        if not ran:
            return None
        seconds.append(statistics.median(sweep["seconds"] for sweep in json.loads(ran)["sweeps"]))
        os.remove(graph), os.remove(file)
    return max(0.0, seconds[1] - seconds[0]) / (STARS[1] - STARS[0])


def parts(inspected, strategy, probe, chain, rank, storage="fp32"):
    """Seconds of each part, {bytes, chain, phases}: of a graph and a schedule as lockstep-inspect --json has them, a device as lockstep-probe
    has it, and what chain_seconds gave."""
    graph = inspected["graph"]
    schedule = next((s for s in inspected["schedules"] if s["name"] == strategy), {"rounds": 0, "histogram": [], "parameters": {}})
    vertices = sum(graph["row_degree_histogram"]) + sum(graph["col_degree_histogram"])
    vector = -(-rank // 4) * 4 * (2 if storage == "fp16" else 4)
    largest = max(graph["max_row_degree"], graph["max_col_degree"])
    barrier, alone = probe["seconds"]["barrier"], probe["seconds"]["block_barrier"]
    if strategy in ("tiled", "core-tail"):
        given = schedule["parameters"]
        phases = sum(int(given.get(f"{side}_user_blocks", 0)) for side in ("users", "items")) if strategy == "core-tail" else schedule["rounds"]
        passes = int(given.get("hub_passes", 0))  # two barriers each; the chain is that of the hubs without
        largest = int(given["largest_left"]) if passes else largest
        turns = max(1.0, int(given.get("item_blocks", 0)) / probe["threads"])  # groups of blocks take turns on the multiprocessors
        seconds = (turns * phases + 2 * passes) * barrier + (schedule["rounds"] - phases - passes) * alone
    elif strategy in ("local", "stars"):
        seconds = schedule["rounds"] * barrier
    else:
        seconds = sum(h["rounds"] * (barrier if h["from"] >= SHARED_ROUND else alone) for h in schedule["histogram"])
    return {"bytes": (EDGE_BYTES * graph["edges"] + 2 * vector * vertices) / probe["copy_bytes_per_second"],
            "chain": chain * largest, "phases": seconds}


def row(name, inspected, rank, times, exact, racing, probe, chain, storage="fp32"):
    """One of a table of COLUMNS, None where no exact strategy ran; `times`: strategy -> ms, where `exact` and `racing` are names of some."""
    best = min((s for s in exact if times.get(s)), key=times.get, default=None)
    if not best or chain is None:
        return None
    fastest = min((times[s] for s in racing if times.get(s)), default=None)
    ms = {part: round(1e3 * seconds, 6) for part, seconds in parts(inspected, best, probe, chain, rank, storage).items()}
    binding = max(ms, key=ms.get)
    edges = inspected["graph"]["edges"]
    return [name, edges, rank, best, times[best], 1e-6 * edges / times[best], fastest, fastest and times[best] / fastest, *ms.values(), binding, ms[binding], times[best] / ms[binding]]
