"""Tests the generator of tables on pages with planted faults, and the data of the documents.

    test_tables.py TOOLS BIN
"""
import collections
import csv
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

BIN = pathlib.Path(sys.argv.pop())
sys.path.insert(0, sys.argv.pop())
import figures  # noqa: E402
import ledger  # noqa: E402
import tables  # noqa: E402
from measure import tradeoff  # noqa: E402

DATA = tables.DATA
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
        self.assertEqual(figure("count > 2 < 9 sweep ms"), "1 times.")
        # There is no time of tiled on road.
        self.assertEqual(figure("geomean sweep ms of strategy=el over tiled by data", "0.0"), "2.0 times.")
        self.assertEqual(figure("only sweep ms of strategy=el/tiled over el by data where data=w* as %"), "50 times.")
        self.assertEqual(figure("only sweep ms of strategy=el over tiled by data where data!=road as % more"), "100 times.")
        with self.assertRaisesRegex(ValueError, "beginning of a line"):
            figures.checked("Takes\n<!-- figure: run table: count sweep ms -->3 times.", tables.records_of)
        self.assertEqual(figure('only "sweep ms" over rank where data=web where strategy=el / 0.5', "0.00"), "0.31 times.")
        self.assertEqual(figures.rounded(-2.66, "0.1"), "−2.7")
        self.assertEqual(figures.rounded(1234.6, "+9,999"), "+1,235")
        for wrong in ("only sweep ms", "each sweep ms", "mean sweep ms", "least sweep ms where data=other"):
            with self.assertRaises(ValueError, msg=wrong):
                figure(wrong)

    PAGE = """# The 9 ms of a heading
A sweep of web takes 2.5 ms by `el`,
and 1.25 by tiled: 2.0 times less, 1,234 to 3
times. It holds 20 GB, `5 ms` of code.

<!-- table: run table: sweep ms -->
| 7 ms |
<!-- end of table --> 7 ms

## Not looked at
8 µs
# Looked at
Again <!-- figure: run table: count sweep ms -->3 times.
"""
    LEDGER = """# A comment.
page.md
  takes {} ms by `el`, and {} by tiled: {} times less
    run table: each sweep ms where data=web
    run table: only sweep ms where data=web where strategy=el / run table: only sweep ms where data=web where strategy=tiled
  less, {} to {} times
    run table: most sweep ms
    run table: count sweep ms
  given: holds \\d+ GB
  without: Not looked at
"""

    def ledger(self, page=PAGE, ledger_=LEDGER):
        (self.folder / "figures.txt").write_text(ledger_)
        return ledger.checked(page, ledger.read(self.folder / "figures.txt")["page.md"], tables.records_of)

    def test_numbers_of_the_ledger(self):
        self.assertEqual(self.ledger(), (self.PAGE, 5, []))
        for wrong in ("2.6 ms", "−2.5 ms", "0.0 ms"):
            self.assertEqual(self.ledger(self.PAGE.replace("2.5 ms", wrong))[0], self.PAGE, wrong)
        # The values are equal when rounded to the digits shown.
        self.assertEqual(self.ledger(self.PAGE.replace("1.25 by", "1 by"))[0], self.PAGE.replace("1.25 by", "1 by"))

    def test_faults_of_the_ledger(self):
        for old, new, fault in (
                ("less, {} to", "more, {} to", "figures.txt:6: ValueError: stands 0 times"),
                ("  less, {} to {} times", "  {}", "figures.txt:6: ValueError: stands 1?[0-9] times"),
                ("takes {} ms by `el`, and", "and", "2 numbers, 3 values"),
                ("    run table: count sweep ms\n", "", "2 numbers, 1 values"),
                ("run table: most", "walk table: most", "FileNotFoundError"),
                ("run table: most", "run nothing: most", "KeyError: 'nothing'"),
                ("most sweep ms", "most laps", "KeyError: 'laps'"),
                ("most sweep", "mean sweep", "not understood"),
                ("table: each", "table: only", "gives 2 values; expected one"),
                ("holds", "weighs", "not on the page"),
                ("  given: holds \\d+ GB\n", "", "line 4: 20 has no source"),
                ("Not looked at", "Not there", "no such section"),
                ("  without: Not looked at\n", "", "line 11: 8 has no source")):
            self.assertIn(old, self.LEDGER)
            self.assertRegex("\n".join(self.ledger(ledger_=self.LEDGER.replace(old, new))[2]), fault)
        self.assertRegex(self.ledger(self.PAGE + "\nOr less, 5 to 6 times.\n")[2][0], "figures.txt:6: ValueError: stands 2 times")
        with self.assertRaisesRegex(ValueError, "figures.txt:3: a page is indented by 0"):
            self.ledger(ledger_=self.LEDGER.replace("  takes", "   takes"))

    def test_a_number_without_a_source_is_a_fault(self):
        for text in ("5 ms", "5\nms", "0.5 µs", "7 %", "3 times", "1,024 bytes", "64 kB", "4.2 TB/s", "13 G updates/s", "76 G/s", "9 × the", "4 to 5 s", "−8 to +2 %"):
            self.assertTrue(self.ledger(f"{self.PAGE}It is {text}.\n")[2], text)
        for text in ("rank 16", "60 × 20 vertices", "20 M ratings", "revision 1234567", "`5 ms`", "a 32-bit word", "[5](5ms)", "<!-- 5 ms -->"):
            self.assertEqual(self.ledger(f"{self.PAGE}It is {text}.\n")[2], [], text)

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

    def test_the_inequality_of_the_study_follows_from_its_own_columns(self):
        parts = json.loads((DATA / "tradeoff-h200.json").read_text())["parts"]
        part, device = parts["tradeoff"], parts["device"]["rows"][0]
        self.assertEqual(part["columns"], list(tradeoff.TRADEOFF))
        agree = collections.Counter()
        for row in part["rows"]:
            r = dict(zip(part["columns"], row))
            measured = tradeoff.verdict(r["agm-e ms"], r["online ms"])
            self.assertEqual(r["measured"], measured)
            found = tradeoff.inequality(device, r["d"], r["passes"], r["f of the hub"], measured)
            self.assertEqual(row[-len(found):], found)
            for column in part["columns"][-4:]:
                agree[r["online"], column] += r[column] == "yes"
        # Two ways to count 1 / f fit the definition in the paper. One agrees for most graphs, the other for few.
        self.assertEqual(agree["el-shuffled", "passes agree"], 12)
        self.assertEqual(agree["el-shuffled", "f of the hub agrees"], 4)

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

        page.write_text(fresh + "And 2.6 times, 5 ms.\n")
        ledger_ = self.folder / "figures.txt"
        ledger_.write_text("page.md\n  And {} times\n    run table: only sweep ms where data=web where strategy=el\n  given: 5 ms\n")
        with mock.patch.object(tables, "ROOT", self.folder):
            self.assertEqual([main(), main("--update"), main()], [1, 0, 0])
            self.assertTrue(page.read_text().endswith("And 2.5 times, 5 ms.\n"))
            before = ledger_.read_text()
            for fault in ("other.md\n", "  And not {} times\n    run table: count sweep ms\n", "  given: 6 ms\n"):
                ledger_.write_text(before + fault)
                self.assertEqual([main(), main("--update")], [1, 1], fault)


unittest.main()
