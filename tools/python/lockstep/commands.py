"""The programs as functions. A graph is a file, or in memory as `write_graph` takes it.

Each takes any further option of its program by name (`--item-blocks 8` is item_blocks=8), and `bin` and `quiet` of
`run`; what is left out is the program's default. Each gives the program's JSON, and throws what `run` throws.
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
    """lockstep-preprocess: schedules of a graph, proved, in the file `output`.

    graph is a file (a schedule file gets further schedules), or anything that write_graph takes, with
    its row_ids, col_ids, columns, time_column and shape. ends="vertices": of one set, each with one
    state, whichever end of an edge it is.
    """
    if options.get("ends") == "vertices":
        shape = shape or "square"
    with graph_file(graph, row_ids=row_ids, col_ids=col_ids, columns=columns,
                    time_column=time_column, shape=shape) as (path, how):
        options = {"shape": shape, **how, **options}
        return run("lockstep-preprocess", path, output=output, schedule=schedule, force=force, **options)


def execute(file: Path, strategy: str = "auto", *, app: Optional[str] = None, device: Optional[str] = None,
            force: bool = False, **options: Any) -> Result:
    """lockstep-execute: an application on a schedule file: sgd (also as app=None), pagerank, bfs, sssp, …

    Of sgd: rank, sweeps, learning_rate, regularisation, test_fraction, test (ratings: a file, or
    anything that write_graph takes), early_stop, seed, model="m.h5", record="r.jsonl", …; of the
    others: output="ranks.h5" (read_result reads it), source, verify=True, …
    """
    with _files(None, plain=True, test=options.pop("test", None)) as test:
        return run("lockstep-execute", file, strategy=strategy, app=app, device=device, force=force,
                   **test, **options)


def train(ratings: Any, model: Path, *, strategy: Optional[str] = None, device: Optional[str] = None,
          columns: Optional[Sequence[str]] = None, time_column: Optional[str] = None,
          test: Any = None, force: bool = False, **options: Any) -> Result:
    """lockstep-train: a model of ratings in one command: read, scheduled, swept until held-out ratings say stop.

    ratings, and test, if any, are a file (of schedules, too), or anything that write_graph takes. rank,
    test_fraction, keep="r.h5" (the schedule file), … are those of the program. test_latest=0.1 holds
    out the latest ratings of a DataFrame by the times in `time_column`; default: the column that is
    named as times are.
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
    """lockstep-verify: proves all schedules of a file, or one. Throws VerificationFailed where a proof fails."""
    return run("lockstep-verify", file, schedule=schedule, **options)


def inspect(file: Path, **options: Any) -> Result:
    """lockstep-inspect: what is in a schedule file or a model."""
    return run("lockstep-inspect", file, **options)


def recommend(graph: Any, *, device: Optional[str] = None, rank: Optional[int] = None, sweeps: Optional[float] = None,
              columns: Optional[Sequence[str]] = None, shape: Optional[str] = None, **options: Any) -> Result:
    """lockstep-recommend: which strategy is predicted to be the fastest (`best`), and why (`reason`)."""
    with graph_file(graph, columns=columns, shape=shape) as (path, how):
        options = {"shape": shape, **how, **options}
        return run("lockstep-recommend", path, device=device, rank=rank, sweeps=sweeps, **options)


def predict(model: Path, pairs: Any, *, columns: Optional[Sequence[str]] = None,
            fold_in: Any = None, **options: Any) -> Dict[str, np.ndarray]:
    """lockstep-predict --pairs: predictions for pairs, in their order; unknown="nan" gives NaN for
    unknown ids.

    pairs     a file, or edges in memory: (rows, columns), a list of pairs, a DataFrame
    fold_in   ratings of new users, who get vectors: a file, or anything that write_graph takes
    columns   of the frames among these two
    {"row", "col", "prediction"}: arrays {pairs}, as pandas.DataFrame takes them. Without the program,
    read_model(model).predict(rows, cols) gives the same bits.
    """
    with _files(columns, pairs=pairs, fold_in=fold_in) as files:
        result = run("lockstep-predict", model, **files, **options)
    return _columns(result["predictions"], ("row", "col"), ("prediction",))


def top(model: Path, n: int, *, users: Union[None, Path, Sequence[Any]] = None, exclude: Any = None,
        fold_in: Any = None, columns: Optional[Sequence[str]] = None, **options: Any) -> Dict[str, np.ndarray]:
    """lockstep-predict --top: the n best items for each user, or for some, without those that the user has in the ratings
    the model was fitted to (include_taken=True: with them).

    users    ids, or a file of them, one a line; those that the model does not know are left out with a warning, or with
             unknown="error" refused
    exclude  more ratings to be left out: a file (of schedules, too), or anything that train takes, the frame that was trained
             on with the same columns
    fold_in  ratings of new users, who get vectors, and whose lists these are: a file, or anything that
             train takes
    columns  of the frames among these two
    {"user", "item", "score", "rank"}: arrays {users x n}.
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
    """lockstep-predict --evaluate: errors of the predictions for these ratings, and quality of the users' lists.

    ratings   a file, or anything that write_graph takes
    at        length of the lists; 0: none are made. relevant: a rating of at least this is
    exclude, fold_in  as in `top`
    columns   of the frames among these three
    rmse, mae, pairs, unknown, and where lists are made users, precision, recall, ndcg.
    """
    with _files(columns, evaluate=ratings, exclude=exclude, fold_in=fold_in) as files:
        result = run("lockstep-predict", model, at=at, relevant=relevant, **files, **options)
    return Result(result["evaluation"], result.notes)


def similar(model: Path, item: Any, n: int, **options: Any) -> Dict[str, np.ndarray]:
    """lockstep-predict --similar: the n items most like one, by cosine, or like each of several, with
    a run of the program for each. {"item", "other", "similarity", "rank"}: arrays {items x n}."""
    items = [item] if np.ndim(item) == 0 else as_ids(item, "items").tolist()
    results = [run("lockstep-predict", model, top=n, similar=one, **options) for one in items]
    entries = [entry for result in results for entry in result["similar"]]
    return _columns(entries, ("item", "other"), ("similarity", "rank"))


@contextlib.contextmanager
def _files(columns: Optional[Sequence[str]], *, plain: bool = False,
           **graphs: Any) -> Iterator[Dict[str, Any]]:
    """Yields the files of graphs, by the names of their options, and the options for reading them. A
    graph in memory goes to a temporary file.

    columns  of the frames among the graphs. Throws TypeError if there is no frame
    plain    the files need no options for reading, which a program applies to all of its files; so
             it is if there are several graphs
    """
    given = {name: graph for name, graph in graphs.items() if graph is not None}
    frames, plain = any(map(is_frame, given.values())), plain or len(given) > 1
    options: Dict[str, Any] = {}
    with contextlib.ExitStack() as stack:
        for name, graph in given.items():
            kept = "edge-list" if name == "pairs" else None  # which has the order of the pairs
            named = columns if is_frame(graph) or not frames else None
            format = kept or ("anndata" if plain else None)
            options[name], how = stack.enter_context(
                graph_file(graph, columns=named, shape="bipartite", format=format))
            options.update({} if plain else how)
        yield options


def _columns(entries: Sequence[Dict[str, Any]], ids: Sequence[str], numbers: Sequence[str]) -> Dict[str, np.ndarray]:
    """Ids as int64 where all of a column are integers, else as str; null as NaN."""
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
