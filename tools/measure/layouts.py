"""The parts of tools/bench.py that compare graph drawings with those of s_gd2 (if Python has this package)
and of Graphviz. They need NumPy.

Programs are compared by the processor time of all threads, including reading the graph, since processor time
depends least on other programs that run on the machine. lockstep-execute computes the stress of every
drawing: --start POSITIONS --sweeps 0."""
import json
import os
import resource
import statistics
import subprocess
import sys

FULL = 10 ** 7  # number of vertices up to which all pairs are used; larger than any graph here
# Graphs from the repository of s_gd2 (its data/*.txt, in --data), real graphs in the data folder, and
# generated graphs.
GRAPHS = {"dwt_1005": "", "1138_bus": "", "qh882": "", "email": "", "football": "", "harvard500": "", "G47": "", "CSphd": "", "poli": "",
          "USPowerGrid": "", "3elt": "", "grid 70 x 70": "grid --width 70 --height 70",
          "grid 100 x 100": "grid --width 100 --height 100", "grid 140 x 140": "grid --width 140 --height 140"}
PIVOTS = {"luxembourg_osm": "", "cnr-2000": ""}
PEER = """import sys, time, numpy, s_gd2
file, out, seed, pivots = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
started = time.process_time()
ends = numpy.loadtxt(file, dtype=numpy.int64, usecols=(0, 1), comments=["#", "%"])
at = numpy.unique(ends, return_inverse=True)[1].reshape(ends.shape).astype(numpy.int32)
read = time.process_time()
x = s_gd2.layout_sparse(at[:, 0], at[:, 1], pivots, t_max=15, eps=0.1, random_seed=seed) if pivots else s_gd2.layout(at[:, 0], at[:, 1], t_max=15, eps=0.1, random_seed=seed)
print(time.process_time() - read)
numpy.save(out, x.astype(numpy.float32))
"""


def cpu_seconds(command, **more):
    """Runs a program. Returns its processor time in seconds, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def file_of(b, name, how):
    if not how:
        found = [os.path.join(b.o.data, name + end) for end in (".txt", ".txt.xz")]
        return next((file for file in found if os.path.exists(file)), None)
    file = b.path(name.replace(" ", "") + ".txt")
    if not os.path.exists(file):
        b.run("lockstep-generate", *how.split(), "-o", file, "--quiet")
    return file


def plain(b, file):
    """Returns the path of an uncompressed copy of a file, which other programs can read."""
    if not file.endswith(".xz"):
        return file
    text = b.path(os.path.basename(file)[:-3])
    with open(text, "w", encoding="utf-8") as out:
        subprocess.run(["xz", "-dc", file], stdout=out, check=True)
    return text


def drawn(b, file, seed, *options):
    seconds, told = cpu_seconds([b.program("lockstep-execute"), file, "--app", "layout", "--seed", seed, "--device", b.device, "--json", "-q", *options])
    return seconds, json.loads(told)


def layouts(b):
    """Compares stress and processor time of drawings with s_gd2: medians of --repeats seeds (10), with all pairs and with 200 pivots."""
    add = b.table("layouts", "graph", "vertices", "terms", "terms of", "stress / s_gd2", "CPU s", "s_gd2 CPU s", "time / s_gd2", "result")
    sets = b.asked("sets", [*GRAPHS, *PIVOTS])
    for name, how in {**GRAPHS, **PIVOTS}.items():
        file = file_of(b, name, how) if name in sets else None
        if not file:
            continue
        pivots, seeds = (200, 1) if name in PIVOTS else (0, b.asked("repeats", 10))
        options = ["--full-up-to", 0, "--pivots", pivots] if pivots else ["--full-up-to", FULL]
        ours = [drawn(b, file, seed, *options) for seed in range(1, seeds + 1)]
        first, theirs = ours[0][1], []
        for seed in range(1, seeds + 1):
            positions = b.path("peer.npy")
            try:
                _, told = cpu_seconds([sys.executable, "-c", PEER, plain(b, file), positions, seed, pivots], timeout=b.asked("limit", 600))
            except (subprocess.SubprocessError, OSError):
                break
            measured = drawn(b, file, 1, *options, "--start", positions, "--sweeps", 0)[1]
            theirs.append((float(told), measured["stress"]))
        median = statistics.median
        seconds, stress = median(run[0] for run in ours), median(run[1]["stress"] for run in ours)
        peer = (median(run[0] for run in theirs), median(run[1] for run in theirs)) if theirs else (None, None)
        add(name, first["vertices"], first["terms"], "pivots" if pivots else "all pairs", peer[1] and stress / peer[1], seconds, peer[0],
            peer[0] and seconds / peer[0], first["result_hash"])


def graphviz(b):
    """Compares stress and processor time with neato (up to 5,000 vertices) and sfdp of Graphviz, each drawing at its best scale, with our drawing of all pairs."""
    add = b.table("graphviz", "graph", "vertices", "program", "stress / ours", "CPU s", "our CPU s")
    for name, how in GRAPHS.items():
        file = file_of(b, name, how) if name in b.asked("sets", GRAPHS) else None
        if not file:
            continue
        text = plain(b, file)
        seconds, ours = drawn(b, file, 1, "--full-up-to", FULL)
        drawing = b.path("graphviz.gv")
        with open(text, encoding="utf-8") as lines, open(drawing, "w", encoding="utf-8") as out:
            ends = {tuple(sorted(line.split()[:2])) for line in lines if line.strip() and line[0] not in "#%"}
            out.write("graph {\n" + "".join(f"{u} -- {v}\n" for u, v in sorted(ends) if u != v) + "}\n")
        for program in ("neato", "sfdp") if ours["vertices"] <= 5000 else ("sfdp",):
            try:
                took, told = cpu_seconds([program, "-Tplain", drawing], timeout=b.asked("limit", 600))
            except (subprocess.SubprocessError, OSError):
                add(name, ours["vertices"], program, None, None, seconds)
                continue
            at = [line.split()[1:4] for line in told.splitlines() if line.startswith("node ")]

            def stress(scale):
                with open(b.path("graphviz.txt"), "w", encoding="utf-8") as out:
                    out.writelines(f"{v} {scale * float(x)} {scale * float(y)}\n" for v, x, y in at)
                return drawn(b, file, 1, "--full-up-to", FULL, "--start", b.path("graphviz.txt"), "--sweeps", 0)[1]["stress"]

            # The stress of a drawing that is scaled by s is the sum over pairs of (s l / d - 1)^2 = s^2 A - 2
            # s B + C, with C the number of pairs. Its minimum over s is C - B^2 / A.
            one, two, pairs = stress(1), stress(2), ours["terms"]
            a = (two - 2 * one + pairs) / 2
            add(name, ours["vertices"], program, (pairs - ((a + pairs - one) / 2) ** 2 / a) / ours["stress"], took, seconds)


def layout_gpu(b):
    """Measures fifteen sweeps of a drawing on a CPU and on a GPU, without the time for distances, and compares the results bitwise; all pairs, and 200 pivots."""
    add = b.table("layout-gpu", "graph", "terms", "CPU ms", "GPU ms", "stress", "same bits")
    for name, how in {**GRAPHS, **PIVOTS}.items():
        file = file_of(b, name, how)
        if not file:
            continue
        options = ["--full-up-to", 0, "--pivots", 200] if name in PIVOTS else ["--full-up-to", FULL]
        runs = {device: b.json("lockstep-execute", file, "--app", "layout", "--device", device, *options, "--repeat", 5) for device in ("cpu", b.device)}
        cpu, gpu = runs["cpu"], runs[b.device]
        add(name, cpu["terms"], 1e3 * cpu["median_seconds"], 1e3 * gpu["median_seconds"], cpu["stress"], "yes" if cpu["result_hash"] == gpu["result_hash"] else "no")
