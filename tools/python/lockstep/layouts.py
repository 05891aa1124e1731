"""Drawings of graphs: positions from edges in memory."""
from __future__ import annotations

import os
import tempfile
from typing import Any, Optional

import numpy as np

from .graphs import graph_file
from .programs import run


def layout(graph: Any, *, dimensions: int = 2, start: Optional[np.ndarray] = None, **options: Any) -> np.ndarray:
    """lockstep-execute --app layout: where vertices are drawn, near ones near, by gradient descent on the stress.

    graph      a file, or anything that write_graph takes; weights are lengths, above 0.
    start      {vertices, dimensions} positions to begin with; default: drawn by seed.
    options    of the program: seed, sweeps, until, eps, full_up_to, pivots, picture="g.png", verify=True, …

    {vertices, dimensions} of float32: a row a vertex, in the order of the ids (of a matrix: of its rows). The same
    options give the same bits. Throws as lockstep.execute.
    """
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        given, positions = os.path.join(folder, "start.npy"), os.path.join(folder, "positions.npy")
        if start is not None:
            np.save(given, np.ascontiguousarray(start, np.float32))
        with graph_file(graph, shape="square") as (path, how):
            run("lockstep-execute", path, app="layout", dimensions=dimensions, start=None if start is None else given,
                output=positions, **{**how, **options})
        return np.load(positions)
