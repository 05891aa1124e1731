"""What the GPU benchmark writes is what tables are made from:  test_gpu_benchmark.py TOOLS BIN SAMPLES, on the CPU"""
import json
import pathlib
import sys
import tempfile
import unittest

TOOLS, BIN, SAMPLES = sys.argv[1:4]
sys.path.insert(0, TOOLS)
import gpu_benchmark  # noqa: E402
import gpu_loading  # noqa: E402
import gpu_pagerank  # noqa: E402
import gpu_runs  # noqa: E402
import pagerank_pictures  # noqa: E402
import tables  # noqa: E402

SMALL = ["ratings", "--users", "200", "--items", "50", "--edges", "2000", "--max-degree", "150", "--noise", "0.5", "--seed", "1"]
gpu_benchmark.RATED, gpu_loading.SHAPES = {"small": SMALL}, {2000: SMALL}
gpu_runs.SETS = {"goodbooks": ("ratings.txt", "bipartite")}  # a small one under the name that the parts ask for


class GpuBenchmark(unittest.TestCase):
    def test_its_json_makes_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            sys.argv = ["gpu_benchmark.py", "--bin", BIN, "--data", SAMPLES, "--out", folder, "--device", "cpu", "--only", "table,rmse,loading",
                        "--sets", "goodbooks", "--strategies", "agm-e,el", "--json", f"{folder}/run.json"]
            failures = gpu_benchmark.main()
            run = json.loads(pathlib.Path(folder, "run.json").read_text())
            self.assertEqual(failures, 1 if run["failures"] else 0)
            self.assertEqual(list(run["parts"]), ["table", "rmse", "stages", "whole"])
            for key in ("about", "device", "date", "revision"):
                self.assertTrue(run[key], key)
            self.assertIn("--only table,rmse,loading --device cpu", run["command"])
            tables.DATA = pathlib.Path(folder)
            lines = tables.made("run", "table", "data | strategy | sweep ms").splitlines()
            self.assertEqual(lines[0], "| data | agm-e | el |")
            self.assertRegex(lines[2], r"^\| goodbooks \| [\d.e-]+ \| [\d.e-]+ \|$")
            self.assertEqual([(row[0], row[1], row[3]) for row in run["parts"]["rmse"]["rows"]],
                             [(data, form, strategy) for data in ("goodbooks", "small") for form in ("plain", "biased") for strategy in ("agm-e", "el")])
            for model, edges, load, plan, transfer, both, whole in run["parts"]["stages"]["rows"]:
                self.assertEqual(edges, 2000)
                self.assertLessEqual(plan, load)
                self.assertLess(both, whole)

    @unittest.skipUnless(pathlib.Path(BIN, "lockstep-bench").exists(), "lockstep-bench is not built")
    def test_virtual_warps_are_swept_and_drawn(self):
        gpu_pagerank.WEBS, gpu_pagerank.SHAPES = {}, {"tree": ["tree", "--vertices", "100"]}
        with tempfile.TemporaryDirectory() as folder:
            sys.argv = ["gpu_benchmark.py", "--bin", BIN, "--data", SAMPLES, "--out", folder, "--device", "cpu", "--only", "pagerank,warp-shapes",
                        "--iterations", "3", "--repeats", "2", "--average", "mean", "--json", f"{folder}/run.json"]
            self.assertEqual(gpu_benchmark.main(), 0)
            parts = json.loads(pathlib.Path(folder, "run.json").read_text())["parts"]
        self.assertEqual(len(parts["warp-shapes"]["rows"]), 3 * 7 * 10)  # variants, sizes, chunks
        drawn = {}
        pagerank_pictures.Picture.save = lambda picture, name: drawn.update({name: picture.svg()})
        pagerank_pictures.figures(parts), pagerank_pictures.shapes(parts)
        self.assertEqual(sorted(drawn), ["pagerank-sorted.svg", "pagerank-variants.svg", "pagerank-warp-shapes.svg"])
        self.assertEqual(drawn["pagerank-warp-shapes.svg"].count("<rect"), 3 * 7 * 10)
        self.assertEqual(drawn["pagerank-variants.svg"].count("<circle"), 8 + 8)  # legend, and a dot each


unittest.main(argv=sys.argv[:1])
