#!/usr/bin/python3
"""Runs a solver that is written here on Lockstep's schedules: Kaczmarz's method with NumPy, one superstep at a time.

    samples/python/kaczmarz.py [SCHEDULE]      default: agm-e

Each stored entry of a sparse matrix A is an equation of two unknowns, x[row] + y[col] = log |entry|. The solution
scales rows and columns so that all entries become 1. Kaczmarz's method goes from equation to equation and moves both
unknowns to the nearest point that satisfies the equation. Updates of one unknown must come one after another. A
schedule consists of sets of equations that share no unknown, and each set is one expression in NumPy. The result is
bitwise identical to that of the loop over single equations.
"""
import os
import sys
import tempfile
import time

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

import lockstep


def sweep(x, y, rows, cols, b, sets):
    """Processes all equations once, set by set. `x[i] += step` is correct since no i occurs twice in a set."""
    for edges in sets:
        i, j = rows[edges], cols[edges]
        step = (b[edges] - x[i] - y[j]) / 2
        x[i] += step
        y[j] += step


def matrix_to_scale(rng, rows=400, cols=250, density=0.08):
    """Returns a sparse matrix at random positions. Each entry is a factor of its row times a factor of its column."""
    pattern = scipy.sparse.random(rows, cols, density, "coo", random_state=rng)
    scale = np.exp(rng.normal(size=rows)), np.exp(rng.normal(size=cols))
    return scipy.sparse.coo_matrix((scale[0][pattern.row] * scale[1][pattern.col], (pattern.row, pattern.col)),
                                   pattern.shape)


def main(schedule="agm-e", sweeps=40):
    matrix = matrix_to_scale(np.random.RandomState(1))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "matrix.h5")
        lockstep.preprocess(matrix, path, schedule, shape="bipartite")
        file = lockstep.read_schedules(path)
    graph, plan = file.graph, file[schedule]
    sets = plan.supersteps()
    rows, cols, b = graph.row_of(), graph.indices, np.log(graph.data.astype(np.float64))
    print(f"{graph.rows} x {graph.cols}, {graph.edges} equations in {len(sets)} supersteps of {schedule}")

    # lockstep.conflicts() verifies in a few lines of NumPy that the equations of a set share no unknown. It shares no
    # code with Lockstep's own verification. The second call shows that it finds an error that was planted.
    print(f"conflicts: {len(lockstep.conflicts(graph, sets))}")
    planted = [np.concatenate(sets[:2]), *sets[2:]]
    print(f"conflicts after joining the first two supersteps: {len(lockstep.conflicts(graph, planted)) > 0}")

    x, y = np.zeros(graph.rows), np.zeros(graph.cols)
    start = time.perf_counter()
    for _ in range(sweeps):
        sweep(x, y, rows, cols, b, sets)
    by_sets = time.perf_counter() - start

    one_by_one = [edge.reshape(1) for edge in np.concatenate(sets)]
    x1, y1 = np.zeros(graph.rows), np.zeros(graph.cols)
    start = time.perf_counter()
    for _ in range(sweeps):
        sweep(x1, y1, rows, cols, b, one_by_one)
    print(f"bitwise identical to one equation after another: {np.array_equal(x, x1) and np.array_equal(y, y1)}")
    print(f"{(time.perf_counter() - start) / by_sets:.0f} times as fast", file=sys.stderr)

    # Compares the sums x[i] + y[j] with SciPy's least-squares solution. The unknowns themselves are not unique: a
    # constant may be added to all x and subtracted from all y.
    edges = np.arange(graph.edges)
    system = scipy.sparse.csr_matrix((np.ones(2 * graph.edges), (np.tile(edges, 2), np.concatenate([rows, graph.rows + cols]))))
    solution = scipy.sparse.linalg.lsqr(system, b, atol=1e-12, btol=1e-12)[0]
    off = np.abs(x[rows] + y[cols] - system @ solution).max()
    print(f"off SciPy's least squares by less than 1e-5: {off < 1e-5}")
    return 0 if off < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
