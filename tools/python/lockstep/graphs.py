"""Writes graphs in memory (of SciPy, NumPy or pandas) to files that lockstep-preprocess reads fast and without
rounding."""
from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence, Tuple

import numpy as np

from .frames import columns_of, is_frame, times_of
from .ids import as_array, as_ids, number
from .programs import Path


@dataclass(frozen=True)
class GraphFile:
    """The path of a graph file, and the options with which it must be read."""

    path: str
    # "scipy-npz", "anndata", "cumf-binary" or "edge-list": names of formats as in lockstep-preprocess --format
    format: str
    shape: str  # "bipartite": rows and columns are two sets of vertices; "square": one set

    def __fspath__(self) -> str:
        return self.path


def write_graph(path: Path, graph: Any, *, row_ids: Any = None, col_ids: Any = None,
                columns: Optional[Sequence[str]] = None, time_column: Optional[str] = None,
                shape: Optional[str] = None, format: Optional[str] = None,
                force: bool = False) -> GraphFile:
    """Writes a graph to the file `path`, which appears only when it is complete.

    graph    one of
             - a matrix of scipy.sparse, in which each stored entry is an edge; or a 2-D NumPy array, in which
               each entry that is neither 0 nor masked is an edge. The IDs of vertices are their positions from
               0, or row_ids {rows} and col_ids {columns} (for a square graph only row_ids). Rows and columns
               without an entry are vertices, too.
             - a tuple (rows, columns) or (rows, columns, weights) of arrays {edges} without masked entries:
               IDs of the endpoints, and numbers.
             - a list of edges: [(row, column), …] or [(row, column, weight), …].
             - a pandas DataFrame. `columns` contains the names of the columns with the rows, the columns and
               (optional) the weights of the graph. By default, these are found by their names as in a file
               (docs/reference/input.md), or by their order if two or three columns have no names.
    shape    "bipartite" or "square"; default: "square" for a square matrix, otherwise "bipartite".
    time_column  column of a DataFrame with the times of its edges (integers or dates), for the option
             test_latest; "auto": the column is found by its name.
    format   None, or a format that every program recognises without an option: "anndata", or for edges
             "edge-list", a text format that keeps the order of the edges.
    force    replace an existing file.

    IDs are integers or strings. Weights are rounded to single precision. Repeated edges are kept. If `format` is
    None, it depends on the graph: `scipy-npz` for a matrix without IDs, `edge-list` for edges with times,
    `cumf-binary` for edges between IDs from 0 to 2^31 - 1, otherwise `anndata`, in which edges are sorted by row.
    Raises TypeError, ValueError, FileExistsError, OSError.
    """
    if shape not in (None, "bipartite", "square"):
        raise ValueError(f"the shape is {shape!r}; expected 'bipartite' or 'square'")
    if format not in (None, "anndata", "edge-list"):
        raise ValueError(f"the format is {format!r}; expected None, 'anndata' or 'edge-list'")
    path = os.fspath(path)
    if os.path.exists(path) and not force:
        raise FileExistsError(f"{path} exists already; force=True replaces it")
    times = _times(graph, time_column)
    if _is_sparse(graph) or (isinstance(graph, np.ndarray) and graph.ndim == 2):
        if format == "edge-list":
            raise TypeError("a matrix is not written as an edge-list; give its edges: (rows, columns)")
        return _write_matrix(path, graph, row_ids, col_ids, shape, format is None)
    if row_ids is not None or col_ids is not None:
        raise TypeError("row_ids and col_ids name the rows and columns of a matrix; edges have their own ids")
    rows, cols, weights = _edges(graph, columns)
    if format == "edge-list" or (format is None and times is not None):
        return _write_text(path, rows, cols, weights, times, shape or "bipartite")
    return _write_edges(path, rows, cols, weights, shape or "bipartite", format is None)


@contextlib.contextmanager
def graph_file(graph: Any, **how: Any) -> Iterator["tuple[str, dict[str, Any]]"]:
    """Yields the path of a graph's file, and the options for reading it. A graph in memory is written to a
    temporary file, which is deleted afterwards."""
    if isinstance(graph, (str, os.PathLike)):
        if any(how.get(name) is not None for name in ("columns", "row_ids", "col_ids")):
            raise TypeError("columns, row_ids and col_ids apply to a graph in memory; for a file give rows_column=, "
                            "cols_column= and value_column=")
        made = {"format": graph.format, "shape": graph.shape} if isinstance(graph, GraphFile) else {}
        yield os.fspath(graph), {**made, "time_column": how.get("time_column")}
        return
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        written = write_graph(os.path.join(folder, "graph"), graph, **how)
        yield written.path, {"format": written.format, "shape": written.shape,
                             "time_column": "auto" if how.get("time_column") is not None else None}


def _is_sparse(graph: Any) -> bool:
    return hasattr(graph, "tocoo") and hasattr(graph, "format")


def _times(graph: Any, column: Optional[str]) -> Optional[np.ndarray]:
    """Returns the times of the edges of a DataFrame; None if `column` is None."""
    if column is None:
        return None
    if not is_frame(graph):
        raise TypeError("time_column requires a pandas DataFrame")
    return times_of(graph, column)


def _edges(graph: Any, columns: Optional[Sequence[str]]) -> Tuple[Any, Any, Any]:
    """Returns the rows, columns and weights (or None) of the edges in a DataFrame, a tuple or a list."""
    if is_frame(graph):
        parts = columns_of(graph, columns)
    elif columns is not None:
        raise TypeError("columns= requires a pandas DataFrame")
    elif isinstance(graph, tuple):
        parts = list(graph)
    elif isinstance(graph, list):
        if {len(edge) if isinstance(edge, tuple) else 0 for edge in graph} not in ({2}, {3}):
            raise TypeError("a list must contain edges, all as (row, column) or all as (row, column, weight); give "
                            "arrays in a tuple: (rows, columns, weights)")
        parts = list(zip(*graph))
    else:
        raise TypeError(f"a {type(graph).__name__} is not a graph; expected a matrix of scipy.sparse or NumPy, a tuple of "
                        "arrays (rows, columns, weights), a list of edges, or a pandas DataFrame")
    if len(parts) not in (2, 3):
        raise TypeError(f"{len(parts)} arrays are given; expected rows and columns, and perhaps weights")
    sizes = {len(part) for part in parts}
    if len(sizes) > 1:
        raise ValueError(f"rows, columns and weights have {', '.join(str(len(p)) for p in parts)} entries; expected "
                         "equal lengths")
    return parts[0], parts[1], parts[2] if len(parts) == 3 else None


def _weights(values: Any) -> np.ndarray:
    """Converts weights to a type that the readers of graph files support. Raises TypeError if they are not
    numbers, and ValueError if a weight is not finite."""
    array = as_array(values, "weights")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"the weights are of type {array.dtype}; expected numbers")
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            array = array.astype("<f4", copy=False)
        if not np.isfinite(array).all():
            where = int(np.flatnonzero(~np.isfinite(array))[0])
            raise ValueError(f"weight {where} is {np.asarray(values)[where]}; expected finite numbers of single "
                             "precision")
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _write_matrix(path: str, matrix: Any, row_ids: Any, col_ids: Any, shape: Optional[str], free: bool) -> GraphFile:
    rows, cols = (int(size) for size in matrix.shape)
    if shape == "square" and rows != cols:
        raise ValueError(f"a matrix of {rows} x {cols} is not a square graph")
    shape = shape or ("square" if rows == cols and (col_ids is None or row_ids is None) else "bipartite")
    layout, parts = _entries(matrix)
    if row_ids is None and col_ids is None and free:
        with _new_file(path) as name, open(name, "wb") as file:
            np.savez(file, format=np.array(layout.encode()), shape=np.array([rows, cols]), **parts)
        return GraphFile(path, "scipy-npz", shape)
    if shape == "square":
        row_ids, col_ids = (col_ids if row_ids is None else row_ids), (row_ids if col_ids is None else col_ids)
    named_rows, named_cols = _named(row_ids, rows, "row_ids"), _named(col_ids, cols, "col_ids")
    if shape == "square" and not np.array_equal(named_rows, named_cols):
        raise ValueError("row_ids and col_ids differ; a square graph has one set of vertices: leave col_ids out, or say "
                         "shape='bipartite'")
    if layout == "coo":
        layout, indptr, indices, data = _by_row(parts["row"], parts["col"], parts["data"], rows)
    else:
        indptr, indices, data = parts["indptr"], parts["indices"], parts["data"]
    return _write_anndata(path, layout, indptr, indices, data, named_rows, named_cols, shape)


def _entries(matrix: Any) -> "tuple[str, dict[str, np.ndarray]]":
    """Returns the layout of a matrix ("csr", "csc" or "coo"), and its arrays by their names in SciPy."""
    if not _is_sparse(matrix):
        matrix = np.asarray(np.ma.filled(matrix, 0))  # a plain array, also for a numpy.matrix
        row, col = np.nonzero(matrix)
        return "coo", {"row": row, "col": col, "data": _weights(matrix[row, col])}
    matrix = matrix if matrix.format in ("csr", "csc", "coo") else matrix.tocsr()
    names = ("row", "col") if matrix.format == "coo" else ("indptr", "indices")
    return matrix.format, {**{name: getattr(matrix, name) for name in names}, "data": _weights(matrix.data)}


def _named(ids: Any, size: int, what: str) -> np.ndarray:
    """Checks the IDs of the rows or columns of a matrix, and returns them. If `ids` is None, returns positions."""
    found = as_ids(np.arange(size) if ids is None else ids, what)
    if len(found) != size:
        raise ValueError(f"{what} has {len(found)} entries; the matrix has {size}")
    return found


def _write_edges(path: str, rows: Any, cols: Any, weights: Any, shape: str, free: bool) -> GraphFile:
    small = free and _is_small(rows, "rows") and _is_small(cols, "columns")
    data = _weights(np.ones(len(rows), np.float32 if small else np.int8) if weights is None else weights)
    if small:
        records = np.empty(len(rows), [("row", "<i4"), ("col", "<i4"), ("value", "<f4")])
        records["row"], records["col"], records["value"] = rows, cols, data
        with _new_file(path) as name:
            records.tofile(name)
        return GraphFile(path, "cumf-binary", shape)
    if shape == "square":
        both, codes = number(np.concatenate([as_ids(rows, "rows"), as_ids(cols, "columns")]), "ids")
        row_ids = col_ids = both
        rows, cols = codes[:len(rows)], codes[len(rows):]
    else:
        (row_ids, rows), (col_ids, cols) = number(rows, "rows"), number(cols, "columns")
    return _write_anndata(path, *_by_row(rows, cols, data, len(row_ids)), row_ids, col_ids, shape)


def _write_text(path: str, rows: Any, cols: Any, weights: Any, times: Optional[np.ndarray],
                shape: str) -> GraphFile:
    """Writes edges in their order to a text file with a header that every program recognises. O(edges)."""
    columns = {"user": _fields(as_ids(rows, "rows")), "item": _fields(as_ids(cols, "columns"))}
    if weights is not None or times is not None:
        values = np.ones(len(rows), int) if weights is None else _weights(weights)
        columns["rating"] = map(repr, values.tolist())
    if times is not None:
        columns["timestamp"] = map(str, times.tolist())
    with _new_file(path) as name, open(name, "w", encoding="utf-8", newline="") as file:
        file.write("\t".join(columns) + "\n")
        file.writelines("\t".join(fields) + "\n" for fields in zip(*columns.values()))
    return GraphFile(path, "edge-list", shape)


def _fields(ids: np.ndarray) -> Iterator[str]:
    """Returns an iterator over IDs as text: integers unchanged, strings in quotes. Raises ValueError if a string
    contains a line break."""
    if ids.dtype != object:
        return map(str, ids.tolist())
    if any("\n" in name or "\r" in name for name in ids.tolist()):
        raise ValueError("an id contains a line break")
    return ('"' + name.replace('"', '""') + '"' for name in ids.tolist())


def _is_small(ids: Any, what: str) -> bool:
    """Returns True if the IDs are integers from 0 to 2^31 - 1, so that a binary format can store them. Returns
    False if there are no IDs, because the format of an empty binary file cannot be recognised."""
    array = as_array(ids, what)
    return array.dtype.kind in "iu" and array.ndim == 1 and array.size > 0 and array.min() >= 0 and array.max() < 2**31


def _by_row(rows: np.ndarray, cols: np.ndarray, data: np.ndarray, count: int) -> Tuple[str, Any, Any, Any]:
    """Returns edges as a matrix in compressed rows (CSR). The edges of a row keep their order. O(edges log(edges))."""
    order = np.argsort(rows, kind="stable")
    indptr = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=count), out=indptr[1:])
    return "csr", indptr, cols[order], data[order]


def _write_anndata(path: str, layout: str, indptr: np.ndarray, indices: np.ndarray, data: np.ndarray,
                   row_ids: np.ndarray, col_ids: np.ndarray, shape: str) -> GraphFile:
    import h5py

    with _new_file(path) as name, h5py.File(name, "w") as file:
        file.attrs["encoding-type"], file.attrs["encoding-version"] = "anndata", "0.1.0"
        matrix = file.create_group("X")
        matrix.attrs["encoding-type"], matrix.attrs["encoding-version"] = layout + "_matrix", "0.1.0"
        matrix.attrs["shape"] = np.array([len(row_ids), len(col_ids)])
        for part, array in (("indptr", indptr), ("indices", indices), ("data", data)):
            matrix.create_dataset(part, data=array)
        for side, ids in (("obs", row_ids), ("var", col_ids)):
            group = file.create_group(side)
            group.attrs["_index"] = "_index"
            group.create_dataset("_index", data=_names(ids))
    return GraphFile(path, "anndata", shape)


def _names(ids: np.ndarray) -> np.ndarray:
    """Converts IDs for HDF5. Integers are unchanged. Strings become fixed-length strings, which are read fast,
    unless most of their bytes would be padding."""
    if ids.dtype != object:
        return ids
    encoded = [name.encode() for name in ids.tolist()]
    if any(b"\0" in name for name in encoded):
        raise ValueError("an id contains a NUL character")
    longest = max(map(len, encoded), default=1)
    if longest > 4096:
        raise ValueError(f"an id has {longest} bytes; expected at most 4096")
    if longest * len(encoded) > 2**20 + 8 * sum(map(len, encoded)):
        import h5py

        return np.array(encoded, h5py.string_dtype())
    return np.array(encoded, f"S{max(longest, 1)}")


@contextlib.contextmanager
def _new_file(path: str) -> Iterator[str]:
    """Yields the name of a temporary file in the folder of `path`. The file is renamed to `path` if no exception
    occurs, and deleted otherwise."""
    part = f"{path}.part{os.getpid()}"
    try:
        yield part
        os.replace(part, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(part)
