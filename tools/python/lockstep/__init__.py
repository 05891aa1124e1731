"""Lockstep from Python: graphs in, its programs run, schedules, models and results out. See docs/python.md."""
from .commands import evaluate, execute, inspect, predict, preprocess, recommend, similar, top, train, verify
from .files import VertexResult, read_result
from .graphs import GraphFile, write_graph
from .layouts import layout
from .models import Model, read_model
from .programs import (BadInput, Diverged, LockstepError, NoDevice, OutputFailed, Result, UsageError, VerificationFailed,
                       find_program, run)
from .records import Run, read_record
from .schedules import Graph, Schedule, ScheduleFile, conflicts, read_schedules
from .springs import Motion, springs
from .updates import Updated, batches, update

__version__ = "0.1.0"
__all__ = [
    "BadInput", "Diverged", "Graph", "GraphFile", "LockstepError", "Model", "Motion", "NoDevice", "OutputFailed", "Result", "Run",
    "Schedule", "ScheduleFile", "Updated", "UsageError", "VerificationFailed", "VertexResult", "batches", "conflicts",
    "evaluate", "execute",
    "find_program", "inspect", "layout", "predict", "preprocess", "read_model", "read_record", "read_result", "read_schedules",
    "recommend", "run", "similar", "springs", "top", "train", "update", "verify", "write_graph",
]
