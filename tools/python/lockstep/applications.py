"""The applications as functions: a graph in, arrays out, an entry a vertex.

A graph is what `lockstep.graph` takes, square: of arrays vertex I is number I, and `graph(..., ids="given")` makes
vertices of the distinct ids. A graph of `ends="vertices"` is undirected: each of its edges is two arcs. Every function takes further options of lockstep-execute by name: strategy="…" (default
"auto"), device="cpu" or "cuda", threads, verify=True, repeat; a schedule that a strategy needs is made, and kept with
a graph of `lockstep.graph`. `progress(note, done, total)` is called now and then; what it raises stops the run. Results
have the bits of the program. Throws TypeError, ValueError, and what `lockstep.run` does.
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
    """Columns of a result, and what the program says of the run."""

    columns: Dict[str, np.ndarray]
    result: Result


def apply(graph: Any, application: str, *, progress: Progress = None, undirected: bool = False, **options: Any) -> Applied:
    """Any application by its name: all its columns, and the JSON of the run.

    undirected  every edge is entered in both directions, where the graph is made here
    Entries of vertices that were not reached are -1 in columns of whole numbers, infinite in others.
    """
    square = graph if isinstance(graph, MemoryGraph) else make_graph(graph, shape="square", undirected=undirected)
    made, call = native.Arrays(), native.Call(progress)
    call.run(native.library().lockstep_run, square.pointer, application.encode(),
             native.options(options), *call.callback, made.out())
    result = made.json
    return Applied({name: _signed(made[name], about) for name, about in result["columns"].items()}, result)


def _signed(values: np.ndarray, about: Dict[str, Any]) -> np.ndarray:
    """Whole numbers with -1 for a vertex that has none."""
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
    """Levels from `source`, an id, -1 where it does not lead: {vertices} int64; with parents=True (levels, parents), the
    least vertex before each."""
    columns = apply(graph, "bfs", source=source, parents=parents, **options).columns
    return (columns["levels"], columns["parents"]) if parents else columns["levels"]


def sssp(graph: Any, source: Any, **options: Any) -> np.ndarray:
    """Distances by the weights from `source`, an id: {vertices}, infinite (of whole numbers -1) where it does not lead."""
    return _first(graph, "sssp", {"source": source, **options})


def pagerank(graph: Any, alpha: Optional[float] = None, **options: Any) -> np.ndarray:
    """Ranks of the vertices, float32: iterations=30, until=…; alpha is networkx's name of the damping."""
    if alpha is not None:
        options["damping"] = alpha
    return _first(graph, "pagerank", options)


def bp(graph: Any, **options: Any) -> np.ndarray:
    """Belief propagation: the belief of each vertex, float32."""
    return _first(graph, "bp", options)


def cc(graph: Any, **options: Any) -> np.ndarray:
    """Components, whichever way the edges go: the least vertex of each vertex's component, int64."""
    return _first(graph, "cc", options)


def kcore(graph: Any, **options: Any) -> np.ndarray:
    """The core number of each vertex, int64."""
    return _first(graph, "kcore", options)


def mis(graph: Any, **options: Any) -> np.ndarray:
    """A maximal independent set: 1 for each vertex in it, else 0."""
    return _first(graph, "mis", options)


def mst(graph: Any, **options: Any) -> Applied:
    """A minimum spanning forest: columns by vertex, its weight and its edges in `result`."""
    return apply(graph, "mst", **options)


def triangles(graph: Any, **options: Any) -> np.ndarray:
    """How many triangles each vertex is in, int64; their number is a third of the sum."""
    return _first(graph, "triangles", {"per_vertex": True, **options})
