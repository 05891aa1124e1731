#!/usr/bin/env python3
"""Draws the pictures of what tools/bench.py measured:

    docs/pictures/measured.py docs/data/pagerank-h200.json docs/data/pagerank-shapes-h100.json docs/data/model-xeon.json docs/data/hybrids-h200.json

The parts of a file say which: of pagerank the figures of its source, pagerank-variants.svg (1: the time of each variant over that of the worst on the
graph, as given) and pagerank-sorted.svg (2: in order of degree over that in the given order); of warp-shapes a map of sizes x chunks of virtual warps;
of curves both programs' test errors by sweep; of hybrids figure 8 of Kaleem et al., study-hybrids.svg.
"""
import itertools
import json
import math
import pathlib
import statistics
import sys

from draw import COLOURS, Picture


def rows_of(part):
    return [dict(zip(part["columns"], row)) for row in part["rows"]]


def distinct(rows, column):
    return list(dict.fromkeys(row[column] for row in rows))


def dots(title, note, values, ticks, name):
    """A line a graph, a dot a variant; `values` by graph and variant, along a logarithmic axis."""
    left, top, width, row, low, high = 130, 84, 640, 30, ticks[0], ticks[-1]
    variants = list(dict.fromkeys(v for of_graph in values.values() for v in of_graph))
    colour = dict(zip(variants, COLOURS))
    p = Picture(left + width + 40, top + row * len(values) + 60, title)
    for i, variant in enumerate(variants):
        x, y = left + 165 * (i % 4), 24 + 22 * (i // 4)
        p.add(f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{colour[variant]}"/>')
        p.text(x + 12, y, variant, "small")
    place = lambda value: left + width * math.log(value / low) / math.log(high / low)
    bottom = top + row * len(values)
    for tick in ticks:
        p.line(f"{place(tick):.1f}", top - 8, f"{place(tick):.1f}", bottom, 'class="grid"')
        p.text(f"{place(tick):.1f}", bottom + 18, f"{tick:g}", "small faint middle")
    for j, (graph, of_graph) in enumerate(values.items()):
        y = top + row * j + row / 2
        p.text(10, y + 4, graph, "small")
        p.line(left, y, left + width, y, 'class="grid"')
        for variant, value in of_graph.items():
            p.add(f'<circle cx="{place(min(max(value, low), high)):.1f}" cy="{y}" r="5" fill="{colour[variant]}" fill-opacity=".85">'
                  f"<title>{graph}, {variant}: {value:.3g}</title></circle>")
    p.text(10, bottom + 42, note, "small faint")
    p.save(name)


def pagerank(parts):
    given, sorted_ = {}, {}
    for r in rows_of(parts["pagerank"]):
        if r.get("sums") == "float":
            continue
        {"given": given, "degree": sorted_}.get(r["order"], {}).setdefault(r["graph"], {})[r["variant"]] = r["ms"]
    worst = {g: {v: t / max(of_graph.values()) for v, t in of_graph.items()} for g, of_graph in given.items()}
    dots("Time of each variant of PageRank over the worst on its graph",
         "Time over that of the slowest variant on the graph, as given (figure 1 of the source). Left is faster.",
         worst, (0.001, 0.01, 0.1, 1), "pagerank-variants.svg")
    ratio = {g: {v: sorted_[g][v] / t for v, t in of_graph.items() if v in sorted_[g]} for g, of_graph in given.items()}
    dots("Time of PageRank in order of degree over that in the given order",
         "Time with the vertices in order of degree over that in the given order (figure 2 of the source). Left of 1 sorting helps.",
         ratio, (0.5, 1, 2, 4, 8), "pagerank-sorted.svg")


def warp_shapes(parts):
    """A panel a graph and variant: the darker the slower, over the best shape of the panel, which is ringed."""
    rows = rows_of(parts["warp-shapes"])
    graphs, variants = distinct(rows, "graph"), distinct(rows, "variant")
    sizes, chunks = sorted(distinct(rows, "warp size")), sorted(distinct(rows, "chunk"))
    left, cell, across, down = 44, 16, 92, 34  # the gaps between panels
    width, height = cell * len(chunks), cell * len(sizes)
    p = Picture(left + len(variants) * (width + across), 50 + len(graphs) * (height + down), "Time of PageRank by size and chunk of virtual warps")
    for (j, graph), (i, variant) in itertools.product(enumerate(graphs), enumerate(variants)):
        x0, y0 = left + i * (width + across), 50 + j * (height + down)
        panel = [r for r in rows if (r["graph"], r["variant"]) == (graph, variant)]
        best = min(r["ms"] for r in panel)
        p.text(x0, y0 - 6, f"{graph}, {variant}: {best:.3g} ms", "small")
        for r in panel:
            x, y = x0 + cell * chunks.index(r["chunk"]), y0 + cell * sizes.index(r["warp size"])
            shade = min(1.0, math.log(r["ms"] / best) / math.log(8))
            ring = ' stroke="#c9504b" stroke-width="2"' if r["ms"] == best else ""
            p.add(f'<rect x="{x}" y="{y}" width="{cell - 1}" height="{cell - 1}" fill="{COLOURS[0]}" fill-opacity="{0.08 + 0.92 * shade:.2f}"{ring}>'
                  f'<title>{r["warp size"]} x {r["chunk"]}: {r["ms"]:.3g} ms</title></rect>')
        for size in sizes if i == 0 else []:
            p.text(x0 - 28, y0 + cell * sizes.index(size) + 12, size, "small faint")
    p.text(10, 20, "Down: threads of a virtual warp. Across: chunk, 1 to 10 warps of vertices. Darker: slower, to 8 times the best, which is ringed.",
           "small faint")
    p.save("pagerank-warp-shapes.svg")


def nice_ticks(low, high):
    """Three to six round numbers between two, and the decimals that they need."""
    step = next(s for e in range(-6, 6) for s in (10.0 ** e, 2 * 10.0 ** e, 5 * 10.0 ** e) if (high - low) / s <= 5)
    return [step * n for n in range(math.ceil(low / step), math.floor(high / step) + 1)], max(0, -math.floor(math.log10(step) + 1e-9))


def curves(parts):
    """A panel a data set, a column a rank: both programs' errors by sweep, and the biases alone."""
    best_of, curves_of = rows_of(parts["best"]), rows_of(parts["curves"])
    names, ranks, colours, sweeps = distinct(best_of, "data"), distinct(best_of, "rank"), {"Lockstep": COLOURS[0], "LIBMF": COLOURS[1]}, 60
    width, height, left, top, gap_x, gap_y = 250, 130, 120, 66, 46, 54
    p = Picture(left + len(ranks) * (width + gap_x), top + len(names) * (height + gap_y), "Test error by sweep of Lockstep and LIBMF")
    for i, (program, note) in enumerate((("Lockstep", "lockstep-train at its defaults"), ("LIBMF", "the best of its grid"))):
        p.line(left + 300 * i, 20, left + 300 * i + 24, 20, f'stroke="{colours[program]}" stroke-width="2.5"')
        p.text(left + 300 * i + 32, 25, f"{program}, {note}", "small")
    p.line(left + 600, 20, left + 624, 20, 'class="line" stroke-dasharray="5 4"')
    p.text(left + 632, 25, "biases alone", "small")
    for j, name in enumerate(names):
        best = [row for row in best_of if row["data"] == name]
        low, high = min(min(row["Lockstep"], row["LIBMF"]) for row in best), max(max(row["biases alone"], row["LIBMF"]) for row in best)
        low, high = low - 0.15 * (high - low), high + 0.6 * (high - low)
        ticks, decimals = nice_ticks(low, high)
        for i, rank in enumerate(ranks):
            x0, y0 = left + i * (width + gap_x), top + j * (height + gap_y)
            place = lambda sweep, rmse: (x0 + width * sweep / sweeps, y0 + height * (high - rmse) / (high - low))
            p.rect(x0, y0, width, height, 'class="grid"', 0)
            p.text(x0, y0 - 8, f"{name}, rank {rank}" if i == 0 else f"rank {rank}", "small")
            y = place(0, next(row["biases alone"] for row in best if row["rank"] == rank))[1]
            p.line(x0, f"{y:.1f}", x0 + width, f"{y:.1f}", 'class="line" stroke-dasharray="5 4"')
            for tick in ticks if i == 0 else []:
                p.text(x0 - 44, f"{place(0, tick)[1] + 4:.1f}", f"{tick:.{decimals}f}", "small faint")
            for sweep in (0, 20, 40, 60):
                p.text(f"{place(sweep, 0)[0]:.1f}", y0 + height + 16, sweep, "small faint middle")
            for row in (row for row in curves_of if (row["data"], row["rank"]) == (name, rank)):
                curve = {sweep: rmse for sweep, rmse in enumerate(row["test RMSE by sweep, from 0"][:sweeps + 1]) if rmse is not None}
                inside = [sweep for sweep, rmse in curve.items() if rmse < high]
                points = " ".join("{:.1f},{:.1f}".format(*place(sweep, min(rmse, high))) for sweep, rmse in curve.items()
                                  if inside[0] - 1 <= sweep <= inside[-1] + 1)
                p.add(f'<polyline fill="none" stroke="{colours[row["program"]]}" stroke-width="2" points="{points}"/>')
                x, y = place(*min(curve.items(), key=lambda point: point[1]))
                p.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colours[row["program"]]}"/>')
    p.text(left, top + len(names) * (height + gap_y) - 8, "Across: sweeps. Up: RMSE of the ratings held out. A dot: the least error.", "small faint")
    p.save("model-curves.svg")


def hybrids(parts):
    """A bar for each hybrid, class of graphs and kind of locks: the geomean of its speed-up over shuffled EL."""
    rows = rows_of(parts["hybrids"])
    ms = {(r["data"], r["strategy"], r["attempts"]): r["sweep ms"] for r in rows}
    names = {"nl-el": "NL, then EL", "el-sgm": "hubs by EL, the rest by SGM"}
    locks = {1: "the paper's locks", 0: "ours"}
    left, top, width, height, low, high = 390, 50, 300, 26, 0.5, 8
    bars = [(kind, strategy, attempts) for kind in distinct(rows, "class") for strategy in names
            for attempts in locks]
    p = Picture(left + width + 80, top + height * len(bars) + 76, "Hybrid schedules: speed-up over shuffled EL")

    def place(value):
        return left + width * math.log(value / low) / math.log(high / low)

    bottom = top + height * len(bars)
    p.text(10, 22, "Hybrid schedules: speed-up over shuffled EL", "title")
    for tick in (0.5, 1, 2, 4, 8):
        style = 'class="line"' if tick == 1 else 'class="grid"'
        p.line(f"{place(tick):.1f}", top - 6, f"{place(tick):.1f}", bottom, style)
        p.text(f"{place(tick):.1f}", bottom + 18, f"{tick:g} ×", "small faint middle")
    for i, (kind, strategy, attempts) in enumerate(bars):
        graphs = distinct([r for r in rows if r["class"] == kind], "data")
        value = statistics.geometric_mean(ms[g, "el-shuffled", attempts] / ms[g, strategy, attempts]
                                          for g in graphs)
        y, start, end = top + height * i, *sorted((place(1), place(value)))
        p.text(10, y + 14, f"{kind}: {names[strategy]}, {locks[attempts]}", "small")
        colour = COLOURS[list(names).index(strategy)]
        p.rect(f"{start:.1f}", y, f"{max(end - start, 1):.1f}", height - 8,
               f'fill="{colour}" fill-opacity="{1 if attempts else .5}"', 0)
        p.text(left + width + 16, y + 14, f"{value:.2f} ×", "small")
    for line, y in (("Geomeans of the time of shuffled EL over that of the hybrid, both by the same locks,", 42),
                    ("as figure 8 of Kaleem et al.; right of 1 the hybrid is faster.", 60)):
        p.text(10, bottom + y, line, "small faint")
    p.save("study-hybrids.svg")


def main(files):
    for file in files:
        parts = json.loads(pathlib.Path(file).read_text())["parts"]
        for name, draw in (("pagerank", pagerank), ("warp-shapes", warp_shapes), ("curves", curves), ("hybrids", hybrids)):
            if name in parts:
                draw(parts)


if __name__ == "__main__":
    main(sys.argv[1:]) if len(sys.argv) > 1 else sys.exit(__doc__)
