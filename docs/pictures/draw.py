#!/usr/bin/env python3
"""Draws the pictures of the documentation beside itself:   docs/pictures/draw.py

The rounds are those that tests/schedules/test_paper.cpp asserts for the paper's sample graph.
"""
import pathlib

EDGES = {"a": (0, 0), "b": (1, 0), "c": (2, 0), "d": (4, 0), "e": (5, 0), "f": (0, 1), "g": (1, 1), "h": (4, 1),
         "i": (3, 2), "j": (5, 2), "k": (0, 3), "l": (1, 3)}  # letter: (user, movie)
MATCHINGS = "agi bfj chk dl e".split()
SCHEDULES = {
    "AGM-E: 5 matchings": MATCHINGS,
    "AGM-N: 9 phases, 2 blocks": "ag bf ch d e i j k l".split(),
    "SGM: 7 phases, 2 blocks": "ag bf ch d e ik jl".split(),
    "Diag: 9 diagonals": "k l f ag bi c hj d e".split(),
    "BlkDiag: 4 block-diagonals": "kl abfgi cj deh".split(),
}
EL_PASSES = "acefgik bhjl d".split()
# Where the letter of an edge stands on its line, from the user's end, so that no two cover each other.
LETTER_AT = dict(a=.45, b=.575, c=.7, d=.375, e=.2, f=.275, g=.575, h=.8, i=.15, j=.525, k=.425, l=.275)
COLOURS = ["#4c8dd6", "#d9822b", "#3f9c6b", "#b65fb0", "#c9504b", "#7f8c3a", "#3a97a8", "#8a6fd1", "#a8763e"]

STYLE = """<style>
text { font: 14px system-ui, sans-serif; fill: #24292f }
.small { font-size: 12px } .title { font-weight: 600 } .middle { text-anchor: middle } .faint { fill: #6e7781 }
.chip { fill: #fff; font-weight: 600; text-anchor: middle }
.line { stroke: #8c959f; fill: none; stroke-width: 1.5 } .box { stroke: #8c959f; fill: none; stroke-width: 1.5 }
.node { fill: #fff; stroke: #57606a; stroke-width: 1.5 } .grid { stroke: #8c959f; stroke-opacity: .45; fill: none }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .chip { fill: #fff } .faint { fill: #9198a1 } .node { fill: #21262d; stroke: #b1bac4 }
}
</style>"""


class Picture:
    def __init__(self, width, height, description):
        self.size, self.parts = (width, height), [f"<title>{description}</title>", STYLE]

    def add(self, element):
        self.parts.append(element)

    def text(self, x, y, words, style=""):
        self.add(f'<text x="{x}" y="{y}" class="{style}">{words}</text>')

    def line(self, x1, y1, x2, y2, extra='class="line"'):
        self.add(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {extra}/>')

    def rect(self, x, y, w, h, extra='class="box"', round_=4):
        self.add(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{round_}" {extra}/>')

    def chip(self, x, y, letter, colour, size=24, dashed=False):
        """A coloured square with an edge's letter; dashed and empty where the edge is deferred."""
        if dashed:
            self.rect(x, y, size, size, f'fill="none" stroke="{colour}" stroke-width="1.5" stroke-dasharray="3 3"')
            self.text(x + size / 2, y + size / 2 + 5, letter, "middle faint")
        else:
            self.rect(x, y, size, size, f'fill="{colour}"')
            self.text(x + size / 2, y + size / 2 + 5, letter, "chip")

    def arrow(self, x1, y1, x2, y2):
        self.line(x1, y1, x2, y2)
        dx, dy = ((x2 > x1) - (x2 < x1), 0) if y1 == y2 else (0, 1)
        self.add(f'<path class="line" d="M{x2 - 7 * dx - 4 * dy} {y2 - 7 * dy - 4 * dx} L{x2} {y2} '
                 f'L{x2 - 7 * dx + 4 * dy} {y2 - 7 * dy + 4 * dx}"/>')

    def svg(self):
        w, h = self.size
        body = "\n".join(self.parts)
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img">\n{body}\n</svg>\n'

    def save(self, name):
        (pathlib.Path(__file__).parent / name).write_text(self.svg())


def colour_of(letter, rounds=MATCHINGS):
    return COLOURS[next(i for i, members in enumerate(rounds) if letter in members)]


def locks_or_supersteps():
    p = Picture(900, 300, "A rating graph of 6 users and 4 movies, run as supersteps of matchings and under locks")
    user = lambda u: (50, 62 + 42 * u)
    movie = lambda m: (230, 83 + 56 * m)
    p.text(30, 26, "Edges that meet conflict", "title")
    for letter, (u, m) in EDGES.items():
        (x1, y1), (x2, y2) = user(u), movie(m)
        p.line(x1, y1, x2, y2, f'stroke="{colour_of(letter)}" stroke-width="2.5"')
    for letter, (u, m) in EDGES.items():
        (x1, y1), (x2, y2), at = user(u), movie(m), LETTER_AT[letter]
        p.add(f'<circle cx="{x1 + at * (x2 - x1):.0f}" cy="{y1 + at * (y2 - y1):.0f}" r="8" fill="{colour_of(letter)}"/>')
        p.text(f"{x1 + at * (x2 - x1):.0f}", f"{y1 + at * (y2 - y1) + 4:.0f}", letter, "chip small")
    for count, place, name, shift in ((6, user, "u", -28), (4, movie, "m", 14)):
        for v in range(count):
            x, y = place(v)
            p.add(f'<circle cx="{x}" cy="{y}" r="9" class="node"/>')
            p.text(x + shift, y + 5, f"{name}{v}", "small")

    p.text(310, 26, "Supersteps, a barrier between", "title")
    for i, members in enumerate(MATCHINGS):
        y = 46 + 48 * i
        p.text(310, y + 17, f"{i + 1}", "faint")
        for j, letter in enumerate(members):
            p.chip(334 + 32 * j, y, letter, COLOURS[i])
        if i + 1 < len(MATCHINGS):
            p.line(310, y + 36, 560, y + 36, 'class="line" stroke-dasharray="6 4"')
            p.text(514, y + 31, "barrier", "small faint")

    p.text(620, 26, "Locks: a busy edge waits", "title")
    for i, done in enumerate(EL_PASSES):
        tried = sorted("".join(EL_PASSES[i:]))  # two by two, one after another: a column is what runs at once
        y = 46 + 80 * i
        p.text(620, y + 17, f"pass {i + 1}", "faint small")
        for j, letter in enumerate(tried):
            p.chip(690 + 34 * (j // 2), y + 28 * (j % 2), letter, colour_of(letter), dashed=letter not in done)
    p.text(620, 264, "two workers, a column at once;", "small faint")
    p.text(620, 282, "dashed: busy, deferred to the next pass", "small faint")
    p.save("locks-or-supersteps.svg")


def schedules():
    cell, gap = 32, 40
    p = Picture(5 * (4 * cell + gap) + 30, 300, "The rounds of five schedules on the sample graph, as matrices of users and movies")
    for n, (name, rounds) in enumerate(SCHEDULES.items()):
        left, top = 30 + n * (4 * cell + gap), 64
        head, _, rest = name.partition(": ")
        p.text(left, 20, head, "title")
        p.text(left, 38, rest, "small faint")
        for u in range(6):
            if n == 0:
                p.text(4, top + cell * u + 21, f"u{u}", "small faint")
            for m in range(4):
                if u == 0:
                    p.text(left + cell * m + cell / 2, top - 6, f"m{m}", "small faint middle")
                p.rect(left + cell * m, top + cell * u, cell, cell, 'class="grid"', 0)
        for r, members in enumerate(rounds):
            for letter in members:
                u, m = EDGES[letter]
                x, y = left + cell * m + 1, top + cell * u + 1
                p.rect(x, y, cell - 2, cell - 2, f'fill="{COLOURS[r]}"', 3)
                p.text(x + 11, y + 20, letter, "chip")
                p.text(x + 23, y + 13, r + 1, "chip small")
        if "block" in rest and "diagonal" not in rest:
            p.line(left + 2 * cell, top - 4, left + 2 * cell, top + 6 * cell + 4, 'class="line" stroke-dasharray="5 4"')
        if "block-diagonals" in rest:
            p.line(left + 2 * cell, top, left + 2 * cell, top + 6 * cell)
            for u in (2, 4):
                p.line(left, top + u * cell, left + 4 * cell, top + u * cell)
    p.text(30, 288, "Letter: the edge. Small number and colour: the round in which it runs; between two rounds lies a barrier.", "small faint")
    p.save("schedules.svg")


def way_of_the_data():
    p = Picture(900, 250, "The way of the data: graph file, formats, Graph, schedules, schedule file, executor, run record, report")

    def box(x, y, w, title, *lines, data=False):
        p.rect(x, y, w, 36 + 18 * len(lines), 'class="box"' + (' stroke-dasharray="5 4"' if data else ""), 18 if data else 4)
        p.text(x + w / 2, y + 23, title, "middle title" if not data else "middle")
        for i, words in enumerate(lines):
            p.text(x + w / 2, y + 42 + 18 * i, words, "middle small faint")

    p.text(20, 20, "lockstep-preprocess: CPU only, no CUDA", "small faint")
    p.rect(142, 32, 616, 84, 'class="grid"', 8)
    box(10, 50, 110, "graph file", data=True)
    p.arrow(120, 68, 160, 68)
    box(160, 42, 130, "formats", "read, strictly", "ids kept")
    p.arrow(290, 68, 326, 68)
    box(326, 50, 90, "Graph", data=True)
    p.arrow(416, 68, 452, 68)
    box(452, 42, 130, "schedules", "build, then", "verify")
    p.arrow(582, 68, 620, 68)
    box(620, 42, 124, "formats", "HDF5, hashed,", "atomic")
    p.arrow(744, 68, 780, 68)
    box(780, 50, 110, "schedule file", data=True)
    p.arrow(835, 86, 835, 166)

    p.text(20, 146, "lockstep-execute: never builds a schedule", "small faint")
    p.rect(302, 156, 596, 84, 'class="grid"', 8)
    box(780, 166, 110, "formats", "read, checked", "before use")
    p.arrow(780, 196, 732, 196)
    box(612, 166, 120, "plan", "schedule made", "flat; legal?")
    p.arrow(612, 196, 580, 196)
    box(446, 166, 134, "traversal", "CPU or CUDA,", "runs the operator")
    p.arrow(446, 196, 414, 196)
    box(314, 166, 100, "metrics", "time, RMSE,", "hash")
    p.arrow(314, 196, 280, 196)
    box(150, 168, 130, "run record", "and model", data=True)
    p.arrow(150, 196, 116, 196)
    box(6, 166, 110, "tools", "report, predict,", "inspect, verify")
    p.save("way-of-the-data.svg")


if __name__ == "__main__":
    locks_or_supersteps()
    schedules()
    way_of_the_data()
