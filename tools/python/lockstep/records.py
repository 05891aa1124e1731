"""Reader of run records (docs/reference/files.md)."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

import numpy as np

from .programs import Path


@dataclass
class Run:
    """A run of lockstep-execute.

    header  its `run` line: app, strategy, device, rank, parameters, …
    end     its `end` line: status, result_hash, seconds, …; None for a run that died
    """

    header: Dict[str, Any]
    end: Optional[Dict[str, Any]] = None
    lines: List[Dict[str, Any]] = field(default_factory=list, repr=False)

    @property
    def sweeps(self) -> Dict[str, np.ndarray]:
        """Returns an array {sweeps} for each key of the sweeps: "sweep", "seconds", "rmse_train", …; NaN
        if a sweep lacks the key. For keys with an array per sweep, such as a traversal's "round_active",
        an array of lists."""
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
    """Returns the runs of a record, in their order. Raises OSError, and ValueError with file and line."""
    runs: List[Run] = []
    by_id: Dict[Any, Run] = {}  # key None: the last run of a record without IDs
    with open(os.fspath(path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                entry = json.loads(line)
                kind, run_id = entry.pop("record"), entry.pop("run", None)
            except (ValueError, KeyError, AttributeError, TypeError):
                raise ValueError(f"{os.fspath(path)}:{number}: no line of a run record") from None
            if kind == "run":
                by_id[run_id] = Run(entry)
                runs.append(by_id[run_id])
            elif run_id not in by_id:
                raise ValueError(f"{os.fspath(path)}:{number}: a {kind} stands before its run")
            elif kind == "sweep":
                by_id[run_id].lines.append(entry)
            elif kind == "end":
                by_id[run_id].end = entry
    return runs
