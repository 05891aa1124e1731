"""Delaunay refinement of triangle meshes in memory."""
from __future__ import annotations

import itertools
import os
import tempfile
from typing import Any, NamedTuple

import numpy as np

from .programs import Result, run


class Mesh(NamedTuple):
    """A refined mesh: points {points, 2} float64, triangles {triangles, 3} as indices of points, and the JSON of
    the run."""

    points: np.ndarray
    triangles: np.ndarray
    result: Result


def refine(points: Any, triangles: Any, *, strategy: str = "auto", **options: Any) -> Mesh:
    """Refines a Delaunay mesh: adds points until no triangle has a small angle (lockstep-execute --app dmr).

    points     {points, 2} coordinates
    triangles  {triangles, 3} indices of points, from 0; a Delaunay triangulation, such as
               scipy.spatial.Delaunay(points).simplices
    options    options of the program: min_angle=30, min_edge, verify=True, device, …

    The points of the result begin with the given points. Raises the exceptions of lockstep.execute, and ValueError.
    """
    points, triangles = np.asarray(points, np.float64), np.asarray(triangles)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"points have the shape {points.shape}; expected (points, 2)")
    if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
        raise ValueError(f"triangles are {triangles.dtype} of the shape {triangles.shape}; expected whole numbers (triangles, 3)")
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        given, refined = os.path.join(folder, "given"), os.path.join(folder, "refined")
        _write(given + ".node", f"{len(points)} 2 0 0", points, "%.17g")
        _write(given + ".ele", f"{len(triangles)} 3 0", triangles, "%d")
        result = run("lockstep-execute", given + ".ele", app="dmr", strategy=strategy, mesh=refined + ".ele", **options)
        return Mesh(_read(refined + ".node", float)[:, 1:3], _read(refined + ".ele", np.int64)[:, 1:4], result)


def _write(path: str, header: str, rows: np.ndarray, number: str) -> None:
    table = np.column_stack([np.arange(len(rows)), rows])
    np.savetxt(path, table, header=header, comments="", fmt=["%d"] + [number] * rows.shape[1])


def _read(path: str, dtype: Any) -> np.ndarray:
    with open(path) as file:
        rows = int(file.readline().split()[0])
        lines = (line for line in file if not line.isspace() and not line.startswith("#"))
        return np.loadtxt(itertools.islice(lines, rows), dtype, ndmin=2)
