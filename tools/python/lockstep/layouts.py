"""Drawings of graphs: positions from edges in memory."""
from __future__ import annotations

import os
import tempfile
from typing import Any, Optional

import numpy as np

from .applications import apply


def layout(graph: Any, *, dimensions: int = 2, start: Optional[np.ndarray] = None, **options: Any) -> np.ndarray:
    """Returns positions in which vertices that are near in the graph are near in the drawing, by gradient
    descent on the stress: lockstep-execute --app layout.

    graph      a form that lockstep.graph accepts, or a file with the options for reading it; weights are
               lengths, above 0.
    start      {vertices, dimensions} initial positions; default: random, by the seed.
    options    options of the program: seed, sweeps, until, eps, full_up_to, pivots, picture="g.png",
               verify=True, …

    Returns {vertices, dimensions} float32: one row per vertex; for numbers, vertex I is row I. The same
    options give bitwise identical results. Raises the exceptions of the other applications.
    """
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        if start is not None:
            options["start"] = os.path.join(folder, "start.npy")
            np.save(options["start"], np.ascontiguousarray(start, np.float32))
        columns = apply(graph, "layout", dimensions=dimensions, **options).columns
    return np.column_stack([columns[name] for name in "xyz"[:dimensions]])
