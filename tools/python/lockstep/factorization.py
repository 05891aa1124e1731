"""Matrix factorization of ratings in memory. The methods have the names of the package `implicit`."""
from __future__ import annotations

import contextlib
import ctypes
import os
import warnings
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

from . import native
from .arrays import frame_of
from .frames import is_frame
from .graphs import graph_file
from .ids import as_ids
from .memory import MemoryGraph, Progress, graph as make_graph
from .models import _positions
from .programs import Path, Result


class MF:
    """A model that predicts ratings and recommends items: `MF(rank=64).fit(ratings).recommend(user, N=10)`.

    rank     length of the vectors of users and items; default: 16; 64 for implicit feedback
    options  options of lockstep-train: sweeps, learning_rate, regularisation, test_fraction=0.1 (share held
             out, for early stopping), test_latest=0.1 (the latest ratings are held out), test (ratings in any
             form that `fit` accepts, for early stopping), device, threads, seed=1, strategy, …;
             feedback="implicit" for clicks (a model for recommendations, not for ratings) with
             positive_from=; with solver="sgd" in addition, negatives= pairs are drawn for each click

    Equal ratings, options and seeds give bitwise identical factors, also by lockstep-train and for any number of
    threads. CPU and GPU give identical factors if `strategy` is given, since the default "auto" chooses a
    strategy for the device.
    """

    def __init__(self, rank: Optional[int] = None, **options: Any):
        self.rank, self.options = rank, options
        reading, training = self._options()
        if rank is not None or options:
            native.check(native.library().lockstep_fit_check(native.options(reading),
                                                             native.options(training)))
        self.result: Optional[Result] = None
        self._handle: Optional[native.Handle] = None
        self._parts: Dict[str, Any] = {}

    def fit(self, ratings: Any, *, columns: Optional[Sequence[str]] = None,
            time_column: Optional[str] = None, progress: Progress = None) -> "MF":
        """Fits the model to ratings: a DataFrame (its columns by name, or `columns`), a scipy.sparse matrix
        of users x items, arrays (users, items, ratings), or a file. Returns this object, whose `result` is
        the JSON of lockstep-train.

        time_column  column of a DataFrame with the times for test_latest; default: the column whose name
                     means a time

        Raises TypeError, ValueError, BadInput, Diverged; after a KeyboardInterrupt the model is unchanged.
        """
        reading, training = self._options()
        ratings = frame_of(ratings)
        has_columns = is_frame(ratings) or isinstance(ratings, (str, os.PathLike))
        if time_column is None and training.get("test_latest") and has_columns:
            time_column = "auto"
        made = _ratings(ratings, columns, {**reading, "time_column": time_column})
        handle, told, call = native.Handle("model"), native.Arrays(), native.Call(progress)
        with contextlib.ExitStack() as files:
            if training.get("test") is not None:
                test = self.options["test"]
                named = columns if is_frame(test) else None
                training["test"], _ = files.enter_context(
                    graph_file(test, columns=named, shape="bipartite", format="anndata"))
            call.run(native.library().lockstep_fit, made.pointer, native.options(training),
                     *call.callback, handle.out(), told.out())
        self._take(handle)
        self.result = told.json
        return self

    def _options(self) -> "Tuple[Dict[str, Any], Dict[str, Any]]":
        """Returns the options for reading ratings, and the options for training, in which `test` is a placeholder
        for ratings in memory. Raises ValueError if options contradict each other."""
        training = {"rank": self.rank, **self.options}
        if training.get("test") is not None:
            training["test"] = "memory"
        reading = {name: training.pop(name) for name in ("feedback", "positive_from", "negatives")
                   if name in training}
        if "feedback" in reading:
            reading["seed"] = training.get("seed")
            usual = "als" if reading["feedback"] == "implicit" else "sgd"
            if training.setdefault("solver", usual) == "als":
                if "negatives" in reading:
                    raise ValueError("negatives= requires solver='sgd'; the other solver uses all pairs "
                                     "and samples none")
                reading["negatives"] = 0
        return reading, training

    @classmethod
    def load(cls, path: Path) -> "MF":
        """Reads a model from a file that `save`, lockstep-train or lockstep-execute has written."""
        handle = native.Handle("model")
        native.check(native.library().lockstep_model_read(os.fsencode(path), handle.out()))
        model = cls()
        model._take(handle)
        return model

    def save(self, path: Path, *, force: bool = False) -> None:
        """Writes a model file, which lockstep-predict can read. Raises OutputFailed if the file exists,
        unless force."""
        native.check(native.library().lockstep_model_write(self._model, os.fsencode(path), native.options({"force": force})))

    user_factors = property(lambda self: self._part("row_factors"), doc="{users, rank} float32")
    item_factors = property(lambda self: self._part("col_factors"), doc="{items, rank} float32")
    user_ids = property(lambda self: self._part("row_ids"), doc="{users} as they were given, sorted")
    item_ids = property(lambda self: self._part("col_ids"), doc="{items}")

    def predict(self, users: Any, items: Any) -> Any:
        """Returns the prediction for each pair of a user ID and an item ID: {pairs} float32, NaN if an ID is
        unknown. For two single IDs, returns a number."""
        single = np.ndim(users) == 0 and np.ndim(items) == 0
        u, v = self._places(users, "user_ids", "users"), self._places(items, "item_ids", "items")
        if len(u) != len(v):
            raise ValueError(f"{len(u)} users and {len(v)} items are given; expected equal numbers")
        found = np.empty(len(u), np.float32)
        native.check(native.library().lockstep_model_predict(self._model, native.optional(u), native.optional(v),
                                                             native.optional(found)))
        return float(found[0]) if single else found

    def recommend(self, user: Any = None, N: int = 10, *, filter_already_liked_items: bool = True, exclude: Any = None,
                  columns: Optional[Sequence[str]] = None, progress: Progress = None) -> Tuple[np.ndarray, np.ndarray]:
        """Returns the N items with the highest predictions for a user, best first, as (IDs {N}, scores {N}). For
        several users, or for all users (user=None), returns arrays {users, N}.

        filter_already_liked_items  exclude the items that the user has rated in the ratings passed to `fit`,
                 including held-out ones. Model files contain these ratings, except files of earlier versions.
        exclude  further ratings: the items that a user has rated there are excluded for this user. In a form
                 that `fit` accepts or, for use in several calls, a `lockstep.graph`.

        Unknown users are omitted with a warning; a single unknown user raises KeyError. If a list has fewer than
        N items, the remaining IDs are None (if IDs are strings) or -1, and the remaining scores are NaN.
        """
        if N < 1:
            raise ValueError(f"N is {N}; expected at least 1")
        single = user is not None and np.ndim(user) == 0
        places = None if user is None else self._known(user, single, "user")
        rated = None if exclude is None else _ratings(exclude, columns, {})
        made, call = native.Arrays(), native.Call(progress)
        call.run(native.library().lockstep_model_recommend, self._model, native.optional(places),
                 ctypes.c_uint64(N), rated.pointer if rated else None,
                 native.options({"include_taken": not filter_already_liked_items}), *call.callback, made.out())
        return self._lists(made, single)

    def similar(self, item: Any, N: int = 10) -> Tuple[np.ndarray, np.ndarray]:
        """Returns the N items that are most similar to an item by the cosine of their vectors, most similar first,
        as (IDs {N}, similarities {N}). For several items, returns arrays {items, N}.

        Unknown items are omitted with a warning; a single unknown item raises KeyError.
        """
        if N < 1:
            raise ValueError(f"N is {N}; expected at least 1")
        single = np.ndim(item) == 0
        found = []
        for place in self._known(item, single, "item"):
            made = native.Arrays()
            native.check(native.library().lockstep_model_similar(
                self._model, ctypes.c_uint64(int(place)), ctypes.c_uint64(N), made.out()))
            found.append(self._lists(made, True))
        if single:
            return found[0]
        ids, similarities = zip(*found)
        return np.array(ids), np.array(similarities)

    def evaluate(self, ratings: Any, *, at: int = 10, relevant: Optional[float] = None, exclude: Any = None,
                 columns: Optional[Sequence[str]] = None, unknown: str = "nan") -> Result:
        """Computes the errors of the predictions for the given ratings, and the quality of recommendations: rmse,
        mae, pairs, unknown, precision, recall, ndcg, … as in lockstep-predict --evaluate. `exclude`: ratings
        whose items are excluded from the recommendations, such as those passed to `fit`.

        Warns if an ID is unknown in most pairs.
        """
        truth = _ratings(ratings, columns, {})
        rated = None if exclude is None else _ratings(exclude, columns, {})
        made = native.Arrays()
        native.check(native.library().lockstep_model_evaluate(
            self._model, truth.pointer, rated.pointer if rated else None,
            native.options({"at": at, "relevant": relevant, "unknown": unknown}), made.out()))
        found = Result(made.json["evaluation"])
        total = found["pairs"] + (found["unknown"] if unknown == "nan" else 0)
        if 2 * found["unknown"] > total:
            warnings.warn(f"{found['unknown']} of {total} pairs have an id that is not in the model; are rows and columns "
                          "the same as those it was fitted to?", stacklevel=2)
        return found

    @property
    def _model(self) -> ctypes.c_void_p:
        if self._handle is None:
            raise RuntimeError("there is no model yet: call fit first")
        return self._handle.pointer

    def _take(self, handle: native.Handle) -> None:
        known = native.Arrays()
        native.check(native.library().lockstep_model_info(handle.pointer, known.out()))
        self._handle, self.rank = handle, known.json["rank"]
        self._parts = {name: known[name] for name in known.names if "biases" in name}
        self._parts.update({name: known[name].reshape(-1, self.rank) for name in known.names if "factors" in name})
        self._parts.update({name: known.ids(name) for name in ("row_ids", "col_ids")})
        self.parameters = dict(known.json["parameters"])
        self.graph_hash = known.json["graph_hash"]

    def _part(self, name: str) -> np.ndarray:
        self._model
        return self._parts[name]

    def _places(self, ids: Any, side: str, what: str) -> np.ndarray:
        """Returns the position of each ID in the sorted array of known IDs; -1 for an unknown ID."""
        ids = [ids] if np.ndim(ids) == 0 else ids
        places, known = _positions(as_ids(ids, what), getattr(self, side), what)
        return np.where(known, places, -1).astype(np.int64)

    def _known(self, ids: Any, single: bool, what: str) -> np.ndarray:
        """Returns the positions of the given IDs in the sorted array of known IDs, without unknown IDs. Raises
        KeyError if all are unknown."""
        places = self._places(ids, what + "_ids", what + "s")
        unknown = np.count_nonzero(places < 0)
        if single and unknown:
            raise KeyError(f"the {what} {ids!r} is not in the model")
        if unknown == len(places) and unknown:
            some = getattr(self, what + "_ids")[:3].tolist()
            raise KeyError(f"none of the {unknown} {what}s is in the model, which has {some} …")
        if unknown:
            warnings.warn(f"{unknown} of {len(places)} {what}s are not in the model, and are left out",
                          stacklevel=3)
        return np.ascontiguousarray(places[places >= 0])

    def _lists(self, made: native.Arrays, single: bool) -> Tuple[np.ndarray, np.ndarray]:
        places, scores = np.atleast_2d(made["items"]), np.atleast_2d(made["scores"])
        if made["items"].ndim == 1:  # a one-dimensional array: each list has one item
            places, scores = made["items"][:, None], made["scores"][:, None]
        ids = self.item_ids
        items = ids[np.maximum(places, 0)]
        items[places < 0] = None if ids.dtype == object else -1
        return (items[0], scores[0]) if single else (items, scores)


def _ratings(ratings: Any, columns: Optional[Sequence[str]], feedback: Dict[str, Any]) -> MemoryGraph:
    """Converts ratings in any accepted form to a graph whose vertices are the IDs of the users and items that
    occur. The indices of a matrix are the IDs."""
    if isinstance(ratings, MemoryGraph):
        return ratings
    ratings = frame_of(ratings)
    matrix = hasattr(ratings, "tocoo") or (isinstance(ratings, np.ndarray) and ratings.ndim == 2)
    return make_graph(ratings, columns=columns, shape="bipartite", ids="numbers" if matrix else "given", **feedback)
