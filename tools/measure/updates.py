"""The parts of tools/bench.py that measure springs on meshes with every strategy: as a user's update
(samples/springs/spring.hpp), and as the application springs. They need NumPy."""
import os
import pathlib

SPRING = pathlib.Path(__file__).resolve().parents[2] / "samples/springs/spring.hpp"
CLOTH = ((0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (2, 0))  # offsets of neighbours: along, across, diagonals, bending


def cloth(np, side):
    """Returns a square cloth of particles: their positions, and the pairs connected by springs."""
    i, j = np.indices((side, side)).reshape(2, -1)
    pairs = []
    for di, dj in CLOTH:
        inside = (i + di < side) & (j + dj < side) & (j + dj >= 0)
        pairs.append(np.column_stack([i * side + j, (i + di) * side + j + dj])[inside])
    return np.column_stack([i, j]), np.concatenate(pairs)


def irregular(b, np, points):
    """Returns the Delaunay triangulation of random points: its edges, and for each edge the two vertices
    opposite to it."""
    file = b.path(f"mesh-{points}.ele")
    if not os.path.exists(file):
        b.run("lockstep-generate", "mesh", "--points", points, "--seed", 1, "-o", file, "--quiet")
    at = np.loadtxt(file.replace(".ele", ".node"), skiprows=1)[:, 1:3] * points ** 0.5
    of = np.loadtxt(file, skiprows=1, dtype=np.int64)[:, 1:4]
    of -= of.min()
    ends = np.concatenate([np.sort(of[:, [k, (k + 1) % 3]], axis=1) for k in range(3)])
    key, opposite = ends[:, 0] * len(at) + ends[:, 1], np.concatenate([of[:, (k + 2) % 3] for k in range(3)])
    order = np.argsort(key, kind="stable")
    key, opposite = key[order], opposite[order]
    twice = np.flatnonzero(key[1:] == key[:-1])
    edges = np.unique(key)
    across = np.column_stack([opposite[twice], opposite[twice + 1]])
    # Points are numbered by position, row by row of a grid, similar to mesh files.
    place = np.empty(len(at), np.int64)
    place[np.lexsort((at[:, 1], at[:, 0].astype(int)))] = np.arange(len(at))
    at = at[np.argsort(place)]
    return at, place[np.concatenate([np.column_stack([edges // len(place), edges % len(place)]), across])]


def springs(b):
    """Measures a sweep of springs under every strategy on a cloth of 6 M springs, an irregular mesh of 6 M and a cloth of 24,000, and compares the results of a CPU and of 20 repeats."""
    import numpy as np

    add = b.table("springs", "mesh", "springs", "strategy", "rounds", "preprocess ms", "µs a sweep", "G springs/s", "result")
    side = max(8, round(1000 * b.o.scale ** 0.5))
    meshes = {"cloth": lambda: cloth(np, side), "irregular mesh": lambda: irregular(b, np, side * side), "small cloth": lambda: cloth(np, 64)}
    for name, make in meshes.items():
        at, pairs = make()
        graph, file, states = (b.path("springs" + end) for end in (".bin", ".h5", ".npy"))
        records = np.empty(len(pairs), [("row", "<u4"), ("col", "<u4"), ("rest", "<f4")])
        records["row"], records["col"] = pairs.T
        records["rest"] = np.linalg.norm((at[pairs[:, 0]] - at[pairs[:, 1]]).astype(float), axis=1)
        records.tofile(graph)
        x = np.column_stack([at, np.zeros(len(at)), np.ones(len(at))]) + np.column_stack([np.random.default_rng(1).normal(0, 0.1, (len(at), 3)), np.zeros(len(at))])
        np.save(states, x.astype(np.float32))
        made = b.json("lockstep-preprocess", graph, "-o", file, "--force", "--ends", "vertices", "--rank", 4, "--schedule", "agm-e,stars,local,shuffle")
        inspected = b.json("lockstep-inspect", file)
        about = {s["name"]: s for s in inspected["schedules"]}
        took = {s["name"]: s["seconds"] for s in made["schedules"]}
        for strategy in b.asked("strategies", ["local", "stars", "agm-e", "el-shuffled", "nl", "hogwild"]):
            def run(device, sweeps=100):
                return b.json("lockstep-execute", file, "--update", SPRING, "--vertices", states, "--set", "compliance=0", "--strategy", strategy, "--sweeps", sweeps,
                              "--device", device)

            found = run(b.device)
            if not found:
                continue
            if found["deterministic"]:
                others = [run("cpu"), *(run(b.device) for _ in range(19 if name == "small cloth" else 1))]
                if {other and other["result_hash"] for other in others} != {found["result_hash"]}:
                    b.fail(f"{name} {strategy}: CPU and {b.device} differ, or repeats do")
            seconds = found["sweep_seconds"]
            add(name, len(pairs), strategy, about.get(strategy, {}).get("rounds", 0), 1e3 * took.get(strategy, 0.0), 1e6 * seconds, len(pairs) / seconds / 1e9,
                found["result_hash"] if found["deterministic"] else None)


def shaken(np, at, amount=0.2):
    """Returns the positions after random moves by at most `amount` along each axis."""
    return np.column_stack([at, np.zeros(len(at))]) + np.random.default_rng(7).uniform(-amount, amount, (len(at), 3))


def skewed(np, side):
    """Returns a grid of displaced points, with a random diagonal in each cell, and with bending springs
    across every edge."""
    random = np.random.default_rng(5)
    y, x = np.indices((side, side)).reshape(2, -1)
    at = np.column_stack([x, y]) + random.uniform(-0.3, 0.3, (side * side, 2))
    # True: diagonal (x, y) - (x + 1, y + 1); false: diagonal (x + 1, y) - (x, y + 1).
    falls = random.random((side, side)) < 0.5
    v, falling = np.arange(side * side).reshape(side, side), falls[:-1, :-1]
    pairs = [(v[:, :-1], v[:, 1:]), (v[:-1], v[1:]), (v[:-1, :-1], v[1:, 1:]), (v[:-1, 1:], v[1:, :-1])]
    above, below = falls[:-2, :-1], falls[1:-1, :-1]
    pairs.append((np.where(above, v[:-2, :-1], v[:-2, 1:]), np.where(below, v[2:, 1:], v[2:, :-1])))
    left, right = falls[:-1, :-2], falls[:-1, 1:-1]
    pairs.append((np.where(left, v[:-1, :-2], v[1:, :-2]), np.where(right, v[1:, 2:], v[:-1, 2:])))
    # The springs are sorted by their first endpoints, as in mesh files.
    pairs = np.concatenate([np.column_stack([a.ravel(), b.ravel()]) for a, b in pairs])
    return at, pairs[np.argsort(pairs.min(axis=1), kind="stable")]


def engine(b):
    """Measures the application springs under every strategy: the time of an iteration, the residual after 50 iterations, and the time to one residual."""
    import numpy as np

    goal = 0.005
    add = b.table("engine", "mesh", "springs", "strategy", "µs an iteration", "residual after 50", "iterations", "ms to the residual", "same bits", "result")
    side = max(8, round(1000 * b.o.scale ** 0.5))
    meshes = {"cloth": lambda: cloth(np, side), "irregular mesh": lambda: skewed(np, side), "small cloth": lambda: cloth(np, 64)}
    for name, make in meshes.items():
        at, pairs = make()
        graph, file, states = (b.path("engine" + end) for end in (".bin", ".h5", ".npy"))
        records = np.empty(len(pairs), [("row", "<u4"), ("col", "<u4"), ("rest", "<f4")])
        records["row"], records["col"] = pairs.T
        records["rest"] = np.linalg.norm((at[pairs[:, 0]] - at[pairs[:, 1]]).astype(float), axis=1)
        records.tofile(graph)
        np.save(states, shaken(np, at).astype(np.float32))
        b.run("lockstep-preprocess", graph, "-o", file, "--force", "--quiet", "--ends", "vertices", "--rank", 4, "--schedule", "agm-e,stars,local,tiled,shuffle")

        def run(strategy, iterations, *more, device=b.device):
            return b.json("lockstep-execute", file, "--app", "springs", "--positions", states, "--strategy", strategy, "--frames", 1, "--substeps", 1,
                          "--gravity", "0,0,0", "--sweep-order", "forward", "--iterations", iterations, "--device", device, *more)

        usual = ["local", "stars", "agm-e", "tiled", "el", "nl", "hogwild", "jacobi", "jacobi-gather"] + ["strips"] * (name == "small cloth")
        for strategy in b.asked("strategies", usual):
            fifty, reached = run(strategy, 50), run(strategy, 2000, "--until-residual", goal)
            if not fifty or not reached:
                continue
            there = reached["residual"] <= goal
            timed = run(strategy, reached["iterations"]) if there else None
            same = fifty["deterministic"] and {run(strategy, 50, device=d)["result_hash"] for d in ["cpu"] + [b.device] * 3} == {fifty["result_hash"]}
            if fifty["deterministic"] and not same:
                b.fail(f"{name} {strategy}: CPU and {b.device} differ, or repeats do")
            add(name, len(pairs), strategy, 1e6 * fifty["iteration_seconds"], fifty["residual"], reached["iterations"] if there else None,
                1e3 * timed["sweep_seconds"] if timed else None, "yes" if same else "no", fifty["result_hash"] if same else None)
