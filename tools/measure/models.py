"""The parts of tools/bench.py that compare Lockstep's models with those of LIBMF (--libmf is a folder with
mf-train and demo/), with the same tenth of the ratings held out: test errors after each sweep, and ranked
lists. They need NumPy.

lockstep-train runs with its default options. LIBMF runs with a grid of settings, and the best setting at its
best sweep counts. Measurements are stored in OUT, so that a second call continues an interrupted one."""
import lzma
import os
import pathlib
import subprocess
import sys

from measure.graphs import SOURCES
from measure.runner import seconds_of

try:
    import numpy as np
except ImportError:
    np = None  # the other parts of tools/bench.py work without NumPy
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "python"))
RANKS = (16, 32, 64)
SWEEPS, AT = 60, 20
DEMO = "LIBMF's demo"  # real-valued sample data in LIBMF, with a split of their own
# LIBMF's regularisations (adapted to the spread of the ratings), and its learning rates.
GRIDS = {"goodbooks": ((0.05, 0.06, 0.08, 0.12, 0.2), (0.05, 0.1)), "insteval": ((0.02, 0.05, 0.08, 0.12, 0.2), (0.02, 0.05, 0.1)),
         "movietweetings": ((0.05, 0.08, 0.12, 0.2, 0.3), (0.05, 0.1, 0.2)), DEMO: ((0.02, 0.05, 0.1, 0.2, 0.4), (0.02, 0.05, 0.1))}
# For ranked lists: the minimum rating of an item that counts as taken; and LIBMF's one-class losses with
# their regularisations and weights of missing pairs, at one rank.
LEAST = {"goodbooks": 4, "insteval": 4, "movietweetings": 7, "debian12-deps": None, "gene2pubmed": None}
LOSSES, LOSSES_RANK = [(10, 0.05, None), (12, 0.01, 0.01), (12, 0.05, 0.01), (12, 0.05, 0.001), (12, 0.1, 0.01)], 64
WAYS = {"Lockstep, explicit": {}, "Lockstep, drawn pairs": {"feedback": "implicit", "solver": "sgd"}, "Lockstep, implicit ALS": {"feedback": "implicit", "test_fraction": 0}}
ALS, NUMPY, ALS_RANKS = list(WAYS)[-1], "NumPy, exact ALS", (4, 8, 16, 32, 64, 128)


class Models:
    def __init__(self, b):
        self.b, self.kept, self.threads = b, b.kept, b.asked("threads", os.cpu_count())

    def split(self, name, least=None):
        """Returns the paths of the training and the test ratings, with IDs from 0. The test ratings are a
        tenth of the ratings whose user and item also occur in training. With `least`, the files contain only
        pairs with a rating of at least `least`, for ranked lists."""
        if name == DEMO:
            return [f"{self.b.o.libmf}/demo/real_matrix.{part}.txt" for part in ("tr", "te")]
        files = [self.b.path(f"{name}.{'ratings' if least is None else 'pairs'}.{part}.txt") for part in ("train", "test")]
        if not all(map(os.path.exists, files)):
            path = pathlib.Path(self.b.o.data, SOURCES[name])
            with (lzma.open if path.suffix == ".xz" else open)(path, "rt") as lines:
                edges = np.array([line.replace("::", " ").split()[:3] for line in lines], float)
            edges = edges if edges.shape[1] == 3 else np.column_stack([edges, np.ones(len(edges))])
            if least is not None:
                edges = edges[edges[:, 2] >= least]
                edges = edges[np.sort(np.unique(edges[:, :2], axis=0, return_index=True)[1])]
            for side in (0, 1):
                edges[:, side] = np.unique(edges[:, side], return_inverse=True)[1]
            held_out = np.random.default_rng(1).random(len(edges)) < 0.1
            train, test = edges[~held_out], edges[held_out]
            test = test[np.isin(test[:, 0], train[:, 0]) & np.isin(test[:, 1], train[:, 1])]
            for file, part in zip(files, (train, test)):
                np.savetxt(file, part, fmt="%d %d %g")
        return files

    def libmf(self, *options):
        """Runs LIBMF's mf-train. Returns its output."""
        return subprocess.run([f"{self.b.o.libmf}/mf-train", *map(str, options)], capture_output=True, text=True, check=True).stdout

    def curve_of_libmf(self, name, rank, regularisation, rate):
        train, test = self.split(name)
        told = self.libmf("-k", rank, "-t", SWEEPS, "-s", 1, "-l2", regularisation, "-r", rate, "-p", test, train, self.b.path("libmf-model"))
        return [float(line.split()[2]) for line in told.splitlines()[1:] if line.strip()]

    def best_of_libmf(self, name, rank):
        """Returns the setting of LIBMF's grid with the smallest test error: regularisation, learning rate,
        and errors after each sweep."""
        regularisations, rates = GRIDS[name]
        grid = [(l, r, self.kept(f"LIBMF {name} {rank} {l} {r}", lambda: self.curve_of_libmf(name, rank, l, r)))
                for l in regularisations for r in rates]
        return min(grid, key=lambda setting: min(setting[2]))

    def curve(self, name, rank):
        import lockstep

        train, test = self.split(name)
        done = lockstep.run("lockstep-train", train, bin=self.b.bin, model=self.b.path("model.h5"), test=test, rank=rank, device="cpu", threads=self.threads,
                            force=True)
        # The first entry is the error of the biases, since the factors are almost zero before the first
        # sweep.
        return {"curve": [done.rmse_baseline, *(sweep["rmse_test"] for sweep in done.sweeps)], "kept": done.kept_sweep}

    def worth(self, files, users, items):
        """Returns precision, recall and NDCG of the ranked lists that follow from the product of two factor
        matrices (docs/guides/recommender.md)."""
        train, test = (np.loadtxt(file, dtype=int, usecols=(0, 1)) for file in files)
        wanted, taken, discount, sums = {}, {}, 1 / np.log2(np.arange(2, AT + 2)), np.zeros(3)
        for pairs, of_user in ((test, wanted), (train, taken)):
            for u, i in pairs:
                of_user.setdefault(u, set()).add(i)
        for u, good in wanted.items():
            scores = items @ users[u]
            scores[list(taken[u])] = -np.inf
            best = np.argpartition(-scores, AT)[:AT]
            hits = np.isin(best[np.lexsort((best, -scores[best]))], list(good))
            sums += hits.mean(), hits.sum() / len(good), (hits * discount).sum() / discount[:len(good)].sum()
        return dict(zip(("precision", "recall", "ndcg"), (sums / len(wanted)).tolist()))

    def popularity(self, files):
        train = np.loadtxt(files[0], dtype=int, usecols=(0, 1))
        return self.worth(files, np.ones((train[:, 0].max() + 1, 1), np.float32), np.bincount(train[:, 1]).astype(np.float32)[:, None])

    def lists_of_libmf(self, files, rank, loss, regularisation, weight):
        model, sides = pathlib.Path(self.b.path("libmf-lists")), {"p": [], "q": []}
        self.libmf("-f", loss, "-k", rank, "-l2", regularisation, *(["-a", weight] if weight else []), "-s", self.threads, files[0], model)
        for row, there, *factors in map(str.split, model.read_text().splitlines()[5:]):
            sides[row[0]].append([float(x) if there == "T" else 0 for x in factors])
        return self.worth(files, *(np.array(side, np.float32) for side in sides.values()))

    def lists_of_numpy(self, files, rank):
        """Computes implicit ALS with NumPy in double precision, with Lockstep's default objective, units and
        number of sweeps (docs/guides/recommender.md)."""
        unobserved, regularisation, sweeps = 10, 3, 8
        train = np.loadtxt(files[0], dtype=int, usecols=(0, 1))
        sizes, random = train.max(axis=0) + 1, np.random.default_rng(1)
        factors, sides = [], []
        for size, own, other in zip(sizes, train.T, train.T[::-1]):
            degrees = np.bincount(own, minlength=size)
            there = np.flatnonzero(degrees)
            strengths = regularisation * (degrees / degrees[there].mean() + unobserved) / (1 + unobserved)
            sides.append((there, np.concatenate([[0], np.cumsum(degrees)]), other[np.argsort(own, kind="stable")], strengths))
            factors.append(np.zeros((size, rank)))
            factors[-1][there] = random.uniform(-0.5, 0.5, (len(there), rank)) / np.sqrt(rank)
        pair = unobserved * len(train) / (len(sides[0][0]) * len(sides[1][0]))
        for side in (0, 1) * sweeps:
            others, (there, first, ends, strengths) = factors[1 - side], sides[side]
            gram = pair * others.T @ others
            for v in there:
                near = others[ends[first[v]:first[v + 1]]]
                factors[side][v] = np.linalg.solve(gram + near.T @ near + strengths[v] * np.eye(rank), near.sum(axis=0))
        return self.worth(files, *factors)

    def lists(self, files, rank, way):
        import lockstep

        model = self.b.path("lists.h5")
        done = lockstep.train(files[0], model, bin=self.b.bin, **WAYS[way], rank=rank, device="cpu", threads=self.threads, force=True)
        found = lockstep.evaluate(model, files[1], exclude=files[0], at=AT, bin=self.b.bin)
        return {**{key: found[key] for key in ("precision", "recall", "ndcg")}, "sweeps": done.kept_sweep}


def curves(b):
    """Compares the test errors after each sweep of lockstep-train and of LIBMF's best setting."""
    made, by_sweep = Models(b), []
    b.about = "test RMSE of lockstep-train at its defaults and of LIBMF's best setting, the same split"
    best = b.table("best", "data", "rank", "biases alone", "Lockstep", "below biases", "after sweeps", "LIBMF", "after its sweeps", "its rate",
                   "its regularisation")
    data = b.table("data", "data", "to train", "to test")
    for name in b.asked("sets", GRIDS):
        data(name, *(pathlib.Path(file).read_text().count("\n") for file in made.split(name)))
        for rank in RANKS:
            ours = made.kept(f"Lockstep {name} {rank}", lambda: made.curve(name, rank))
            regularisation, rate, curve = made.best_of_libmf(name, rank)
            biases, least, sweeps = ours["curve"][0], ours["curve"][ours["kept"]], 1 + curve.index(min(curve))
            best(name, rank, biases, least, round(biases - least, 5), ours["kept"], min(curve), sweeps, rate, regularisation)
            by_sweep += [[name, rank, "Lockstep", ours["curve"]], [name, rank, "LIBMF", [None, *curve]]]
    b.keep("curves", ["data", "rank", "program", "test RMSE by sweep, from 0"], by_sweep)


def lists(b):
    """Compares lists of 20 items by implicit ALS, drawn pairs and ratings with popularity, ALS in NumPy and, with --libmf, its best one-class loss."""
    made = Models(b)
    b.about = f"lists of {AT} on a tenth of the pairs, held out"
    add = b.table("lists", "data", "by", "rank", f"recall@{AT}", f"NDCG@{AT}")
    for name in b.asked("sets", LEAST):
        files = made.split(name, LEAST[name] or 0)

        def told(way, rank, make):
            found = made.kept(f"{name} {way} {rank}", make)
            add(name, way, rank, *(round(found[key], 4) for key in ("recall", "ndcg")))

        told("popularity", None, lambda: made.popularity(files))
        for way in list(WAYS) if LEAST[name] else list(WAYS)[1:]:
            for rank in ALS_RANKS if way == ALS else (LOSSES_RANK,):
                told(way, rank, lambda: made.lists(files, rank, way))
        for rank in ALS_RANKS:
            told(NUMPY, rank, lambda: made.lists_of_numpy(files, rank))
        if b.o.libmf:
            found = [made.kept(f"{name} LIBMF {LOSSES_RANK} {loss}", lambda: made.lists_of_libmf(files, LOSSES_RANK, *loss)) for loss in LOSSES]
            told("LIBMF, one-class", LOSSES_RANK, lambda: max(found, key=lambda one: one["ndcg"]))


def at_once(b):
    """Measures implicit ALS at large ranks for several numbers of components that are solved for together: median sweep, and best NDCG of eight sweeps."""
    b.about = "implicit ALS by the components of a vector that are solved for at once"
    add = b.table("at-once", "data", "rank", "at once", "sweep s", f"NDCG@{AT}", "× over all at once")
    for name in b.asked("sets", LEAST):
        file, all_at_once = b.source(name, SOURCES[name]), {}
        for rank, size in ((128, 128), (128, 64), (256, 256), (256, 128), (256, 64), (256, 32)) if file else ():
            run = b.json("lockstep-train", file, "--feedback", "implicit", *(["--positive-from", LEAST[name]] if LEAST[name] else []), "--model", b.path("at-once.h5"),
                         "--force", "--device", b.device, "--rank", rank, "--at-once", size, "--sweeps", 8, "--early-stop", 0, "--test-fraction", 0.1)
            if run:
                seconds = seconds_of(run)
                all_at_once.setdefault(rank, seconds)
                add(name, rank, size, seconds, max(sweep["ndcg"] for sweep in run["sweeps"]), all_at_once[rank] / seconds)
