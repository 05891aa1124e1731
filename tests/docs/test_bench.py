"""Tests on the CPU that tables can be made from the output of tools/bench.py.

    test_bench.py TOOLS BIN SAMPLES
"""
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

TOOLS, BIN, SAMPLES = sys.argv[1:4]
sys.path[:0] = [TOOLS, str(pathlib.Path(TOOLS).parent / "docs/pictures")]
sys.dont_write_bytecode = True
import bench  # noqa: E402
import measured  # noqa: E402
import tables  # noqa: E402
from measure import applications, checks, frontiers, neighbours, sgd  # noqa: E402

SMALL = "ratings --users 200 --items 50 --edges 2000 --max-degree 150"
# A small data set with the name that the parts use
SETS = {"goodbooks": ("ratings.txt", "--shape bipartite")}
GRAPH = {"tree": ("tree --vertices 100", "--shape square --undirected --repeats first")}
# A tool that only runs a program, and reports a fault in EL
SANITIZER = """#!/bin/sh
while [ "$1" != 99 ]; do shift; done
shift
case " $* " in *" --strategy el "*) exit 99 ;; esac
exec "$@"
"""


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        patches = [unittest.mock.patch.multiple(sgd, TABLE=SETS, RATED={**SETS, "small": (SMALL, "")}),
                   unittest.mock.patch.multiple(checks, BITS=SETS, TRAVERSALS={}), unittest.mock.patch.multiple(applications, STRUCTURES=GRAPH),
                   unittest.mock.patch.multiple(neighbours, NEIGHBOURS=GRAPH, WEBS=GRAPH,
                                                SHAPES=[(4, 1), (4, 3), (32, 1)])]
        for patch in patches:
            patch.start()
            self.addCleanup(patch.stop)

    def run_parts(self, words, failures=0):
        """Runs tools/bench.py. Returns the parts of the file that it writes, and its output."""
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = bench.main(["--bin", BIN, "--data", SAMPLES, "--out", self.folder, "--device", "cpu", "--json", f"{self.folder}/run.json", *words.split()])
        self.written = json.loads(pathlib.Path(self.folder, "run.json").read_text())
        self.assertEqual((self.written["failures"], code), (failures, int(failures > 0)), printed.getvalue())
        return {name: [dict(zip(part["columns"], row)) for row in part["rows"]] for name, part in self.written["parts"].items()}, printed.getvalue()

    def test_its_json_makes_tables(self):
        # With two thousand ratings, the errors of the strategies differ too much for the checks of bench.py.
        with unittest.mock.patch.object(bench.Runs, "fail", return_value=None):
            parts, _ = self.run_parts("table rmse --strategies agm-e,el")
        self.assertEqual(list(parts), ["table", "rmse"])
        for key in ("about", "device", "date", "revision"):
            self.assertTrue(self.written[key], key)
        self.assertRegex(self.written["command"], "^tools/bench.py .* table rmse --strategies agm-e,el$")
        tables.DATA = pathlib.Path(self.folder)
        lines = tables.made("run", "table", "data | strategy | sweep ms").splitlines()
        self.assertEqual(lines[0], "| data | agm-e | el |")
        self.assertRegex(lines[2], r"^\| goodbooks \| [\d.e-]+ \| [\d.e-]+ \|$")
        self.assertEqual([(row["data"], row["model"], row["strategy"]) for row in parts["rmse"]],
                         [(data, form, strategy) for data in ("goodbooks", "small") for form in ("plain", "biased") for strategy in ("agm-e", "el")])

    def test_another_build_runs_in_turns_and_must_have_the_same_results(self):
        other = pathlib.Path(self.folder, "other")
        other.mkdir()
        for program in pathlib.Path(BIN).glob("lockstep-*"):
            (other / program.name).symlink_to(program)
        words = f"table --strategies agm-e,hogwild --ranks 8,16:fp16 --sweeps 2 --turns 3 --beside {other}"
        parts, printed = self.run_parts(words)
        self.assertEqual([row["run"] for row in parts["beside"]],
                         [f"goodbooks {strategy} {kind}" for kind in ("8 fp32", "16 fp16") for strategy in ("agm-e", "hogwild")])
        self.assertEqual([row["result"] for row in parts["beside"]], ["same", "racing"] * 2)
        for row in parts["beside"]:
            self.assertAlmostEqual(row["ratio"], row["ms"] / row["ms of the other build"])
        self.assertRegex(printed, r"4 runs beside .*: geomean [\d.]+, worst [\d.]+ \(goodbooks .*\), \d above 1.05; 2 of 2 results the same\n")
        # There is one run per turn.
        self.assertEqual(pathlib.Path(self.folder, "beside/goodbooks.8-fp32.agm-e.jsonl").read_text().count('"record":"end"'), 3)
        execute = other / "lockstep-execute"
        execute.unlink()
        execute.write_text(f'#!/bin/sh\nexec {BIN}/lockstep-execute "$@" --seed 5\n')
        execute.chmod(0o755)
        parts, _ = self.run_parts(words, failures=2)
        self.assertEqual([row["result"] for row in parts["beside"]], ["another", "racing"] * 2)

    def test_checks_count_what_fails(self):
        sanitizer = pathlib.Path(self.folder, "compute-sanitizer")
        sanitizer.write_text(SANITIZER)
        sanitizer.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"):
            # The failures are runs of EL, one of each kind.
            _, printed = self.run_parts("sanitize --strategies agm-e,el", failures=16)
        self.assertIn("compute-sanitizer memcheck, rank 16, fp32: 1 of 2 clean\n", printed)
        parts, printed = self.run_parts("bits --strategies agm-e --ranks 16")
        self.assertIn("goodbooks agm-e: 20 runs, 1 hash\nCPU = cpu: 1 of 1\n", printed)
        self.assertEqual([(row["data"], row["strategy"], row["rank"]) for row in parts["bits"]], [("goodbooks", "agm-e", 16)])

    def test_auto_is_held_against_all_that_tune_tries(self):
        grid = {"grid-2048": ("grid --width 9 --height 9 --weights 1..9", "--shape square --undirected --repeats first")}
        with unittest.mock.patch.multiple(applications, TRAVERSALS=grid):
            parts, _ = self.run_parts("traversals")
        self.assertEqual([(row["class"], row["application"]) for row in parts["choices"]], [("road", "bfs"), ("road", "sssp")])
        for row in parts["choices"]:
            tried = [t for t in parts["traversals"] if t["application"] == row["application"]]
            self.assertEqual(min(t["ms"] for t in tried), row["best ms"])
            self.assertEqual(len({t["hash"] for t in tried}), 1)

    def test_structures_have_one_result_of_all_strategies(self):
        parts, _ = self.run_parts("structures")
        for app in applications.APPS:
            rows = [row for row in parts["structures"] if row["application"] == app]
            self.assertTrue(rows, app)

    def test_hybrids_run_by_the_papers_locks_and_by_ours(self):
        words = "hybrids blocks --sets small-road --sweeps 2 --quick"
        parts, _ = self.run_parts(words)
        forms = [(s, n) for n in (1, 0) for s in ("el-shuffled", "nl-el", "el-sgm")]
        self.assertEqual([(row["strategy"], row["attempts"]) for row in parts["hybrids"]],
                         [*forms, ("sgm", None), ("nl", None), ("nl-marks", None)])
        self.assertEqual({(row["class"], row["sweeps"]) for row in parts["hybrids"]}, {("road", 2)})
        self.assertEqual([row["form"] for row in parts["blocks"][:4]],
                         ["el-shuffled, one attempt", "el-shuffled", "agm-n, T × 0.5", "sgm, T × 0.5"])
        agm_n = [row for row in parts["blocks"] if row["strategy"] == "agm-n"]
        self.assertEqual([row["T"] / agm_n[1]["T"] for row in agm_n], [0.5, 1, 2, 4, 8])
        self.assertEqual(sorted((row["rounds"] for row in agm_n), reverse=True),
                         [row["rounds"] for row in agm_n])
        again, _ = self.run_parts(words)  # a finished graph is not run again
        self.assertEqual(again, parts)
        self.assertEqual([*pathlib.Path(self.folder).glob("*.h5")], [])

    def test_filters_tell_which_rounds_went_by_ballot(self):
        self.assertEqual([frontiers.ranges(numbers) for numbers in ([], [4], [1, 2, 3, 7, 9, 10])],
                         ["none", "4", "1-3, 7, 9-10"])
        called = []

        def execute(_, file, strategy, *options):  # prints the output of a GPU: a CPU refuses these options
            called.append(options)
            rounds = [{"filter": name, "direction": "push"} for name in ("ballot", "ballot", "online")]
            of_app = {"rounds": 3, "each_round": rounds} if "kcore" in options else {"rounds": rounds}
            return {"seconds": {"execute": 0.5}, "median_seconds": 0.5, "launches": 1, "worklist_atomics": 2,
                    "registers": 3, "result_hash": "", **of_app}

        graphs = {"web": ("rmat --scale 6 --edge-factor 4", frontiers.BOTH_WAYS)}
        with (unittest.mock.patch.multiple(frontiers, FILTERED=graphs, CLASS_OF={"web": "web"}),
              unittest.mock.patch.object(bench.Runs, "execute", execute)):
            parts, _ = self.run_parts("filters")
        self.assertEqual({row["application"] for row in parts["filters"]}, {"bfs", "sssp", "kcore"})
        self.assertEqual({(row["rounds"], row["by ballot"], row["ballot rounds"])
                          for row in parts["filters"]}, {(3, 2, "1-2 of 3")})
        # Lanes and atomics are compared under one filter.
        combined = [options for options in called if "--combine" in options]
        self.assertTrue(combined)
        self.assertTrue(all(("--filter", "ballot") == options[-2:] for options in combined))

    def test_runs_to_an_error_are_lines_that_tables_are_made_of(self):
        for part in ("train", "test"):
            subprocess.run([f"{BIN}/lockstep-generate", *SMALL.split(), "--seed", "1", "-q", "-o", f"{self.folder}/tiny.{part}.bin"], check=True)
        self.run_parts(f"time-to-error --data {self.folder} --sets tiny --strategies agm-e --ranks 8 --sweeps 3")
        lines = [json.loads(line) for line in pathlib.Path(self.folder, "curves.jsonl").read_text().splitlines()]
        self.assertEqual([line["program"] for line in lines], 4 * ["agm-e"] + ["agm-e, biased"])
        # The first error is that of the biases, before the sweeps.
        self.assertEqual([len(line["curve"]) for line in lines], 4 * [3] + [4])
        least = min(rmse for line in lines[:4] for _, rmse in line["curve"])
        parts, _ = self.run_parts(f"errors --files {self.folder}/curves.jsonl --errors tiny=9/{least}")
        self.assertEqual([(row["program"], row["ms to 9"] is None) for row in parts["tiny"]], [("agm-e", False), ("agm-e, biased", False)])
        self.assertEqual(parts["tiny"][0]["least RMSE"], round(least, 4))

    def test_every_stage_of_preprocessing_has_a_row(self):
        parts, _ = self.run_parts("preprocessing --repeats 1 --scale 0.0005")
        rows = {row["stage"]: row for row in parts["pipeline"]}
        self.assertEqual(list(rows), ["file → graph", *sgd.BUILDERS])
        self.assertIsNotNone(rows["local"]["road, s"])
        self.assertGreater(rows["agm-e"]["bytes/edge"], 8)  # bytes of its order
        self.assertIn("times 0.0005", self.written["about"])

    def test_variants_of_pagerank_are_timed_ranked_and_drawn(self):
        execute = bench.Runs.execute

        def without_shapes(b, file, strategy, *options, **how):  # a CPU refuses these options
            shape = [*options, "--warp-size"].index("--warp-size")
            return execute(b, file, strategy, *options[:shape], *options[shape + 4:], **how)

        with unittest.mock.patch.object(bench.Runs, "execute", without_shapes):
            found, printed = self.run_parts("pagerank warp-shapes --iterations 3 --repeats 2")
        variants = found["pagerank"]
        self.assertEqual({row["runs"] for row in variants}, {2})
        self.assertTrue(all(row["deviation"] >= 0 for row in variants))
        # The factors are sums * (strategies * orders + strategies on schedules).
        self.assertEqual(len(variants), 2 * (8 * 2 + 2))
        for sums in ("exact", "float"):
            self.assertEqual(max(row["of worst"] for row in variants if row["sums"] == sums), 1)
        self.assertTrue(all(row[access] > 0 for row in found["accesses"] for access in row if access.endswith(", ns")))
        self.assertEqual(len(found["models"]), 2 * 2 * 2 * 2)  # orders * sums * strategies * models
        for row in found["models"]:
            best = min((r for r in variants if r["order"] in (row["order"], "own") and r["sums"] == row["sums"]
                        and (row["strategies"] == "all" or r["variant"] in neighbours.SOURCES)), key=lambda r: r["ms"])
            self.assertEqual(row["measured best"], best["variant"])
            self.assertEqual(row["right"] == "yes", best["variant"] in row["predicted best"].split())
            self.assertTrue(-1.001 < row["rank correlation"] < 1.001)
        self.assertRegex(printed, r"source, all random: the best in \d of 4, median rank correlation")
        parts = self.written["parts"]
        self.assertEqual(len(parts["warp-shapes"]["rows"]), 3 * 3)  # variants * shapes
        drawn = {}
        self.written["parts"]["hybrids"] = {
            "columns": ["data", "class", "strategy", "attempts", "sweep ms"],
            "rows": [["web", "scale-free", s, n, ms] for n in (1, 0)
                     for s, ms in (("el-shuffled", 4), ("nl-el", 1), ("el-sgm", 8))]}
        pathlib.Path(self.folder, "run.json").write_text(json.dumps(self.written))
        with unittest.mock.patch.object(measured.Picture, "save", lambda picture, name: drawn.update({name: picture.svg()})):
            measured.main([f"{self.folder}/run.json"])
        self.assertEqual(sorted(drawn), ["pagerank-sorted.svg", "pagerank-variants.svg", "pagerank-warp-shapes.svg", "study-hybrids.svg"])
        self.assertEqual(drawn["pagerank-warp-shapes.svg"].count("<rect"), 3 * 3)
        self.assertEqual([drawn["study-hybrids.svg"].count(f"{ratio} ×<") for ratio in ("4.00", "0.50")], [2, 2])
        # There are 8 dots in the legend, and one per row.
        self.assertEqual(drawn["pagerank-variants.svg"].count("<circle"), 8 + 8)


class Ranks(unittest.TestCase):
    def test_correlation_of_ranks(self):
        self.assertAlmostEqual(neighbours.correlation([1, 2, 30], [0.1, 0.5, 0.6]), 1)
        self.assertAlmostEqual(neighbours.correlation([1, 2, 3], [9, 8, 1]), -1)
        self.assertEqual(neighbours.places([5, 1, 5]), [2.5, 1, 2.5])
        self.assertIsNone(neighbours.correlation([1, 1], [1, 2]))


unittest.main(argv=sys.argv[:1] + sys.argv[4:])
