#!/usr/bin/env python3
"""An evaluation of a model by itself, with h5py and NumPy alone: the yardstick of lockstep-predict --evaluate.

    evaluation.py MODEL.h5 TEST.txt EXCLUDED.txt K [RELEVANT]      JSON with the keys of --evaluate --json
"""
import json
import sys

import h5py
import numpy as np


def ids(group):
    kind = group.attrs["kind"]
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    if kind == "range":
        return [str(group.attrs["base"] + i) for i in range(group.attrs["size"])]
    if kind == "integer":
        return [str(i) for i in group["ids"][:]]
    text, offsets = bytes(group["bytes"][:].tobytes()), group["offsets"][:].astype(int)
    return [text[a:b].decode() for a, b in zip(offsets[:-1], offsets[1:])]


def pairs(path):
    with open(path) as file:
        return [line.split() for line in file if line.strip()]


model, test, excluded, k = sys.argv[1], pairs(sys.argv[2]), pairs(sys.argv[3]), int(sys.argv[4])
least = float(sys.argv[5]) if len(sys.argv) > 5 else -np.inf
with h5py.File(model, "r") as f:
    rows, cols = ({name: i for i, name in enumerate(ids(f[side]))} for side in ("row_ids", "col_ids"))
    w, h = f["row_factors"][:].astype(float), f["col_factors"][:].astype(float)
    scores = w @ h.T
    if "mean" in f.attrs:
        scores += np.float32(f.attrs["mean"]) + f["row_biases"][:].astype(float)[:, None] + f["col_biases"][:].astype(float)[None, :]
known = [(rows[u], cols[i], float(r)) for u, i, r in test if u in rows and i in cols]
errors = np.array([r - scores[u, i] for u, i, r in known])

relevant, of_user = {}, {}
for u, i, r in known:
    of_user.setdefault(u, set()).add(i)
    if r >= least:
        relevant.setdefault(u, set()).add(i)
rated = {}
for u, i, *_ in excluded:
    if u in rows and i in cols:
        rated.setdefault(rows[u], set()).add(cols[i])
precision, recall, ndcg = [], [], []
for u, wanted in relevant.items():
    left_out = rated.get(u, set()) - of_user[u]
    ranked = [i for i in np.argsort(-scores[u], kind="stable") if i not in left_out][:k]
    hits = np.array([i in wanted for i in ranked])
    discount = 1 / np.log2(np.arange(2, k + 2))
    precision.append(hits.sum() / k)
    recall.append(hits.sum() / len(wanted))
    ndcg.append((hits * discount[: len(hits)]).sum() / discount[: min(k, len(wanted))].sum())
print(json.dumps({
    "pairs": len(known), "unknown": len(test) - len(known), "rmse": float(np.sqrt((errors ** 2).mean())), "mae": float(np.abs(errors).mean()),
    "users": len(relevant), "precision": float(np.mean(precision)), "recall": float(np.mean(recall)), "ndcg": float(np.mean(ndcg))}))
