"""Tests that golden.py reports planted faults:  test_golden.py BIN"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BIN = sys.argv.pop()
SCRIPT = pathlib.Path(__file__).with_name("golden.py")
JOBS = "^execute mis"


def lines_of(table):
    return [line for line in table.read_text().splitlines() if not line.startswith("#")]


class Golden(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.table = pathlib.Path(folder.name, "table.txt")
        self.lines = [line for line in lines_of(SCRIPT.with_name("table.txt"))
                      if re.match(JOBS, line)]

    def run_on(self, lines, what="compare"):
        """Runs the script on a table of these lines. Returns its exit code and its output."""
        self.table.write_text("".join(line + "\n" for line in lines))
        done = subprocess.run(
            [sys.executable, SCRIPT, what, "--bin", BIN, "--only", JOBS,
             "--table", self.table], stdout=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    def test_recording_writes_the_table(self):
        self.assertEqual(self.run_on([], "record"),
                         (0, [f"golden: {len(self.lines)} cases, 0 differ"]))
        self.assertEqual(lines_of(self.table), self.lines)

    def test_planted_faults_are_named(self):
        road, web, hub = (f"{name}.h5 --verify" for name in ("road", "web", "hub"))
        digest = "0123456789abcdef"
        faults = [  # line of the table, pattern, replacement, expected report
            (f"execute mis best | {road}", "result=.*? ", f"result={digest} ",
             f"differs: execute mis best | {road}: table: result={digest}; build: result="),
            (f"execute mis best | {web}", "facts=.*", f"facts={digest}",
             f"differs: execute mis best | {web}: table: facts={digest}; build: facts="),
            (f"execute mis rounds | {hub}", "exit=0", "exit=4",
             f"differs: execute mis rounds | {hub}: table: exit=4; build: exit=0"),
            ("execute mis | key result_hash", "all", "all -best",
             "differs: execute mis | key result_hash: table: -best; build: -"),
            ("execute mis | key status", "key status", "key state",
             "missing: execute mis | key state"),
            (None, None, None, "new: execute mis | key status: all")]
        lines = list(self.lines)
        for line, old, new, _ in faults[:-1]:
            at, = (i for i, one in enumerate(lines) if one.startswith(f"{line} | "))
            lines[at] = re.sub(old, new, lines[at])
        code, printed = self.run_on(lines)
        self.assertEqual(code, 1)
        self.assertEqual(printed[-1], f"golden: {len(self.lines)} cases, {len(faults)} differ")
        for found, expected in zip(sorted(printed[:-1]), sorted(f[3] for f in faults), strict=True):
            self.assertEqual(found[:len(expected)], expected)


unittest.main(argv=sys.argv[:1])
