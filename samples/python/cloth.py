#!/usr/bin/python3
"""Simulates a cloth that hangs from two corners, in a NumPy loop over batches of springs that share no particle.

    samples/python/cloth.py [SIDE]
"""
import sys
import time

import numpy as np

import lockstep


def cloth(side):
    """Returns the positions {side², 3} of the particles of a square cloth, and the pairs of particles that are
    neighbours in a row, a column or a diagonal."""
    v = np.arange(side * side).reshape(side, side)
    pairs = [(v[:, 1:], v[:, :-1]), (v[1:], v[:-1]), (v[1:, 1:], v[:-1, :-1]), (v[1:, :-1], v[:-1, 1:])]
    x, y = np.divmod(v.ravel(), side)
    return np.column_stack([x, np.zeros(side * side), y]), *(np.concatenate([p[k].ravel() for p in pairs]) for k in (0, 1))


def main(side="60"):
    at, i, j = cloth(int(side))
    rest, weight = np.linalg.norm(at[i] - at[j], axis=1), np.ones(len(at))
    weight[[0, int(side) - 1]] = 0  # two corners are pinned
    begin = time.perf_counter()
    order, offsets = lockstep.batches(i, j)
    scheduled = time.perf_counter() - begin
    i, j, rest = i[order], j[order], rest[order]

    velocity, seconds = np.zeros_like(at), 1 / 60
    begin = time.perf_counter()
    for _ in range(60):
        velocity[:, 1] -= 9.81 * seconds * (weight > 0)
        moved = at + velocity * seconds
        for _ in range(10):
            for a, b in zip(offsets, offsets[1:]):
                u, v = i[a:b], j[a:b]                 # no particle occurs twice in a batch
                d = moved[u] - moved[v]
                length = np.linalg.norm(d, axis=1)
                d *= ((length - rest[a:b]) / (length * np.maximum(weight[u] + weight[v], 1)))[:, None]
                moved[u] -= weight[u, None] * d
                moved[v] += weight[v, None] * d
        velocity, at = (moved - at) / seconds, moved
    took = time.perf_counter() - begin
    stretch = np.abs(np.linalg.norm(at[i] - at[j], axis=1) / rest - 1).mean()
    print(f"{len(at)} particles, {len(i)} springs in {len(offsets) - 1} batches")
    print(f"scheduled in {1e3 * scheduled:.1f} ms, a second of motion in {took:.2f} s", file=sys.stderr)
    print(f"it fell {-at[:, 1].min():.1f}, the springs are stretched by {100 * stretch:.1f} %, the corners stay: {not at[weight == 0, 1].any()}")
    return 0 if stretch < 0.2 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
