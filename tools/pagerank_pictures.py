#!/usr/bin/env python3
"""Draws the figures of the PageRank source (docs/pagerank.md) from what tools/gpu_benchmark.py measured.

    tools/pagerank_pictures.py docs/data/pagerank-h200.json docs/data/pagerank-shapes-h100.json      writes docs/pictures/pagerank-*.svg

Figure 1: the time of each variant on each graph as given, over that of the worst one there. Figure 2: the time with the vertices in
order of degree over that in the given order. Of a file that has the part warp-shapes a map of sizes x chunks of virtual warps a graph.
"""
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs/pictures"))
from draw import COLOURS, Picture  # noqa: E402

LEFT, TOP, WIDTH, ROW = 130, 84, 640, 30


def rows_of(parts, name):
    return [dict(zip(parts[name]["columns"], row)) for row in parts[name]["rows"]] if name in parts else []


def dots(title, note, values, low, high, ticks, name):
    """A line a graph, a dot a variant; `values` by graph and variant, along a logarithmic axis."""
    variants = list(dict.fromkeys(v for of_graph in values.values() for v in of_graph))
    colour = dict(zip(variants, COLOURS))
    p = Picture(LEFT + WIDTH + 40, TOP + ROW * len(values) + 60, title)
    for i, variant in enumerate(variants):
        x, y = LEFT + 165 * (i % 4), 24 + 22 * (i // 4)
        p.add(f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{colour[variant]}"/>')
        p.text(x + 12, y, variant, "small")
    place = lambda value: LEFT + WIDTH * math.log(value / low) / math.log(high / low)
    bottom = TOP + ROW * len(values)
    for tick in ticks:
        p.line(f"{place(tick):.1f}", TOP - 8, f"{place(tick):.1f}", bottom, 'class="grid"')
        p.text(f"{place(tick):.1f}", bottom + 18, f"{tick:g}", "small faint middle")
    for j, (graph, of_graph) in enumerate(values.items()):
        y = TOP + ROW * j + ROW / 2
        p.text(10, y + 4, graph, "small")
        p.line(LEFT, y, LEFT + WIDTH, y, 'class="grid"')
        for variant, value in of_graph.items():
            p.add(f'<circle cx="{place(min(max(value, low), high)):.1f}" cy="{y}" r="5" fill="{colour[variant]}" fill-opacity=".85"><title>{graph}, {variant}: {value:.3g}</title></circle>')
    p.text(10, bottom + 42, note, "small faint")
    p.save(name)


def figures(parts):
    rows = rows_of(parts, "pagerank")
    ms = {(r["graph"], r["variant"], r["order"]): r["ms"] for r in rows}
    graphs = list(dict.fromkeys(r["graph"] for r in rows))
    given = {g: {v: t for (graph, v, order), t in ms.items() if graph == g and order == "given"} for g in graphs}
    worst = {g: {v: t / max(of_graph.values()) for v, t in of_graph.items()} for g, of_graph in given.items()}
    dots("Time of each variant of PageRank over the worst on its graph", "Time over that of the slowest variant on the graph, as given (figure 1 of the source). Left is faster.",
         worst, 0.001, 1, (0.001, 0.01, 0.1, 1), "pagerank-variants.svg")
    ratio = {g: {v: ms[g, v, "degree"] / t for v, t in of_graph.items() if (g, v, "degree") in ms} for g, of_graph in given.items()}
    dots("Time of PageRank in order of degree over that in the given order",
         "Time with the vertices in order of degree over that in the given order (figure 2 of the source). Left of 1 sorting helps.",
         ratio, 0.5, 8, (0.5, 1, 2, 4, 8), "pagerank-sorted.svg")


def shapes(parts):
    """A panel a graph and variant: the darker the slower, over the best shape of the panel, which is ringed."""
    rows = rows_of(parts, "warp-shapes")
    if not rows:
        return
    graphs, variants = list(dict.fromkeys(r["graph"] for r in rows)), list(dict.fromkeys(r["variant"] for r in rows))
    sizes, chunks = sorted({r["warp size"] for r in rows}), sorted({r["chunk"] for r in rows})
    left, cell, across, down = 44, 16, 92, 34  # the gaps between panels
    width, height = cell * len(chunks), cell * len(sizes)
    p = Picture(left + len(variants) * (width + across), 50 + len(graphs) * (height + down), "Time of PageRank by size and chunk of virtual warps")
    for j, graph in enumerate(graphs):
        for i, variant in enumerate(variants):
            x0, y0 = left + i * (width + across), 50 + j * (height + down)
            times = {(r["warp size"], r["chunk"]): r["ms"] for r in rows if (r["graph"], r["variant"]) == (graph, variant)}
            if not times:
                continue
            best = min(times.values())
            p.text(x0, y0 - 6, f"{graph}, {variant}: {best:.3g} ms", "small")
            for (size, chunk), ms in times.items():
                x, y = x0 + cell * chunks.index(chunk), y0 + cell * sizes.index(size)
                shade = min(1.0, math.log(ms / best) / math.log(8))
                ring = ' stroke="#c9504b" stroke-width="2"' if ms == best else ""
                p.add(f'<rect x="{x}" y="{y}" width="{cell - 1}" height="{cell - 1}" fill="{COLOURS[0]}" fill-opacity="{0.08 + 0.92 * shade:.2f}"{ring}><title>{size} x {chunk}: {ms:.3g} ms</title></rect>')
            for size in sizes if i == 0 else []:
                p.text(x0 - 28, y0 + cell * sizes.index(size) + 12, size, "small faint")
    p.text(10, 20, "Down: threads of a virtual warp. Across: chunk, 1 to 10 warps of vertices. Darker: slower, to 8 times the best, which is ringed.", "small faint")
    p.save("pagerank-warp-shapes.svg")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for file in sys.argv[1:]:
        parts = json.loads(pathlib.Path(file).read_text())["parts"]
        if "pagerank" in parts:
            figures(parts)
        shapes(parts)


if __name__ == "__main__":
    main()
