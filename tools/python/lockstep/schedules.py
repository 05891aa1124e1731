"""Reads schedule files: a graph, and its schedules with the levels block > phase > tile > step > task > edge.

docs/development/architecture.md#the-schedule-form defines the levels, and the properties that are verified.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from .files import array, both_ids, opened, parameters, text
from .programs import Path

LEVELS = ("block", "phase", "tile", "step", "task")


@dataclass
class Graph:
    """The graph of a schedule file, as a sparse matrix in compressed rows. The ID of an edge is its position in
    `indices`.

    indptr       {rows + 1} int64, indices {edges}, data {edges} float32: arguments of scipy.sparse.csr_matrix
    row_ids      {rows}, col_ids {columns}: int64, or str in an array of objects
    input_order  {edges} IDs of the edges in the order of the input; None if this is the order of the IDs
    kind         "bipartite"; "square"; or "vertices": square, with one state per vertex, and each edge stored once
    """

    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray
    row_ids: np.ndarray
    col_ids: np.ndarray
    kind: str
    directed: bool
    input_order: Optional[np.ndarray]
    hash: str

    @property
    def rows(self) -> int:
        return len(self.row_ids)

    @property
    def cols(self) -> int:
        return len(self.col_ids)

    @property
    def edges(self) -> int:
        return len(self.indices)

    @property
    def ends(self) -> str:
        """Whether rows and columns have separate states ("sides"), or each vertex has one state ("vertices")."""
        return "vertices" if self.kind == "vertices" else "sides"

    def row_of(self) -> np.ndarray:
        """Returns the row of each edge: {edges}."""
        return np.repeat(np.arange(self.rows), np.diff(self.indptr))

    def places(self) -> np.ndarray:
        """Returns the position of each edge in the input: {edges}. If an array has the order of the input, then
        array[graph.places()] has the order of `data`.

        If the graph was read as undirected, its input counts as both directions of the first edge, then both
        directions of the second edge, and so on.
        """
        found = np.arange(self.edges)
        if self.input_order is not None:
            found[self.input_order] = np.arange(self.edges)
        return found

    def to_scipy(self) -> Any:
        """Returns the graph as a scipy.sparse.csr_matrix. Row i has the ID row_ids[i], column j the ID col_ids[j]."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices, self.indptr), shape=(self.rows, self.cols))


@dataclass
class Schedule:
    """A schedule: an order of the edges, and the offsets of the units (phases, tiles, …) of its levels.

    order      {edges} edge IDs in the order of execution; empty if the schedule is only an order of vertices.
               The first `locked` edges are updated under locks and belong to no level.
    offsets    for each level, outermost first: {units + 1} offsets of its units, counted in units of the next
               inner level of the schedule; for the innermost level, in edges of order[locked:]
    disjoint   "none", "row", "col" or "both": the endpoints that no two concurrent edges share
    residents  columns whose vectors stay in shared memory, block by block; resident_offsets: offsets of blocks
    row_order, col_order  vertex at each position; row_parts, col_parts: offsets of parts of these orders
    statistics rounds, max_round, seconds, …, as lockstep-preprocess has written them
    """

    name: str
    disjoint: str
    maximal: bool
    locked: int
    order: np.ndarray
    offsets: Dict[str, np.ndarray]
    residents: np.ndarray
    resident_offsets: np.ndarray
    row_order: np.ndarray
    col_order: np.ndarray
    row_parts: np.ndarray
    col_parts: np.ndarray
    parameters: Dict[str, str]
    statistics: Dict[str, Any]
    hash: str

    def edge_offsets(self, level: str) -> np.ndarray:
        """Returns the offset in `order` of the first edge of each unit of a level: {units + 1}.

        Raises KeyError if the schedule does not have the level. O(units).
        """
        places = self.offsets[level]
        for inner in LEVELS[LEVELS.index(level) + 1:]:
            if inner in self.offsets:
                places = self.offsets[inner][places]
        return places + self.locked

    def units(self, level: str) -> List[np.ndarray]:
        """Returns an array of edge IDs for each unit of a level: schedule.units("phase")[0] is the first phase."""
        ends = self.edge_offsets(level)
        return [self.order[a:b] for a, b in zip(ends, ends[1:])]

    def supersteps(self) -> List[np.ndarray]:
        """Returns sets of edges, as arrays of edge IDs. The sets must be updated one after another; the edges of a
        set may be updated concurrently.

        No two edges of a set share an endpoint on the sides in `disjoint`, so one NumPy expression may update a
        whole set. The result is bitwise identical to updating one edge after another. In a graph of two sides,
        rows and columns have separate arrays of states, also if the graph is square: the row of an edge may be
        the same vertex as the column of another edge in the set. In a graph of one set of vertices
        (graph.ends == "vertices"), no vertex occurs twice in a set.

        A phase without tasks is a set. Of concurrent tasks, the first edges of all tasks are a set, then the
        second edges, and so on. The first `locked` edges are in no set. Raises ValueError if the schedule has no
        phases. O(edges log(edges)) with tasks or steps, otherwise O(phases).
        """
        if "phase" not in self.offsets:
            raise ValueError(f"{self.name} is an order without supersteps; it has {', '.join(self.offsets) or 'no levels'}")
        edges = len(self.order) - self.locked
        keys = [_unit_of(self.edge_offsets("phase") - self.locked, edges)]
        if "tile" in self.offsets and "step" in self.offsets:
            steps = self.offsets["step"]
            of_tile = np.arange(len(steps) - 1) - np.repeat(self.offsets["tile"][:-1], np.diff(self.offsets["tile"]))
            keys.append(np.repeat(of_tile, np.diff(self.edge_offsets("step"))))
        if "task" in self.offsets:
            tasks = self.offsets["task"]
            keys.append(np.arange(edges) - np.repeat(tasks[:-1], np.diff(tasks)))
        if len(keys) == 1:
            return [unit for unit in self.units("phase") if len(unit)]
        places = np.lexsort(keys[::-1])
        new = np.zeros(edges, bool)
        for key in keys:
            ordered = key[places]
            new[1:] |= ordered[1:] != ordered[:-1]
        return np.split(self.order[self.locked:][places], np.flatnonzero(new)) if edges else []


@dataclass
class ScheduleFile:
    """The contents of a schedule file: a graph, and its schedules by name in the order in which they were
    requested."""

    graph: Graph
    schedules: Dict[str, Schedule]

    def __getitem__(self, name: str) -> Schedule:
        if name not in self.schedules:
            raise KeyError(f"there is no schedule {name}; there are {', '.join(self.schedules) or 'none'}")
        return self.schedules[name]


def _unit_of(ends: np.ndarray, edges: int) -> np.ndarray:
    return np.repeat(np.arange(len(ends) - 1), np.diff(ends)) if edges else np.empty(0, np.int64)


def conflicts(graph: Graph, supersteps: Sequence[np.ndarray], sides: str = "both") -> np.ndarray:
    """Finds conflicts: returns the pairs of edges in the same superstep that share a row or a column or, in a graph
    of one set of vertices, a vertex: {conflicts, 3} superstep, edge, edge.

    `sides` is "row", "col" or "both": the endpoints that are compared in a graph of two sides. Also in a square
    graph of two sides, the edges (a, b) and (b, c) do not conflict. An edge that occurs twice in a superstep
    conflicts with itself. The function reads only the endpoints of edges, and shares no code with the builders
    of schedules. O(edges log(edges)).
    """
    if not len(supersteps):
        return np.empty((0, 3), np.int64)
    edges = np.concatenate(supersteps).astype(np.int64)
    step = np.repeat(np.arange(len(supersteps)), [len(s) for s in supersteps])
    found = []
    rows, cols = graph.row_of()[edges], graph.indices[edges].astype(np.int64)
    if graph.ends == "vertices":
        other = rows != cols  # a loop has only one endpoint
        alike = [(np.concatenate([rows, cols[other]]), np.concatenate([edges, edges[other]]),
                  np.concatenate([step, step[other]]))]
    else:
        alike = [(ends, edges, step) for side, ends in (("row", rows), ("col", cols)) if sides in (side, "both")]
    for ends, edges, step in alike:
        places = np.lexsort((ends, step))
        first, second = places[:-1], places[1:]
        same = (step[first] == step[second]) & (ends[first] == ends[second])
        found.append(np.column_stack([step[first][same], edges[first][same], edges[second][same]]))
    return np.unique(np.concatenate(found), axis=0)


def read_schedules(path: Path, names: Optional[Sequence[str]] = None) -> ScheduleFile:
    """Reads a schedule file: all its schedules, or only those in `names`. Raises OSError, ValueError, KeyError.

    HDF5 checks the checksums of the arrays. Their contents are not verified; lockstep.verify does this.
    """
    with opened(path, "lockstep-schedules") as file:
        group = file["graph"]
        indices = array(group, "indices", np.uint32)
        data = array(group, "data", np.float32) if "data" in group else np.ones(len(indices), np.float32)
        graph = Graph(array(group, "indptr", np.int64), indices, data, *both_ids(group), text(group.attrs["kind"]),
                      bool(group.attrs["directed"]),
                      array(group, "input_order", np.int64) if "input_order" in group else None,
                      text(group.attrs["hash"]))
        there = sorted(file["schedules"], key=lambda name: int(file["schedules"][name].attrs["position"])) \
            if "schedules" in file else []
        unknown = [name for name in names or [] if name not in there]
        if unknown:
            raise KeyError(f"there is no schedule {unknown[0]}; there are {', '.join(there) or 'none'}")
        return ScheduleFile(graph, {name: _schedule(name, file["schedules"][name])
                                    for name in there if names is None or name in names})


def _schedule(name: str, group: Any) -> Schedule:
    offsets = {level: array(group, level + "_offsets", np.int64) for level in LEVELS if level + "_offsets" in group}
    own = {"encoding-type", "encoding-version", "position", "disjoint", "maximal", "locked", "hash"}
    statistics = {key: text(value) if isinstance(value, (str, bytes)) else value.tolist()
                  for key, value in group.attrs.items() if key not in own}
    orders = {part: array(group, part, np.int64)
              for part in ("residents", "resident_offsets", "row_order", "col_order", "row_parts", "col_parts")}
    return Schedule(name=name, disjoint=text(group.attrs["disjoint"]), maximal=bool(group.attrs["maximal"]),
                    locked=int(group.attrs["locked"]), order=array(group, "order", np.int64), offsets=offsets,
                    parameters=parameters(group), statistics=statistics, hash=text(group.attrs["hash"]), **orders)
