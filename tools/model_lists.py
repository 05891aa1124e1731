#!/usr/bin/python3
"""Lists of models of implicit feedback: beside popularity, explicit training on the same pairs, and LIBMF's one-class losses.

    tools/model_lists.py --bin build/bin --data FOLDER --out FOLDER --json docs/data/lists-xeon.json [--libmf FOLDER]

Of each data set the ratings from a least one on are what users took. A tenth of them is to be found again, without those whose
user or item has no other: in lists of ten of all items that the user has not taken in the other nine tenths. lockstep-train runs at its
defaults, lockstep-predict --evaluate says what its lists are worth; what popularity's and LIBMF's are worth is said here, by the same
definitions (docs/predict.md). LIBMF has the best of a small grid at one rank. What is measured is kept in --out. Needs NumPy.
"""
import argparse
import pathlib
import subprocess
import sys

import model_curves

sys.path.insert(0, str(model_curves.ROOT / "tools/python"))
AT = 10
# The least rating of what was taken.
LEAST = {"goodbooks": 4, "insteval": 4, "movietweetings": 7, "gene2pubmed": None}
# LIBMF's losses, regularisations and weights of what is not there, at one rank: its squared loss takes minutes.
GRID, GRID_RANK = [(10, 0.01, None), (10, 0.05, None), (12, 0.01, 0.01), (12, 0.05, 0.01)], 32


class Lists(model_curves.Measurement):
    def split(self, name):
        import numpy as np

        files = [pathlib.Path(self.o.out, f"{name}.{part}.txt") for part in ("train", "test")]
        if not all(file.exists() for file in files):
            path, delimiter, *_ = model_curves.SETS.get(name, (f"{name}-human-2022.txt.xz", None))
            edges = model_curves.read_edges(pathlib.Path(self.o.data, path), delimiter)
            edges = edges[edges[:, 2] >= LEAST[name]] if LEAST[name] else edges
            _, first = np.unique(edges[:, :2], axis=0, return_index=True)
            edges = edges[np.sort(first)]
            model_curves.write_split(edges, files)
        return files

    def worth(self, name, users, items):
        """Precision, recall and NDCG of lists by the products of two matrices of factors."""
        import numpy as np

        train, test = (np.loadtxt(file, dtype=int, usecols=(0, 1)) for file in self.split(name))
        wanted = {}
        for u, i in test:
            wanted.setdefault(u, set()).add(i)
        taken = {u: set() for u in wanted}
        for u, i in train:
            if u in taken:
                taken[u].add(i)
        discount = 1 / np.log2(np.arange(2, AT + 2))
        sums = np.zeros(3)
        for u, good in wanted.items():
            scores = items @ users[u]
            scores[list(taken[u])] = -np.inf
            best = np.argpartition(-scores, AT)[:AT]
            hits = np.isin(best[np.lexsort((best, -scores[best]))], list(good))
            sums += hits.mean(), hits.sum() / len(good), (hits * discount).sum() / discount[:len(good)].sum()
        return dict(zip(("precision", "recall", "ndcg"), (sums / len(wanted)).tolist()))

    def popularity(self, name):
        import numpy as np

        train = np.loadtxt(self.split(name)[0], dtype=int, usecols=(0, 1))
        count = np.bincount(train[:, 1]).astype(np.float32)
        return self.worth(name, np.ones((train[:, 0].max() + 1, 1), np.float32), count[:, None])

    def libmf_lists(self, name, rank, loss, regularisation, weight):
        import numpy as np

        file = pathlib.Path(self.o.out, "libmf-lists")
        subprocess.run([f"{self.o.libmf}/mf-train", "-f", str(loss), "-k", str(rank), "-l2", str(regularisation), *(["-a", str(weight)] if weight else []),
                        "-s", str(self.o.threads), str(self.split(name)[0]), str(file)], check=True, stdout=subprocess.DEVNULL)
        sides = {"p": [], "q": []}
        for line in file.read_text().splitlines()[5:]:
            words = line.split()
            sides[words[0][0]].append([float(x) if words[1] == "T" else 0 for x in words[2:]])
        return self.worth(name, *(np.array(side, np.float32) for side in sides.values()))

    def lockstep_lists(self, name, rank, feedback):
        import lockstep

        train, test = self.split(name)
        model = pathlib.Path(self.o.out, "lists.h5")
        done = lockstep.train(train, model, bin=self.o.bin, feedback=feedback, rank=rank, device="cpu", threads=self.o.threads, force=True)
        found = lockstep.evaluate(model, test, exclude=train, at=AT, bin=self.o.bin)
        return {**{key: found[key] for key in ("precision", "recall", "ndcg")}, "sweeps": done.kept_sweep}

    def measure(self):
        rows = []
        for name in self.o.sets or LEAST:
            ways = [("popularity", None, lambda: self.popularity(name))]
            for rank in model_curves.RANKS:
                for feedback in ("explicit", "implicit") if LEAST[name] else ("implicit",):
                    ways.append((f"Lockstep, {feedback}", rank, lambda rank=rank, feedback=feedback: self.lockstep_lists(name, rank, feedback)))
                if self.o.libmf and rank == GRID_RANK:
                    best = max((self.kept(f"{name} LIBMF {rank} {setting}", lambda: self.libmf_lists(name, rank, *setting)) for setting in GRID), key=lambda found: found["ndcg"])
                    ways.append(("LIBMF, one-class", rank, lambda best=best: best))
            for way, rank, run in ways:
                found = self.kept(f"{name} {way} {rank}", run)
                rows.append([name, way, rank, *(round(found[key], 5) for key in ("precision", "recall", "ndcg"))])
        return {"lists": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    model_curves.add_options(parser)
    parser.add_argument("--sets", nargs="+", choices=LEAST, help="data sets (default: all)")
    lists = Lists(parser.parse_args())
    lists.write(lists.measure(), "tools/model_lists.py", f"tools/model_lists.py: lists of {AT} on a tenth of the pairs, held out",
                {"lists": ["data", "by", "rank", f"precision@{AT}", f"recall@{AT}", f"NDCG@{AT}"]})


if __name__ == "__main__":
    main()
