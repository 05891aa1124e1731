"""The applications as functions: they take a graph and return arrays with one entry per vertex.

The argument `graph` is a square graph in any form that `lockstep.graph` accepts. In arrays, number I is vertex
I; use `graph(..., ids="given")` if the numbers are arbitrary IDs. A graph with `ends="vertices"` is undirected:
each of its edges is two arcs. Further options of lockstep-execute are keywords: strategy="…" (default "auto"),
device="cpu" or "cuda", threads, verify=True, repeat. If a strategy requires a schedule, the schedule is built;
an object that `lockstep.graph` has made stores it for later calls. `progress(note, done, total)` is called
periodically, and an exception that it raises stops the run. Results are bitwise identical to those of
lockstep-execute. Raises TypeError, ValueError, and the exceptions of `lockstep.run`.
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
    """The result of a run: `columns` by name, with one entry per vertex each, and the JSON of the run."""

    columns: Dict[str, np.ndarray]
    result: Result


def apply(graph: Any, application: str, *, progress: Progress = None, undirected: bool = False, **options: Any) -> Applied:
    """Runs the application with this name. Returns all columns of its result, and the JSON of the run.

    undirected  whether each edge counts in both directions; only if `graph` is not a `lockstep.graph` yet

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
    """Returns a column of unsigned integers as int64, with -1 for vertices without a value."""
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
    """Returns the level of each vertex in a breadth-first search from the vertex with the ID `source`: {vertices}
    int64, -1 for vertices that are not reachable. With parents=True returns (levels, parents); the parent of a
    vertex is its smallest in-neighbour that is one level closer to the source."""
    columns = apply(graph, "bfs", source=source, parents=parents, **options).columns
    return (columns["levels"], columns["parents"]) if parents else columns["levels"]


def sssp(graph: Any, source: Any, **options: Any) -> np.ndarray:
    """Returns the distance of each vertex from the vertex with the ID `source`, with weights as lengths:
    {vertices}. It is infinite for vertices that are not reachable, or -1 if distances are integers."""
    return _first(graph, "sssp", {"source": source, **options})


def pagerank(graph: Any, alpha: Optional[float] = None, **options: Any) -> np.ndarray:
    """Returns the PageRank of each vertex, float32. Options: iterations=30, until=…. `alpha` is the damping, by
    the name that networkx uses."""
    if alpha is not None:
        options["damping"] = alpha
    return _first(graph, "pagerank", options)


def bp(graph: Any, **options: Any) -> np.ndarray:
    """Returns the belief of each vertex by belief propagation, float32."""
    return _first(graph, "bp", options)


def cc(graph: Any, **options: Any) -> np.ndarray:
    """Returns for each vertex the smallest vertex of its connected component, int64. The directions of edges are
    ignored."""
    return _first(graph, "cc", options)


def kcore(graph: Any, **options: Any) -> np.ndarray:
    """Returns the core number of each vertex, int64."""
    return _first(graph, "kcore", options)


def mis(graph: Any, **options: Any) -> np.ndarray:
    """Returns a maximal independent set: 1 for each vertex in the set, 0 for each other vertex."""
    return _first(graph, "mis", options)


def mst(graph: Any, **options: Any) -> Applied:
    """Returns a minimum spanning forest: the columns contain the parent of each vertex and the weight of the edge
    to it; `result` has the total weight and the number of edges."""
    return apply(graph, "mst", **options)


def triangles(graph: Any, **options: Any) -> np.ndarray:
    """Returns the number of triangles of each vertex, int64. The number of triangles in the graph is a third of
    their sum."""
    return _first(graph, "triangles", {"per_vertex": True, **options})
