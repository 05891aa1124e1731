"""The applications as functions: they take a graph and return arrays with one entry per vertex.

A graph is a square graph in any form that `lockstep.graph` accepts: in arrays, number I is vertex I;
`graph(..., ids="given")` makes vertices of the distinct IDs. A graph with `ends="vertices"` is undirected:
each of its edges is two arcs. Every function has further options of lockstep-execute as keywords:
strategy="…" (default "auto"), device="cpu" or "cuda", threads, verify=True, repeat. If a strategy needs a
schedule, it is built, and kept with a graph of `lockstep.graph`. `progress(note, done, total)` is called
periodically; an exception of this function stops the run. Results are bitwise identical to those of the
program. Raises TypeError, ValueError, and the exceptions of `lockstep.run`.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional

import numpy as np

from . import native
from .memory import MemoryGraph, Progress, graph as make_graph
from .programs import Result


@dataclass
class Applied:
    """The columns of a result, and the JSON of the run."""

    columns: Dict[str, np.ndarray]
    result: Result


def apply(graph: Any, application: str, *, progress: Progress = None, undirected: bool = False, **options: Any) -> Applied:
    """Runs an application by its name. Returns all its columns, and the JSON of the run.

    undirected  enter every edge in both directions, if the graph is made here

    Entries of vertices that were not reached are -1 in columns of whole numbers, and infinite in other
    columns.
    """
    square = graph if isinstance(graph, MemoryGraph) else make_graph(graph, shape="square", undirected=undirected)
    made, call = native.Arrays(), native.Call(progress)
    call.run(native.library().lockstep_run, square.pointer, application.encode(),
             native.options(options), *call.callback, made.out())
    result = made.json
    return Applied({name: _signed(made[name], about) for name, about in result["columns"].items()}, result)


def _signed(values: np.ndarray, about: Dict[str, Any]) -> np.ndarray:
    """Converts unsigned numbers to signed ones, with -1 for a vertex without a value."""
    if values.dtype.kind != "u":
        return values
    missing = values == np.iinfo(values.dtype).max
    found = values.astype(np.int64)
    if about["unreached"]:
        found[missing] = -1
    return found


def _first(graph: Any, application: str, options: Dict[str, Any]) -> np.ndarray:
    return next(iter(apply(graph, application, **options).columns.values()))


def bfs(graph: Any, source: Any, *, parents: bool = False, **options: Any) -> Any:
    """Returns the levels from `source`, an ID, with -1 for vertices that are not reachable: {vertices}
    int64. With parents=True returns (levels, parents), where the parent is the smallest possible vertex."""
    columns = apply(graph, "bfs", source=source, parents=parents, **options).columns
    return (columns["levels"], columns["parents"]) if parents else columns["levels"]


def sssp(graph: Any, source: Any, **options: Any) -> np.ndarray:
    """Returns the distances by weight from `source`, an ID: {vertices}; infinite (for whole numbers -1) if
    not reachable."""
    return _first(graph, "sssp", {"source": source, **options})


def pagerank(graph: Any, alpha: Optional[float] = None, **options: Any) -> np.ndarray:
    """Returns the scores of the vertices, float32. Options: iterations=30, until=…; alpha is networkx's
    name of the damping."""
    if alpha is not None:
        options["damping"] = alpha
    return _first(graph, "pagerank", options)


def bp(graph: Any, **options: Any) -> np.ndarray:
    """Returns the belief of each vertex by belief propagation, float32."""
    return _first(graph, "bp", options)


def cc(graph: Any, **options: Any) -> np.ndarray:
    """Returns the components, ignoring the directions of edges: for each vertex the smallest vertex of its
    component, int64."""
    return _first(graph, "cc", options)


def kcore(graph: Any, **options: Any) -> np.ndarray:
    """Returns the core number of each vertex, int64."""
    return _first(graph, "kcore", options)


def mis(graph: Any, **options: Any) -> np.ndarray:
    """Returns a maximal independent set: 1 for each vertex in it, else 0."""
    return _first(graph, "mis", options)


def mst(graph: Any, **options: Any) -> Applied:
    """Returns a minimum spanning forest: columns by vertex; `result` has its weight and its edges."""
    return apply(graph, "mst", **options)


def triangles(graph: Any, **options: Any) -> np.ndarray:
    """Returns the number of triangles of each vertex, int64; their total number is a third of the sum."""
    return _first(graph, "triangles", {"per_vertex": True, **options})
