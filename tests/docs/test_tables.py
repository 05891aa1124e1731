"""The maker of tables, on pages with planted faults, and the data of the documents:  test_tables.py TOOLS BIN"""
import collections
import csv
import json
import pathlib
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv.pop())
sys.path.insert(0, sys.argv.pop())
import figures  # noqa: E402
import tables  # noqa: E402

tables.BIN = BIN

RUN = {"device": "a GPU", "date": "a day", "revision": "1234567", "parts": {"table": {
    "columns": ["data", "strategy", "rank", "sweep ms"],
    "rows": [["web", "el", 16, 2.5], ["web", "tiled", 16, 1.25], ["road", "el", 16, 1234.5], ["road", "tiled", 8, None]]}}}


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        tables.DATA = self.folder
        self.write(RUN)

    def write(self, run, name="run"):
        (self.folder / f"{name}.json").write_text(json.dumps(run))

    def test_columns_and_conditions(self):
        self.assertEqual(tables.made("run", "table", "data, sweep ms where strategy=el"),
                         "| data | sweep ms |\n| --- | ---: |\n| web | 2.5 |\n| road | 1,234 |\n")
        self.assertEqual(tables.made("run", "table", "data where data!=web where rank=8/9"), "| data |\n| --- |\n| road |\n")

    def test_a_column_for_each(self):
        self.assertEqual(tables.made("run", "table", "data | strategy | sweep ms bold least").splitlines()[2:],
                         ["| web | 2.5 | **1.25** |", "| road | **1,234** | – |"])

    def test_of_two_runs_the_later_wins(self):
        newer = json.loads(json.dumps(RUN))
        newer["parts"]["table"]["rows"] = [["web", "el", 16, 0.5], ["web", "tiled", 16, None]]
        self.write(newer, "newer")
        self.assertIn("| web | 0.5 | 1.25 |", tables.made("run+newer", "table", "data | strategy | sweep ms"))

    def test_the_fastest_of_each_kind(self):
        self.assertIn("| web | 1.25 | 2.5 `el` |", tables.made("run", "table", "best"))

    def test_figures_in_sentences(self):
        def figure(spec, shown="0"):
            return figures.checked(f"Takes <!-- figure: run table: {spec} -->{shown} times.", tables.records_of)[0].split("-->")[1]

        self.assertEqual(figure("only sweep ms where data=web where strategy=el", "9.99"), "2.50 times.")
        self.assertEqual(figure("only sweep ms where data=road where strategy=el", "9,999.0"), "1,234.5 times.")
        self.assertEqual([figure(f"{how} sweep ms") for how in ("most", "count", "count < 2", "count > 2")], ["1234 times.", "3 times.", "1 times.", "2 times."])
        self.assertEqual(figure("geomean sweep ms of strategy=el over tiled by data", "0.0"), "2.0 times.")  # of the road tiled has none
        self.assertEqual(figure("only sweep ms of strategy=el/tiled over el by data where data=w* as %"), "50 times.")
        self.assertEqual(figure("only sweep ms of strategy=el over tiled by data where data!=road as % more"), "100 times.")
        with self.assertRaisesRegex(ValueError, "beginning of a line"):
            figures.checked("Takes\n<!-- figure: run table: count sweep ms -->3 times.", tables.records_of)
        for wrong in ("only sweep ms", "mean sweep ms", "least sweep ms where data=other"):
            with self.assertRaises(ValueError, msg=wrong):
                figure(wrong)

    def test_the_data_of_the_documents_has_its_form(self):
        runs = sorted((tables.ROOT / "docs/data").glob("*.json"))
        self.assertGreater(len(runs), 10)
        for file in runs:
            run = json.loads(file.read_text())
            for key in ("about", "device", "date", "revision", "command"):
                self.assertIn(key, run, file.name)
            self.assertTrue(run.get("transcribed") or "failures" in run, file.name)
            for name, part in run["parts"].items():
                self.assertEqual({len(row) for row in part["rows"]}, {len(part["columns"])}, f"{file.name} {name}")

    def test_of_each_constant_one_value_is_chosen(self):
        with open(tables.ROOT / "docs/data/tuning.csv") as file:
            rows = list(csv.DictReader(file))
        chosen = collections.Counter()
        for row in rows:
            self.assertTrue(row["figure"] and row["device"] and row["date"], row)
            chosen[row["constant"], row["data"], row["metric"]] += row["chosen"] == "yes"
        self.assertEqual(set(chosen.values()), {1}, chosen)

    def test_a_page_that_differs_from_its_data_is_reported(self):
        page = self.folder / "page.md"
        page.write_text("Text of <!-- figure: run table: most sweep ms -->1,234.5 ms, and more.\n<!-- table: run table: data, sweep ms -->\n<!-- end of table -->\nMore.\n")

        def main(*options):
            sys.argv = ["tables.py", *options, str(page)]
            return tables.main()

        self.assertEqual([main(), main("--update"), main()], [1, 0, 0])
        fresh = page.read_text()
        self.assertIn("a GPU, revision 1234567, a day", fresh)
        self.assertTrue(fresh.endswith("</sub>\nMore.\n"))
        for old, new in (("2.5", "2.6"), ("| web", "| net"), ("1234567", "7654321"), ("1,234.5 ms", "1,234.6 ms")):
            page.write_text(fresh.replace(old, new))
            self.assertEqual(main(), 1, new)


unittest.main()
