"""The parts of tools/bench.py that compare the cost model with measurements: fit the model's correction
factors to a study, and compare the predictions of `lockstep-recommend --gpus` for the strategy tiled with
measured and larger sizes."""
import json
import math
import pathlib
import subprocess

from measure.graphs import STUDY
from measure.scale import SIZES
from measure.runner import environment, strategies

DATA = pathlib.Path(__file__).resolve().parents[2] / "docs/data"
# The measurements to which the model's constants for several GPUs are fitted: data file, million edges,
# groups, GPUs.
FITTED = {("devices-300m-h200", 300, 1, 1), ("devices-300m-h200", 300, 4, 1), ("devices-300m-h200", 300, 4, 4), ("groups-h200", 75, 2, 1)}


def search(x, loss, moved, step, least):
    """Returns the result of a pattern search for a minimum of `loss`. It begins with x, and repeatedly moves
    to the best of all moved(x, i, step) and moved(x, i, -step) if it is better than x; otherwise it halves
    the step, until the step is at most `least`."""
    while step > least:
        best = min((moved(x, i, by) for i in range(len(x)) for by in (step, -step)), key=loss)
        x, step = (best, step) if loss(best) < loss(x) - 1e-9 else (x, step / 2)
    return x


def predict(factors, terms):
    return sum(factors.get(name, 1.0) * seconds for name, seconds in terms.items())


def fitted(rows):
    """Fits factors of the model's terms to rows of (terms, measured seconds). The factors minimise the sum of
    |log(predicted / measured)|^1.5 plus a small penalty for differing from 1."""
    names = sorted({name for terms, _ in rows for name in terms})

    def loss(logs):
        factors = dict(zip(names, map(math.exp, logs)))
        return sum(abs(math.log(predict(factors, terms) / seconds)) ** 1.5 for terms, seconds in rows) + 0.05 * sum(log * log for log in logs)

    def moved(logs, i, by):
        return [min(max(log + by * (i == j), math.log(0.05)), math.log(20)) for j, log in enumerate(logs)]

    return dict(zip(names, map(math.exp, search([0.0] * len(names), loss, moved, 1.0, 0.005))))


def pairs_of(b):
    """Returns for each (graph, strategy) of the study in the folder OUT: the prediction of
    lockstep-recommend, its terms without factors, and the measured median time of a sweep."""
    pairs = {}
    for graph, (_, ms, _) in ((name, b.runs[name]) for name in sorted(STUDY) if name in b.runs):
        for told in b.json("lockstep-recommend", b.path(graph + ".inspect.json"), "--device", "probe", "--probe", b.path("probe.json"))["strategies"]:
            pairs[graph, told["strategy"]] = {"terms": {t["name"]: t["raw"] for t in told["terms"]}, "now": told["seconds"]["sweep"],
                                              "refused": told["refused"], "preprocess": told["seconds"]["preprocess"],
                                              "measured": told["strategy"] in ms and ms[told["strategy"]] / 1e3}
    return pairs


def tell(pairs, predictions, graphs, racing, label):
    """Prints how many pairs of graph and strategy are predicted within factors of 1.5 and 2, and on how many
    graphs the strategy with the best prediction is the fastest, or at most 5 % slower."""
    of = {pair: predictions[pair] for pair in predictions if pair[0] in graphs and pairs[pair]["measured"] and predictions[pair]}
    ratios = [seconds / pairs[pair]["measured"] for pair, seconds in of.items()]
    print(f"{label}: " + ", ".join(f"{sum(1 / n <= r <= n for r in ratios)} of {len(ratios)} pairs within {n}x" for n in (1.5, 2)))
    # None: the time of one sweep; 20: the time of building the schedule and of 20 sweeps
    for sweeps in (None, 20):
        def whole(pair, seconds):
            return seconds[pair] if sweeps is None else pairs[pair]["preprocess"] + sweeps * seconds[pair]

        measured, over = {pair: pairs[pair]["measured"] for pair in of}, []
        for graph in graphs:
            ran = [pair for pair in of if pair[0] == graph and pair[1] not in racing]
            if can := [pair for pair in ran if not pairs[pair]["refused"]]:
                chosen, best = min(can, key=lambda pair: whole(pair, of)), min(ran, key=lambda pair: whole(pair, measured))
                over.append(whole(chosen, measured) / whole(best, measured))
                if over[-1] > 1:
                    print(f"   {graph}: {chosen[1]} instead of {best[1]}, {over[-1]:.2f} times its time")
        what = "a sweep" if sweeps is None else f"{sweeps} sweeps with preprocessing"
        print(f"   {what}: best or within 5 % on {sum(o <= 1.05 for o in over)} of {len(over)} graphs")


def fit(b):
    """Fits the cost model's factors to the graphs of --train (default: every other graph) of the study in OUT, and tests them on the other graphs; --write stores them in h200.json."""
    racing, pairs = {s["name"] for s in strategies(b.bin) if s["races"]}, pairs_of(b)
    graphs = sorted({graph for graph, _ in pairs})
    train = b.asked("train", graphs[1::2])
    others, factors = [graph for graph in graphs if graph not in train], {}
    for strategy in dict.fromkeys(strategy for _, strategy in pairs):
        rows = [(pair["terms"], pair["measured"]) for pair in (pairs[g, strategy] for g in train) if pair["measured"] and pair["terms"]]
        factors[strategy] = fitted(rows) if rows else {}
        print(f"{strategy}: {', '.join(f'{name} {factor:.2f}' for name, factor in factors[strategy].items())}")
    print(f"fitted to {len(train)} of {len(graphs)} graphs: {', '.join(train)}")
    for label, seconds in (("with the factors built in", lambda pair, v: v["now"]), ("without factors", lambda pair, v: sum(v["terms"].values())),
                           ("fitted", lambda pair, v: predict(factors[pair[1]], v["terms"]))):
        predictions = {pair: seconds(pair, v) for pair, v in pairs.items()}
        for which, some in (("all graphs", graphs), ("the graphs fitted to", train), ("the other graphs", others)):
            tell(pairs, predictions, some, racing, f"{label}, {which}")
    for (graph, strategy), v in sorted(pairs.items()):
        if bool(v["refused"]) == bool(v["measured"]):
            print(f"{graph} {strategy}: {'refused, but ran' if v['refused'] else 'did not run, not refused'}")
    if b.o.write:
        file = pathlib.Path(b.o.write)
        head, rest = file.read_text().split(' "factors": {\n')
        rounded = {strategy: {name: float(f"{value:.3g}") for name, value in of.items()}
                   for strategy, of in factors.items()}
        lines = [f'  "{strategy}": {json.dumps(of)}' for strategy, of in rounded.items()]
        file.write_text(head + ' "factors": {\n' + ",\n".join(lines) + "\n }" + rest.split("\n }", 1)[1])


def on_gpus(b, rows, cols, edges, gpus, hosts=1, groups=0):
    """Returns the prediction of lockstep-recommend for a graph of which only the sizes are known, not the
    degrees."""
    side = {f"{s}_degree_squares": 0.0 for s in ("row", "col")} | {f"{s}_degree_histogram": [] for s in ("row", "col")}
    sizes = {"rows": rows, "cols": cols, "edges": edges, "max_row_degree": 0, "max_col_degree": 0, "col_reuse": 0.0}
    words = f"- --rank 64 --gpus {gpus} --hosts {hosts} --groups {groups} --json".split()
    graph = json.dumps({"file": "made-up", "graph": sizes | side, "seconds": {"write": 0.0}, "schedules": []})
    return json.loads(subprocess.run([b.program("lockstep-recommend"), *words], input=graph, capture_output=True, text=True, check=True,
                                     env=environment(b.bin)).stdout)


def points():
    """Yields the measurements in docs/data with several GPUs: file, users, items, edges, groups, GPUs, ms."""
    for path in [*sorted(DATA.glob("devices*.json")), DATA / "groups-h200.json", DATA / "processes-2-h200.json", DATA / "scale-h200.json"]:
        data = {"users": 1_000_000, "items": 60_000, "edges": 400_000_000} | json.loads(path.read_text())
        part = next(data["parts"][name] for name in ("processes", "devices", "scale") if name in data["parts"])
        for record in (data | dict(zip(part["columns"], row)) for row in part["rows"]):
            if record.get("data") in SIZES:
                record.update(zip(("users", "items", "edges"), SIZES[record["data"]]))
            if record["GPUs"] and record.get("storage", "fp32") == "fp32" and record.get("on chip", "items") == "items":
                groups = record["groups"] if "groups" in record else int(record["schedule"].split()[0])
                yield path.stem, record["users"], record["items"], record["edges"], groups, record["GPUs"], record["sweep ms"]


def scale_measured(b):
    """Compares the model for several GPUs with every measurement of tiled in groups in docs/data, at rank 64 in single precision."""
    add, off = b.table("scale", "data", "ratings", "groups", "GPUs", "measured", "model", "off", "which is"), []
    for file, users, items, edges, groups, gpus, found in points():
        said = 1000 * on_gpus(b, users, items, edges, gpus, groups=groups)["sweep_seconds"]
        predicted = (file, edges // 10**6, groups, gpus) not in FITTED
        off += [abs(round(100 * (said / found - 1)))] if predicted else []
        add(file, f"{edges // 10**6} M", groups, gpus, f"{found:.1f}", f"{said:.1f}", f"{100 * (said / found - 1):+.0f} %",
            "predicted" if predicted else "fitted")
    print(f"{sum(o <= 15 for o in off)} of {len(off)} predicted within 15 %, {sum(o <= 10 for o in off)} within 10 %")


def scale_fit(_):
    """Fits the constants of the model for several GPUs (executor/insight/scale.cpp) to the measurements in FITTED, by least squares of the logarithms."""
    def seconds(x, users, edges, groups, gpus):
        work = math.hypot(edges * x[0] * 1e-9, users * groups * 132 * 512 / (x[1] * 1e12)) / gpus
        return work * (1 + x[2] * (1 - 1 / gpus)) + (gpus > 1) * groups * (26e-6 + users / groups * 256 / 393e9)

    chosen = [(users, edges, groups, gpus, ms) for file, users, _, edges, groups, gpus, ms in points() if (file, edges // 10**6, groups, gpus) in FITTED]
    x = search([0.1, 5.0, 0.2], lambda x: sum(math.log(1000 * seconds(x, *point) / ms) ** 2 for *point, ms in chosen),
               lambda x, i, by: [v * (1 + by * (i == j)) for j, v in enumerate(x)], 0.5, 1e-4)
    print(f"edge {x[0]:.3f} ns, visits {x[1]:.2f} TB/s, wait {x[2]:.2f}")


def size(value):
    unit, scale = next(((u, s) for u, s in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)) if value >= s), ("B", 1))
    return f"{value / scale:.3g} {unit}"


def scale_beyond(b):
    """Predicts the times of tiled for more GPUs, hosts and edges than were measured."""
    add = b.table("beyond", "edges", "GPUs", "hosts", "groups", "laps", "seconds", "edges", "phases", "waiting", "links", "copies", "speedup", "vectors", "streams")
    for exponent in (9, 10, 11, 12):
        edges = 10**exponent
        for gpus, hosts in ((1, 1), (8, 1), (64, 8), (1024, 128)):
            of = on_gpus(b, edges // 400, min(10_000_000, edges // 6_667), edges, gpus, hosts)
            shares = {name: f"{100 * seconds / of['sweep_seconds']:.0f} %" for name, seconds in of["seconds"].items()}
            add(f"1e{exponent}", gpus, hosts, of["groups"], of["laps"], f"{of['sweep_seconds']:.3g}", *(shares[part] for part in ("edges", "phases", "waiting", "links")),
                shares["copies"] if of["streamed"] else "-", f"{of['one_gpu_seconds'] / of['sweep_seconds']:.2f}",
                size(of["vector_bytes_each"]) + ("" if of["fits"] else " !"), size(of["stream_bytes_each"]))
