"""The parts of tools/bench.py that measure the applications on graphs and meshes."""
import os
import tempfile

from measure.graphs import CLASS_OF, LARGE, STRUCTURES, TRAVERSALS
from measure.runner import pool_of, strategies

APPS = ("cc", "kcore", "mis", "mst", "triangles", "bp")
MORE = {"kcore": [("of 16", ["--k", 16]), ("of 32", ["--k", 32])], "mis": [("at random", ["--priorities", "random"])],
        "triangles": [("each vertex", ["--per-vertex"])], "bp": [("", ["--iterations", 20])]}


def traversal_files(b, names):
    return b.prepared({name: TRAVERSALS[name] for name in names}, lambda name: "regions" if CLASS_OF[name] == "road" else "hubs,hubs-weight", "--no-verify")


def structure_files(b):
    return b.prepared(STRUCTURES, "hubs,edge-tiled", "--no-verify")


def timed(b, app, what, file, strategy, *options):
    return b.timed(what, file, strategy, "--app", app, "--device", b.device, *options)


def ways(b, app):
    """Yields (strategy, label, options) for each run of an application. All runs with the same label must
    have the same result."""
    for label, more in MORE.get(app, []) + ([] if app == "bp" else [("", [])]):
        for s in strategies(b.bin, app):
            # These two strategies support only a single core (-k), not all core numbers.
            if app != "kcore" or more or s["name"] not in ("irgl-all", "simd-x"):
                yield s["name"], label, more


def traversals(b):
    """Measures BFS and SSSP with every strategy whose schedule is in the graph's file, from one source, and with the strategy that --strategy auto chooses."""
    add = b.table("traversals", "graph", "application", "strategy", "ms", "× best", "× over serial", "rounds", "launches", "worklist atomics", "registers",
                  "hash")
    choices, files = [], traversal_files(b, TRAVERSALS)
    keys = [(name, app) for name in files for app in ("bfs", "sssp")]
    with pool_of(4) as pool:  # serial reference on the CPU
        serial = dict(zip(keys, pool.map(lambda key: b.execute(files[key[0]], "best", "--app", key[1], "--device", "reference"), keys)))
    # an empty cache, so that auto cannot use the results of tune
    with tempfile.TemporaryDirectory() as cache:
        def alone(of, *options):
            os.environ["XDG_CACHE_HOME"] = os.path.join(cache, of)
            return b.execute(*options)

        for (name, app), reference in serial.items():
            options = ["--app", app, "--device", b.device]
            auto, tuned = alone("auto", files[name], "auto", *options), alone("tune", files[name], "tune", *options, "--tune-seconds", 60, "--tune-presets")
            if not reference or not auto or not tuned:
                continue
            tried = [t for t in tuned["tune"]["tried"] if t["seconds"]]
            least = min(t["seconds"] for t in tried)
            for t in tried:
                add(name, app, t["strategy"], 1e3 * t["seconds"], t["seconds"] / least, reference["median_seconds"] / t["seconds"],
                    *(t[key] for key in ("rounds", "launches", "worklist_atomics", "registers", "result_hash")))
            if len(hashes := {t["result_hash"] for t in tried}) != 1:
                b.fail(f"{app} on {name}: {len(hashes)} results")
            taken = next((t["seconds"] for t in tried if t["strategy"] == auto["strategy"]), None)
            choices.append((name, CLASS_OF[name], app, auto["strategy"], tuned["strategy"], 1e3 * least, taken and taken / least))
        os.environ.pop("XDG_CACHE_HOME", None)
    b.keep("choices", ["graph", "class", "application", "auto", "best", "best ms", "auto × best"], choices)
    print(f"auto within 10 % of the best strategy: {sum(c[6] is not None and c[6] <= 1.1 for c in choices)} of {len(choices)}")


def sources(b):
    """Measures the fastest strategies of BFS and SSSP from 16 sources, by the time of their kernels, including initialisation and reordering of the result."""
    add = b.table("sources", "graph", "application", "strategy", "sources", "median ms", "least ms", "most ms", "G edges/s", "launches", "registers")
    for name, file in traversal_files(b, ("rmat-21", "cnr-2000", "grid-2048", "lattice", "road-NE", "road-NW")).items():
        for app in ("bfs", "sssp"):
            for way in ("regions", "best") if CLASS_OF[name] == "road" else ("hubs" if app == "bfs" else "hubs-weight", "best"):
                if run := timed(b, app, (name, app, way), file, way, "--sources", 16):
                    ms = sorted(1e3 * s["seconds"] for s in run["sources"])
                    add(name, app.upper(), way, len(ms), 1e3 * run["median_seconds"], ms[0], ms[-1], run["teps"]["harmonic_mean"] / 1e9,
                        run["launches"], run["registers"])


def axes(b):
    """Measures the options of rounds over active vertices one at a time: IrGL's load balancing, methods of appending, and fusion of rounds."""
    def each(names, strategy, option, words, *more):
        """Yields (first cells of the row, run, run with the first value of the option) for every graph,
        application and value of the option."""
        for name, file in traversal_files(b, names).items():
            for app in ("bfs", "sssp"):
                first = None
                for word in words:
                    near_far = ["--priority", "near-far"] if option == "--balance" and app == "sssp" else []
                    if run := timed(b, app, (name, app, word), file, strategy, option, word, "--repeat", 3, *more, *near_far):
                        first = first or run
                        yield (name, app, word, 1e3 * run["median_seconds"]), run, first

    add = b.table("balance", "graph", "application", "balance", "ms", "× over serial")
    balances = "serial block warp fine warp+block fine+block fine+warp fine+warp+block".split()
    for begin, run, serial in each(["rmat-22 ef 4"], "irgl-all", "--balance", balances, "--sources", 5):
        add(*begin, serial["median_seconds"] / run["median_seconds"])
    add = b.table("append", "graph", "application", "append", "ms", "worklist atomics", "× fewer than by thread")
    for begin, run, thread in each(["rmat-22 ef 4", "cnr-2000 both ways", "road-NE"], "irgl-outline", "--append", ("thread", "warp", "block")):
        add(*begin, run["worklist_atomics"], thread["worklist_atomics"] / max(1, run["worklist_atomics"]))
    add = b.table("fusion", "graph", "application", "loop", "ms", "rounds", "by ballot", "launches", "registers")
    for begin, run, _ in each(["rmat-20 ef 4", "cnr-2000 both ways", "wordnet", "road-NE"], "simd-x", "--loop", ("host", "fused", "all")):
        add(*begin, len(run["rounds"]), sum(r["filter"] == "ballot" for r in run["rounds"]), run["launches"], run["registers"])


def structures(b):
    """Measures every strategy of the applications that compute a structure of a graph, and checks that all strategies give one result."""
    add = b.table("structures", "graph", "application", "strategy", "ms", "hash")
    for graph, file in structure_files(b).items():
        for app in APPS:
            results = {}
            for name, label, more in ways(b, app):
                if (graph in LARGE and name in ("pull", "irgl-all", "simd-x") and app == "kcore") or (graph, name) == ("grid-2048", "label-simd-x"):
                    continue  # this strategy needs one launch per round, which takes seconds on this graph
                if run := timed(b, app, (graph, app, name, label), file, name, "--repeat", 9, *more):
                    results.setdefault(label, set()).add(run["result_hash"])
                    add(graph, app, f"{name} {label}".strip(), 1e3 * run["seconds"]["execute"], run["result_hash"])
            for label, hashes in results.items():
                if len(hashes) != 1:
                    b.fail(f"{app} {label} on {graph}: {len(hashes)} results")


def meshes(b):
    """Measures the refinement of meshes of random points with every strategy, and checks that deterministic strategies give one mesh."""
    add = b.table("meshes", "points", "strategy", "ms", "hash")
    for points in (250_000, 1_000_000):
        file, hashes = b.path(f"{points}.ele"), set()
        if not os.path.exists(file):
            b.run("lockstep-generate", "mesh", "--points", points, "--seed", 1, "-o", file, "--quiet")
        for s in strategies(b.bin, "dmr"):
            if run := timed(b, "dmr", (points, s["name"]), file, s["name"], "--repeat", 5):
                hashes |= {run["result_hash"]} if s["deterministic"] else set()
                add(points, s["name"], 1e3 * run["seconds"]["execute"], run["result_hash"])
        if len(hashes) > 1:
            b.fail(f"dmr of {points} points: {len(hashes)} meshes")
