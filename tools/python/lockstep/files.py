"""Functions that read Lockstep's HDF5 files (formats/SCHEMA.md), and the results of applications in them."""
from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import Any, Dict, Iterator, Sequence

import numpy as np

from .ids import decode_ids
from .programs import Path


def text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


@contextlib.contextmanager
def opened(path: Path, *formats: str) -> Iterator[Any]:
    """Opens a file for reading, and closes it afterwards. Raises ValueError if its format is not one of
    `formats`, or has another major version."""
    try:
        import h5py  # imported only if needed, since the import is slow
    except ImportError:
        raise ImportError("files of Lockstep are read by h5py, which is not installed: pip install h5py, or apt-get install "
                          "python3-h5py") from None

    with h5py.File(os.fspath(path), "r") as file:
        found, version = text(file.attrs.get("format", "")), text(file.attrs.get("version", ""))
        if found not in formats:
            raise ValueError(f"{os.fspath(path)} is {'a file of ' + found if found else 'not a file of Lockstep'}; expected "
                             f"{' or '.join(formats)}")
        if version.split(".")[0] != "1":
            raise ValueError(f"{os.fspath(path)} has the version {version}; expected 1")
        yield file


def array(group: Any, name: str, dtype: Any = None) -> np.ndarray:
    """Returns the array with this name in a group; an empty array if there is none."""
    values = group[name][:] if name in group else np.empty(0, dtype or np.int64)
    return values.astype(dtype, copy=False) if dtype else values


def parameters(group: Any) -> Dict[str, str]:
    return {key: text(value) for key, value in group["parameters"].attrs.items()} if "parameters" in group else {}


def both_ids(group: Any) -> "tuple[np.ndarray, np.ndarray]":
    """Returns the IDs of rows and of columns. For a square graph, both are the same array."""
    rows = decode_ids(group["row_ids"])
    same = text(group["col_ids"].attrs["kind"]) == "same-as-rows"
    return rows, rows if same else decode_ids(group["col_ids"])


@dataclass
class VertexResult:
    """The result of an application with one or more numbers per vertex, written by lockstep-execute with
    --output FILE.h5.

    ids      {vertices} IDs
    columns  arrays {vertices} by name: "ranks", "levels", "distances", "parents", …
    """

    ids: np.ndarray
    columns: Dict[str, np.ndarray]
    parameters: Dict[str, str]
    graph_hash: str

    def __getitem__(self, column: str) -> np.ndarray:
        return self.columns[column]

    def reached(self, column: str) -> np.ndarray:
        """Returns a mask of the vertices that have a value: {vertices} bool. The entries of other vertices are
        infinite, or the largest number of the type."""
        values = self.columns[column]
        return np.isfinite(values) if values.dtype.kind == "f" else values != np.iinfo(values.dtype).max

    def ids_of(self, column: str) -> np.ndarray:
        """Converts a column of vertices, such as "parents", to their IDs: {vertices} of objects, None for entries
        without a vertex."""
        named, there = np.full(len(self.ids), None, object), self.reached(column)
        named[there] = self.ids[self.columns[column][there]]
        return named


def read_result(path: Path) -> VertexResult:
    """Reads a file that lockstep-execute --output has written. Raises OSError if it cannot be read, and
    ValueError if it has another format. O(vertices)."""
    with opened(path, "lockstep-ranks", "lockstep-result") as file:
        if text(file.attrs["format"]) == "lockstep-ranks":
            names: Sequence[str] = ["ranks"]
        else:
            names = [column.split(":")[0] for column in text(file.attrs["columns"]).split(",")]
        return VertexResult(decode_ids(file["ids"]), {name: array(file, name) for name in names}, parameters(file),
                            text(file.attrs["graph_hash"]))
