#!/usr/bin/python3
"""Makes recommendations from a pandas frame: trains a model, ranks the items and evaluates the ranking.

    samples/python/recommend.py [RATINGS]      default: samples/ratings.txt; lines `user item rating`
"""
import os
import pathlib
import sys
import tempfile

import numpy as np
import pandas as pd

import lockstep

RATINGS = pathlib.Path(__file__).resolve().parents[1] / "ratings.txt"


def baseline(train, test, shrink=5.0):
    """Returns predictions from the mean rating plus biases of user and item, both regularised. A model should be
    better than this baseline."""
    mean = train.rating.mean()
    rest = train.rating - mean
    item = rest.groupby(train.item).sum() / (rest.groupby(train.item).count() + shrink)
    rest = rest - train.item.map(item)
    user = rest.groupby(train.user).sum() / (rest.groupby(train.user).count() + shrink)
    return mean + test.user.map(user).fillna(0) + test.item.map(item).fillna(0)


def rmse(predicted, ratings):
    return float(np.sqrt(np.mean((predicted - ratings) ** 2)))


def main(ratings=RATINGS):
    frame = pd.read_csv(ratings, sep=r"\s+", names=["user", "item", "rating"])
    test = frame.sample(frac=0.1, random_state=1)
    train = frame.drop(test.index)
    test = test[test.user.isin(train.user) & test.item.isin(train.item)]  # users and items without training ratings have no factors
    print(f"{len(train)} ratings to train, {len(test)} to test")

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.h5")
        done = lockstep.train(train, path, device="cpu", rank=8)
        told = lockstep.evaluate(path, test, at=10, relevant=4, exclude=train)
        top = pd.DataFrame(lockstep.top(path, 10, exclude=train))
    print(f"{done.status} after {len(done.sweeps)} sweeps of {done.strategy}")
    print(f"RMSE {told.rmse:.3f}, of mean + user + item {rmse(baseline(train, test), test.rating):.3f}")
    print(f"of a user's 10, {told.precision:.1%} are among the ratings of 4 and more held out, {told.recall:.1%} of which they hold")

    first = top[top.user == top.user.iloc[0]]
    print(f"for user {first.user.iloc[0]}: " + ", ".join(f"{i} ({s:.2f})" for i, s in zip(first.item, first.score)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
