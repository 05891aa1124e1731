"""The part of tools/bench.py that measures the Python package: arrays in memory compared with files and
programs, the overhead of a call, and the time of the import. It needs NumPy and h5py."""
import os
import pathlib
import statistics
import subprocess
import sys
import time

from measure.updates import SPRING, cloth

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "python"


def least(repeats, use):
    """Calls `use` several times. Returns the shortest time in seconds, and the result of the last call."""
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        result = use()
        seconds.append(time.perf_counter() - begin)
    return min(seconds), result


def ratings(np, edges):
    """Returns users and items that follow a power law, and ratings that depend on them."""
    random = np.random.default_rng(1)
    users = (random.random(edges) ** 2 * edges / 100).astype(np.int32)
    items = (random.random(edges) ** 3 * edges / 500).astype(np.int32)
    return users, items, (3 + np.sin(users) + np.cos(items * users % 7)).round().astype(np.float32)


def memory(b):
    """Compares arrays in memory with files: models of 1 M and 20 M ratings, batches and an update of 1 M springs, a call on 100 edges, and the import."""
    import numpy as np

    sys.path.insert(0, str(PACKAGE))
    os.environ.setdefault("LOCKSTEP_BIN", os.path.abspath(b.o.bin))
    import lockstep

    add = b.table("memory", "work", "edges", "in memory s", "through files s", "same bits")
    repeats = 3 if b.o.scale >= 1 else 1
    for millions in (1, 20):
        edges = max(2000, round(millions * 1e6 * b.o.scale))
        given = ratings(np, edges)
        how = {"rank": 16, "device": "cpu", "sweeps": 5}
        inside, model = least(1 if millions > 1 else repeats, lambda: lockstep.MF(**how).fit(given))
        outside, done = least(1 if millions > 1 else repeats, lambda: lockstep.train(given, b.path("m.h5"), force=True, **how))
        add("a model, 5 sweeps", edges, inside, outside, "yes" if model.result.result_hash == done.result_hash else "no")
    side = max(8, round((1e6 * b.o.scale / 6) ** 0.5))
    at, pairs = cloth(np, side)
    first, second = np.ascontiguousarray(pairs.T.astype(np.int32))
    inside, found = least(repeats, lambda: lockstep.batches(first, second))

    def through_files():
        lockstep.preprocess((first, second), b.path("g.h5"), "agm-e", ends="vertices", force=True)
        file = lockstep.read_schedules(b.path("g.h5"))
        return [file.graph.places()[s] for s in file["agm-e"].supersteps()]

    outside, sets = least(repeats, through_files)
    same = all(np.array_equal(a, b_) for a, b_ in zip(found.sets(), sets)) and len(found.sets()) == len(sets)
    add("batches of springs", len(first), inside, outside, "yes" if same else "no")

    states = np.column_stack([at, np.zeros(len(at)), np.ones(len(at))]).astype(np.float32)
    states[:, :3] += np.random.default_rng(1).normal(0, 0.1, (len(at), 3)).astype(np.float32)
    rest = np.linalg.norm((at[pairs[:, 0]] - at[pairs[:, 1]]).astype(float), axis=1).astype(np.float32)
    graph = lockstep.graph(first, second, ends="vertices").schedule("agm-e")
    run = {"strategy": "agm-e", "sweeps": 10, "device": "cpu", "parameters": {"compliance": 1e-6}}
    # This call compiles the update, so it is not timed.
    lockstep.update(graph, SPRING, vertices=states, edges=rest, **run)
    inside, done = least(repeats, lambda: lockstep.update(graph, SPRING, vertices=states, edges=rest, **run))

    def by_program():
        np.save(b.path("x.npy"), states), np.save(b.path("e.npy"), rest)
        lockstep.execute(b.path("g.h5"), "agm-e", update=SPRING, sweeps=10, device="cpu", set=["compliance=1e-06"], force=True,
                         vertices=b.path("x.npy"), edges=b.path("e.npy"), output=b.path("y.npy"))
        return np.load(b.path("y.npy"))

    outside, theirs = least(repeats, by_program)
    add("10 sweeps of springs, scheduled before", len(first), inside, outside, "yes" if np.array_equal(done.vertices, theirs) else "no")
    calls(b, np, lockstep)


def calls(b, np, lockstep):
    add = b.table("calls", "call", "median µs")
    i, j = np.arange(100), (np.arange(100) + 1) % 100
    graph = lockstep.graph(i, j, shape="square")
    for name, use in (("batches(i, j), 100 edges", lambda: lockstep.batches(i, j)),
                      ("bfs(graph, 0), 100 edges", lambda: lockstep.bfs(graph, 0, device="cpu")),
                      ("pagerank(graph), 100 edges", lambda: lockstep.pagerank(graph, device="cpu"))):
        use()
        add(name, 1e6 * statistics.median(least(1, use)[0] for _ in range(50)))
    script = "import time, numpy; begin = time.perf_counter(); import lockstep; print(time.perf_counter() - begin)"
    told = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                           env={**os.environ, "PYTHONPATH": str(PACKAGE)}).stdout for _ in range(7)]
    add("import lockstep, after NumPy", 1e6 * statistics.median(map(float, told)))
