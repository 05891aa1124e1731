"""Lockstep for Python: graphs, batches of edges, updates, applications and models in memory; functions that run
Lockstep's programs; and readers of its files. See docs/guides/python.md."""
from .applications import Applied, apply, bfs, bp, cc, kcore, mis, mst, pagerank, sssp, triangles
from .commands import evaluate, execute, inspect, predict, preprocess, recommend, similar, top, train, verify
from .factorization import MF
from .files import VertexResult, read_result
from .graphs import GraphFile, write_graph
from .layouts import layout
from .memory import Batches, MemoryGraph, batches, color, graph
from .meshes import Mesh, refine
from .models import Model, read_model
from .native import has_cuda
from .programs import (BadInput, Diverged, LockstepError, NoDevice, OutputFailed, Result, UsageError, VerificationFailed,
                       find_program, run)
from .records import Run, read_record
from .schedules import Graph, Schedule, ScheduleFile, conflicts, read_schedules
from .springs import Motion, springs
from .updates import Updated, update

__version__ = "0.1.0"
__all__ = [
    "Applied", "BadInput", "Batches", "Diverged", "Graph", "GraphFile", "LockstepError", "MF", "MemoryGraph", "Mesh", "Model", "Motion",
    "NoDevice", "OutputFailed", "Result", "Run", "Schedule", "ScheduleFile", "Updated", "UsageError",
    "VerificationFailed", "VertexResult", "apply", "batches", "bfs", "bp", "cc", "color", "conflicts", "evaluate", "execute",
    "find_program", "graph", "has_cuda", "inspect", "kcore", "layout", "mis", "mst", "pagerank", "predict", "preprocess",
    "read_model", "read_record", "read_result", "read_schedules", "recommend", "refine", "run", "similar", "springs", "sssp", "top", "train",
    "triangles", "update", "verify", "write_graph",
]
