"""Converts arrays of other libraries to NumPy: Arrow columns, tensors (by DLPack), and GPU memory (by
`__cuda_array_interface__`)."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from .ids import as_array


@dataclass
class States:
    """The states of an update, one struct per row, in host memory (device 0) or GPU memory (device 1).

    result   array that the caller receives: the given array, or a copy
    owner    object that owns the memory at `pointer`
    type     type of an entry, in the notation of a .npy file
    changed  array in host memory that must be changed in place; None if there is none
    """

    result: Any
    owner: Any
    pointer: int
    rows: int
    row_bytes: int
    type: str
    device: int
    changed: Optional[np.ndarray] = None

    def write_back(self) -> None:
        """Copies the states to the array `changed`, unless they are in its memory already."""
        if self.changed is not None and self.changed is not self.owner:
            self.changed[...] = self.owner

    def shares_memory(self, other: "States") -> bool:
        """Returns True if changing these states in place would also change the states `other`."""
        if self.device or other.device:
            return self.pointer < other.pointer + other.rows * other.row_bytes and \
                other.pointer < self.pointer + self.rows * self.row_bytes
        return self.changed is not None and other.changed is not None and \
            np.shares_memory(self.changed, other.changed)


def host_array(values: Any, what: str) -> Any:
    """Converts a tensor (by DLPack) to a NumPy array; returns any object that NumPy can convert unchanged.

    Raises TypeError if the values are in GPU memory.
    """
    if hasattr(values, "__cuda_array_interface__"):
        raise TypeError(f"{what} are in the memory of a GPU; a graph needs arrays in host memory: use .get() or .cpu()")
    if not hasattr(values, "__array__") and hasattr(values, "__dlpack__"):
        if values.__dlpack_device__()[0] not in (1, 3):  # host memory, or pinned host memory
            raise TypeError(f"{what} are in the memory of a GPU; a graph needs arrays in host memory: use .get() or .cpu()")
        return np.from_dlpack(values)
    return values


def host_copy(values: Any) -> np.ndarray:
    """Returns an array as a NumPy array, without a copy if it is in host memory. Arrays on a GPU are copied by their own
    method: .get() of CuPy, .cpu() of PyTorch, .copy_to_host() of Numba, .numpy() of Warp.

    Raises TypeError if an array on a GPU has no such method.
    """
    if hasattr(values, "__cuda_array_interface__") or getattr(values, "is_cuda", False):
        for name in ("get", "cpu", "copy_to_host", "numpy"):
            if hasattr(values, name):
                return np.asarray(getattr(values, name)())
        raise TypeError(f"a {type(values).__name__} is in the memory of a GPU and has no method that copies it; give a NumPy array")
    return np.asarray(host_array(values, "arrays"))


def states(values: Any, what: str, in_place: bool) -> States:
    """Returns states in memory that an update may change. By default this is a copy of `values` in the byte order
    of the host. With in_place, it is the memory of `values` itself, if that is contiguous and in this order. GPU
    memory is always changed in place.

    Raises TypeError if the values are not numbers, or cannot be changed in place, and ValueError if some are
    masked, or their memory is read-only.
    """
    interface = getattr(values, "__cuda_array_interface__", None)
    if interface is not None:
        pointer, read_only = interface["data"]
        shape, strides = interface["shape"], interface.get("strides")
        dtype = np.dtype(interface["typestr"])
        row_bytes = int(np.prod(shape[1:], dtype=np.int64)) * dtype.itemsize
        if read_only:
            raise ValueError(f"{what} are read-only; the states are changed in place")
        if strides is not None and strides != _contiguous(shape, dtype.itemsize):
            raise ValueError(f"{what} on the GPU are not contiguous; use a contiguous copy")
        if not dtype.isnative:
            raise ValueError(f"{what} on the GPU are of type {dtype}; expected the host's byte order")
        return States(values, values, int(pointer or 0), int(shape[0]), row_bytes, dtype.str, 1)
    array = as_array(host_array(values, what), what)
    if array.ndim == 0 or array.dtype.hasobject:
        raise TypeError(f"{what} are of type {array.dtype}, {array.ndim} dimensions; expected rows of numbers or structs")
    dtype = array.dtype if array.dtype.isnative else array.dtype.newbyteorder("=")
    if in_place:
        if array.size and not np.may_share_memory(array, as_array(host_array(values, what), what)):
            raise TypeError(f"{what} are a {type(values).__name__}, which cannot be changed in place; "
                            " give a NumPy array, or leave out in_place")
        if not array.flags.writeable:
            raise ValueError(f"{what} are read-only; the states are changed in place: give a copy")
        whole = np.ascontiguousarray(array, dtype)
    else:
        whole = np.array(array, dtype, order="C", copy=True)
    row_bytes = whole.nbytes // len(whole) if len(whole) else whole.dtype.itemsize
    return States(values if in_place else whole, whole, whole.ctypes.data, len(whole), row_bytes,
                  str(np.lib.format.dtype_to_descr(whole.dtype)), 0, array if in_place else None)


def _contiguous(shape: Sequence[int], itemsize: int) -> Tuple[int, ...]:
    strides: List[int] = []
    for size in reversed(shape):
        strides.insert(0, itemsize)
        itemsize *= size
    return tuple(strides)


def frame_of(graph: Any) -> Any:
    """Converts a table of another library (polars, Arrow) to a pandas DataFrame; returns any other object
    unchanged."""
    if hasattr(graph, "iloc"):
        return graph
    if hasattr(graph, "__dataframe__"):
        try:
            import pandas
            from pandas.api.interchange import from_dataframe
        except ImportError:
            raise TypeError(f"a {type(graph).__name__} is read by the interchange protocol of pandas, which requires pandas 1.5; give its "
                            "columns: (rows, columns, weights)") from None
        return from_dataframe(graph.__dataframe__(allow_copy=True))
    if hasattr(graph, "__arrow_c_stream__"):
        try:
            import pyarrow
        except ImportError:
            raise TypeError(f"a {type(graph).__name__} is read by pyarrow, which is not installed; give its columns: (rows, "
                            "columns, weights)") from None
        return pyarrow.table(graph).to_pandas()
    return graph
