#!/usr/bin/python3
"""Analyses the graph of a scipy.sparse matrix with Lockstep, and compares the results with scipy.sparse.csgraph.

    samples/python/traversals.py [VERTICES]      default: 3,000

Levels (BFS), distances (SSSP) and components must be equal, ranks (PageRank) within 10^-6 of a power iteration in double precision.
"""
import os
import sys
import tempfile

import numpy as np
import scipy.sparse
from scipy.sparse import csgraph

import lockstep


def random_graph(rng, vertices):
    """Returns a random directed graph with about four arcs per vertex and some hubs. Lengths are integers from 1 to 100."""
    arcs = 4 * vertices
    tails, heads = rng.randint(vertices, size=arcs), (vertices * rng.random_sample(arcs) ** 3).astype(int)
    lengths = rng.randint(1, 101, size=arcs)
    _, first = np.unique(tails * vertices + heads, return_index=True)  # without repeated arcs, which SciPy would add up
    return scipy.sparse.csr_matrix((lengths[first], (tails[first], heads[first])), (vertices, vertices))


def pagerank(graph, damping=0.85, iterations=30):
    """Returns PageRank, computed with the power method. The rank of vertices without an out-arc is distributed
    equally to all vertices."""
    pattern = graph.astype(bool).astype(float)
    degree = np.asarray(pattern.sum(axis=1)).ravel()
    size, rank = len(degree), np.full(len(degree), 1 / len(degree))
    for _ in range(iterations):
        offer = np.divide(rank, degree, out=np.zeros(size), where=degree > 0)
        rank = (1 - damping) / size + damping * (pattern.T @ offer + rank[degree == 0].sum() / size)
    return rank


def main(vertices=3000):
    graph = random_graph(np.random.RandomState(1), int(vertices))
    source = int(np.argmax(np.diff(graph.indptr)))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.h5")
        made = lockstep.preprocess(graph, path, "degree", shape="square")
        print(f"{made.rows} vertices, {made.edges} arcs")

        def run(app, **options):
            output = os.path.join(folder, app + ".h5")
            lockstep.execute(path, app=app, device="cpu", output=output, **options)
            return lockstep.read_result(output)

        # The matrix is written without IDs, so the IDs are positions. Isolated vertices are kept, so entry v of a
        # result belongs to row v.
        bfs = run("bfs", source=source, parents=True)
        levels = np.where(bfs.reached("levels"), bfs["levels"], np.inf)
        same_levels = np.array_equal(levels, csgraph.shortest_path(graph, unweighted=True, indices=source))
        print(f"levels equal: {same_levels}; {bfs.reached('levels').sum()} vertices reached, the last in level "
              f"{levels[np.isfinite(levels)].max():.0f}")
        parents = bfs.ids_of("parents")
        child = next(v for v in range(len(levels)) if levels[v] == 2)
        print(f"a vertex of level 2 has a parent of level {levels[parents[child]]:.0f}")

        sssp = run("sssp", source=source)
        distances = np.where(sssp.reached("distances"), sssp["distances"], np.inf)
        same_distances = np.array_equal(distances, csgraph.dijkstra(graph, indices=source))
        print(f"distances equal: {same_distances}")

        labels = run("cc")["labels"]
        count, components = csgraph.connected_components(graph, directed=False)
        pairs = len(set(zip(labels.tolist(), components.tolist())))
        same_components = pairs == count == len(np.unique(labels))
        print(f"components equal: {same_components}; there are {count}")

        ranks = run("pagerank", iterations=30)["ranks"]
        off = np.abs(ranks - pagerank(graph)).sum()
        print(f"ranks off by less than 1e-6: {off < 1e-6}")
    return 0 if same_levels and same_distances and same_components and off < 1e-6 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
