"""Converts the IDs of vertices between arrays and files, and checks them."""
from __future__ import annotations

from typing import Any, Tuple

import numpy as np


def decode_ids(group: Any) -> np.ndarray:
    """Reads the IDs in an HDF5 group `row_ids` or `col_ids` (formats/SCHEMA.md).

    Returns {vertices} int64, or str in an array of objects, in the order of the vertices. O(bytes of the IDs).
    """
    kind, size = group.attrs["kind"], int(group.attrs["size"])
    kind = kind.decode() if isinstance(kind, bytes) else kind
    if kind == "range":
        base = int(group.attrs["base"])
        return np.arange(base, base + size, dtype=np.int64)
    if kind == "integer":
        return group["ids"][:].astype(np.int64) if size else np.empty(0, np.int64)
    if kind != "string":
        raise ValueError(f"{group.file.filename}: ids of the unknown kind {kind!r}")
    names = np.empty(size, object)
    if size:
        text = group["bytes"][:].tobytes() if "bytes" in group else b""
        ends = group["offsets"][:].tolist()
        names[:] = [text[a:b].decode() for a, b in zip(ends, ends[1:])]
    return names


def as_array(values: Any, what: str) -> np.ndarray:
    """Converts values to a NumPy array. A list with strings becomes an array of objects, because in an array of
    strings one long string would cause padding in all others.

    Raises ValueError if entries are masked, because the conversion would remove the mask.
    """
    if np.ma.is_masked(values):
        raise ValueError(f"{what} contain {np.ma.count_masked(values)} masked entries; leave them out first, such as by "
                         "x[~mask]")
    objects = isinstance(values, (list, tuple)) and any(isinstance(v, str) for v in values)
    return np.asarray(values, object if objects else None)


def as_ids(values: Any, what: str = "ids") -> np.ndarray:
    """Converts IDs to int64, or to str in an array of objects. Raises TypeError if there are numbers with a
    fraction or missing values, and ValueError if there are masked entries.

    Integers of more than 64 bits become strings, as in Lockstep's programs.
    """
    array = as_array(values, what)
    if array.ndim != 1:
        raise TypeError(f"{what} have {array.ndim} dimensions; expected one")
    if array.dtype.kind == "i" or (array.dtype.kind == "u" and (not array.size or array.max() < 2**63)):
        return array.astype(np.int64, copy=False)
    if array.dtype.kind in "uU":
        return array.astype(str).astype(object)
    if array.dtype.kind != "O":
        hint = "; whole numbers: .astype('int64')" if array.dtype.kind == "f" else ""
        raise TypeError(f"{what} are of type {array.dtype}; expected whole numbers or strings{hint}")
    wrong = next((v for v in array.tolist() if not isinstance(v, (str, int, np.integer)) or isinstance(v, bool)), None)
    if wrong is not None or any(v is None for v in array.tolist()):
        raise TypeError(f"{what} contain {wrong!r}, a {type(wrong).__name__}; expected whole numbers or strings")
    if array.size and not any(isinstance(v, str) for v in array.tolist()):
        if all(-2**63 <= v < 2**63 for v in array.tolist()):
            return array.astype(np.int64)
    names = np.empty(len(array), object)
    names[:] = [str(v) for v in array.tolist()]
    return names


def as_positions(values: Any, size: int, what: str) -> np.ndarray:
    """Converts indices from 0 to size - 1 to int64. Raises TypeError if there are numbers with a fraction, booleans
    or strings, and ValueError if there are numbers out of range or masked entries."""
    if isinstance(values, (list, tuple)) and not values:
        return np.empty(0, np.int64)
    array = as_array(values, what)
    if array.dtype.kind not in "iuO":
        raise TypeError(f"{what} are of type {array.dtype}; expected whole numbers")
    found = as_ids(array, what)
    if found.dtype == object:
        raise TypeError(f"{what} contain {found[0]!r}; expected whole numbers")
    wrong = np.flatnonzero((found < 0) | (found >= size))
    if len(wrong):
        raise ValueError(f"{what}: entry {wrong[0]} is {found[wrong[0]]}; expected numbers from 0 to "
                         f"{size - 1}")
    return found


def number(values: Any, what: str) -> Tuple[np.ndarray, np.ndarray]:
    """Numbers values by their IDs: returns the distinct IDs in ascending order, and for each value the position of
    its ID among these. O(n log(n)); for a pandas Series O(n)."""
    codes = None
    if hasattr(values, "factorize"):  # a pandas Series
        codes, values = values.factorize()
        if len(codes) and codes.min() < 0:
            raise TypeError(f"{what} contain missing values; expected whole numbers or strings")
    names, places = np.unique(as_ids(values, what), return_inverse=True)
    places = places.reshape(-1)
    return names, places if codes is None else places[codes]
