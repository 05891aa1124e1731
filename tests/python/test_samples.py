"""Tests that the examples of samples/python run, and print the output that the documents show."""
import os
import re
import subprocess
import sys

import support


class Samples(support.InFolder):
    def run_sample(self, name, *arguments):
        environment = dict(os.environ, PYTHONPATH=str(support.ROOT / "tools/python"), PYTHONDONTWRITEBYTECODE="1")
        done = subprocess.run([sys.executable, str(support.ROOT / "samples/python" / name), *arguments], cwd=self.folder,
                              env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout.splitlines()

    @support.needs("scipy")
    def test_kaczmarz(self):
        for schedule in ("agm-e", "blkdiag"):
            lines = self.run_sample("kaczmarz.py", schedule)
            self.assertRegex(lines[0], rf"^400 x 250, 8000 equations in \d+ supersteps of {schedule}$")
            self.assertEqual(lines[1:], ["conflicts: 0", "conflicts after joining the first two supersteps: True",
                                         "bitwise identical to one equation after another: True",
                                         "off SciPy's least squares by less than 1e-5: True"])

    @support.needs("scipy")
    def test_traversals(self):
        lines = self.run_sample("traversals.py")
        self.assertIn("levels equal: True", lines[1])
        self.assertIn("components equal: True", lines[4])
        self.assertEqual(lines[2:4] + lines[5:], ["a vertex of level 2 has a parent of level 1", "distances equal: True",
                                                  "ranks off by less than 1e-6: True"])

    @support.needs("scipy")
    def test_drawing(self):
        lines = self.run_sample("drawing.py")
        self.assertEqual(lines[0], "480 vertices; bitwise identical with one thread: True")
        self.assertRegex(lines[1], r"^stress 0\.0\d+ a pair, 0\.\d+ of classical scaling's$")

    def test_cloth(self):
        lines = self.run_sample("cloth.py", "20")
        self.assertEqual(lines[0], "400 particles, 1482 springs in 8 batches")
        self.assertRegex(lines[1], r"^it fell [\d.]+, the springs are stretched by 0\.\d %, the corners stay: True$")

    @support.needs("pandas")
    def test_recommend(self):
        lines = self.run_sample("recommend.py")
        self.assertEqual(lines[0], "1800 ratings to train, 200 to test")
        self.assertRegex(lines[1], r"^(ok|stopped-early) after \d+ sweeps of ")
        model, baseline = map(float, re.fullmatch(r"RMSE ([\d.]+), of mean \+ user \+ item ([\d.]+)", lines[2]).groups())
        self.assertLess(model, baseline)
        self.assertRegex(lines[3], r"^of a user's 10, [\d.]+% are ")
        self.assertEqual(len(lines[4].split(", ")), 10)


if __name__ == "__main__":
    support.main()
