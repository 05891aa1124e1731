"""An update of one's own (samples/springs/spring.hpp) under every strategy, on meshes. Needs NumPy."""
import os
import pathlib

SPRING = pathlib.Path(__file__).resolve().parents[2] / "samples/springs/spring.hpp"
CLOTH = ((0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (2, 0))  # along, across, diagonals, bending


def cloth(np, side):
    """A square of particles: positions and pairs of them."""
    i, j = np.indices((side, side)).reshape(2, -1)
    pairs = []
    for di, dj in CLOTH:
        inside = (i + di < side) & (j + dj < side) & (j + dj >= 0)
        pairs.append(np.column_stack([i * side + j, (i + di) * side + j + dj])[inside])
    return np.column_stack([i, j]), np.concatenate(pairs)


def irregular(b, np, points):
    """The Delaunay triangulation of random points: its edges, and the two vertices opposite to each."""
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
    # Points are numbered as they lie, row after row of a grid, as meshes of files are.
    place = np.empty(len(at), np.int64)
    place[np.lexsort((at[:, 1], at[:, 0].astype(int)))] = np.arange(len(at))
    at = at[np.argsort(place)]
    return at, place[np.concatenate([np.column_stack([edges // len(place), edges % len(place)]), across])]


def springs(b):
    """A sweep of springs under every strategy on a cloth of 6 M, an irregular mesh of 6 M and a cloth of 24,000; the hash of a CPU and of 20 repeats."""
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
