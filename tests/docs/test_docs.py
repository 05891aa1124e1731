"""Tests the checker of the documents on pages with planted faults:  test_docs.py DOCS_PY"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop())

RUN = """Text.

```
$ printf '%s\\n' 'agm-e: 3 sweeps in 12.5 ms (94.2 M updates/s), RMSE 1.10933, factors 13c58cf1' \\
>     'took 97.8 MB'
{summary}
took 12 kB
```
"""
SUMMARY = "agm-e: 3 sweeps in 1.5 s (7 G updates/s), RMSE 1.10933, factors 13c58cf1"

TABLE = """```
$ cat table
strategy  time    rounds  M updates/s  passes  RMSE train  deterministic
───────────────────────────────────────────────────────────────────────
agm-e     1.5 ms  8,000          94.2       1      1.0183  yes
el        2.5 ms      0          84.2       2      1.0193  no

Fastest offline: agm-e, 1.5 ms a sweep.
```
"""


class Docs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = self.folder / "page.md"

    def check(self, text, *options):
        self.page.write_text(text)
        result = subprocess.run([sys.executable, SCRIPT, "--bin", "/usr/bin", "--data", self.folder, *options, self.page],
                                capture_output=True, text=True)
        return result.returncode, result.stdout

    def test_times_rates_and_memory_may_differ(self):
        self.assertEqual(self.check(RUN.format(summary=SUMMARY)), (0, "docs: 1 blocks run, 0 skipped, 0 commands differ, 0 links broken\n"))

    def test_the_processor_may_differ(self):
        page = "```\n$ echo 'agm-e on cpu (Some (R) Processor), 2 edges'\nagm-e on cpu ({}), {} edges\n```\n"
        self.assertEqual(self.check(page.format("AMD EPYC", 2))[0], 0)
        self.assertEqual(self.check(page.format("AMD EPYC", 3))[0], 1)

    def test_nothing_else_may(self):
        for old, new in (("13c58cf1", "13c58cf2"), ("1.10933", "1.10934"), ("3 sweeps", "4 sweeps"), ("agm-e", "agm-n"),
                         ("sweeps", "passes"), (SUMMARY, "")):
            with self.subTest(new=new):
                code, text = self.check(RUN.format(summary=SUMMARY.replace(old, new)))
                self.assertEqual(code, 1)
                self.assertIn("page.md:3: $ printf", text)

    def test_a_failing_command_is_a_difference(self):
        self.assertEqual(self.check("```\n$ false\n```\n")[0], 1)
        self.assertEqual(self.check("```\n$ false; echo $?\n1\n```\n")[0], 0)

    def test_an_ellipsis_is_any_lines(self):
        block = "```\n$ seq 5\n{}\n```\n"
        for shown in ("…", "1\n…", "…\n5", "1\n…\n3\n…\n5", "…\n2\n3\n…", "1\n2\n3\n4\n5\n…"):
            self.assertEqual(self.check(block.format(shown))[0], 0, shown)
        for shown in ("", "1", "2\n…", "…\n4", "1\n…\n5\n6", "…\n2\n4\n…", "…\n3\n…\n2\n…"):
            self.assertEqual(self.check(block.format(shown))[0], 1, shown)

    def test_columns_of_times_and_of_races(self):
        def code(page, table):
            (self.folder / "table").write_text(table)
            return self.check("<!-- docs: needs table -->\n" + page)[0]

        out = TABLE.split("\n", 2)[2].rsplit("```", 1)[0]
        self.assertEqual(code(TABLE, out), 0)
        other = out.replace("1.5 ms", "22.75 ms").replace("94.2", " 7.1").replace("  2  ", "  9  ").replace("1.0193", "1.0201")
        other = other.replace("Fastest offline: agm-e", "Fastest offline: sgm")
        self.assertEqual(code(TABLE, other), 0)
        self.assertEqual(code(TABLE, out.replace("8,000", "8,001")), 1)
        self.assertEqual(code(TABLE, out.replace("1.0183", "1.0184")), 1)

    def test_what_is_not_here_is_skipped_with_its_reason(self):
        block = "```\n$ false\n```\n"
        self.assertEqual(self.check("<!-- docs: not run: needs a GPU -->\n" + block),
                         (0, "page.md:2: skipped: needs a GPU\ndocs: 0 blocks run, 1 skipped, 0 commands differ, 0 links broken\n"))
        self.assertIn("page.md:2: skipped: absent.xz was not found", self.check("<!-- docs: needs absent.xz -->\n" + block)[1])

    def test_files_and_one_shell_a_page(self):
        page = "<!-- docs: file there/a.txt -->\n```\nhello\n```\n\n```\n$ cd there; x=5\n```\n\n```\n$ cat a.txt; echo $x\nhello\n5\n```\n"
        self.assertEqual(self.check(page)[0], 0)

    def test_links_lead_to_files_and_headings(self):
        (self.folder / "other.md").write_text("# Title\n## EL and `el`, edge-locked: §2\n```\n# no heading\n```\n")
        good = "# Here\n[a](other.md) [b](other.md#el-and-el-edge-locked-2) [c](#here) [d](https://x.org/y) `[e](none)`\n```\n[f](none)\n```\n"
        self.assertEqual(self.check(good)[0], 0)
        for link in ("none.md", "other.md#no-heading", "#there"):
            code, text = self.check(good + f"![x]({link})\n")
            self.assertEqual(code, 1, link)
            self.assertIn(f"page.md: link to {link}", text)
            self.assertIn("1 links broken", text)

    def test_update_rewrites_and_keeps_the_ellipsis(self):
        stale = RUN.format(summary=SUMMARY.replace("13c58cf1", "42065892")) + "\n```\n$ seq 9\n…\n8 apples\n9\n```\n"
        self.assertEqual(self.check(stale, "--update")[0], 0)
        fresh = self.page.read_text()
        self.assertIn("12.5 ms (94.2 M updates/s), RMSE 1.10933, factors 13c58cf1\n", fresh)
        self.assertIn("\\\n>     'took", fresh)
        self.assertEqual(self.check(fresh)[0], 0)


unittest.main()
