"""The parts of tools/bench.py that repeat the measurements of two papers on rounds over active vertices:
warp-based BFS (PPoPP 2011) and SIMD-X (ATC 2019)."""
from measure.graphs import BOTH_WAYS, CLASS_OF, FILTERED, WARP_BASED, WEBS
from measure.runner import pool_of, seconds_of

GROUPS = {1: "serial", 2: "sub-warp:2", 4: "sub-warp:4", 8: "sub-warp:8", 16: "sub-warp:16", 32: "warp"}
DEFER, CHUNK = 512, 128
SCAN = ["--active", "scan", "--filter", "none", "--direction", "push", "--loop", "host"]


def warp_based(b):
    """Measures the forms of warp-based BFS, their combinations, thresholds and chunks, relative to a serial BFS, on four graphs like those of the paper."""
    add = b.table("warp-based", "graph", "form", "lanes", "defer", "chunk", "ms", "× over serial", "launches", "hash")
    both = [(defer, chunk) for defer in (0, DEFER) for chunk in (0, CHUNK)]
    forms = [("hn", 1, 0, 0)] + [("form", lanes, *more) for lanes in GROUPS for more in (both if lanes in (1, 8, 32) else both[:1])]
    forms += [("threshold", 32, defer, 0) for defer in (64, 2048, 8192)] + [("chunk", 32, 0, chunk) for chunk in (32, 1024)]
    for name, (given, read) in WARP_BASED.items():
        file = b.source(name, given, read)
        options = [*read.split(), "--app", "bfs", "--sources", 3, "--lock", b.path("lock")]
        serial, hashes = file and b.execute(file, "best", *options, "--device", "reference"), set()

        def run(form):
            what, lanes, defer, chunk = form
            axes = [*SCAN, "--balance", GROUPS[lanes], "--defer", defer, "--chunk", chunk]
            return b.execute(file, *(["hn"] if what == "hn" else ["baseline", *axes]), *options, "--device", b.device, "--repeat", 3)

        with pool_of(5) as pool:  # the runs read their files in parallel, but traverse one after another
            for form, done in zip(forms, pool.map(run, forms)) if serial else []:
                if done:
                    hashes.add(done["result_hash"])
                    add(name, *form, 1e3 * done["median_seconds"], serial["median_seconds"] / done["median_seconds"], done["launches"], done["result_hash"])
        if hashes and hashes != {serial["result_hash"]}:
            b.fail(f"warp-based on {name}: {len(hashes)} results")


def ranges(numbers):
    """Returns ascending integers as text, with ranges: "1-3, 7"; "none" if there are none."""
    found = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found) or "none"


ASKED = {"bfs": ["--sources", 3], "sssp": ["--sources", 3], "kcore": ["--k", 16]}
FORMS = {
    "filter": [("ballot", ["--filter", "ballot"]), ("online", ["--filter", "online"]),
               *((f"jit:{n}", ["--filter", f"jit:{n}"]) for n in (1, 4, 16, 64, 256)),
               ("append", ["--filter", "append", "--append", "warp"])],
    "lists": [(f"{active} {loop}", ["--active", active, "--loop", loop])
              for active in ("list", "lists") for loop in ("host", "fused", "all")],
    # All forms use the same filter, so that they differ only in the method of combining.
    "combine": [(f"{combine} {balance}", ["--direction", "pull", "--combine", combine, "--active", "list",
                                          "--balance", balance, "--filter", "ballot"])
                for balance in ("warp", "block") for combine in ("lanes", "atomics")]}


def filtered(b, name, file):
    """Returns the rows of the table `filters` for one graph."""
    rows, road, large = [], CLASS_OF.get(name) == "road", name not in CLASS_OF
    for app, asked in ASKED.items():
        undirected = FILTERED[name][1] == BOTH_WAYS
        if app == "kcore" and (road or not undirected) or app == "sssp" and large:
            continue  # road networks have no such core, and cores are defined only for undirected graphs
        for what, forms in FORMS.items():
            if what == "combine" and road or what != "filter" and large:
                continue  # omitted, since it would take thousands of rounds over all vertices

            def run(form):
                return b.execute(file, "simd-x", "--app", app, "--device", b.device, "--lock", b.path("lock"),
                                 "--repeat", b.asked("repeats", 3), *asked, *form[1])

            with pool_of(5) as pool:
                done = list(pool.map(run, forms))
            for (form, _), found in zip(forms, done):
                if not found:
                    continue
                rounds = found.get("each_round", found["rounds"])  # for k-core, "rounds" is the number of rounds
                ballot = [i for i, r in enumerate(rounds, 1) if r["filter"] == "ballot"]
                rows.append([name, app, what, form, 1e3 * seconds_of(found), len(rounds), len(ballot),
                             f"{ranges(ballot)} of {len(rounds)}", sum(r["direction"] == "pull" for r in rounds),
                             found["launches"], found["worklist_atomics"], found["registers"],
                             found["result_hash"]])
    return rows


def filters(b):
    """Measures the options of SIMD-X: filters and bins, one list or three, fused kernels and their registers, and pulls that combine values or use atomic operations."""
    add = b.table("filters", "graph", "application", "what", "form", "ms", "rounds", "by ballot",
                  "ballot rounds", "pulls", "launches", "worklist atomics", "registers", "hash")
    wanted = {name: graph for name, graph in FILTERED.items() if name in b.asked("sets", FILTERED)}
    for name, file in b.prepared(wanted, "degree", "--no-verify").items():
        rows = b.kept(f"filters {name}", lambda: filtered(b, name, file))
        for row in rows:
            add(*row)
        for app in ASKED:
            if len({row[-1] for row in rows if row[1] == app}) > 1:
                b.fail(f"filters, {app} on {name}: more than one result")
    b.about = (f"SIMD-X: filters, lists, fusion, combining; medians of {b.asked('repeats', 3)} runs, "
               "of BFS and SSSP from each of 3 sources, of which the median counts")


def fused_arcs(b):
    """Measures PageRank and belief propagation as in SIMD-X: with all rounds in one kernel launch, and with one launch per round."""
    add = b.table("fused-arcs", "graph", "application", "strategy", "rounds a launch", "ms", "× over one", "hash")
    graphs = {name: WEBS[name] for name in ("cnr-2000", "wordnet", "road-NE", "rmat-21", "grid")}
    for name, file in b.prepared(graphs, "edge-tiled", "--no-verify").items():
        for app in ("pagerank", "bp"):
            for strategy in ("pull-nodiv", "edge-tiled") if app == "pagerank" else ("edge-tiled",):
                one = None
                for rounds in (1, 0):
                    if run := b.timed((name, app, strategy, rounds), file, strategy, "--app", app, "--device", b.device, "--iterations", 30, "--repeat", 9,
                                      "--launch-rounds", rounds):
                        seconds = run["seconds"]["execute"]
                        one = one or seconds
                        add(name, app, strategy, "one" if rounds else "all", 1e3 * seconds, one / seconds, run["result_hash"])
