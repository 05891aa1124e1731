"""Graph drawing: computes positions of the vertices of a graph in memory."""
from __future__ import annotations

import os
import tempfile
from typing import Any, Optional

import numpy as np

from .applications import apply


def layout(graph: Any, *, dimensions: int = 2, start: Optional[np.ndarray] = None, **options: Any) -> np.ndarray:
    """Draws a graph: returns positions of its vertices whose distances are similar to the distances in the graph.
    They minimise the stress by gradient descent (lockstep-execute --app layout).

    graph      a graph in any form that lockstep.graph accepts, or a file with the options for reading it;
               weights are the lengths of edges, and must be above 0.
    start      {vertices, dimensions} initial positions; default: random positions that depend on the seed.
    options    options of the program: seed, sweeps, until, eps, full_up_to, pivots, picture="g.png",
               verify=True, …

    Returns {vertices, dimensions} float32, one row per vertex; if vertices are numbers, row I is vertex I. Equal
    options give bitwise identical results. Raises TypeError, ValueError, and the exceptions of `lockstep.run`.
    """
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        if start is not None:
            options["start"] = os.path.join(folder, "start.npy")
            np.save(options["start"], np.ascontiguousarray(start, np.float32))
        columns = apply(graph, "layout", dimensions=dimensions, **options).columns
    return np.column_stack([columns[name] for name in "xyz"[:dimensions]])
