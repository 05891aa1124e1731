"""Reader of schedule files: the graph, and schedules with the levels block > phase > tile > step > task >
edge.

docs/development/architecture.md#the-schedule-form defines the levels, and what is verified about them.
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
    """A sparse matrix in compressed rows; an edge is identified by its position in `indices`.

    indptr       {rows + 1} int64, indices {edges}, data {edges} float32: arguments of scipy.sparse.csr_matrix
    row_ids      {rows}, col_ids {columns}: int64, or str in an array of objects
    input_order  {edges}: the edges in the order of the input; None if that is row by row
    kind         "bipartite", "square" or "vertices": square, with one state per vertex, each edge stored once
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
        """The owner of the state of an edge's endpoint: "vertices", or "sides", which have separate
        states."""
        return "vertices" if self.kind == "vertices" else "sides"

    def row_of(self) -> np.ndarray:
        """Returns the row of each edge. {edges}"""
        return np.repeat(np.arange(self.rows), np.diff(self.indptr))

    def places(self) -> np.ndarray:
        """Returns the input position of each edge: weights[graph.places()] are in the order of `data`.
        {edges}

        For a graph read as undirected, the input consists of both directions of its first edge, then of its
        second one, …
        """
        found = np.arange(self.edges)
        if self.input_order is not None:
            found[self.input_order] = np.arange(self.edges)
        return found

    def to_scipy(self) -> Any:
        """Returns a scipy.sparse.csr_matrix, whose rows and columns are positions in row_ids and col_ids."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices, self.indptr), shape=(self.rows, self.cols))


@dataclass
class Schedule:
    """An order of edges, and the offsets of the units of its levels.

    order      {edges} edge IDs in the order of work; empty if the schedule is only an order of vertices. Its
               first `locked` edges are in no level.
    offsets    for each level, outermost first: {units + 1} positions among the units of the next level that
               the schedule has; for the innermost level among the edges of order[locked:]
    disjoint   "none", "row", "col" or "both": the endpoints that no two concurrent edges share
    residents  columns whose vectors stay in shared memory, block after block; resident_offsets has the blocks
    row_order, col_order  position -> vertex; row_parts, col_parts: offsets of their parts
    statistics rounds, max_round, seconds, … as written by lockstep-preprocess
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
        """Returns the offsets in `order` of the edges of each unit of a level. {units + 1}

        Raises KeyError if the schedule does not have the level. O(units).
        """
        places = self.offsets[level]
        for inner in LEVELS[LEVELS.index(level) + 1:]:
            if inner in self.offsets:
                places = self.offsets[inner][places]
        return places + self.locked

    def units(self, level: str) -> List[np.ndarray]:
        """Returns the edges of each unit of a level: schedule.units("phase")[0] is the first phase."""
        ends = self.edge_offsets(level)
        return [self.order[a:b] for a, b in zip(ends, ends[1:])]

    def supersteps(self) -> List[np.ndarray]:
        """Returns sets of edges that are updated one set after another, the edges of a set concurrently.

        No two edges of a set share an endpoint on the sides that `disjoint` names, so that one NumPy
        expression may update a whole set; the result is bitwise identical to an update of one edge after
        another. In a graph of two sides the states are two arrays, of rows and of columns, also if the graph
        is square: an edge of a set may end at a vertex where another one begins. In a graph of one set of
        vertices (graph.ends == "vertices") no vertex occurs twice in a set, whichever endpoint it is. Phases
        without tasks are sets; of concurrent tasks, the first edges are a set, then the second edges, and so
        on, step by step. The first `locked` edges are in no set. Raises ValueError if the schedule has no
        phases. O(edges log edges) with tasks or steps, else O(phases).
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
    """A graph and its schedules by name, in the order in which they were requested."""

    graph: Graph
    schedules: Dict[str, Schedule]

    def __getitem__(self, name: str) -> Schedule:
        if name not in self.schedules:
            raise KeyError(f"there is no schedule {name}; there are {', '.join(self.schedules) or 'none'}")
        return self.schedules[name]


def _unit_of(ends: np.ndarray, edges: int) -> np.ndarray:
    return np.repeat(np.arange(len(ends) - 1), np.diff(ends)) if edges else np.empty(0, np.int64)


def conflicts(graph: Graph, supersteps: Sequence[np.ndarray], sides: str = "both") -> np.ndarray:
    """Returns the pairs of edges in one superstep that share a row or a column, or, in a graph of one set of
    vertices, a vertex: {conflicts, 3} superstep, edge, edge.

    sides is "row", "col" or "both", for two sides, also those of a square graph, in which (a, b) and (b, c)
    do not conflict. An edge that occurs twice in a superstep conflicts with itself. The function only reads
    endpoints, and shares no code with the builders of schedules. O(edges log edges).
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
    """Reads a schedule file; with `names` only these schedules. Raises OSError, ValueError, KeyError.

    Checks HDF5's checksums, but not the contents of the arrays: lockstep.verify verifies a file.
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
