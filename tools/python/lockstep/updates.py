"""Edges in batches that share no vertex, and updates of one's own under any strategy, from arrays in memory."""
from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from .commands import execute, preprocess
from .graphs import _edges, _is_sparse
from .programs import Path, Result
from .schedules import read_schedules

# What a vertex set, or two, can be scheduled by; `local` is left out where a graph has no locality.
_OFFLINE = {"vertices": ("agm-e", "blkdiag", "tiled", "stars"), "sides": ("agm-e", "sgm", "blkdiag", "stars")}


def batches(edges: Any, *, ends: str, schedule: str = "agm-e", **options: Any) -> List[np.ndarray]:
    """Sets of edges to be updated one after another, those of a set at once: arrays of positions in `edges`.

    edges     (first, second) or (first, second, weights): arrays {edges} of vertices; a list of pairs; a matrix of
              scipy.sparse, whose edges are its stored entries in the order of .tocsr().
    ends      "vertices": a vertex has one state, whichever end of an edge it is (springs, layouts, meshes): no vertex
              is twice in a set. "sides": firsts and seconds have states of their own, as users and items do.
    schedule  whose batches: "agm-e" few and large ones; "stars", "blkdiag", "tiled", "local"; "diag".
    options   of lockstep-preprocess: matching="exact" for at most one set more than the largest degree of a vertex.

    An update of set after set, the edges of a set at once, has the bits of one edge after another. Throws as
    lockstep.preprocess. O(edges).
    """
    if ends not in ("sides", "vertices"):
        raise ValueError(f"ends is {ends!r}; expected 'vertices' (one state a vertex) or 'sides'")
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        path = os.path.join(folder, "g.h5")
        preprocess(_numbered(edges), path, schedule, ends=ends, shape="square" if ends == "vertices" else None, **options)
        file = read_schedules(path)
    places = file.graph.places()
    return [places[batch] for batch in file[schedule].supersteps()]


@dataclass
class Updated:
    """What an update has made of the states: vertices, or rows and cols; edges where payloads were given; and the run."""

    vertices: Optional[np.ndarray]
    rows: Optional[np.ndarray]
    cols: Optional[np.ndarray]
    edges: Optional[np.ndarray]
    result: Result


def update(graph: Any, source: Path, *, vertices: Any = None, rows: Any = None, cols: Any = None, edges: Any = None,
           strategy: str = "auto", sweeps: int = 10, parameters: Optional[Mapping[str, float]] = None,
           schedule: Union[None, str, Sequence[str]] = None, **options: Any) -> Updated:
    """Sweeps of an update, a C++ file of two structs and a function (docs/library.md), over the edges of a graph.

    graph      a schedule file, or edges as `batches` takes them, which are scheduled first (`schedule`: by these; by
               default what the strategy needs, of "auto" several).
    vertices   {vertices, ...} states, a row for each vertex number; or rows and cols, of an update of two sides.
    edges      {edges, ...} payloads, in the order of the edges.
    parameters fields of the update's Parameters by name.
    options    of lockstep-execute: verify=True, threads, record, …

    Arrays have the bytes of the structs, row by row; they are not changed. Throws as lockstep.execute.
    """
    given = {"vertices": vertices, "rows": rows, "cols": cols, "edges": edges}
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        files: Dict[str, str] = {}
        for name, values in given.items():
            if values is not None:
                files[name] = os.path.join(folder, name + ".npy")
                np.save(files[name], np.ascontiguousarray(values))
        outputs = {name: os.path.join(folder, name + "-out.npy") for name in files}
        words = {"output": outputs.get("vertices") or outputs.get("rows"), "output_cols": outputs.get("cols"),
                 "output_edges": outputs.get("edges")}
        path = graph
        if not isinstance(graph, (str, os.PathLike)):
            ends = "vertices" if vertices is not None else "sides"
            wanted = schedule or (list(_OFFLINE[ends]) if strategy in ("auto", "tune") else _needed(strategy))
            path = os.path.join(folder, "g.h5")
            preprocess(_numbered(graph), path, wanted, ends=ends, shape="square" if ends == "vertices" else None)
        set_ = [f"{name}={value!r}" for name, value in (parameters or {}).items()]
        result = execute(path, strategy, update=os.fspath(source), sweeps=sweeps, set=set_ or None, **files, **words,
                         **options)
        states = {name: np.load(file) for name, file in outputs.items()}
    return Updated(states.get("vertices"), states.get("rows"), states.get("cols"), states.get("edges"), result)


def _needed(strategy: str) -> str:
    """The schedule of a strategy; those that lock take any order."""
    return {"el": "shuffle", "el-shuffled": "shuffle", "nl": "shuffle", "nl-el": "shuffle", "hogwild": "shuffle"}.get(strategy, strategy)


def _numbered(edges: Any) -> Any:
    """Edges whose order a file keeps: names become the numbers of the sorted ones."""
    if _is_sparse(edges) or isinstance(edges, np.ndarray):
        return edges
    first, second, weights = _edges(edges, None)
    first, second = np.asarray(first), np.asarray(second)
    small = all(np.issubdtype(x.dtype, np.integer) and (not len(x) or (x.min() >= 0 and x.max() < 2**31))
                for x in (first, second))
    if not small:
        _, numbers = np.unique(np.concatenate([first, second]), return_inverse=True)
        first, second = numbers[:len(first)], numbers[len(first):]
    return first, second, np.ones(len(first), np.float32) if weights is None else weights
