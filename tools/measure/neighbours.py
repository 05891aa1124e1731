"""The parts of tools/bench.py that measure PageRank as in its paper (Verstraaten, Varbanescu and de Laat:
neighbour iteration strategies), and check whether the paper's work models rank the strategies correctly.

Times are those of the rounds, without transfers. --repeats is the number of runs, and --average is
the method of averaging them. If the runs of a variant would take more than --all-within seconds (at
least 1), it has only as many runs as fit in one second."""
import itertools
import math
import pathlib
import statistics

from measure.graphs import NEIGHBOURS, WEBS
from measure.runner import strategies

# Strategies with their own work model. edge-aos and the virtual warps use the same models as these.
SOURCES = ("push", "pull", "pull-nodiv", "edge-soa")
SCHEDULES = "degree,edge-tiled"
# Sizes and chunks of virtual warps
SHAPES = [(2 ** i, chunk) for i in range(7) for chunk in range(1, 11)]


def repeated(b, file, strategy, *how, build=None):
    """Returns a run of PageRank with the seconds of each repeat, from this call or an earlier one. The
    head of this file explains the number of repeats. A repeat before these, which includes the start-up
    of the device, is left out."""
    iterations = b.asked("iterations", 30)
    how = ["--app", "pagerank", "--device", b.device, "--iterations", iterations, *how]
    repeats, within = b.asked("repeats", 30), max(1, b.o.all_within)
    whose = b.revision if build in (None, b.bin) else build
    key = " ".join(map(str, [file, strategy, *how, repeats, within, whose]))
    if key in b.runs:
        return b.runs[key]
    trial = b.execute(file, strategy, *how, "--repeat", 2, build=build)
    if trial is None:
        return None
    seconds = trial["run_seconds"][1]
    count = repeats if repeats * seconds <= within else min(repeats, math.ceil(1 / seconds))
    found = b.execute(file, strategy, *how, "--repeat", count + 1, build=build)
    if found is None:
        return None
    facts = {name: found[name] for name in ("result_hash", "work", "edges", "device")}
    return b.kept(key, lambda: {**facts, "run_seconds": found["run_seconds"][1:]})


def variants(b, file, build):
    """Returns a run of every strategy with both kinds of sums, in both vertex orders if it needs no
    schedule, as {(strategy, order, sums): run}. Checks that exact sums have one result."""
    found = {}
    for strategy in strategies(b.bin, "pagerank"):
        for order in ("own",) if strategy["schedule"] else ("given", "degree"):
            for sums in ("exact", "float"):
                words = ["--sums", sums, *(["--order", order] if order != "own" else [])]
                run = repeated(b, file, strategy["name"], *words, build=build)
                if run:
                    found[strategy["name"], order, sums] = run
    if len({run["result_hash"] for (*_, sums), run in found.items() if sums == "exact"}) > 1:
        b.fail(f"{file}: the strategies of PageRank have several results")
    return found


def ms_of(b, run):
    return 1e3 * getattr(statistics, b.o.average)(run["run_seconds"])


def deviation(seconds):
    """Returns the standard deviation of the runs relative to their mean; None if there is only one run."""
    return statistics.stdev(seconds) / statistics.mean(seconds) if len(seconds) > 1 else None


def pagerank(b):
    """Measures every variant of PageRank with both kinds of sums and in both vertex orders, the time of a memory access, and how well the work models rank the variants."""
    b.about = (f"PageRank, {b.asked('iterations', 30)} iterations, {b.o.average} of {b.asked('repeats', 30)} runs or, where these take more than "
               f"{max(1, b.o.all_within):g} s, of those that fit in one second; transfers left out; generated graphs with seed 1")
    add = b.table("pagerank", "graph", "variant", "order", "sums", "ms", "of worst", "G edges/s", "of copy", "runs", "deviation")
    found = {}  # {graph: {variant: run}}
    files = b.prepared(NEIGHBOURS, SCHEDULES)
    for name, file in files.items():
        found[name], *others = [variants(b, file, build) for build in b.builds]
        worst = {}
        for (*_, sums), run in found[name].items():
            worst[sums] = max(worst.get(sums, 0), ms_of(b, run))
        for variant, run in found[name].items():
            ms, copy = ms_of(b, run), run["device"].get("copy_bytes_per_second")
            a_second = 1e3 * b.asked("iterations", 30) / ms
            of_copy = run["work"]["bytes"] * a_second / copy if copy else None
            add(name, *variant, ms, ms / worst[variant[2]], run["edges"] * a_second / 1e9, of_copy,
                len(run["run_seconds"]), deviation(run["run_seconds"]))
        for variant, other in others[0].items() if others else []:
            mine = found[name].get(variant, other)
            same = "same" if mine["result_hash"] == other["result_hash"] else "another"
            ms, ms_of_other = ms_of(b, mine), ms_of(b, other)
            b.pairs.append([" ".join((name, *variant)), ms, ms_of_other, ms / ms_of_other,
                            "racing" if variant[2] == "float" else same])
    models(b, found, accesses(b, files))
    if b.pairs:
        b.keep("beside", ["run", "ms", "ms of the other build", "ratio", "result"], b.pairs)


def accesses(b, files):
    """Adds a row for each graph: the seconds of an access to an array with one element per vertex.
    Returns these rows as {graph: accesses, with the number of vertices}."""
    names = ("read_in_order", "write_in_order", "read", "write", "add_float", "add_whole")
    add = b.table("accesses", "graph", "vertices", "arcs", "largest in-degree", "largest out-degree", *(f"{name.replace('_', ' ')}, ns" for name in names))
    found = {}
    for name, file in files.items():
        graph = b.record(file)
        cost = b.json("lockstep-probe", "--device", b.device, "--accesses", graph["rows"])
        if cost:
            found[name] = cost | {"vertices": graph["rows"]}
            sizes = [graph[key] for key in ("rows", "edges", "max_col_degree", "max_row_degree")]
            add(name, *sizes, *(1e9 * cost[access] for access in names))
    return found


def work_of_vertices(b):
    """Returns the work of an iteration per vertex as {strategy: work}: that of a graph with one vertex
    and no arc."""
    source, file = b.path("one-vertex.mtx"), b.path("one-vertex.h5")
    pathlib.Path(source).write_text("%%MatrixMarket matrix coordinate pattern general\n1 1 0\n")
    b.run("lockstep-preprocess", source, "-o", file, "--force", "--quiet", "--shape", "square",
          "--schedule", SCHEDULES)
    return {s["name"]: b.execute(file, s["name"], "--app", "pagerank", "--device", "cpu")["work"]
            for s in strategies(b.bin, "pagerank")}


def predicted(cost, run, per_vertex, sums):
    """Returns the time of a round in seconds that two models predict: the model of the paper, in which every
    access is random; and a model in which accesses by vertex are in order, and vertices do not add atomically
    to the counters of a round."""
    vertices = {kind: cost["vertices"] * count for kind, count in per_vertex.items()}
    edges = {kind: run["work"][kind] - count for kind, count in vertices.items()}
    add = cost["add_float" if sums == "float" else "add_whole"]
    along = edges["reads"] * cost["read"] + edges["writes"] * cost["write"] + edges["atomics"] * add
    return (along + vertices["reads"] * cost["read"] + vertices["writes"] * cost["write"] + vertices["atomics"] * add,
            along + vertices["reads"] * cost["read_in_order"] + vertices["writes"] * cost["write_in_order"])


def places(values):
    """Returns the rank of each value among all values, from 1. Equal values get the mean of their ranks."""
    return [sum(other < value for other in values) + (1 + sum(other == value for other in values)) / 2 for value in values]


def correlation(a, b):
    """Returns Spearman's rank correlation, with ties; None if all values of a side are equal."""
    a, b = places(a), places(b)
    return statistics.correlation(a, b) if len(set(a)) > 1 and len(set(b)) > 1 else None


def models(b, found, costs):
    """Adds a row for each graph, vertex order and kind of sums: the correlation of predicted and measured
    ranks, for the paper's four models and for all strategies, and the best strategy by prediction and by
    measurement."""
    add = b.table("models", "graph", "order", "sums", "strategies", "model", "rank correlation", "predicted best", "measured best", "right", "× best")
    per_vertex = work_of_vertices(b)
    for name, order, sums in itertools.product(costs, ("given", "degree"), ("exact", "float")):
        runs = {variant: run for (variant, of, kind), run in found[name].items()
                if kind == sums and of in (order, "own")}
        for which, some in (("source", [v for v in runs if v in SOURCES]), ("all", list(runs))):
            measured = [ms_of(b, runs[v]) for v in some]
            best = min(range(len(some)), key=measured.__getitem__)
            both = zip(*(predicted(costs[name], runs[v], per_vertex[v], sums) for v in some))
            for model, seconds in zip(("all random", "vertices in order"), both):
                # Virtual warps have the same predicted work as single threads.
                least = [i for i in range(len(some)) if seconds[i] == min(seconds)]
                taken = min(measured[i] for i in least)
                add(name, order, sums, which, model, correlation(seconds, measured),
                    " ".join(some[i] for i in least), some[best], "yes" if best in least else "no",
                    taken / measured[best])
    rows = [dict(zip(b.parts["models"]["columns"], row)) for row in b.parts["models"]["rows"]]
    for which in ("source", "all"):
        for model in ("all random", "vertices in order"):
            some = [r for r in rows if (r["strategies"], r["model"]) == (which, model)]
            ranked = [r["rank correlation"] for r in some if r["rank correlation"] is not None]
            if ranked:
                print(f"{which}, {model}: the best in {sum(r['right'] == 'yes' for r in some)} of {len(some)}, "
                      f"median rank correlation {statistics.median(ranked):.2f}")


def warp_shapes(b):
    """Measures every size of a virtual warp and every chunk (section 4.1 of the paper on PageRank), in the given vertex order; only on a GPU."""
    add = b.table("warp-shapes", "graph", "variant", "warp size", "chunk", "ms")
    for name, file in b.prepared(WEBS, SCHEDULES).items():
        results = set()
        names = [s["name"] for s in strategies(b.bin, "pagerank") if s["name"].endswith("-warp")]
        for strategy in names:
            for size, chunk in SHAPES:
                run = repeated(b, file, strategy, "--warp-size", size, "--chunk", chunk)
                if run:
                    results.add(run["result_hash"])
                    add(name, strategy, size, chunk, ms_of(b, run))
        if len(results) > 1:
            b.fail(f"{name}: the shapes of virtual warps have several results")
