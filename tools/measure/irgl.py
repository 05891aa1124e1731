"""The parts of tools/bench.py that repeat the measurements of the IrGL papers (Pai and Pingali, OOPSLA 2016;
GTC 2017), on graphs of the kinds and sizes in the papers."""
import os

from measure.applications import timed
from measure.graphs import BOTH_WAYS, RMAT, SQUARE, WEIGHTS
from measure.runner import strategies

SCHEDULERS = {"serial": "serial", "TB": "block", "Warp": "warp", "FG": "fine", "TB+Warp": "warp+block", "TB+FG": "fine+block", "Warp+FG": "fine+warp",
              "TB+Warp+FG": "fine+warp+block"}
R_MAT = {"rmat-22 ef 4": (RMAT.format(22, 4) + WEIGHTS, SQUARE)}
# A road-like lattice with as many vertices and arcs as the road network of the USA, and the grid of the
# paper.
ROADS = {"road of the USA's size": ("road --vertices 24000000" + WEIGHTS, BOTH_WAYS), "grid-1024": ("grid --width 1024 --height 1024" + WEIGHTS, BOTH_WAYS)}
OPTIMISATIONS = ("irgl-none", "irgl-outline", "irgl-nested", "irgl-coop", "irgl-all")
ROUNDS = {"cc": ("soman", ["--balance", "--loop"]), "mis": ("rounds", ["--balance", "--append", "--loop"]), "mst": ("boruvka", ["--append", "--loop"])}
WORDS = {"--balance": tuple(SCHEDULERS.values()), "--append": ("thread", "warp", "block"), "--loop": ("host", "outlined")}


def files_of(b, graphs):
    return b.prepared(graphs, "hubs", "--no-verify")


def nested(b):
    """Repeats IrGL's table of nested schedulers: times on R-MAT 22 with edge factor 4, relative to a serial inner loop."""
    add = b.table("irgl-nested", "graph", "application", "scheduler", "ms", "× over serial", "hash")
    kinds = {"BFS": ("bfs", "irgl-outline", []), "SSSP-NF": ("sssp", "irgl-outline", ["--priority", "near-far"]), "TRI": ("triangles", "thread", [])}
    for name, file in files_of(b, R_MAT).items():
        for kind, (app, strategy, more) in kinds.items():
            serial, hashes = None, set()
            for scheduler, balance in SCHEDULERS.items():
                if run := timed(b, app, (name, kind, scheduler), file, strategy, "--balance", balance, "--repeat", 3, *more):
                    seconds = run["seconds"]["execute"]
                    serial = serial or seconds
                    hashes.add(run["result_hash"])
                    add(name, kind, scheduler, 1e3 * seconds, serial / seconds, run["result_hash"])
            if len(hashes) > 1:
                b.fail(f"{kind} on {name}: {len(hashes)} results")


def atomics(b):
    """Counts the atomic operations on the worklists of SSSP near-far, including its far pile and splits, if a thread, a warp or a block appends together."""
    add = b.table("irgl-atomics", "graph", "append", "ms", "worklist atomics", "× fewer than by thread")
    for name, file in files_of(b, R_MAT | {"grid-1024": ROADS["grid-1024"]}).items():
        thread = None
        for append in WORDS["--append"]:
            if run := timed(b, "sssp", (name, append), file, "irgl-outline", "--priority", "near-far", "--append", append, "--repeat", 3):
                thread = thread or run["worklist_atomics"]
                add(name, append, 1e3 * run["median_seconds"], run["worklist_atomics"], thread / max(1, run["worklist_atomics"]))


def diameter(b):
    """Measures BFS with each of IrGL's optimisations, on a road network of the USA's size and on a grid."""
    add = b.table("irgl-diameter", "graph", "strategy", "ms", "× over none", "rounds", "launches", "µs a round")
    for name, file in files_of(b, ROADS).items():
        none = None
        for strategy in OPTIMISATIONS:
            if run := timed(b, "bfs", (name, strategy), file, strategy, "--repeat", 3):
                none = none or run["median_seconds"]
                rounds = run["sources"][0]["rounds"]
                add(name, strategy, 1e3 * run["median_seconds"], none / run["median_seconds"], rounds, run["launches"], 1e6 * run["median_seconds"] / rounds)


def rounds(b):
    """Measures IrGL's optimisations of components, independent sets and forests, one option at a time, and checks that all give one result."""
    add = b.table("irgl-rounds", "graph", "application", "strategy", "option", "ms", "× over as it is", "hash")
    for name, file in files_of(b, R_MAT | {"grid-1024": ROADS["grid-1024"]}).items():
        for app, (strategy, options) in ROUNDS.items():
            usual, hashes = None, set()
            for option in [(), *((option, word) for option in options for word in WORDS[option])]:
                if run := timed(b, app, (name, app, *option), file, strategy, "--repeat", 3, *option):
                    seconds = run["seconds"]["execute"]
                    usual = usual or seconds
                    hashes.add(run["result_hash"])
                    add(name, app, strategy, " ".join(option), 1e3 * seconds, usual / seconds, run["result_hash"])
            if len(hashes) > 1:
                b.fail(f"{app} on {name}: {len(hashes)} results")


def tune(b):
    """Compares the options that --strategy tune finds with the fastest strategy at its preset options."""
    add = b.table("irgl-tune", "graph", "application", "strategy", "ms", "axes found", "ms with them", "×", "tried")
    for name, file in files_of(b, R_MAT | {"grid-1024": ROADS["grid-1024"]}).items():
        for app in ("bfs", "sssp", "cc", "triangles"):
            run = b.execute(file, "tune", "--app", app, "--device", b.device, "--tune-seconds", 12)
            tried = [t for t in (run["tune"]["tried"] if run else []) if t["seconds"]]
            presets, found = [t for t in tried if "axes" not in t], min(tried, key=lambda t: t["seconds"], default=None)
            if presets:
                preset = min(presets, key=lambda t: t["seconds"])
                add(name, app, preset["strategy"], 1e3 * preset["seconds"], f"{found['strategy']} {found.get('axes', '')}".strip(), 1e3 * found["seconds"],
                    preset["seconds"] / found["seconds"], len(tried))


def meshes(b):
    """Measures the refinement of meshes of 1, 5 and 10 M points (--sets), with two forms of IrGL's Exclusive and with supersteps."""
    add = b.table("irgl-meshes", "points", "strategy", "loop", "ms", "rounds", "launches", "triangles", "hash")
    for points in map(int, b.asked("sets", (1_000_000, 5_000_000, 10_000_000))):
        file, hashes = b.path(f"{points}.ele"), set()
        if not os.path.exists(file):
            b.run("lockstep-generate", "mesh", "--points", points, "--seed", 1, "-o", file, "--quiet")
        for s in strategies(b.bin, "dmr"):
            for loop in ("host", "outlined") if points == 1_000_000 else ("outlined",):
                if run := timed(b, "dmr", (points, s["name"], loop), file, s["name"], "--loop", loop):
                    hashes |= {run["result_hash"]} if s["deterministic"] else set()
                    add(points, s["name"], loop, 1e3 * run["seconds"]["execute"], len(run["rounds"]), run["launches"], run["triangles"], run["result_hash"])
        if len(hashes) > 1:
            b.fail(f"dmr of {points} points: {len(hashes)} meshes")
