"""Reads models of matrix factorizations, and predicts with them in NumPy like lockstep-predict."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional

import numpy as np

from .files import array, both_ids, opened, parameters, text
from .ids import as_ids
from .programs import Path


@dataclass
class Model:
    """A matrix factorization from a model file (formats/SCHEMA.md#model-file), in single precision.

    row_factors  {rows, rank}, col_factors {columns, rank}
    row_ids      {rows}, col_ids {columns}
    mean, row_biases {rows}, col_biases {columns}  terms of a biased model; for a plain model 0, None, None
    """

    row_factors: np.ndarray
    col_factors: np.ndarray
    row_ids: np.ndarray
    col_ids: np.ndarray
    parameters: Dict[str, str]
    graph_hash: str
    mean: float = 0.0
    row_biases: Optional[np.ndarray] = None
    col_biases: Optional[np.ndarray] = None

    @property
    def rank(self) -> int:
        return self.row_factors.shape[1]

    def predict(self, rows: Any, cols: Any, clip: bool = True) -> np.ndarray:
        """Returns the prediction for each pair of a row ID and a column ID; NaN if an ID is unknown. The
        predictions are bitwise identical to those of lockstep-predict.

        rows, cols {pairs} -> {pairs} float32. O(pairs x rank). Raises TypeError, ValueError.
        clip       limit predictions to the rating scale, if the model contains one
        """
        u, known_row = _positions(rows, self.row_ids, "rows")
        v, known_col = _positions(cols, self.col_ids, "columns")
        if len(u) != len(v):
            raise ValueError(f"{len(u)} rows and {len(v)} columns are given; expected equal numbers")
        total = np.zeros(len(u))
        for k in range(self.rank):  # sums in double precision in the order of the components; rounded once at the end
            total += self.row_factors[u, k].astype(np.float64) * self.col_factors[v, k]
        if self.row_biases is not None and self.col_biases is not None:
            total += self.mean + self.row_biases[u].astype(np.float64) + self.col_biases[v]
        found = np.where(known_row & known_col, total, np.nan).astype(np.float32)
        scale = self.parameters.get("scale", "") if clip else ""
        return np.clip(found, *(np.float32(end) for end in scale.split(".."))) if scale else found


def _positions(ids: Any, known: np.ndarray, what: str) -> "tuple[np.ndarray, np.ndarray]":
    """Returns for each ID its position in the sorted array `known`, and whether the array contains it."""
    ids = as_ids(ids, what)
    if not len(known):
        return np.zeros(len(ids), np.int64), np.zeros(len(ids), bool)
    # A number and its text are the same ID. IDs are compared as objects, because an array of fixed-length strings
        # would be large if one ID is long.
    if object in (known.dtype, ids.dtype):
        places = {str(name): place for place, name in enumerate(known.tolist())}
        place = np.array([places.get(str(name), -1) for name in ids.tolist()], np.int64)
        return place, place >= 0
    place = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return place, known[place] == ids


def read_model(path: Path) -> Model:
    """Reads a model file that lockstep-execute or lockstep-train has written. Raises OSError if it cannot be read,
    and ValueError if it has another format."""
    with opened(path, "lockstep-model") as file:
        rank, biased = int(file.attrs["rank"]), "mean" in file.attrs
        factors = {name: array(file, name, np.float32).reshape(-1, rank) for name in ("row_factors", "col_factors")}
        biases = {name: array(file, name) for name in ("row_biases", "col_biases") if biased}
        row_ids, col_ids = both_ids(file)
        return Model(row_ids=row_ids, col_ids=col_ids, parameters=parameters(file),
                     graph_hash=text(file.attrs["graph_hash"]), mean=float(file.attrs["mean"]) if biased else 0.0,
                     **factors, **biases)
