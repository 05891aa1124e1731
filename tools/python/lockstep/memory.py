"""Graphs in memory, the schedules that are built for them, and batches: sets of edges, of rows of a sparse pattern, or
of vertices that may be updated concurrently."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, List, NamedTuple, Optional, Sequence

import numpy as np

from . import native
from .arrays import frame_of, host_array, host_copy
from .graphs import _edges, _is_sparse, _times, _weights
from .ids import as_array, as_ids, number
from .programs import Path, Result

Progress = Optional[Callable[[Optional[str], int, int], Any]]


class Batches(NamedTuple):
    """Sets of edges (or of rows, or of vertices), one after another. The edges `order[offsets[s]:offsets[s + 1]]` of
    set s may be updated concurrently, since they do not conflict.

    order    {edges} indices of the edges in input order, set by set
    offsets  {sets + 1} offsets of the sets in `order`
    """

    order: np.ndarray
    offsets: np.ndarray

    def sets(self) -> List[np.ndarray]:
        """Returns the sets of edges, one array per set."""
        return [self.order[a:b] for a, b in zip(self.offsets, self.offsets[1:])]

    def colors(self) -> np.ndarray:
        """Returns the set of every edge, as an array {edges} of numbers from 0."""
        colors = np.empty(len(self.order), np.int64)
        colors[self.order] = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        return colors


class MemoryGraph:
    """A graph in memory, with the schedules that have been built for it. The function `graph` makes it.

    ends        "vertices" or "sides"
    rows, cols, edges  numbers of rows, columns and edges
    row_ids, col_ids   {rows}, {cols} IDs of the vertices, in the order of the vertices
    info        all known properties: hash, degrees, schedules with their numbers of rounds
    """

    def __init__(self, handle: native.Handle):
        self._handle = handle

    @property
    def pointer(self) -> ctypes.c_void_p:
        return self._handle.pointer

    def _known(self) -> native.Arrays:
        made = native.Arrays()
        native.check(native.library().lockstep_graph_info(self.pointer, made.out()))
        return made

    @property
    def info(self) -> Result:
        return self._known().json

    @property
    def row_ids(self) -> np.ndarray:
        return self._known().ids("row_ids")

    @property
    def col_ids(self) -> np.ndarray:
        return self._known().ids("col_ids")

    def __getattr__(self, name: str) -> Any:
        if name in ("ends", "rows", "cols", "edges"):
            return self.info[name]
        raise AttributeError(name)

    def schedule(self, name: str = "agm-e", *, progress: Progress = None, **options: Any) -> "MemoryGraph":
        """Builds and verifies a schedule. Options are those of lockstep-preprocess: matching="exact", ….
        Returns this graph."""
        call = native.Call(progress)
        call.run(native.library().lockstep_schedule, self.pointer, name.encode(),
                 native.options(options), *call.callback)
        return self

    def verify(self, name: str) -> None:
        """Verifies a schedule that has been built. Raises VerificationFailed if it has an error."""
        native.check(native.library().lockstep_verify(self.pointer, name.encode()))

    def batches(self, name: str = "agm-e") -> Batches:
        """Returns the sets of edges of a schedule that has been built."""
        made = native.Arrays()
        native.check(native.library().lockstep_batches(self.pointer, name.encode(), made.out()))
        return Batches(made["order"].view(np.int64), made["offsets"].view(np.int64))

    def save(self, path: Path, *, force: bool = False) -> None:
        """Writes the graph and its schedules to a file, which the programs can read. Raises OutputFailed if the
        file exists, unless force=True."""
        native.check(native.library().lockstep_graph_write(self.pointer, os.fsencode(path), native.options({"force": force})))


def graph(edges: Any, second: Any = None, weights: Any = None, *, ends: str = "sides", shape: Optional[str] = None,
          columns: Optional[Sequence[str]] = None, times: Any = None, time_column: Optional[str] = None,
          ids: str = "numbers", rows: int = 0, cols: int = 0, **options: Any) -> MemoryGraph:
    """Makes a graph in memory, which several calls can use without converting it again.

    edges    anything that write_graph accepts: arrays (first, second[, weights]), also as separate arguments;
             a list of edges; a DataFrame, or a table of polars or Arrow; a matrix of scipy.sparse, whose
             edges are its stored entries in the order of .tocsr(), or a dense matrix; a file, also a
             schedule file. Repeated entries of a coo_matrix are separate edges, as in a file; repeats="sum"
             adds them up
    ends     "vertices": one set of vertices, where a vertex has one state; "sides": rows and columns have
             separate states, also in a square graph
    shape    "square" if rows and columns are one set of vertices (default for ends="vertices" and for square
             matrices), else "bipartite"
    times    {edges} integers: the time of each edge, for MF(test_latest=…)
    time_column  column of a DataFrame with the times, integers or dates; "auto": the column whose name means
             a time
    ids      "numbers": number I is vertex I, from 0; "given": the vertices are the distinct IDs in ascending
             order (row_ids). Strings are always "given"
    rows, cols  numbers of vertices if ids="numbers"; default: the largest number plus 1

    Raises TypeError, ValueError, BadInput.
    """
    if ends not in ("sides", "vertices"):
        raise ValueError(f"ends is {ends!r}; expected 'vertices' (one state per vertex) or 'sides'")
    if ids not in ("numbers", "given"):
        raise ValueError(f"ids is {ids!r}; expected 'numbers' or 'given'")
    if isinstance(edges, MemoryGraph):
        return edges
    if isinstance(edges, (str, os.PathLike)):
        handle = native.Handle("graph")
        how = {"ends": ends, "shape": shape or ("square" if ends == "vertices" else None),
               "time_column": time_column, **options}
        native.check(native.library().lockstep_graph_read(os.fsencode(edges), native.options(how), handle.out()))
        return MemoryGraph(handle)
    if second is not None:
        edges = (edges, second) if weights is None else (edges, second, weights)
    edges = frame_of(edges)
    if time_column is not None:
        times = _times(edges, time_column)
    if _is_sparse(edges) or (isinstance(edges, np.ndarray) and edges.ndim == 2) or isinstance(edges, np.matrix):
        first, second, weights, (rows, cols) = _of_matrix(edges)
        shape = shape or ("square" if rows == cols else None)
    else:
        if isinstance(edges, tuple):
            edges = tuple(host_array(part, "ends") for part in edges)
        first, second, weights = _edges(edges, columns)
    if ends == "vertices":
        shape = "square"
    return _made(first, second, weights, times,
                 {"ends": ends, "shape": shape, "ids": ids, "rows": rows, "cols": cols, **options})


def batches(edges: Any, second: Any = None, *, ends: Optional[str] = None, schedule: Optional[str] = None,
            rows: int = 0, cols: int = 0, order: str = "given", even: bool = False, fixed: Any = None, verify: bool = True,
            **options: Any) -> Batches:
    """Divides the rows of a sparse pattern, or the edges of a graph, into sets that may be updated concurrently; the
    sets must be updated one after another. `order, offsets = batches(tetrahedra)`, `batches(csr)`, `batches(i, j)`.

    Rows: if `edges` is an array of integers {n, k}, or a sparse matrix, and neither `ends` nor `schedule` is given, no
    two rows of a set share a column. A row is an update, such as a tetrahedron with k = 4 vertices, a row of a
    Jacobian, or an edge with k = 2.

    order   "given": first fit by row index; "largest": rows with the most conflicts first; "smallest": usually the
            fewest sets
    even    move rows until the sets have about equal sizes
    fixed   columns that no row writes, which cause no conflict: an array of indices, or of one bool per column
    cols    number of columns; default: the largest plus 1, or that of the matrix
    verify  check the result independently before it is returned
    options  threads=N

    Edges:

    edges, second  arrays {edges} of first and second endpoints; or anything that `graph` accepts
    ends           "vertices" (default): no vertex occurs twice in a set (springs, layouts, meshes); "sides": first
                   and second endpoints have separate states, like users and items
    schedule       name of the schedule whose sets are returned: "agm-e" (default; few, large sets), "stars",
                   "blkdiag", "tiled", "local" or "diag"
    options        options of lockstep-preprocess: with matching="exact", the number of sets exceeds the largest
                   degree by at most m, where m is the maximum number of edges between the same two vertices

    Updating the sets one after another, with the elements of each set in parallel, gives bitwise the same result as
    updating all elements one after another in this order. Arrays of 32-bit columns and 64-bit offsets are not copied;
    arrays on a GPU are copied to the host. Raises VerificationFailed, and the exceptions of `graph`. O(edges), or
    O(entries) for rows.
    """
    if second is None and ends is None and schedule is None:
        pattern = _pattern(edges)
        if pattern is not None:
            offsets, columns, count = pattern
            how = {"order": order, "even": even, "trust": not verify, "columns": cols or count or None, **options}
            return _phases("row_batches", (offsets, columns, _fixed(fixed)), how)
    if fixed is not None or even or order != "given" or not verify:
        raise TypeError("order=, even=, fixed= and verify= are for rows: an array of integers {n, k}, or a sparse "
                        "matrix, without ends= and schedule=")
    made = graph(edges, second, ends=ends or "vertices", ids="given" if not (rows or cols) else "numbers",
                 rows=rows, cols=cols)
    schedule = schedule or "agm-e"
    return made.schedule(schedule, **options).batches(schedule)


def color(graph: Any, second: Any = None, *, distance: int = 1, order: str = "given", even: bool = False,
          verify: bool = True, **options: Any) -> Batches:
    """Colours the vertices of a graph such that neighbours have different colours. Returns the vertices of each colour
    as Batches; `.colors()` is the colour of every vertex.

    graph, second  a square sparse matrix, whose stored entries are edges; arrays {edges} of first and second endpoints,
                   also as a pair; or an array {edges, 2}. An edge may be given in one direction or in both; self-loops
                   have no effect
    distance       2: vertices with a common neighbour have different colours, too
    order          "given": first fit by vertex; "largest": vertices with the most neighbours first; "smallest":
                   smallest last, usually the fewest colours
    even           move vertices until the colours have about equal sizes
    verify         check the result independently before it is returned
    options        vertices=N (default: the largest number plus 1), threads=N

    Raises TypeError, ValueError, BadInput, VerificationFailed.
    """
    if second is not None:
        graph = (graph, second)
    if isinstance(graph, (tuple, list)) and len(graph) == 2:
        graph = np.column_stack([_whole(host_copy(part), "edges") for part in graph])
    pattern = _pattern(graph)
    if pattern is None:
        raise TypeError(f"a {type(graph).__name__} is not a graph to colour; expected a square sparse matrix, or edges "
                        "as two arrays of integers")
    offsets, neighbors, count = pattern
    if offsets is not None and len(offsets) != count + 1:
        raise ValueError(f"the matrix has {len(offsets) - 1} rows and {count} columns; expected a square matrix")
    how = {"order": order, "even": even, "trust": not verify, "distance": distance, **options}
    return _phases("color", (offsets, neighbors), how)


def _pattern(rows: Any) -> Any:
    """Returns the offsets (None: rows of equal length), columns and number of columns (0: unknown) of a sparse matrix
    or of an array of integers {n, k}; None for any other object."""
    if _is_sparse(rows) and not hasattr(rows, "indptr"):
        rows = rows.tocsr()
    if hasattr(rows, "indptr") and hasattr(rows, "indices"):
        if getattr(rows, "format", "csr") != "csr":
            rows = rows.tocsr()
        return _whole(host_copy(rows.indptr), "offsets"), _whole(host_copy(rows.indices), "columns"), int(rows.shape[1])
    if getattr(rows, "ndim", None) != 2 or isinstance(rows, np.matrix) or hasattr(rows, "iloc"):
        return None
    columns = host_copy(rows)
    if columns.dtype.kind not in "iu":
        return None
    if columns.dtype not in native.TYPES or not columns.flags.c_contiguous:
        columns = np.ascontiguousarray(columns, np.int64)
    return None, columns, 0


def _fixed(fixed: Any) -> Optional[np.ndarray]:
    if fixed is None:
        return None
    fixed = host_copy(fixed)
    return _whole(np.flatnonzero(fixed) if fixed.dtype == bool else fixed, "fixed")


def _phases(function: str, arrays: Any, how: "dict[str, Any]") -> Batches:
    made = native.Arrays()
    native.check(getattr(native.library(), "lockstep_" + function)(
        *map(native.optional, arrays), native.options(how), made.out()))
    return Batches(made["order"].view(np.int64), made["offsets"].view(np.int64))


def _of_matrix(matrix: Any) -> Any:
    """Returns the stored entries of a matrix as arrays (rows, columns, values) in the order of compressed rows,
    including repeated entries, and the shape of the matrix."""
    rows, cols = (int(size) for size in matrix.shape)
    if not _is_sparse(matrix):
        matrix = np.asarray(np.ma.filled(matrix, 0))
        first, second = np.nonzero(matrix)
        return first, second, matrix[first, second], (rows, cols)
    if matrix.format == "coo":  # tocsr() of such a matrix would add up repeated entries
        order = np.lexsort((matrix.col, matrix.row))
        return matrix.row[order], matrix.col[order], matrix.data[order], (rows, cols)
    matrix = matrix.tocsr()
    return np.repeat(np.arange(rows), np.diff(matrix.indptr)), matrix.indices, matrix.data, (rows, cols)


def _made(first: Any, second: Any, weights: Any, times: Any, how: "dict[str, Any]") -> MemoryGraph:
    values = None if weights is None else np.ascontiguousarray(_single(_weights(weights)))
    times = None if times is None else _whole(times, "times")
    first, second = _whole(first, "rows"), _whole(second, "columns")
    names = None
    if object in (first.dtype, second.dtype):
        first, second, names = _named(first, second, how["shape"] == "square")
        how = {**how, "ids": "numbers", "rows": len(names[0]), "cols": len(names[1])}
    handle = native.Handle("graph")
    how = {**how, **{side: how[side] or None for side in ("rows", "cols")}}
    native.check(native.library().lockstep_graph_new_timed(
        *map(native.optional, (first, second, values, times)), native.options(how), handle.out()))
    if names is not None:
        for side, ids in ((2, names[0]),) if how["shape"] == "square" else ((0, names[0]), (1, names[1])):
            _name(handle, side, ids)
    return MemoryGraph(handle)


def _single(values: np.ndarray) -> np.ndarray:
    return values if values.dtype in native.TYPES else values.astype(np.float32)


def _whole(values: Any, what: str) -> np.ndarray:
    """Converts endpoints for the C interface: integers of 32 or 64 bits are unchanged, other integers become int64,
    and strings become an array of objects."""
    array = as_array(values, what)
    if not array.size and array.ndim == 1 and isinstance(values, (list, tuple)):
        return np.empty(0, np.int64)
    known = array.ndim == 1 and array.dtype in native.TYPES and array.dtype.kind in "iu" and array.dtype.isnative
    if known and (array.dtype != np.uint64 or not array.size or array.max() < 2**63):
        return np.ascontiguousarray(array)
    found = as_ids(array if array.dtype != object else values, what)
    return np.ascontiguousarray(found) if found.dtype != object else found


def _named(first: np.ndarray, second: np.ndarray, one_set: bool) -> Any:
    """Numbers the vertices by their IDs. Returns the position of each endpoint among the sorted distinct IDs, and
    these IDs: of both endpoints together if `one_set`, otherwise of each side."""
    if one_set:
        names, places = number(np.concatenate([first.astype(object), second.astype(object)]), "ids")
        return places[:len(first)].astype(np.int64), places[len(first):].astype(np.int64), (names, names)
    (row_names, rows), (col_names, cols) = number(first, "rows"), number(second, "columns")
    return rows.astype(np.int64), cols.astype(np.int64), (row_names, col_names)


def _name(handle: native.Handle, side: int, names: np.ndarray) -> None:
    """Sets the IDs of the vertices of a side: integers, or strings in bytewise order. Sorting by code points or by
    UTF-8 bytes gives the same order."""
    if names.dtype != object:
        native.check(native.library().lockstep_graph_name(handle.pointer, side, None, native.optional(names)))
        return
    encoded = [str(name).encode() for name in names.tolist()]
    offsets = np.zeros(len(encoded) + 1, np.uint64)
    np.cumsum([len(name) for name in encoded], out=offsets[1:])
    native.check(native.library().lockstep_graph_name(handle.pointer, side, b"".join(encoded), native.optional(offsets)))
