"""Arrays of others as NumPy's: columns of Arrow, tensors by DLPack, memory of a GPU by its interface."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from .ids import as_array


@dataclass
class States:
    """Rows of structs in memory: of the host (device 0) or of a GPU (1). `owner` has the memory."""

    owner: Any
    pointer: int
    rows: int
    row_bytes: int
    device: int


def host_array(values: Any, what: str) -> Any:
    """What NumPy understands as it is; tensors by DLPack; memory of a GPU is refused by name.

    Throws TypeError.
    """
    if hasattr(values, "__cuda_array_interface__"):
        raise TypeError(f"{what} are in the memory of a GPU; a graph is made of arrays of the host: .get(), .cpu()")
    if not hasattr(values, "__array__") and hasattr(values, "__dlpack__"):
        if values.__dlpack_device__()[0] not in (1, 3):  # of the host, or pinned there
            raise TypeError(f"{what} are in the memory of a GPU; a graph is made of arrays of the host: .get(), .cpu()")
        return np.from_dlpack(values)
    return values


def states(values: Any, what: str) -> Tuple[States, Optional[np.ndarray]]:
    """Memory that an update may change, and the array to copy it back to where `values` is not contiguous.

    Throws TypeError on what has no numbers, or is masked, ValueError where it must not be written to.
    """
    interface = getattr(values, "__cuda_array_interface__", None)
    if interface is not None:
        pointer, read_only = interface["data"]
        shape, strides = interface["shape"], interface.get("strides")
        itemsize = int(np.dtype(interface["typestr"]).itemsize)
        row_bytes = int(np.prod(shape[1:], dtype=np.int64)) * itemsize
        if read_only:
            raise ValueError(f"{what} are read-only; the states are changed in place")
        if strides is not None and strides != _contiguous(shape, itemsize):
            raise ValueError(f"{what} on the GPU are not contiguous; take a copy that is")
        return States(values, int(pointer or 0), int(shape[0]), row_bytes, 1), None
    array = as_array(host_array(values, what), what)
    if array.ndim == 0 or array.dtype.hasobject:
        raise TypeError(f"{what} are of type {array.dtype}, {array.ndim} dimensions; expected rows of numbers or structs")
    if not array.flags.writeable and array is values:
        raise ValueError(f"{what} are read-only; the states are changed in place: give a copy")
    whole = np.ascontiguousarray(array)
    row_bytes = whole.nbytes // len(whole) if len(whole) else whole.dtype.itemsize
    return States(whole, whole.ctypes.data, len(whole), row_bytes, 0), (None if whole is values else array)


def _contiguous(shape: Sequence[int], itemsize: int) -> Tuple[int, ...]:
    strides: List[int] = []
    for size in reversed(shape):
        strides.insert(0, itemsize)
        itemsize *= size
    return tuple(strides)


def frame_of(graph: Any) -> Any:
    """A DataFrame as it is; a table of others (polars, Arrow) as pandas has it; anything else as it is."""
    if hasattr(graph, "iloc"):
        return graph
    if hasattr(graph, "__dataframe__"):
        try:
            import pandas
            from pandas.api.interchange import from_dataframe
        except ImportError:
            raise TypeError(f"a {type(graph).__name__} is read by pandas' interchange, and there is no pandas 1.5; give its "
                            "columns: (rows, columns, weights)") from None
        return from_dataframe(graph.__dataframe__(allow_copy=True))
    if hasattr(graph, "__arrow_c_stream__"):
        try:
            import pyarrow
        except ImportError:
            raise TypeError(f"a {type(graph).__name__} is read by pyarrow, which is not there; give its columns: (rows, "
                            "columns, weights)") from None
        return pyarrow.table(graph).to_pandas()
    return graph
