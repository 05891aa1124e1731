"""Reads run records: files of JSON lines that describe runs (docs/reference/files.md)."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

import numpy as np

from .programs import Path


@dataclass
class Run:
    """One run of lockstep-execute in a run record.

    header  the line `run`: app, strategy, device, rank, parameters, …
    end     the line `end`: status, result_hash, seconds, …; None if the run ended without it
    """

    header: Dict[str, Any]
    end: Optional[Dict[str, Any]] = None
    lines: List[Dict[str, Any]] = field(default_factory=list, repr=False)

    @property
    def sweeps(self) -> Dict[str, np.ndarray]:
        """Returns an array {sweeps} for each key in the lines of the sweeps: "sweep", "seconds", "rmse_train", …,
        with NaN for sweeps without the key. If the value of a key is an array, such as "round_active" of a
        traversal, the result is an array of lists."""
        keys = dict.fromkeys(key for line in self.lines for key in line if key != "record")
        columns = {key: [line.get(key) for line in self.lines] for key in keys}

        def array(column: List[Any]) -> np.ndarray:
            values = [np.nan if v is None else v for v in column]
            if not any(isinstance(v, list) for v in values):
                return np.array(values)
            lists = np.empty(len(values), dtype=object)
            for i, v in enumerate(values):
                lists[i] = v if isinstance(v, list) else [v]
            return lists

        return {key: array(column) for key, column in columns.items()}


def read_record(path: Path) -> List[Run]:
    """Returns the runs in a run record, in their order. Raises OSError if it cannot be read, and ValueError with
    file and line if it is invalid."""
    runs: List[Run] = []
    by_id: Dict[Any, Run] = {}  # the runs by ID; None: the last run, in records without IDs
    with open(os.fspath(path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                entry = json.loads(line)
                kind, run_id = entry.pop("record"), entry.pop("run", None)
            except (ValueError, KeyError, AttributeError, TypeError):
                raise ValueError(f"{os.fspath(path)}:{number}: not a line of a run record") from None
            if kind == "run":
                by_id[run_id] = Run(entry)
                runs.append(by_id[run_id])
            elif run_id not in by_id:
                raise ValueError(f"{os.fspath(path)}:{number}: a {kind} precedes its run")
            elif kind == "sweep":
                by_id[run_id].lines.append(entry)
            elif kind == "end":
                by_id[run_id].end = entry
    return runs
