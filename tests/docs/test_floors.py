"""Compares three results of the tools with values computed by hand: lower bounds of sweep times, times to an
error, and the ratio of exact to unsynchronized sweeps at equal error.

    test_floors.py TOOLS
"""
import sys
import unittest

sys.path.insert(0, sys.argv.pop())
from measure import floors, others  # noqa: E402

PROBE = {"threads": 132, "copy_bytes_per_second": 4e12, "seconds": {"barrier": 1e-6, "block_barrier": 4e-8}}
SCHEDULES = [{"name": "agm-e", "rounds": 110, "histogram": [{"from": 4, "rounds": 100}, {"from": 1024, "rounds": 10}], "parameters": {}},
             {"name": "tiled", "rounds": 264, "histogram": [], "parameters": {"item_blocks": "264", "user_blocks": "264"}}]
GRAPH = {"edges": 2_000_000, "max_row_degree": 900, "max_col_degree": 30_000, "row_degree_histogram": [90_000, 10_000], "col_degree_histogram": [0, 20_000]}


class EqualError(unittest.TestCase):
    def test_sweeps_are_linear_between_two(self):
        self.assertEqual(floors.sweeps_to([1.0, 0.5, 0.4], 0.5), 2)
        self.assertAlmostEqual(floors.sweeps_to([1.0, 0.5, 0.4], 0.45), 2.5)
        self.assertEqual(floors.sweeps_to([1.0, 0.5], 2.0), 1)
        self.assertIsNone(floors.sweeps_to([1.0, 0.5], 0.4))

    def test_all_go_to_the_least_error_that_all_reach(self):
        runs = {"tiled": (2.0, [1.0, 0.5, 0.2]), "stars": (1.0, [1.0, 0.9, 0.6]), "hogwild": (1.0, [1.0, 0.8, 0.6]), "hogwild-blocked": (0.5, [1.0, 0.9, 0.7])}
        found = dict(zip(floors.EQUAL, floors.equal_row("g", runs, ["hogwild", "hogwild-blocked"])))
        # The times are 2.67 ms (tiled: 3.2 ms) and 1.5 ms (hogwild: 2.5 ms).
        self.assertEqual((found["best exact"], found["best racing"], found["RMSE"]), ("stars", "hogwild-blocked", 0.7))
        self.assertAlmostEqual(found["exact / racing"], (2 + 2 / 3) / 1.5)

    def test_runs_that_do_not_learn_are_left_out(self):
        runs = {"tiled": (1.0, [1.0, 0.5]), "hogwild": (1.0, [1.0, float("nan")]), "hogwild-blocked": (1.0, [1.0, 1.1])}
        self.assertIsNone(floors.equal_row("g", runs, ["hogwild", "hogwild-blocked"]))


class Floors(unittest.TestCase):
    def parts(self, strategy, rank=16, storage="fp32"):
        return floors.parts({"graph": GRAPH, "schedules": SCHEDULES}, strategy, PROBE, 2e-8, rank, storage)

    def test_bytes_are_edges_and_vectors_both_ways(self):
        self.assertAlmostEqual(self.parts("tiled")["bytes"], (6 * 2e6 + 2 * 64 * 120_000) / 4e12)
        self.assertAlmostEqual(self.parts("tiled", 17, "fp16")["bytes"], (6 * 2e6 + 2 * 40 * 120_000) / 4e12)

    def test_the_chain_is_the_largest_degree(self):
        self.assertAlmostEqual(self.parts("agm-e")["chain"], 30_000 * 2e-8)

    def test_phases_cost_what_parts_them(self):
        self.assertAlmostEqual(self.parts("agm-e")["phases"], 100 * 4e-8 + 10 * 1e-6)  # one block runs the small rounds
        self.assertAlmostEqual(self.parts("tiled")["phases"], 2 * 264 * 1e-6)  # two groups of blocks take turns
        self.assertEqual(self.parts("hogwild")["phases"], 0)

    def test_a_row_is_of_the_best_exact_strategy(self):
        times = {"agm-e": 2.0, "tiled": 1.2, "el": 0.5, "hogwild": 0.4, "hogwild-blocked": None}
        row = dict(zip(floors.COLUMNS, floors.floor_row("web", {"graph": GRAPH, "schedules": SCHEDULES}, 16, times, ["agm-e", "tiled"], ["hogwild", "hogwild-blocked"], PROBE, 2e-8)))
        self.assertEqual([row[c] for c in ("data", "edges", "best exact", "its ms", "racing ms", "floor")], ["web", 2_000_000, "tiled", 1.2, 0.4, "chain"])
        self.assertAlmostEqual(row["G updates/s"], 2e6 / 1.2e-3 / 1e9)
        self.assertAlmostEqual(row["exact / racing"], 3)
        self.assertAlmostEqual(row["exact / floor"], 2)
        self.assertIsNone(floors.floor_row("web", {"graph": GRAPH, "schedules": SCHEDULES}, 16, {"el": 1.0}, ["tiled"], ["hogwild"], PROBE, 2e-8))


class TimeToError(unittest.TestCase):
    def test_each_error_by_the_setting_that_is_there_first(self):
        run = {"data": "web", "rank": 16, "program": "tiled", "storage": "fp32", "read": 0.1, "prepare": 0.5}
        runs = [{**run, "options": "fast", "curve": [[0.005, 0.8], [0.006, 0.7], [0.007, 0.69]]}, {**run, "options": "low", "curve": [[0.001, 0.9], [0.002, 0.75], [0.003, 0.6]]}]
        columns, rows, settings = others.to_errors(runs, "web", [0.7, 0.6, 0.5])
        self.assertEqual(columns[4:7], ["ms to 0.7", "ms to 0.6", "ms to 0.5"])
        # The first sweep of "fast" took 4 ms longer.
        self.assertEqual(rows, [[16, "tiled", "fp32", 1.0, 2.0, 3.0, None, 0.6, 3.0, 0.1, 0.5]])
        self.assertEqual(settings, [["web", 16, "tiled", 0.7, "fast"], ["web", 16, "tiled", 0.6, "low"], ["web", 16, "tiled", None, "low"]])


unittest.main()
