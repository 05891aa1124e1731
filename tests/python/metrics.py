"""Errors and rankings of a model, computed by definition with NumPy: the reference for the programs.

    RMSE = sqrt(mean (rating - prediction)^2)        MAE = mean |rating - prediction|

over all pairs whose ids are in the model. For each user with a relevant item (a pair with at least this
rating), all items that are not `rated` are ranked by their predictions, equal ones in item order. Items of
test pairs are always ranked:

    precision@k = relevant among the first k / k     recall@k = relevant among the first k / relevant
    NDCG@k      = sum of 1 / log2(rank + 1) over the relevant among the first k / the sum for the best order

The results are the means over these users.

    metrics.py MODEL.h5 TEST.txt RATED.txt K [RELEVANT]      JSON with the keys of lockstep-predict --evaluate --json
"""
import json
import pathlib
import sys

import numpy as np


def errors(model, rows, cols, ratings):
    """Returns RMSE, MAE and the number of pairs with unknown ids. Ratings are rounded to single precision."""
    off = np.asarray(ratings, np.float32).astype(float) - model.predict(rows, cols).astype(float)
    known = off[~np.isnan(off)]
    return float(np.sqrt(np.mean(known ** 2))), float(np.mean(np.abs(known))), int(np.isnan(off).sum())


def rankings(model, rows, cols, ratings, k, relevant=-np.inf, rated=((), ())):
    """Returns the means of precision@k, recall@k and NDCG@k, and the number of users.

    rows, cols, ratings  the test pairs; rated: rows and columns of pairs that are left out of lists
    """
    items = model.col_ids.tolist()
    known_users, known_items = set(model.row_ids.tolist()), set(items)
    tested, wanted, taken = {}, {}, {}
    for user, item, rating in zip(rows, cols, ratings):
        if user in known_users and item in known_items:
            tested.setdefault(user, set()).add(item)
            if rating >= relevant:
                wanted.setdefault(user, set()).add(item)
    for user, item in zip(*rated):
        taken.setdefault(user, set()).add(item)
    sums = np.zeros(3)
    for user, good in wanted.items():
        allowed = [i for i in items if i not in taken.get(user, ()) or i in tested[user]]
        scores = model.predict([user] * len(allowed), allowed, clip=False)
        best = [allowed[i] for i in np.argsort(-scores, kind="stable")[:k]]
        places = [place for place, item in enumerate(best, 1) if item in good]
        most = sum(1 / np.log2(place + 1) for place in range(1, min(k, len(good)) + 1))
        sums += (len(places) / k, len(places) / len(good), sum(1 / np.log2(p + 1) for p in places) / most)
    return (*(sums / max(len(wanted), 1)).tolist(), len(wanted))


def main(model, test, rated, k, relevant=-np.inf):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/python"))
    import lockstep

    read = lambda path: [column.astype(kind).tolist() for column, kind in zip(np.loadtxt(path, unpack=True), (int, int, float))]
    model, (rows, cols, ratings), rated = lockstep.read_model(model), read(test), read(rated)[:2]
    rmse, mae, unknown = errors(model, rows, cols, ratings)
    lists = rankings(model, rows, cols, ratings, int(k), float(relevant), rated)
    print(json.dumps({"pairs": len(rows) - unknown, "unknown": unknown, "rmse": rmse, "mae": mae,
                      **dict(zip(("precision", "recall", "ndcg", "users"), lists))}))


if __name__ == "__main__":
    main(*sys.argv[1:])
