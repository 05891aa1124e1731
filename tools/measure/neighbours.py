"""The parts of tools/bench.py that measure PageRank as in its paper (Verstraaten, Varbanescu and de Laat:
neighbour iteration strategies), and check whether the paper's work models rank the strategies correctly.

lockstep-bench runs all variants on a graph in one program. Times are those of the rounds, without transfers.
--repeats is the number of runs, and --average is the method of averaging them. If the runs of a variant would
take more than --all-within seconds, it has only as many runs as fit in one second."""
import statistics

from measure.graphs import NEIGHBOURS, WEBS

# Strategies with their own work model. edge-aos and the virtual warps use the same models as these.
SOURCES = ("push", "pull", "pull-nodiv", "edge-soa")


def swept(b, name, graphs, part, build=None):
    """Returns the results of lockstep-bench for a graph, from this call or an earlier one. So separate calls
    for each graph of --sets give the same data as one call for all."""
    given, read = graphs[name]
    source, how = b.source(name, given, read), ["--part", part, "--iterations", b.asked("iterations", 30), "--runs", b.asked("repeats", 30)]
    if part == "variants" and b.o.all_within:
        how += ["--all-within", b.o.all_within]
    key = " ".join(map(str, [name, given, read, *how, build or b.revision, b.device]))
    if key in b.runs or not source:
        return b.runs.get(key)
    found = b.json("lockstep-bench", source, *read.split(), *how, build=build)
    return found and b.kept(key, lambda: found)


def ms_of(b, run):
    return 1e3 * getattr(statistics, b.o.average)(run["seconds"])


def deviation(seconds):
    """Returns the standard deviation of the runs relative to their mean; None if there is only one run."""
    return statistics.stdev(seconds) / statistics.mean(seconds) if len(seconds) > 1 else None


def pagerank(b):
    """Measures every variant of PageRank with both kinds of sums and in both vertex orders, the time of a memory access, and how well the work models rank the variants."""
    b.about = (f"PageRank, {b.asked('iterations', 30)} iterations, {b.o.average} of {b.asked('repeats', 30)} runs or, where these take more than "
               f"{max(1, b.o.all_within):g} s, of those that fit in one second; transfers left out; generated graphs with seed 1")
    add = b.table("pagerank", "graph", "variant", "order", "sums", "ms", "of worst", "G edges/s", "of copy", "runs", "deviation", "off")
    found = {}
    for name in b.asked("sets", NEIGHBOURS):
        runs = [swept(b, name, NEIGHBOURS, "variants", None if build == b.bin else build) for build in b.builds]
        if not all(runs):
            continue
        found[name], table = runs[0], runs[0]["table"]
        worst = {sums: max(ms_of(b, r) for r in table if r["sums"] == sums) for sums in ("exact", "float")}
        for r in table:
            ms, least = ms_of(b, r), r["work_of_vertices"]["bytes"] + r["work_of_edges"]["bytes"]
            a_second, copy = 1e3 * runs[0]["rounds"] / ms, runs[0]["copy_bytes_per_second"]
            add(name, r["strategy"], r["order"], r["sums"], ms, ms / worst[r["sums"]], runs[0]["edges"] * a_second / 1e9,
                least * a_second / copy if copy else None, len(r["seconds"]), deviation(r["seconds"]), r["off"])
        for r, other in zip(table, runs[1]["table"] if len(runs) > 1 else []):
            beside = "racing" if r["sums"] == "float" else "same" if r["hash"] == other["hash"] else "another"
            b.pairs.append([f"{name} {r['strategy']} {r['order']} {r['sums']}", ms_of(b, r), ms_of(b, other), ms_of(b, r) / ms_of(b, other), beside])
    accesses(b, found)
    models(b, found)
    if b.pairs:
        b.keep("beside", ["run", "ms", "ms of the other build", "ratio", "result"], b.pairs)


def accesses(b, found):
    names = ("read_in_order", "write_in_order", "read", "write", "add_float", "add_whole")
    add = b.table("accesses", "graph", "vertices", "arcs", "largest in-degree", "largest out-degree", *(f"{name.replace('_', ' ')}, ns" for name in names))
    for name, run in found.items():
        add(name, run["vertices"], run["edges"], run["largest_in_degree"], run["largest_out_degree"], *(1e9 * run["accesses"][access] for access in names))


def predicted(run, r):
    """Returns the time of a round in seconds that two models predict: the model of the paper, in which every
    access is random; and a model in which accesses by vertex are in order, and vertices do not add atomically
    to the counters of a round."""
    cost, vertices, edges = run["accesses"], r["work_of_vertices"], r["work_of_edges"]
    add = cost["add_float" if r["sums"] == "float" else "add_whole"]
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


def models(b, found):
    """Adds a row for each graph, vertex order and kind of sums: the correlation of predicted and measured
    ranks, for the paper's four models and for all strategies, and the best strategy by prediction and by
    measurement."""
    add = b.table("models", "graph", "order", "sums", "strategies", "model", "rank correlation", "predicted best", "measured best", "right", "× best")
    for name, run in found.items():
        for order in ("given", "degree"):
            for sums in ("exact", "float"):
                rows = [r for r in run["table"] if r["sums"] == sums and r["order"] in (order, "own")]
                for which, some in (("source", [r for r in rows if r["strategy"] in SOURCES]), ("all", rows)):
                    measured = [ms_of(b, r) for r in some]
                    best = min(range(len(some)), key=measured.__getitem__)
                    for model, seconds in zip(("all random", "vertices in order"), zip(*(predicted(run, r) for r in some))):
                        # Virtual warps have the same predicted work as single threads.
                        least = [i for i in range(len(some)) if seconds[i] == min(seconds)]
                        taken = min(measured[i] for i in least)
                        add(name, order, sums, which, model, correlation(seconds, measured), " ".join(some[i]["strategy"] for i in least),
                            some[best]["strategy"], "yes" if best in least else "no", taken / measured[best])
    rows = [dict(zip(b.parts["models"]["columns"], row)) for row in b.parts["models"]["rows"]]
    for which in ("source", "all"):
        for model in ("all random", "vertices in order"):
            some = [r for r in rows if (r["strategies"], r["model"]) == (which, model)]
            ranked = [r["rank correlation"] for r in some if r["rank correlation"] is not None]
            if ranked:
                print(f"{which}, {model}: the best in {sum(r['right'] == 'yes' for r in some)} of {len(some)}, "
                      f"median rank correlation {statistics.median(ranked):.2f}")


def warp_shapes(b):
    """Measures every size of a virtual warp and every chunk (section 4.1 of the paper on PageRank), in the given vertex order, with one program per graph."""
    add = b.table("warp-shapes", "graph", "variant", "warp size", "chunk", "ms")
    for name in b.asked("sets", WEBS):
        found = swept(b, name, WEBS, "warp-shapes")
        for shape in found["table"] if found else []:
            add(name, shape["strategy"], shape["warp_size"], shape["chunk"], ms_of(b, shape))
