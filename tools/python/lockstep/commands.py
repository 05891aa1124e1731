"""Functions that run Lockstep's programs. A graph is a file, or a graph in memory in a form that `write_graph`
accepts; it is then written to a temporary file.

All further options of a program are keywords of its function (`--item-blocks 8` is item_blocks=8), and so are
the arguments `bin` and `quiet` of `run`. Options that are not given have the program's defaults. Each function
returns the program's JSON, and raises the exceptions of `run`.
"""
from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Dict, Iterator, Optional, Sequence, Union

import numpy as np

from .frames import is_frame
from .graphs import graph_file
from .ids import as_ids
from .programs import Path, Result, run


def preprocess(graph: Any, output: Path, schedule: Union[None, str, Sequence[str]] = None, *,
               row_ids: Any = None, col_ids: Any = None, columns: Optional[Sequence[str]] = None,
               time_column: Optional[str] = None, shape: Optional[str] = None, force: bool = False,
               **options: Any) -> Result:
    """lockstep-preprocess: builds and verifies schedules of a graph, and writes them to the file `output`.

    `graph` is a file (schedules are added to a schedule file), or anything that write_graph accepts; row_ids,
    col_ids, columns, time_column and shape are arguments of write_graph. ends="vertices": the graph has one set
    of vertices, and a vertex has the same state whether it is the first or the second endpoint of an edge.
    """
    if options.get("ends") == "vertices":
        shape = shape or "square"
    with graph_file(graph, row_ids=row_ids, col_ids=col_ids, columns=columns,
                    time_column=time_column, shape=shape) as (path, how):
        options = {"shape": shape, **how, **options}
        return run("lockstep-preprocess", path, output=output, schedule=schedule, force=force, **options)


def execute(file: Path, strategy: str = "auto", *, app: Optional[str] = None, device: Optional[str] = None,
            force: bool = False, **options: Any) -> Result:
    """lockstep-execute: runs an application on a schedule file: sgd (the default), pagerank, bfs, sssp, …

    Options of sgd: rank, sweeps, learning_rate, regularisation, test_fraction, test (ratings: a file, or
    anything that write_graph accepts), early_stop, seed, model="m.h5", record="r.jsonl", … Options of the
    other applications: output="ranks.h5" (read_result reads it), source, verify=True, …
    """
    with _files(None, plain=True, test=options.pop("test", None)) as test:
        return run("lockstep-execute", file, strategy=strategy, app=app, device=device, force=force,
                   **test, **options)


def train(ratings: Any, model: Path, *, strategy: Optional[str] = None, device: Optional[str] = None,
          columns: Optional[Sequence[str]] = None, time_column: Optional[str] = None,
          test: Any = None, force: bool = False, **options: Any) -> Result:
    """lockstep-train: fits a model to ratings: reads them, builds a schedule, and runs sweeps until the error of
    the held-out ratings stops improving.

    `ratings` and `test` (optional) are files (also schedule files), or anything that write_graph accepts. rank,
    test_fraction, keep="r.h5" (stores the schedule file), … are options of the program. test_latest=0.1 holds
    out the latest ratings of a DataFrame, by the times in the column `time_column`; by default, this is the
    column whose name means a time.
    """
    if time_column is None and options.get("test_latest") and is_frame(ratings):
        time_column = "auto"
    named = columns if is_frame(ratings) or not is_frame(test) else None
    with graph_file(ratings, columns=named, time_column=time_column, shape="bipartite") as found, \
            _files(columns if is_frame(test) else None, plain=True, test=test) as other:
        path, how = found
        options = {**how, **other, **options}
        return run("lockstep-train", path, model=model, strategy=strategy, device=device, force=force, **options)


def verify(file: Path, schedule: Optional[str] = None, **options: Any) -> Result:
    """lockstep-verify: verifies all schedules of a file, or one. Raises VerificationFailed if a
    verification fails."""
    return run("lockstep-verify", file, schedule=schedule, **options)


def inspect(file: Path, **options: Any) -> Result:
    """lockstep-inspect: returns the contents of a schedule file or a model."""
    return run("lockstep-inspect", file, **options)


def recommend(graph: Any, *, device: Optional[str] = None, rank: Optional[int] = None, sweeps: Optional[float] = None,
              columns: Optional[Sequence[str]] = None, shape: Optional[str] = None, **options: Any) -> Result:
    """lockstep-recommend: predicts the times of all strategies on a graph. The result has the fastest strategy
    (`best`) and an explanation (`reason`)."""
    with graph_file(graph, columns=columns, shape=shape) as (path, how):
        options = {"shape": shape, **how, **options}
        return run("lockstep-recommend", path, device=device, rank=rank, sweeps=sweeps, **options)


def predict(model: Path, pairs: Any, *, columns: Optional[Sequence[str]] = None,
            fold_in: Any = None, **options: Any) -> Dict[str, np.ndarray]:
    """lockstep-predict --pairs: returns the prediction for each pair of a row and a column, in the given order.
    With unknown="nan", the prediction for an unknown ID is NaN.

    pairs     a file, or edges in memory: (rows, columns), a list of pairs, a DataFrame
    fold_in   ratings of new users, whose vectors are computed from them: a file, or anything that write_graph
              accepts
    columns   names of the columns of pairs and fold_in, if these are DataFrames

    Returns {"row", "col", "prediction"}: arrays {pairs}, which can be passed to pandas.DataFrame.
    read_model(model).predict(rows, cols) returns bitwise identical predictions without running the program.
    """
    with _files(columns, pairs=pairs, fold_in=fold_in) as files:
        result = run("lockstep-predict", model, **files, **options)
    return _columns(result["predictions"], ("row", "col"), ("prediction",))


def top(model: Path, n: int, *, users: Union[None, Path, Sequence[Any]] = None, exclude: Any = None,
        fold_in: Any = None, columns: Optional[Sequence[str]] = None, **options: Any) -> Dict[str, np.ndarray]:
    """lockstep-predict --top: returns the n items with the highest predictions for each user. Excludes the items
    that the user has rated in the training ratings, unless include_taken=True.

    users    IDs, or a file with one ID per line; default: all users. Unknown users are omitted with a warning,
             or raise an error with unknown="error"
    exclude  more ratings whose items are excluded: a file (also a schedule file), or anything that train
             accepts; for the DataFrame that was used in training, with the same `columns`
    fold_in  ratings of new users, whose vectors are computed from them, and for whom the lists are made: a
             file, or anything that train accepts
    columns  names of the columns of exclude and fold_in, if these are DataFrames

    Returns {"user", "item", "score", "rank"}: arrays {users x n}.
    """
    if users is not None:
        options = {"unknown": "nan", **options}
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        if users is not None and not isinstance(users, (str, os.PathLike)):
            path = os.path.join(folder, "users")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(f"{user}\n" for user in as_ids(users, "users").tolist())
            users = path
        with _files(columns, exclude=exclude, fold_in=fold_in) as files:
            result = run("lockstep-predict", model, top=n, users=users, **files, **options)
    return _columns(result["recommendations"], ("user", "item"), ("score", "rank"))


def evaluate(model: Path, ratings: Any, *, at: Optional[int] = None, relevant: Optional[float] = None, exclude: Any = None,
             fold_in: Any = None, columns: Optional[Sequence[str]] = None, **options: Any) -> Result:
    """lockstep-predict --evaluate: computes the errors of the predictions for the given ratings, and the quality
    of ranked lists of items.

    ratings   a file, or anything that write_graph accepts
    at        number of items in a list; 0: no lists
    relevant  minimum rating of an item that should be in a list
    exclude, fold_in  as in `top`
    columns   names of the columns of ratings, exclude and fold_in, if these are DataFrames

    Returns rmse, mae, pairs, unknown, and, if lists are made, users, precision, recall, ndcg.
    """
    with _files(columns, evaluate=ratings, exclude=exclude, fold_in=fold_in) as files:
        result = run("lockstep-predict", model, at=at, relevant=relevant, **files, **options)
    return Result(result["evaluation"], result.notes)


def similar(model: Path, item: Any, n: int, **options: Any) -> Dict[str, np.ndarray]:
    """lockstep-predict --similar: returns the n items that are most similar to `item`, or to each of several
    items, by the cosine of their vectors. Runs the program once per item. Returns {"item", "other",
    "similarity", "rank"}: arrays {items x n}."""
    items = [item] if np.ndim(item) == 0 else as_ids(item, "items").tolist()
    results = [run("lockstep-predict", model, top=n, similar=one, **options) for one in items]
    entries = [entry for result in results for entry in result["similar"]]
    return _columns(entries, ("item", "other"), ("similarity", "rank"))


@contextlib.contextmanager
def _files(columns: Optional[Sequence[str]], *, plain: bool = False,
           **graphs: Any) -> Iterator[Dict[str, Any]]:
    """Yields options of a program: {name: path of the graph's file} for each keyword, and the options for reading
    these files. A graph in memory is written to a temporary file.

    columns  names of the columns of the DataFrames among the graphs; raises TypeError if there are none
    plain    write only files that need no reading options, because a program applies such options to all of its
             files; always so if there are several graphs
    """
    given = {name: graph for name, graph in graphs.items() if graph is not None}
    frames, plain = any(map(is_frame, given.values())), plain or len(given) > 1
    options: Dict[str, Any] = {}
    with contextlib.ExitStack() as stack:
        for name, graph in given.items():
            kept = "edge-list" if name == "pairs" else None  # a format that keeps the order of the pairs
            named = columns if is_frame(graph) or not frames else None
            format = kept or ("anndata" if plain else None)
            options[name], how = stack.enter_context(
                graph_file(graph, columns=named, shape="bipartite", format=format))
            options.update({} if plain else how)
        yield options


def _columns(entries: Sequence[Dict[str, Any]], ids: Sequence[str], numbers: Sequence[str]) -> Dict[str, np.ndarray]:
    """Converts a list of JSON objects to arrays. The IDs of a column are int64 if all are integers, otherwise str.
    Null becomes NaN."""
    columns = {name: _decoded([entry[name] for entry in entries]) for name in ids}
    for name in numbers:
        kind = np.int64 if name == "rank" else np.float32
        columns[name] = np.array([np.nan if entry[name] is None else entry[name] for entry in entries], kind)
    return columns


def _decoded(names: Sequence[str]) -> np.ndarray:
    try:
        numbers = np.array(names, np.int64) if names else np.empty(0, np.int64)
        if all(str(number) == name for number, name in zip(numbers.tolist(), names)):
            return numbers
    except (ValueError, OverflowError):
        pass
    decoded = np.empty(len(names), object)
    decoded[:] = names
    return decoded
