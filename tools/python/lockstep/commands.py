"""The programs as functions. A graph is a file, or a graph in memory in a form that `write_graph` accepts.

Each function has the further options of its program as keywords (`--item-blocks 8` is item_blocks=8), and
`bin` and `quiet` of `run`. Options that are not given have the program's defaults. Each function returns the
program's JSON, and raises the exceptions of `run`.
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

    graph is a file (a schedule file gets further schedules), or anything that write_graph accepts, with its
    row_ids, col_ids, columns, time_column and shape. ends="vertices": a graph of one set of vertices with one
    state per vertex, whichever endpoint of an edge it is.
    """
    if options.get("ends") == "vertices":
        shape = shape or "square"
    with graph_file(graph, row_ids=row_ids, col_ids=col_ids, columns=columns,
                    time_column=time_column, shape=shape) as (path, how):
        options = {"shape": shape, **how, **options}
        return run("lockstep-preprocess", path, output=output, schedule=schedule, force=force, **options)


def execute(file: Path, strategy: str = "auto", *, app: Optional[str] = None, device: Optional[str] = None,
            force: bool = False, **options: Any) -> Result:
    """lockstep-execute: runs an application on a schedule file: sgd (also app=None), pagerank, bfs, sssp, …

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
    """lockstep-train: makes a model of ratings: reads them, schedules, and sweeps until the error of held-out
    ratings stops improving.

    ratings, and test, if any, are a file (also a schedule file), or anything that write_graph accepts. rank,
    test_fraction, keep="r.h5" (the schedule file), … are options of the program. test_latest=0.1 holds out
    the latest ratings of a DataFrame by the times in `time_column`; default: the column whose name is one of
    times.
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
    """lockstep-recommend: returns the strategy that is predicted to be the fastest (`best`), and why
    (`reason`)."""
    with graph_file(graph, columns=columns, shape=shape) as (path, how):
        options = {"shape": shape, **how, **options}
        return run("lockstep-recommend", path, device=device, rank=rank, sweeps=sweeps, **options)


def predict(model: Path, pairs: Any, *, columns: Optional[Sequence[str]] = None,
            fold_in: Any = None, **options: Any) -> Dict[str, np.ndarray]:
    """lockstep-predict --pairs: returns predictions for pairs, in their order; with unknown="nan" the
    prediction of an unknown ID is NaN.

    pairs     a file, or edges in memory: (rows, columns), a list of pairs, a DataFrame
    fold_in   ratings of new users, who get vectors: a file, or anything that write_graph accepts
    columns   columns of those of these two that are DataFrames

    Returns {"row", "col", "prediction"}: arrays {pairs}, from which pandas.DataFrame can be made. Without the
    program, read_model(model).predict(rows, cols) returns bitwise identical predictions.
    """
    with _files(columns, pairs=pairs, fold_in=fold_in) as files:
        result = run("lockstep-predict", model, **files, **options)
    return _columns(result["predictions"], ("row", "col"), ("prediction",))


def top(model: Path, n: int, *, users: Union[None, Path, Sequence[Any]] = None, exclude: Any = None,
        fold_in: Any = None, columns: Optional[Sequence[str]] = None, **options: Any) -> Dict[str, np.ndarray]:
    """lockstep-predict --top: returns the n best items for all users, or for some. Leaves out the items that
    the user has in the ratings to which the model was fitted (unless include_taken=True).

    users    IDs, or a file with one ID per line; unknown users are left out with a warning, or refused with
             unknown="error"
    exclude  more ratings whose items are left out: a file (also a schedule file), or anything that train
             accepts; for the frame that was used in training with the same columns
    fold_in  ratings of new users, who get vectors, and for whom the lists are made: a file, or anything that
             train accepts
    columns  columns of those of these two that are DataFrames

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
    """lockstep-predict --evaluate: measures the errors of the predictions for these ratings, and the quality
    of the users' lists.

    ratings   a file, or anything that write_graph accepts
    at        length of the lists; 0: no lists
    relevant  minimum rating of a relevant item
    exclude, fold_in  as in `top`
    columns   columns of those of these three that are DataFrames

    Returns rmse, mae, pairs, unknown, and, if lists are made, users, precision, recall, ndcg.
    """
    with _files(columns, evaluate=ratings, exclude=exclude, fold_in=fold_in) as files:
        result = run("lockstep-predict", model, at=at, relevant=relevant, **files, **options)
    return Result(result["evaluation"], result.notes)


def similar(model: Path, item: Any, n: int, **options: Any) -> Dict[str, np.ndarray]:
    """lockstep-predict --similar: returns the n items most similar to one item, by cosine, or to each of
    several items, with one run of the program per item. {"item", "other", "similarity", "rank"}: arrays
    {items x n}."""
    items = [item] if np.ndim(item) == 0 else as_ids(item, "items").tolist()
    results = [run("lockstep-predict", model, top=n, similar=one, **options) for one in items]
    entries = [entry for result in results for entry in result["similar"]]
    return _columns(entries, ("item", "other"), ("similarity", "rank"))


@contextlib.contextmanager
def _files(columns: Optional[Sequence[str]], *, plain: bool = False,
           **graphs: Any) -> Iterator[Dict[str, Any]]:
    """Yields the files of graphs, by the names of their options, and the options for reading them. A graph in
    memory is written to a temporary file.

    columns  columns of the frames among the graphs. Raises TypeError if there is no frame
    plain    the files must not need reading options, which a program applies to all of its files; also
             true if there are several graphs
    """
    given = {name: graph for name, graph in graphs.items() if graph is not None}
    frames, plain = any(map(is_frame, given.values())), plain or len(given) > 1
    options: Dict[str, Any] = {}
    with contextlib.ExitStack() as stack:
        for name, graph in given.items():
            kept = "edge-list" if name == "pairs" else None  # this format keeps the order of the pairs
            named = columns if is_frame(graph) or not frames else None
            format = kept or ("anndata" if plain else None)
            options[name], how = stack.enter_context(
                graph_file(graph, columns=named, shape="bipartite", format=format))
            options.update({} if plain else how)
        yield options


def _columns(entries: Sequence[Dict[str, Any]], ids: Sequence[str], numbers: Sequence[str]) -> Dict[str, np.ndarray]:
    """Returns the columns of entries: IDs as int64 if all IDs of a column are integers, else as str; null
    as NaN."""
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
