#!/usr/bin/env python3
"""Fits the factors of the cost model to a study, and says how well it then predicts.

    tools/fit_model.py --bin BUILD/bin --study FOLDER --probe FILE [--train NAME,…] [--write executor/insight/model_factors.hpp]

FOLDER is that of tools/study.py: NAME.inspect.json and NAME.STRATEGY.jsonl. The terms of each prediction are what
lockstep-recommend gives before any factor. Trained on --train (by default every other graph by name), told of all and, with the
factors built in too, of the others: how many (graph, strategy) pairs are predicted within a factor of 1.5 and of 2, and on how many graphs what would be recommended is the measured best
or within 5 % of it. Factors minimise the sum of |log(predicted / measured)|^1.5, drawn a little to 1.
"""
import argparse
import glob
import json
import math
import os
import statistics
import subprocess
import sys

from strategies import strategies as facts


def measured(path):
    """Median seconds of a sweep, and of building the schedule."""
    with open(path) as f:
        lines = [json.loads(line) for line in f]
    sweeps = [line["seconds"] for line in lines if line["record"] == "sweep"]
    end = [line for line in lines if line["record"] == "end"]
    return statistics.median(sweeps) if sweeps and end else None


def load(options):
    pairs = {}
    for file in sorted(glob.glob(os.path.join(options.study, "*.inspect.json"))):
        graph = os.path.basename(file)[:-len(".inspect.json")]
        command = [os.path.join(options.bin, "lockstep-recommend"), file, "--device", "probe", "--probe", options.probe, "--json", "--quiet"]
        answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for strategy in answer["strategies"]:
            path = os.path.join(options.study, f"{graph}.{strategy['strategy']}.jsonl")
            seconds = measured(path) if os.path.exists(path) else None
            pairs[graph, strategy["strategy"]] = {"terms": {t["name"]: t["raw"] for t in strategy["terms"]}, "now": strategy["seconds"]["sweep"], "measured": seconds,
                                                  "refused": strategy["refused"], "preprocess": strategy["seconds"]["preprocess"]}
    return pairs


def predict(factors, terms):
    return sum(factors.get(name, 1.0) * seconds for name, seconds in terms.items())


def fit(rows):
    names = sorted({name for terms, _ in rows for name in terms})

    def cost(factors):
        miss = sum(abs(math.log(predict(factors, terms) / seconds)) ** 1.5 for terms, seconds in rows)
        return miss + 0.05 * sum(math.log(factors[name]) ** 2 for name in names)

    factors, step = {name: 1.0 for name in names}, 1.0
    best = cost(factors)
    while step > 0.005:
        better = False
        for name in names:
            for times in (math.exp(step), math.exp(-step)):
                tried = dict(factors)
                tried[name] = min(max(factors[name] * times, 0.05), 20)
                if (value := cost(tried)) < best - 1e-9:
                    best, factors, better = value, tried, True
        if not better:
            step /= 2
    return factors


def tell(pairs, predictions, graphs, racing, label):
    ratios = {pair: predictions[pair] / pairs[pair]["measured"] for pair in predictions if pair[0] in graphs and pairs[pair]["measured"]}
    near = {times: sum(1 / times <= r <= times for r in ratios.values()) for times in (1.5, 2)}
    print(f"{label}: " + ", ".join(f"{n} of {len(ratios)} pairs within {times}x ({100 * n / max(1, len(ratios)):.0f} %)" for times, n in near.items()))
    for sweeps in (None, 20):  # a sweep alone; 20 sweeps with building the schedule
        good = told = 0
        for graph in graphs:
            can = [p for p in ratios if p[0] == graph and p[1] not in racing and not pairs[p]["refused"]]
            ran = [p for p in ratios if p[0] == graph and p[1] not in racing]
            if not can:
                continue
            whole = lambda p, seconds: seconds if sweeps is None else pairs[p]["preprocess"] + sweeps * seconds
            chosen = min(can, key=lambda p: whole(p, predictions[p]))
            best = min(ran, key=lambda p: whole(p, pairs[p]["measured"]))
            times = whole(chosen, pairs[chosen]["measured"]) / whole(best, pairs[best]["measured"])
            good, told = good + (times <= 1.05), told + 1
            if times > 1:
                print(f"   {graph}: {chosen[1]} instead of {best[1]}, {times:.2f} times its time")
        print(f"   {'a sweep' if sweeps is None else f'{sweeps} sweeps with preprocessing'}: best or within 5 % on {good} of {told} graphs")
    return ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--study", required=True)
    parser.add_argument("--probe", required=True)
    parser.add_argument("--train", help="graphs to fit to, comma-separated")
    parser.add_argument("--write", help="the header to write the factors to")
    options = parser.parse_args()
    racing = {s["name"] for s in facts(options.bin) if s["races"]}
    pairs = load(options)
    graphs = sorted({graph for graph, _ in pairs})
    train = options.train.split(",") if options.train else graphs[1::2]
    print(f"fitted to {len(train)} of {len(graphs)} graphs: {', '.join(train)}")
    strategies = list(dict.fromkeys(strategy for _, strategy in pairs))
    table, predictions = {}, {}
    for strategy in strategies:
        rows = [(pairs[g, strategy]["terms"], pairs[g, strategy]["measured"]) for g in train if pairs[g, strategy]["measured"] and pairs[g, strategy]["terms"]]
        table[strategy] = fit(rows) if rows else {}
        for graph in graphs:
            predictions[graph, strategy] = predict(table[strategy], pairs[graph, strategy]["terms"])
    for strategy in strategies:
        rest = " ".join(f"{g} {predictions[g, strategy] / pairs[g, strategy]['measured']:.2f}" for g in graphs if pairs[g, strategy]["measured"])
        print(f"{strategy}: {', '.join(f'{n} {v:.2f}' for n, v in table[strategy].items())}\n   {rest}")
    now, others = {p: v["now"] for p, v in pairs.items()}, [g for g in graphs if g not in train]
    tell(pairs, now, graphs, racing, "with the factors built in, all graphs")
    tell(pairs, now, others, racing, "with the factors built in, the graphs not in --train")
    tell(pairs, {p: sum(v["terms"].values()) for p, v in pairs.items()}, graphs, racing, "without factors, all graphs")
    tell(pairs, predictions, train, racing, "fitted, graphs fitted to")
    tell(pairs, predictions, others, racing, "fitted, the other graphs")
    tell(pairs, predictions, graphs, racing, "fitted, all graphs")
    for (graph, strategy), v in sorted(pairs.items()):
        if bool(v["refused"]) == bool(v["measured"]):
            print(f"{graph} {strategy}: {'refused, but ran' if v['refused'] else 'did not run, not refused'}")
    if options.write:
        lines = [f'    {{"{strategy}", "{name}", {value:.3g}}},' for strategy in strategies for name, value in table[strategy].items()]
        with open(options.write) as f:
            head, rest = f.read().split("inline constexpr Factor model_factors[] = {\n")
        with open(options.write, "w") as f:
            f.write(head + "inline constexpr Factor model_factors[] = {\n" + "\n".join(lines) + "\n};" + rest.split("\n};", 1)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
