#!/usr/bin/env python3
"""Checks and measurements of Lockstep, on a GPU or (--device cpu) to try them out.

    tools/bench.py PART… --bin BUILD/bin --data FOLDER --out FOLDER [--json FILE] [--beside OTHER_BUILD/bin]

It ends with the number of failures. Data sets that are not in --data are left out, and said so. --beside runs all that is timed in another build too,
in turns, each on schedule files of its own, and ends with the geomean of the ratios of times, the worst, and how many results are the same. --json
writes what was measured, as docs/data/*.json have it, of which tools/tables.py makes the tables of the documents:

    about, device, date, revision, command   texts: what was measured, on what, when, by which build and call
    transcribed   true where figures were taken over from an older page by hand; absent in what this writes
    notes         texts that a reader of the figures needs; absent where there are none
    failures      how many checks failed; absent where figures were transcribed
    parts         by name {"columns": [title, …], "rows": [[cell, …], …]}; a cell is a number, a text or null (not measured); units stand in the title;
                  of transcribed parts of many runs the part "origins" says what each is, on what device, of what revision and day
"""
import argparse
import os
import shlex
import sys
import tempfile
import time

from measure import applications, checks, costs, frontiers, irgl, layouts, memory, models, neighbours, others, scale, sgd, study, tradeoff, updates, whole
from measure.runner import Runs

# The parts of a complete run ("all"), in their order, followed by parts that run only by name. The first line
# of a part's docstring is its help text.
ALL = {"sanitize": checks.sanitize, "tests": checks.tests, "bits": checks.bits, "devices": sgd.devices, "bounds": sgd.bounds, "table": sgd.table,
       "rmse": sgd.rmse, "pagerank-checks": checks.pagerank_checks, "pagerank": neighbours.pagerank,
       "traversal-checks": checks.traversal_checks, "traversals": applications.traversals, "sources": applications.sources, "axes": applications.axes,
       "structure-checks": checks.structure_checks, "structures": applications.structures, "meshes": applications.meshes}
PARTS = {**ALL, "warp-based": frontiers.warp_based, "filters": frontiers.filters, "fused-arcs": frontiers.fused_arcs, "tradeoff": tradeoff.tradeoff, "hybrids": tradeoff.hybrids, "blocks": tradeoff.blocks,
         "warp-shapes": neighbours.warp_shapes, "preprocessing": sgd.preprocessing, "builders": whole.builders, "whole": whole.whole, "break-even": whole.break_even, "programs": whole.programs, "busy": whole.busy,
         "study": study.study, "fit": costs.fit, "scale-measured": costs.scale_measured, "scale-fit": costs.scale_fit, "scale-beyond": costs.scale_beyond, "curves": models.curves,
         "lists": models.lists, "at-once": models.at_once, "scale": scale.scale, "scale-arcs": scale.scale_arcs, "springs": updates.springs, "engine": updates.engine, "layouts": layouts.layouts, "layout-gpu": layouts.layout_gpu, "graphviz": layouts.graphviz,
         "memory": memory.memory, "time-to-error": others.time_to_error, "errors": others.errors,
         "irgl-nested": irgl.nested, "irgl-atomics": irgl.atomics, "irgl-diameter": irgl.diameter, "irgl-rounds": irgl.rounds, "irgl-tune": irgl.tune,
         "irgl-meshes": irgl.meshes}


def arguments():
    told = "parts:\n  all               all parts in this list up to meshes\n" + "\n".join(f"  {name:17} {part.__doc__.splitlines()[0]}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(description=__doc__, epilog=told, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = {"type": lambda words: words.split(","), "metavar": "NAME,…"}
    add = parser.add_argument
    add("parts", nargs="+", metavar="PART", choices=["all", *PARTS], help="see below")
    add("--bin", default="build/bin", help="folder of the programs")
    add("--beside", metavar="BIN", help="folder of the programs of another build, to compare with")
    add("--data", help="folder of the real graphs")
    add("--out", default=os.path.join(tempfile.gettempdir(), "lockstep-bench"), help="folder of all generated files")
    add("--json", metavar="FILE", help="write the measurements to this file")
    add("--about", help="description of the measurements in the file")
    add("--machine", help="description of the machine in the file")
    add("--device", default="cuda", choices=["cuda", "cpu"])
    add("--sets", **names, help="data sets; the study also has: small")
    add("--strategies", **names, help="strategies of SGD")
    add("--not-on-roads", **names, default=[], help="strategies that are not run on road networks")
    add("--ranks", **names, help="ranks, such as 16, or with another precision 128:fp16")
    add("--extra", default="", help="table: further options of lockstep-execute")
    add("--sweeps", type=int, help="number of sweeps of a run of SGD")
    add("--error-sweeps", type=int, default=0, help="study: number of sweeps of the runs that record the error, with exact and unsynchronized strategies; 0: no such runs")
    add("--time-limit", type=float, help="table, study: a run stops after the sweep in which the total time of its sweeps reaches this limit, in seconds (study: 2)")
    add("--limit", type=float, help="seconds after which a program is killed")
    add("--turns", type=int, default=1, help="number of runs of each measurement, whose median is reported")
    add("--repeats", type=int, help="pagerank, warp-shapes (30), filters (3), preprocessing: number of runs that are averaged")
    add("--all-within", type=float, default=0, metavar="SECONDS", help="pagerank: do all --repeats of a variant if they take at most this time, otherwise runs for one second")
    add("--average", default="mean", choices=["median", "mean"], help="pagerank, warp-shapes: kind of average")
    add("--iterations", type=int, help="pagerank, warp-shapes: number of iterations (30)")
    add("--threads", type=int, help="study, curves, lists: number of threads of a program")
    add("--running", type=int, default=1, help="number of graphs (table, study, hybrids, blocks) or runs (time-to-error) that share a GPU; one of them at a time runs sweeps")
    add("--quick", action="store_true", help="study: measure a rough probe, which is sufficient without predictions")
    add("--scale", type=float, default=1, help="preprocessing: scale of the graphs")
    add("--libmf", help="folder of a built LIBMF")
    add("--files", nargs="+", default=[], help="errors: files with the lines of runs")
    add("--errors", **{**names, "metavar": "NAME=X/Y,…"}, help="errors: test errors whose time is computed")
    add("--train", **names, help="fit: graphs to which the model is fitted")
    add("--write", metavar="FILE", help="fit: file of built-in figures (executor/insight/h200.json) in which the fitted factors replace the old ones")
    return parser


def main(words=None):
    words = words or sys.argv[1:]
    options = arguments().parse_args(words)
    options.parts = [name for part in options.parts for name in (ALL if part == "all" else [part])]
    options.running = 1 if options.device == "cpu" else options.running
    os.makedirs(options.out, exist_ok=True)
    runs = Runs(options, shlex.join(["tools/bench.py", *words]))
    for part in options.parts:
        start = time.time()
        PARTS[part](runs)
        if len(options.parts) > 1:
            print(f"== {part}: {time.time() - start:.1f} s", flush=True)
        runs.compare()
        runs.write()
    if runs.failures or len(options.parts) > 1:
        print(f"{len(runs.failures)} failures")
    return 1 if runs.failures else 0


if __name__ == "__main__":
    sys.exit(main())
