"""User-defined updates with any strategy, on arrays in memory."""
from __future__ import annotations

import ctypes
import itertools
import numbers
import os
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Sequence, Union

import numpy as np

from . import native
from .arrays import states
from .memory import MemoryGraph, Progress, graph as make_graph
from .programs import Path, Result


@dataclass
class Updated:
    """The states after an update: vertices, or rows and cols; edges if payloads were given; and the JSON
    of the run."""

    vertices: Any
    rows: Any
    cols: Any
    edges: Any
    result: Result


def update(graph: Any, source: Path, *, vertices: Any = None, rows: Any = None, cols: Any = None, edges: Any = None,
           strategy: str = "auto", sweeps: int = 10, parameters: Optional[Mapping[str, float]] = None,
           schedule: Union[None, str, Sequence[str]] = None, in_place: bool = False, progress: Progress = None,
           **options: Any) -> Updated:
    """Runs sweeps of an update, a C++ file with two structs and a function (docs/guides/updates.md), over the
    edges of a graph.

    graph      anything that `lockstep.graph` accepts; a graph made by that function is scheduled once for
               all calls
    vertices   {vertices, ...} states, one row per vertex number; or rows and cols, for an update of two sides
    edges      {edges, ...} payloads, in the order of the edges
    parameters fields of the update's Parameters by name
    schedule   names of schedules that are built first; default: the one that the strategy needs
    in_place   change the given arrays, which must be writable and share no memory; default: change
               copies. Arrays of a GPU (`__cuda_array_interface__`) are always changed in place
    options    options of lockstep-execute: verify=True, threads, device, …

    A row contains the numbers of its struct in their order and types, or has a structured type with the
    struct's fields by name, or has type uint8 and contains the bytes of the struct. Raises TypeError,
    ValueError, and the exceptions of `lockstep.run`; the arrays are then unchanged.
    """
    one_set = vertices is not None
    if one_set and (rows is not None or cols is not None):
        raise TypeError("vertices are the states of one set, rows and cols those of two sides: give one or the other")
    if isinstance(graph, MemoryGraph):
        made = graph
    else:
        counts = {} if not _is_countable(graph) else _sizes(vertices, rows, cols)
        made = make_graph(graph, ends="vertices" if one_set else "sides", **counts)
    for name in [schedule] if isinstance(schedule, str) else schedule or []:
        made.schedule(name)
    given = {"rows": vertices if one_set else rows, "cols": cols, "edges": edges}
    if given["rows"] is None:
        raise TypeError("there are no states: give vertices=, or rows= and cols=")
    called = {"rows": "vertices" if one_set else "rows", "cols": "cols", "edges": "edges"}
    used = {name: states(values, called[name], in_place) for name, values in given.items()
            if values is not None}
    for one, other in itertools.combinations(used, 2):
        if used[one].shares_memory(used[other]):
            raise ValueError(f"{called[one]} and {called[other]} share memory, which would be changed "
                             "twice: give a copy of one")
    structs = {name: native.state(s.owner, s.rows, s.row_bytes, s.pointer, s.device)
               for name, s in used.items()}
    set_ = [f"{name}={int(value) if isinstance(value, numbers.Integral) else float(value)!r}"
            for name, value in (parameters or {}).items()]
    types = {name + "_type": s.type for name, s in used.items()}
    call, out = native.Call(progress), native.Arrays()
    pointer = lambda name: ctypes.byref(structs[name]) if name in structs else None
    chosen = native.options({"strategy": strategy, "sweeps": sweeps, "set": set_ or None, **types,
                             **options})
    call.run(native.library().lockstep_update, made.pointer, os.fsencode(source), pointer("rows"),
             pointer("cols"), pointer("edges"), chosen, *call.callback, out.out())
    for state in used.values():
        state.write_back()
    first, *others = (used[name].result if name in used else None for name in given)
    return Updated(first if one_set else None, None if one_set else first, *others, out.json)


def _is_countable(graph: Any) -> bool:
    """Returns whether the vertices are numbers; there may then be states for more vertices than the edges
    contain."""
    return isinstance(graph, tuple) and all(np.asarray(part).dtype.kind in "iu" for part in graph[:2])


def _sizes(vertices: Any, rows: Any, cols: Any) -> Dict[str, int]:
    if vertices is not None:
        return {"rows": len(vertices)} if hasattr(vertices, "__len__") else {}
    return {name: len(values) for name, values in (("rows", rows), ("cols", cols)) if hasattr(values, "__len__")}
