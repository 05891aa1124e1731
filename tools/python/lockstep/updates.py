"""Runs a user's own update of edges, a C++ file, with any strategy on arrays in memory."""
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
    """The states after a run: `vertices`, or `rows` and `cols`; `edges` if data of edges were given; and the JSON of
    the run."""

    vertices: Any
    rows: Any
    cols: Any
    edges: Any
    result: Result


def update(graph: Any, source: Path, *, vertices: Any = None, rows: Any = None, cols: Any = None, edges: Any = None,
           strategy: str = "auto", sweeps: int = 10, parameters: Optional[Mapping[str, float]] = None,
           schedule: Union[None, str, Sequence[str]] = None, in_place: bool = False, progress: Progress = None,
           **options: Any) -> Updated:
    """Runs sweeps of an update over the edges of a graph. The update is a C++ file with two structs and a function
    (docs/guides/updates.md), which is compiled.

    graph      anything that `lockstep.graph` accepts; a graph that this function has made stores its schedules
               for later calls
    vertices   {vertices, ...} states, where row I is vertex I; or rows and cols, for an update of two sides
    edges      {edges, ...} data of the edges, in the order of the edges in the input
    parameters fields of the update's struct Parameters by name
    schedule   names of schedules that are built first; default: the schedule that the strategy requires
    in_place   change the given arrays, which must be writable and must not share memory; default: change
               copies. Arrays in GPU memory (`__cuda_array_interface__`) are always changed in place
    options    options of lockstep-execute: verify=True, threads, device, …

    Each row of an array is one struct, in one of three forms: the numbers of the struct, in their order and with
    their type; an entry of a structured type with the struct's fields by name; or the bytes of the struct, with
    the type uint8. Raises TypeError, ValueError, and the exceptions of `lockstep.run`; the arrays are then
    unchanged.
    """
    one_set = vertices is not None
    if one_set and (rows is not None or cols is not None):
        raise TypeError("vertices= gives the states of one set, rows= and cols= those of two sides: give either the former or the latter")
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
            raise ValueError(f"{called[one]} and {called[other]} share memory, so an update would change "
                             "it twice: give a copy of one of them")
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
    """Returns True if the vertices are numbered, so that there may be states for more vertices than the edges
    contain."""
    return isinstance(graph, tuple) and all(np.asarray(part).dtype.kind in "iu" for part in graph[:2])


def _sizes(vertices: Any, rows: Any, cols: Any) -> Dict[str, int]:
    if vertices is not None:
        return {"rows": len(vertices)} if hasattr(vertices, "__len__") else {}
    return {name: len(values) for name, values in (("rows", rows), ("cols", cols)) if hasattr(values, "__len__")}
