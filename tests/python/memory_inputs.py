"""Graphs, ratings and updates for the tests of the library in memory, which are skipped without it."""
import sys

import support  # noqa: F401: adds the package to the path
import numpy as np
from lockstep import native

try:
    native.library()
except FileNotFoundError as error:
    print("skipped:", error)
    sys.exit(77)

RING = (np.arange(6), (np.arange(6) + 1) % 6)
SPRING = """
#include <cmath>
struct Spring {
    struct Vertex { float x, y; };
    struct Edge { float rest; };
    LOCKSTEP_HD static void update(Vertex& a, Vertex& b, const Edge& e) {
        const float dx = a.x - b.x, dy = a.y - b.y, length = std::sqrt(dx * dx + dy * dy), s = (length - e.rest) / (2 * length);
        a.x -= s * dx, a.y -= s * dy, b.x += s * dx, b.y += s * dy;
    }
};
"""
BIPARTITE = """
struct Rank1 {
    struct Row { float u; };
    struct Col { float v; };
    struct Edge { float value; };
    struct Parameters { float rate; };
    LOCKSTEP_HD static void update(Row& a, Col& b, const Edge& e, const Parameters& p) {
        const float error = e.value - a.u * b.v, u = a.u;
        a.u += p.rate * error * b.v, b.v += p.rate * error * u;
    }
};
"""


def random_edges(edges=400, vertices=80, seed=1):
    random = np.random.default_rng(seed)
    return random.integers(0, vertices, edges), random.integers(0, vertices, edges)


def ratings(users=60, items=25, seed=1):
    random = np.random.default_rng(seed)
    taken = np.flatnonzero(random.random(users * items) < 0.4)
    u, i = taken // items, taken % items
    return u, i, (1 + (3 * u + 5 * i + random.integers(0, 2, len(u))) % 5).astype(np.float32)


def conflicts_of(found, first, second):
    """Returns the sets that contain a vertex twice; a self-loop contains its vertex once."""
    ends = [np.concatenate([first[s], second[s][first[s] != second[s]]]) for s in found.sets()]
    return [s for s, of in zip(found.sets(), ends) if len(np.unique(of)) != len(of)]
