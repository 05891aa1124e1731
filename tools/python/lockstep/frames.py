"""Finds the columns of a DataFrame that contain the rows, columns, weights and times of a graph, by the same names
as in the headers of text files."""
from __future__ import annotations

from typing import Any, List, Optional, Sequence

import numpy as np

# Names of columns by their meaning, as in formats/src/readers/columns.cpp. For each meaning: names that
# must match completely (ignoring "_", "-", ".", blanks and a final "id"), and texts that may be any part of a
# name. Complete matches have priority; of several matches the first counts.
MEANINGS = {
    "time": ("timestamp time date datetime ts", "time date"),
    "weight": ("rating ratings score stars star weight value overall count counts plays playcount sentiment",
               "rating weight score value stars"),
    "row": ("user u reviewer customer source row src from", "user reviewer customer source"),
    "column": ("item iid movie film book product artist track song anime game joke target asin isbn col column dst to v "
               "article business candidate", "item movie book product artist track song anime game joke target"),
}


def is_frame(graph: Any) -> bool:
    return hasattr(graph, "columns") and hasattr(graph, "iloc")


def columns_of(frame: Any, columns: Optional[Sequence[Any]]) -> List[Any]:
    """Returns the Series of a DataFrame that contain rows, columns and, if present, weights. Raises ValueError if
    they are ambiguous.

    columns  names of these columns; None: they are found by their names or, in a frame of two or three columns
             without names, by their order
    """
    if columns is None:
        chosen = _by_name(frame)
    else:
        names = frame.columns.tolist()
        for name in columns:
            if names.count(name) != 1:
                raise ValueError(f"columns: the DataFrame has {names.count(name) or 'no'} column{'s' * (name in names)} "
                                 f"{name!r}; it has {_listed(frame)}")
        chosen = [names.index(name) for name in columns]
    return [frame.iloc[:, at] for at in chosen]


def times_of(frame: Any, column: Any) -> np.ndarray:
    """Returns a column of times as int64. Integers are unchanged. Dates become seconds since 1970, or nanoseconds
    if some dates are not whole seconds.

    column  name of the column; "auto": the only column whose name means a time

    Raises ValueError if the column is ambiguous or times are missing, and TypeError if values are neither
    integers nor dates.
    """
    if column == "auto" and "auto" not in frame.columns:
        named = {whole: [name for name in frame.columns if _meaning(str(name).lower(), whole) == "time"]
                 for whole in (True, False)}
        found = named[True] or named[False]
        if len(found) != 1:
            count = "several" if found else "none"
            raise ValueError(f"of the names of the DataFrame ({_listed(frame)}) {count} may be the times; "
                             "give time_column=NAME")
        column = found[0]
    times = columns_of(frame, [column])[0]
    if times.isna().any():
        raise ValueError(f"the times of {column!r} contain missing values")
    if getattr(times.dtype, "tz", None) is not None:
        times = times.dt.tz_convert(None)
    array = times.to_numpy()
    if array.dtype.kind == "M":
        seconds = array.astype("datetime64[s]")
        exact = seconds if (seconds == array).all() else array.astype("datetime64[ns]")
        return exact.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"the times of {column!r} are of type {array.dtype}; expected whole numbers or "
                        "dates: pandas.to_datetime converts texts to dates")
    return array.astype(np.int64)


def _by_name(frame: Any) -> List[int]:
    """Returns the positions of the columns that contain rows, columns and, if present, weights, found by name."""
    count = len(frame.columns)
    if frame.columns.tolist() == list(range(count)):  # the columns have no names
        if count in (2, 3):
            return list(range(count))
        raise ValueError(f"the DataFrame has {count} columns without names; choose rows, columns and weights, "
                         "such as columns=[0, 1, 2]; for a matrix give frame.to_numpy()")
    names = [str(name).lower() for name in frame.columns]
    exact = [_meaning(name, whole=True) for name in names]
    meant = [a or _meaning(name, whole=False) for a, name in zip(exact, names)]
    # The first column contains row numbers, as in a file that pandas wrote.
    if names and (names[0] in ("", "index") or names[0].startswith("unnamed: 0")):
        exact[0] = meant[0] = "index"

    def find(meaning: str) -> Optional[int]:
        places = [i for i in range(count) if exact[i] == meaning] or [i for i in range(count) if meant[i] == meaning]
        if len(places) > 1:
            raise _unclear(frame, f"several may be the {meaning}s")
        return places[0] if places else None

    rows, cols, weights = find("row"), find("column"), find("weight")
    if rows is None or cols is None:
        raise _unclear(frame, "they do not identify the " + ("rows" if rows is None else "columns"))
    rest = [i for i in range(count) if i not in (rows, cols, weights) and meant[i] not in ("time", "index")]
    if weights is None and len(rest) == 1 and "time" not in meant:
        weights, rest = rest[0], []
    if weights is None and rest:
        raise _unclear(frame, "the weights cannot be recognised")
    return [rows, cols] if weights is None else [rows, cols, weights]


def _meaning(name: str, whole: bool) -> Optional[str]:
    letters = name.translate({ord(c): None for c in "_-. "})
    known = {letters, letters[:-2] if len(letters) > 2 and letters.endswith("id") else letters}
    for meaning, (wholes, parts) in MEANINGS.items():
        if known & set(wholes.split()) if whole else any(part in name for part in parts.split()):
            return meaning
    return None


def _unclear(frame: Any, why: str) -> ValueError:
    return ValueError(f"of the names of the DataFrame ({_listed(frame)}) {why}; give columns=[rows, columns, weights], or "
                      "[rows, columns] if there are no weights")


def _listed(frame: Any) -> str:
    names = [str(name) for name in frame.columns]
    return ", ".join(names[:8] + ["…"] * (len(names) > 8))
