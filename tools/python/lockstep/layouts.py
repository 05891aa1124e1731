"""Drawings of graphs: positions from edges in memory."""
from __future__ import annotations

import os
import tempfile
from typing import Any, Optional

import numpy as np

from .applications import apply


def layout(graph: Any, *, dimensions: int = 2, start: Optional[np.ndarray] = None, **options: Any) -> np.ndarray:
    """Where vertices are drawn, near ones near, by gradient descent on the stress: lockstep-execute --app layout.

    graph      what lockstep.graph takes, which also has the options of reading a file; weights are lengths, above 0.
    start      {vertices, dimensions} positions to begin with; default: drawn by seed.
    options    of the program: seed, sweeps, until, eps, full_up_to, pivots, picture="g.png", verify=True, …

    {vertices, dimensions} of float32: a row a vertex, of numbers vertex I is row I. The same options give the same bits.
    Throws as the other applications.
    """
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        if start is not None:
            options["start"] = os.path.join(folder, "start.npy")
            np.save(options["start"], np.ascontiguousarray(start, np.float32))
        columns = apply(graph, "layout", dimensions=dimensions, **options).columns
    return np.column_stack([columns[name] for name in "xyz"[:dimensions]])
