"""Tests metrics.py, the reference for metrics, with a model that is small enough to compute by hand."""
import lzma
import unittest

import support
import numpy as np

import lockstep
import metrics


class Metrics(unittest.TestCase):
    def setUp(self):
        # The scores of items 1 … 4 are 4, 3, 2, 1 for user "a" and 1, 1, 1, 4 for user "b".
        rows, cols = np.array([[1, 0], [0, 1]], np.float32), np.array([[4, 1], [3, 1], [2, 1], [1, 4]], np.float32)
        self.model = lockstep.Model(rows, cols, np.array(["a", "b"], object), np.arange(1, 5), {}, "")

    def test_errors(self):
        rmse, mae, unknown = metrics.errors(self.model, ["a", "b", "b", "c", "a"], [1, 4, 1, 1, 9], [5, 4, 3, 1, 1])
        self.assertAlmostEqual(rmse, np.sqrt((1 + 0 + 4) / 3))
        self.assertAlmostEqual(mae, 1)
        self.assertEqual(unknown, 2)

    def test_biases_are_added(self):
        self.model.mean, self.model.row_biases = 10.0, np.array([0.5, 0], np.float32)
        self.model.col_biases = np.array([0, 0, 0.25, 0], np.float32)
        self.assertEqual(self.model.predict(["a", "b"], [3, 1]).tolist(), [12.75, 11])

    def test_rankings(self):
        # For "a", 2 and 4 are relevant, and the list is 1 2 | 3 4: one of two is found, at rank 2.
        # For "b", 4 is first.
        rows, cols, ratings = ["a", "a", "b", "b"], [2, 4, 4, 1], [5, 4, 4, 1]
        first = 1 / np.log2(3) / (1 + 1 / np.log2(3))
        self.assertEqual(metrics.rankings(self.model, rows, cols, ratings, 2, 4),
                         ((0.5 + 0.5) / 2, (0.5 + 1) / 2, (first + 1) / 2, 2))
        # Rated items are removed from the list, except items of test pairs.
        found = metrics.rankings(self.model, rows, cols, ratings, 2, 4, (["a", "a", "b"], [1, 2, 4]))
        self.assertEqual(found, (0.5, 0.75, (1 / (1 + 1 / np.log2(3)) + 1) / 2, 2))
        # Items of equal score are in item order: for "b", 1 is before 2 and 3.
        self.assertEqual(metrics.rankings(self.model, ["b"], [2], [1], 2)[:2], (0, 0))
        self.assertEqual(metrics.rankings(self.model, ["b"], [1], [1], 2)[:2], (0.5, 1))


SHARED = support.ROOT.parent / "shared/data/insteval.txt.xz"


class AgainstTheProgram(support.InFolder):
    """Tests that lockstep-predict --evaluate prints the metrics of metrics.py."""

    def compare(self, ratings, users):
        """Splits `ratings`, an array of shape {edges, 3}, and compares the metrics. Users below `users` are
        tested."""
        rng = np.random.default_rng(3)
        held_out = rng.random(len(ratings)) < 0.2
        train, test = ratings[~held_out], ratings[held_out & (ratings[:, 0] < users)]
        columns = lambda edges: (edges[:, 0].astype(int), edges[:, 1].astype(int), edges[:, 2])
        lockstep.train(columns(train), self.path("m.h5"), device="cpu", rank=8, strategy="agm-e")
        model = lockstep.read_model(self.path("m.h5"))
        rmse, mae, unknown = metrics.errors(model, *columns(test))
        for k, relevant, rated in ((10, 4, train), (5, None, None), (100, 3, train)):
            told = lockstep.evaluate(self.path("m.h5"), columns(test), at=k, relevant=relevant,
                                     exclude=None if rated is None else columns(rated))
            self.assertEqual((told.pairs, told.unknown), (len(test) - unknown, unknown))
            self.assertAlmostEqual(told.rmse, rmse, 12)
            self.assertAlmostEqual(told.mae, mae, 12)
            lists = metrics.rankings(model, *columns(test), k, -np.inf if relevant is None else relevant,
                                     ((), ()) if rated is None else columns(rated)[:2])
            for name, value in zip(("precision", "recall", "ndcg", "users"), lists):
                self.assertAlmostEqual(told[name], value, 12, f"{name}@{k}")

    def test_on_the_sample(self):
        self.compare(np.loadtxt(support.ROOT / "samples/ratings.txt"), 200)

    @unittest.skipUnless(SHARED.exists(), f"{SHARED.name} is not here")
    def test_on_insteval(self):
        with lzma.open(SHARED, "rt") as lines:
            self.compare(np.loadtxt(lines), 150)


if __name__ == "__main__":
    support.main()
