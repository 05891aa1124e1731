"""Tests the measurements of the part curves of tools/bench.py, with a replacement of LIBMF, and their picture."""
import json
import os
import shutil

import support

import lockstep

support.sys.path[:0] = [str(support.ROOT / "tools"), str(support.ROOT / "docs/pictures")]
import bench
import measured
from measure import models

DATA = support.ROOT / "docs/data/model-xeon.json"
LIBMF = """#!/bin/sh
# Errors that fall to 1 + regularisation + rate in the third sweep, and rise again.
while [ $# -gt 2 ]; do case $1 in -t) t=$2 ;; -l2) l=$2 ;; -r) r=$2 ;; esac; shift; done
echo "iter      tr_rmse      va_rmse          obj"
awk -v t=$t -v l=$l -v r=$r 'BEGIN { for (i = 0; i < t; ++i) print i, 1, 1 + l + r + 0.01 * (i < 2 ? 2 - i : i - 2), 1 }'
"""


class Curves(support.InFolder):
    def test_measured_kept_and_written(self):
        os.makedirs(self.path("libmf"))
        os.makedirs(self.path("data"))
        with open(self.path("libmf/mf-train"), "w") as file:
            file.write(LIBMF)
        os.chmod(self.path("libmf/mf-train"), 0o755)
        shutil.copy(support.ROOT / "samples/ratings.txt", self.path("data/ratings.txt"))
        words = ["curves", "--out", self.path("out"), "--libmf", self.path("libmf"), "--data", self.path("data"), "--json", self.path("m.json"),
                 "--bin", os.path.dirname(lockstep.find_program("lockstep-train")), "--threads", "1", "--machine", "a machine"]
        grids = {"sample": ((0.2, 0.1), (0.1, 0.05))}
        sample = support.unittest.mock.patch.multiple(models, GRIDS=grids, SOURCES={"sample": "ratings.txt"}, RANKS=(8,))
        with sample, support.unittest.mock.patch("builtins.print"):
            self.assertEqual(bench.main(words), 0)
            with open(self.path("m.json")) as file:
                made = json.load(file)
            os.remove(self.path("libmf/mf-train"))
            self.assertEqual(bench.main(words), 0)  # uses the kept measurements
        with open(self.path("m.json")) as file:
            self.assertEqual(json.load(file), made)
        parts = {part: [dict(zip(made["parts"][part]["columns"], row)) for row in made["parts"][part]["rows"]] for part in made["parts"]}
        (data,), (best,) = parts["data"], parts["best"]
        self.assertEqual(data["to train"] + data["to test"], 2000)
        self.assertEqual([best[key] for key in ("data", "rank", "LIBMF", "after its sweeps", "its rate", "its regularisation")],
                         ["sample", 8, 1.15, 3, 0.05, 0.1])
        ours = next(row["test RMSE by sweep, from 0"] for row in parts["curves"] if row["program"] == "Lockstep")
        self.assertEqual((best["Lockstep"], best["after sweeps"], best["biases alone"]), (min(ours), ours.index(min(ours)), ours[0]))
        self.assertLess(best["Lockstep"], best["biases alone"])

    def test_the_picture_is_that_of_the_data(self):
        shown = {}
        with support.unittest.mock.patch.object(measured.Picture, "save", lambda picture, name: shown.update({name: picture.svg()})):
            measured.main([DATA])
        self.assertEqual(shown["model-curves.svg"], (support.ROOT / "docs/pictures/model-curves.svg").read_text())


if __name__ == "__main__":
    support.main()
