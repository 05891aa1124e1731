#!/usr/bin/python3
"""Draws a graph with Lockstep, and compares the drawing with classical scaling (the eigenvectors of squared distances).

    samples/python/drawing.py [PICTURE.svg]

The measure of both is the stress: the mean over pairs of ((|p - q| - d) / d)^2, with d the length of the shortest path and each drawing in its best scale.
"""
import sys

import numpy as np
import scipy.sparse
from scipy.sparse import csgraph
from scipy.spatial.distance import pdist, squareform

import lockstep


def torus(long, short):
    """Returns the pairs of neighbours in a grid whose opposite sides are joined."""
    v = np.arange(long * short).reshape(long, short)
    return np.concatenate([v.ravel(), v.ravel()]), np.concatenate([np.roll(v, 1, 0).ravel(), np.roll(v, 1, 1).ravel()])


def stress(positions, distances):
    ratio = pdist(positions) / squareform(distances)
    return np.mean((ratio * ratio.mean() / np.mean(ratio ** 2) - 1) ** 2)


def classical_scaling(distances):
    centred = distances ** 2
    centred = centred - centred.mean(0) - centred.mean(1)[:, None] + centred.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    return vectors[:, -2:] * np.sqrt(values[-2:])


def main(picture=None):
    ends = torus(40, 12)
    graph = scipy.sparse.coo_matrix((np.ones(len(ends[0])), ends))
    distances = csgraph.shortest_path(graph, directed=False, unweighted=True)
    drawn = lockstep.layout(ends, device="cpu", **({"picture": picture, "force": True} if picture else {}))
    again = lockstep.layout(ends, device="cpu", threads=1)
    print(f"{len(drawn)} vertices; bitwise identical with one thread: {np.array_equal(drawn, again)}")
    ours, other = stress(drawn, distances), stress(classical_scaling(distances), distances)
    print(f"stress {ours:.3f} a pair, {ours / other:.2f} of classical scaling's")
    return 0 if np.array_equal(drawn, again) and ours < other else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
