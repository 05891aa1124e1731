"""Tests that the table of stages can be made from the output of the part preprocessing of tools/bench.py:

    test_preprocessing.py TOOLS BIN
"""
import json
import pathlib
import sys
import tempfile
import unittest

TOOLS, BIN = sys.argv[1:3]
sys.path.insert(0, TOOLS)
import bench  # noqa: E402
import tables  # noqa: E402
from measure import sgd  # noqa: E402


@unittest.skipUnless(pathlib.Path(BIN, "lockstep-bench").exists(), "lockstep-bench is not built")
class Preprocessing(unittest.TestCase):
    def test_every_stage_has_a_row_and_what_a_graph_cannot_have_is_left_open(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(bench.main(["preprocessing", "--bin", BIN, "--out", folder, "--repeats", "1", "--scale", "0.0005", "--machine", "a test",
                                         "--json", f"{folder}/stages.json"]), 0)
            written = json.loads(pathlib.Path(folder, "stages.json").read_text())
            tables.DATA = pathlib.Path(folder)
            lines = tables.made("stages", "pipeline", 'stage, "road, s"').splitlines()
        self.assertEqual(written["device"], "a test")
        self.assertIn("times 0.0005", written["about"])
        rows = {row[0]: dict(zip(written["parts"]["pipeline"]["columns"], row)) for row in written["parts"]["pipeline"]["rows"]}
        self.assertEqual(len(lines), 2 + len(rows))
        for stage in [*sgd.TITLES.values(), "agm-e", "tiled", "stars", "local"]:
            self.assertIn(stage, rows)
        self.assertIsNotNone(rows["local"]["road, s"])
        self.assertGreater(rows["agm-e"]["bytes/edge"], 8)  # bytes of its order


unittest.main(argv=sys.argv[:1])
