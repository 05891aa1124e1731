"""The parts of tools/bench.py that check programs: compute-sanitizer on small inputs, the tests of the
executor, and bitwise comparisons of CPU results with 20 repeats on a GPU."""
import itertools
import os

from measure.applications import APPS, structure_files, traversal_files, ways
from measure.graphs import BITS, CLASS_OF, LARGE, TRAVERSALS
from measure.runner import pool_of, strategies

SKIPPED = 77  # exit code of a test whose data or device does not exist (tests/support)
TOOLS = ("memcheck", "racecheck", "synccheck")


def sanitized(b, jobs):
    """Runs lockstep-execute under compute-sanitizer for jobs (tool, description, arguments), and prints the
    number of runs without errors."""
    def clean(job):
        tool, _, arguments = job
        return b.run("compute-sanitizer", "--tool", tool, "--error-exitcode", 99, b.program("lockstep-execute"), *arguments,
                     "--device", b.device, "--quiet") is not None

    for (tool, what), alike in itertools.groupby(jobs, key=lambda job: job[:2]):
        alike = list(alike)
        with pool_of(8) as pool:
            print(f"compute-sanitizer {tool}, {what}: {sum(pool.map(clean, alike))} of {len(alike)} clean", flush=True)


def small(b, name, given, *told):
    """Generates a small graph and its schedule file, replacing an earlier one. Returns the path of the
    schedule file."""
    graph, file = b.path(f"small-{name}.txt"), b.path(f"small-{name}.h5")
    b.run("lockstep-generate", *given.split(), "--seed", 3, "-o", graph, "--force", "--quiet")
    b.run("lockstep-preprocess", graph, "-o", file, "--force", "--quiet", *told)
    return file


def equal(b, what, file, strategy, *options):
    """Runs a strategy once on the CPU and 20 times on the device, all with verification, and checks that all
    results are bitwise identical. Returns their hash."""
    def run(device, *more):
        return b.execute(file, strategy, "--device", device, "--verify", *options, *more)

    found, expected = run(b.device, "--repeat", 20), run("cpu")
    if not found or not expected or found["result_hash"] != expected["result_hash"]:
        return b.fail(f"{what}: CPU and {b.device} differ")
    return found["result_hash"]


def sanitize(b):
    """Runs every strategy of SGD under compute-sanitizer, with blocks so small that a graph has several."""
    file = small(b, "ratings", "ratings --users 300 --items 120 --edges 3000 --max-degree 200", "--schedule", "all", "--workers", 50, "--rank", 256)
    plan = [("memcheck", "fp32", (3, 16, 64, 100, 200)), ("memcheck", "fp16", (3, 16, 64, 100, 200)), ("racecheck", "fp32", (16, 64, 100)),
            ("racecheck", "fp16", (16,)), ("synccheck", "fp32", (16,)), ("synccheck", "fp16", (16,))]
    sanitized(b, [(tool, f"rank {rank}, {storage}", [file, "--strategy", s, "--rank", rank, "--storage", storage, "--sweeps", 2, "--test-fraction", 0.1])
                  for tool, storage, ranks in plan for rank in ranks for s in b.asked("strategies", b.facts)
                  # The walk racing_tiles has races in shared memory by design.
                  if (tool, b.facts[s]["walk"]) != ("racecheck", "racing_tiles")])


def tests(b):
    """Runs the test program of the executor, with one process per test case."""
    # The program's exit code is the number of test cases, not a failure.
    cases = b.call("lockstep_test_executor", "--list-test-names-only")[0].splitlines()

    def one(case):
        _, reason = b.call("lockstep_test_executor", case.strip().replace(",", "\\,"))
        skipped = reason is not None and reason.startswith(f"exit {SKIPPED}:")
        if reason and not skipped:
            b.fail(reason)
        return "skipped" if skipped else "failed" if reason else "passed"

    with pool_of(min(12, os.cpu_count())) as pool:
        ends = list(pool.map(one, cases))
    print(f"tests: {ends.count('passed')} of {len(cases)} cases passed, {ends.count('skipped')} skipped", flush=True)


def bits(b):
    """Compares the result of every deterministic strategy of SGD between a CPU and 20 repeats on the device, on six real data sets."""
    add, tried = b.table("bits", "data", "strategy", "rank", "storage", "hash"), 0
    sweeps = ["--sweeps", 3, "--evaluate-every", 3]
    for rank, storage in b.ranks("16,64,100,128:fp16"):
        made_for = ["--rank", rank, "--storage", storage]
        files = b.prepared(BITS, b.schedules, *made_for)
        runs = [(name, s) for name in files for s in b.wanted(name) if b.facts[s]["deterministic"]]

        def hashes(run):
            name, strategy = run
            rate = ["--learning-rate", 1e-6] if name == "road-NY" else []  # small, since weights are up to 36,950
            ran = [b.execute(files[name], strategy, "--device", device, *made_for, *sweeps, *rate) for device in (b.device, "cpu")]
            return [run and run["result_hash"] for run in ran]

        with pool_of(4) as pool:
            for (name, strategy), (found, expected) in zip(runs, pool.map(hashes, runs)):
                tried += 1
                if found != expected:
                    b.fail(f"{name} {strategy} rank {rank} {storage}: CPU and {b.device} differ")
                elif found:
                    add(name, strategy, rank, storage, found)
            for name, strategy in runs if rank == 16 else []:
                if name == "goodbooks":
                    ran = list(pool.map(lambda _: b.execute(files[name], strategy, "--device", b.device, *made_for, *sweeps), range(20)))
                    found = {run and run["result_hash"] for run in ran}
                    print(f"{name} {strategy}: 20 runs, {len(found)} hash", flush=True)
                    if len(found) != 1:
                        b.fail(f"{strategy}: 20 runs gave {len(found)} hashes")
    print(f"CPU = {b.device}: {len(b.parts['bits']['rows'])} of {tried}", flush=True)


def traversal_checks(b):
    """Checks every strategy of BFS and SSSP: compute-sanitizer on small graphs, bitwise comparisons on real graphs."""
    weighted = " --weights 0..9"
    told = ["--shape", "square", "--no-verify", "--schedule"]
    hubs = small(b, "hubs", "rmat --scale 9 --edge-factor 8" + weighted, *told, "hubs,hubs-weight")
    regions = small(b, "regions", "road --vertices 900", *told, "regions", "--undirected", "--region-vertices", 128)
    names = [s["name"] for s in strategies(b.bin, "bfs")]
    sanitized(b, [(tool, "traversals", [regions if s == "regions" else hubs, "--app", app, "--strategy", s, "--sources", 2, "--verify"])
                  for tool in TOOLS for app in ("bfs", "sssp") for s in names
                  if (app, s) != ("sssp", "hubs")])
    checked = [equal(b, f"{app} {s} on {name}", file, s, "--app", app)
               for name, file in traversal_files(b, [n for n, (given, _) in TRAVERSALS.items() if " " not in given]).items() for app in ("bfs", "sssp")
               for s in ("regions" if CLASS_OF[name] == "road" else "hubs" if app == "bfs" else "hubs-weight", "best")]
    print(f"CPU = {b.device}, 20 repeats, --verify: {len(list(filter(None, checked)))} of {len(checked)}")


def structure_checks(b):
    """Checks every strategy of the applications on the structure of a graph and on meshes, in the same way as traversal-checks."""
    mesh = b.path("small.ele")
    b.run("lockstep-generate", "mesh", "--points", 300, "--seed", 1, "-o", mesh, "--quiet", "--force")
    graph = small(b, "structures", "rmat --scale 9 --edge-factor 8 --weights 0..9", "--shape", "square", "--undirected", "--repeats", "first", "--no-verify",
                  "--schedule", "hubs,edge-tiled")
    jobs = [[graph, "--app", app, "--strategy", s, *more] for app in APPS for s, _, more in ways(b, app)]
    jobs += [[mesh, "--app", "dmr", "--strategy", s["name"]] for s in strategies(b.bin, "dmr")]
    jobs += [[graph, "--app", "pagerank", "--strategy", "pull-push", "--until", 1e-6]]
    sanitized(b, [(tool, "structures and meshes", job) for tool in TOOLS for job in jobs])
    checked = [equal(b, f"{app} {s} {label} on {name}", file, s, "--app", app, *more) for name, file in structure_files(b).items() if name not in LARGE
               for app in APPS for s, label, more in ways(b, app) if s in ("best", "hubs", "edge-tiled")]
    print(f"CPU = {b.device}, 20 repeats, --verify: {len(list(filter(None, checked)))} of {len(checked)}")


def pagerank_checks(b):
    """Checks every variant of PageRank in the same way as traversal-checks, and that all variants give one result."""
    file = small(b, "web", "rmat --scale 12 --edge-factor 16", "--shape", "square", "--no-input-order", "--no-verify",
                 "--schedule", "degree,edge-tiled")
    variants = [s["name"] for s in strategies(b.bin, "pagerank") if s["class"] in ("offline", "online")]
    warps = {v: [["--warp-size", 8], ["--warp-size", 64]] if v.endswith("-warp") and b.device == "cuda" else [[]] for v in variants}
    sanitized(b, [(tool, "variants of PageRank", [file, "--app", "pagerank", "--strategy", v, "--iterations", 3, "--tolerance", 1e-12, "--sums", sums, *warp])
                  for tool in TOOLS for v in variants for sums in ("exact", "float") for warp in warps[v]])
    hashes = {equal(b, f"pagerank {v}", file, v, "--app", "pagerank") for v in variants}
    print(f"20 repeats of {len(variants)} variants, --verify: {len(hashes)} hash as on the CPU")
    if len(hashes) > 1:
        b.fail(f"pagerank: {len(hashes)} results of {len(variants)} variants")
