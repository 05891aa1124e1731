"""Simulates springs in memory by position-based dynamics."""
from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import numpy as np

from .commands import execute
from .graphs import graph_file
from .ids import as_array, as_positions
from .programs import Result


@dataclass
class Motion:
    """The result of a simulation: positions {frames + 1, particles, 3}, which begin with the initial positions, and
    the JSON of the run."""

    positions: np.ndarray
    result: Result


def springs(edges: Any, positions: Any, *, rest: Optional[Any] = None, pinned: Sequence[int] = (), strategy: str = "auto",
            **options: Any) -> Motion:
    """Simulates particles that are connected by springs, frame after frame (lockstep-execute --app springs).

    edges      (first, second): arrays {springs} of the particles that each spring connects, integers from 0 to
               particles - 1.
    positions  {particles, 2 or 3} initial positions, or {particles, 4} with the inverse mass of each particle.
    rest       {springs} rest lengths above zero; default: the distances of the particles in `positions`.
    pinned     particles that do not move, integers from 0 to particles - 1.
    options    options of the program: frames, substeps, iterations, compliance, velocity_damping (per
               second), gravity="0,-9.81,0", sweep_order="symmetric" or "forward"
               (docs/guides/springs.md), verify=True, device, …

    A particle without a spring does not move, either. Raises the exceptions of lockstep.execute, TypeError if
    particles are not integers, and ValueError if a particle has no position or entries are masked.
    """
    start = np.ascontiguousarray(as_array(positions, "positions"), np.float32)
    if start.ndim != 2 or start.shape[1] not in (2, 3, 4):
        raise ValueError(f"positions have the shape {start.shape}; expected (particles, 2), (particles, 3) or (particles, 4)")
    first, second = (as_positions(ends, len(start), "the particles of edges") for ends in edges)
    pins = as_positions(pinned, len(start), "pinned")
    if rest is None:
        rest = np.linalg.norm((start[first, :3] - start[second, :3]).astype(np.float64), axis=1)
    held = np.unique(np.concatenate([first, second]))
    pins = np.intersect1d(pins, held)
    lengths = np.asarray(as_array(rest, "rest"), np.float32)
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder, \
            graph_file((first, second, lengths), shape="square") as (graph, how):
        given, moved, pin = (os.path.join(folder, name) for name in ("from.npy", "to.npy", "pins"))
        np.save(given, start)
        np.savetxt(pin, pins, "%d")
        result = execute(graph, strategy, app="springs", positions=given, output=moved,
                         pin="@" + pin if len(pins) else None, **how, **options)
        frames = np.load(moved)
    everyone = np.zeros((len(frames), len(start), 3), np.float32)
    everyone[:, :, :min(3, start.shape[1])] = start[:, :3]
    everyone[:, held] = frames
    return Motion(everyone, result)
