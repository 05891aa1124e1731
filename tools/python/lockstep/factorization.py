"""Matrix factorization in memory, with the names of `implicit`."""
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
    """A model of ratings: `MF(rank=64).fit(ratings).recommend(user, N=10)`.

    rank     length of the vectors of users and items; default: 16, of clicks 64
    options  of lockstep-train: sweeps, learning_rate, regularisation, test_fraction=0.1 (held out, to stop by),
             test_latest=0.1 (the latest are held out), test (ratings as `fit` takes them, to stop by), device, threads,
             seed=1, strategy, …; feedback="implicit" of clicks, whose model is for lists, and positive_from=;
             solver="sgd" with it draws negatives= pairs for each

    The same ratings, options and seed give the factors of lockstep-train, bitwise identical on any number of threads.
    They are the same on a CPU and on a GPU if `strategy` is given: the default, "auto", chooses by the device.
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
        """Learns from ratings: a DataFrame (its columns by name, or `columns`), a scipy.sparse matrix of users x items,
        arrays (users, items, ratings), or a file. This object; `result` has what lockstep-train says of the run.

        time_column  of a DataFrame: the column of times for test_latest; default: the one that is named
                     as times are.
        Throws TypeError, ValueError, BadInput, Diverged; KeyboardInterrupt leaves the model as it was.
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
        """Returns the options for reading ratings, and those for training, with `test` as if it were a
        file. Throws ValueError."""
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
                    raise ValueError("negatives= are drawn for solver='sgd'; without it all pairs count, "
                                     "and none is drawn")
                reading["negatives"] = 0
        return reading, training

    @classmethod
    def load(cls, path: Path) -> "MF":
        """A model file of `save`, lockstep-train or lockstep-execute."""
        handle = native.Handle("model")
        native.check(native.library().lockstep_model_read(os.fsencode(path), handle.out()))
        model = cls()
        model._take(handle)
        return model

    def save(self, path: Path, *, force: bool = False) -> None:
        """Writes a model file, which lockstep-predict reads. Throws OutputFailed where one is there, without force."""
        native.check(native.library().lockstep_model_write(self._model, os.fsencode(path), native.options({"force": force})))

    user_factors = property(lambda self: self._part("row_factors"), doc="{users, rank} float32")
    item_factors = property(lambda self: self._part("col_factors"), doc="{items, rank} float32")
    user_ids = property(lambda self: self._part("row_ids"), doc="{users} as they were given, sorted")
    item_ids = property(lambda self: self._part("col_ids"), doc="{items}")

    def predict(self, users: Any, items: Any) -> Any:
        """The prediction of each pair of ids, NaN where one is unknown: {pairs} float32; of two ids a number."""
        single = np.ndim(users) == 0 and np.ndim(items) == 0
        u, v = self._places(users, "user_ids", "users"), self._places(items, "item_ids", "items")
        if len(u) != len(v):
            raise ValueError(f"{len(u)} users and {len(v)} items are given; expected as many")
        found = np.empty(len(u), np.float32)
        native.check(native.library().lockstep_model_predict(self._model, native.optional(u), native.optional(v),
                                                             native.optional(found)))
        return float(found[0]) if single else found

    def recommend(self, user: Any = None, N: int = 10, *, filter_already_liked_items: bool = True, exclude: Any = None,
                  columns: Optional[Sequence[str]] = None, progress: Progress = None) -> Tuple[np.ndarray, np.ndarray]:
        """Ranks items: (ids {N}, scores {N}) of the N best, best first; of several users {users, N} each, of user=None of all.

        filter_already_liked_items  leaves out the items that the user has in the ratings the model was fitted to, held-out
                 ones included. A model file contains them, too, unless an earlier version wrote it.
        exclude  more ratings whose items are left out, user by user: what `fit` takes, or `lockstep.graph` of it for several
                 calls. Users that the model does not know are left out, with a warning; a single one is refused. A list
                 that has fewer than N items ends with None (names) or -1, and scores of NaN.
        """
        if N < 1:
            raise ValueError(f"N is {N}; expected 1 at least")
        single = user is not None and np.ndim(user) == 0
        places = None if user is None else self._known(user, single, "user")
        rated = None if exclude is None else _ratings(exclude, columns, {})
        made, call = native.Arrays(), native.Call(progress)
        call.run(native.library().lockstep_model_recommend, self._model, native.optional(places),
                 ctypes.c_uint64(N), rated.pointer if rated else None,
                 native.options({"include_taken": not filter_already_liked_items}), *call.callback, made.out())
        return self._lists(made, single)

    def similar(self, item: Any, N: int = 10) -> Tuple[np.ndarray, np.ndarray]:
        """The N items most like one, by the cosine of their vectors: (ids {N}, similarities {N}), best
        first; of several items {items, N} each.

        Items that the model does not know are left out, with a warning; a single one is refused.
        """
        if N < 1:
            raise ValueError(f"N is {N}; expected 1 at least")
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
        """Errors of the predictions for ratings, and quality of the lists: rmse, mae, pairs, unknown, precision, recall,
        ndcg, … as lockstep-predict --evaluate. exclude: ratings that no list shall hold, those of `fit`.

        Warns where most pairs have an id that the model does not know.
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
            warnings.warn(f"{found['unknown']} of {total} pairs have an id that the model does not know; are rows and columns "
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
        """Positions among the known ids, -1 of an unknown one."""
        ids = [ids] if np.ndim(ids) == 0 else ids
        places, known = _positions(as_ids(ids, what), getattr(self, side), what)
        return np.where(known, places, -1).astype(np.int64)

    def _known(self, ids: Any, single: bool, what: str) -> np.ndarray:
        """Returns the positions of the users, or items, that the model knows. Throws KeyError if it
        knows none."""
        places = self._places(ids, what + "_ids", what + "s")
        unknown = np.count_nonzero(places < 0)
        if single and unknown:
            raise KeyError(f"the model does not know the {what} {ids!r}")
        if unknown == len(places) and unknown:
            some = getattr(self, what + "_ids")[:3].tolist()
            raise KeyError(f"the model knows none of the {unknown} {what}s; it has {some} …")
        if unknown:
            warnings.warn(f"{unknown} of {len(places)} {what}s are not in the model, and are left out",
                          stacklevel=3)
        return np.ascontiguousarray(places[places >= 0])

    def _lists(self, made: native.Arrays, single: bool) -> Tuple[np.ndarray, np.ndarray]:
        places, scores = np.atleast_2d(made["items"]), np.atleast_2d(made["scores"])
        if made["items"].ndim == 1:  # of one item each
            places, scores = made["items"][:, None], made["scores"][:, None]
        ids = self.item_ids
        items = ids[np.maximum(places, 0)]
        items[places < 0] = None if ids.dtype == object else -1
        return (items[0], scores[0]) if single else (items, scores)


def _ratings(ratings: Any, columns: Optional[Sequence[str]], feedback: Dict[str, Any]) -> MemoryGraph:
    """Of two sides, whose vertices are the ids that are there, as in a file."""
    if isinstance(ratings, MemoryGraph):
        return ratings
    ratings = frame_of(ratings)
    matrix = hasattr(ratings, "tocoo") or (isinstance(ratings, np.ndarray) and ratings.ndim == 2)
    return make_graph(ratings, columns=columns, shape="bipartite", ids="numbers" if matrix else "given", **feedback)
