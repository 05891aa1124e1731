"""Calls the C library liblockstep.so (tools/c/lockstep.h) with ctypes. The library is loaded when it is first used.
Its error codes become exceptions, and its arrays become NumPy arrays.
"""
from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import os
import pathlib
import signal
import sys
import threading
import warnings
from typing import Any, Callable, Dict, Iterator, List, Optional

import numpy as np

from .programs import ERRORS, LockstepError, Result, command_line

TYPES = {np.dtype(np.int32): 1, np.dtype(np.int64): 2, np.dtype(np.uint32): 3, np.dtype(np.uint64): 4,
         np.dtype(np.float32): 5, np.dtype(np.float64): 6}
NUMBERS = {code: dtype for dtype, code in TYPES.items()}
INTERRUPTED = 130


class Array(ctypes.Structure):
    """The C structure lockstep_array."""

    _fields_ = [("data", ctypes.c_void_p), ("rows", ctypes.c_uint64), ("columns", ctypes.c_uint64),
                ("type", ctypes.c_int32), ("device", ctypes.c_int32)]


PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64)


def candidates() -> List[pathlib.Path]:
    """Returns the possible paths of the library, in order: the environment variable LOCKSTEP_LIBRARY alone if it is
    set; otherwise the folder of this package, folders next to those of the programs, and folders of the system."""
    named = os.environ.get("LOCKSTEP_LIBRARY")
    if named:
        return [pathlib.Path(named)]
    places = [pathlib.Path(__file__).parent / "lib"]
    folders = os.environ.get("LOCKSTEP_BIN") or os.environ.get("PATH", "")
    places += [pathlib.Path(folder).parent / "lib" for folder in folders.split(os.pathsep) if folder]
    places += [pathlib.Path(folder) for folder in ("/usr/local/lib", f"/usr/lib/{os.uname().machine}-linux-gnu", "/usr/lib")]
    return [place / "liblockstep.so" for place in places]


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """Loads the library at the first call, and returns it. Raises FileNotFoundError if it is not installed, and
    OSError if it cannot be loaded."""
    found = next((path for path in candidates() if path.exists()), None)
    if found is None:
        raise FileNotFoundError(f"there is no liblockstep.so ({', '.join(map(str, candidates()[:2]))}, …); install the wheel, "
                                "or set LOCKSTEP_LIBRARY to the file or LOCKSTEP_BIN to the folder of the programs")
    _require_processor()
    cuda = _cuda_library()
    if cuda and "LOCKSTEP_CUDA_LIBRARY" not in os.environ:
        os.environ["LOCKSTEP_CUDA_LIBRARY"] = cuda
    with _brief_waits():
        loaded = ctypes.CDLL(os.fspath(found))
    for name in ("version", "last_error", "result_json", "result_names"):
        getattr(loaded, "lockstep_" + name).restype = ctypes.c_char_p
    for name in ("graph", "model", "result"):
        getattr(loaded, f"lockstep_{name}_free").restype = None
    return loaded


@contextlib.contextmanager
def _brief_waits() -> Iterator[None]:
    """A context for loading libgomp (OpenMP) so that waiting threads spin only for microseconds before they sleep,
    as in the programs. It has no effect if the environment already contains a setting.

    By default they spin for milliseconds. If other programs run on the machine, spinning threads then occupy the
    processors that the threads they wait for need. libgomp reads the variable when it is loaded, so the context
    also has no effect if another module has loaded libgomp before.
    """
    chosen = {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & set(os.environ)
    if not chosen:
        os.environ["GOMP_SPINCOUNT"] = "1000"
    try:
        yield
    finally:
        if not chosen:
            del os.environ["GOMP_SPINCOUNT"]


def _require_processor() -> None:
    """Raises OSError if the processor lacks instructions that the library uses. Without this check, such an
    instruction would kill the process."""
    if os.uname().machine != "x86_64":
        return
    try:
        with open("/proc/cpuinfo") as file:
            flags = next((line.split() for line in file if line.startswith("flags")), None)
    except OSError:
        return
    lacking = [flag for flag in ("avx2", "fma", "f16c") if flags is not None and flag not in flags]
    if lacking:
        raise OSError(f"this processor has no {', '.join(lacking)}, which liblockstep.so requires; build it with "
                      "-DLOCKSTEP_CPU_BASELINE=ON")


def _cuda_library() -> Optional[str]:
    """Returns the path of the CUDA library in the wheel lockstep-cuda; None if the wheel is not installed."""
    for folder in sys.path:
        path = pathlib.Path(folder or ".") / "lockstep_cuda" / "liblockstep_cuda.so"
        if path.is_file():
            return os.fspath(path)
    return None


def has_cuda() -> bool:
    """Returns True if the CUDA library is installed and there is a GPU that it can use."""
    return bool(library().lockstep_has_cuda())


def failure(code: int) -> LockstepError:
    """Returns the exception for an error code of the library, with the message of this thread's last error."""
    message = (library().lockstep_last_error() or b"").decode(errors="replace")
    return ERRORS.get(code, LockstepError)(["liblockstep"], code, ["liblockstep: " + message])


class Call:
    """One call of a library function with a callback, which reports progress and handles signals.

    If `progress` or a Python signal handler raises an exception, such as the KeyboardInterrupt of Ctrl-C, the
    library function stops as soon as possible, and the exception is raised again when the function has
    returned.
    """

    def __init__(self, progress: Optional[Callable[[Optional[str], int, int], Any]] = None):
        self.notes: List[str] = []
        self.raised: Optional[BaseException] = None
        self.progress = progress
        self.callback = (PROGRESS(self.hear), None)
        self.signals = _Signals()

    def hear(self, _data: Any, note: Optional[bytes], done: int, total: int) -> int:
        try:
            self.signals.handle()
            text = None if note is None else note.decode(errors="replace")
            if text is not None:
                self.notes.append(text)
            if self.progress is not None and self.raised is None:
                self.progress(text, done, total)
        # An exception cannot pass through the C code between this callback and the caller, so it is stored.
        except BaseException as error:
            self.raised = error
        return self.raised is not None

    def run(self, function: Any, *arguments: Any) -> None:
        """Calls a library function whose arguments include `callback`. Raises the exception of the callback or
        of a signal handler if there was one, and otherwise the exception for the error code."""
        with self.signals:
            code = function(*arguments)
        self.signals.handle()
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        if code:
            raise failure(code)
        for note in self.notes:
            if note.startswith("warning: "):
                warnings.warn(note.removeprefix("warning: "), stacklevel=4)


class _Signals:
    """A context that delays signals with a Python handler until handle() is called; only in the main thread.

    Python may run a signal handler between any two lines, also at the beginning or the end of a callback from C,
    where an exception of the handler would be lost.
    """

    def __init__(self) -> None:
        self.handlers: Dict[int, Any] = {}
        self.pending: List[Any] = []
        self.entered = False

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self.entered = True
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            handler = signal.getsignal(number)
            if callable(handler):
                self.handlers[number] = handler
                signal.signal(number, self.receive)

    def __exit__(self, *_: Any) -> None:
        self.entered = False
        for number, handler in self.handlers.items():
            if signal.getsignal(number) == self.receive:  # if not, `progress` has installed another handler, which stays
                signal.signal(number, handler)

    def receive(self, number: int, frame: Any) -> None:
        self.pending.append((number, frame))
        if not self.entered:  # this handler is still installed after an exception of another handler
            self.handle()

    def handle(self) -> None:
        """Calls the Python handlers of all delayed signals."""
        while self.pending:
            number, frame = self.pending.pop(0)
            self.handlers[number](number, frame)


def check(code: int) -> None:
    if code:
        raise failure(code)


def options(values: Dict[str, Any]) -> Any:
    """Converts options such as {"test_fraction": 0.1, "verify": True} to the C array of texts "name=value"."""
    words = [word[2:].encode() for word in command_line(values)]
    return (ctypes.c_char_p * (len(words) + 1))(*words, None)


def array(values: np.ndarray) -> Array:
    """Returns a lockstep_array that refers to a contiguous NumPy array of one or two dimensions. The caller must
    keep `values` alive."""
    return Array(values.ctypes.data, len(values), values.shape[1] if values.ndim == 2 else 1, TYPES[values.dtype], 0)


def optional(values: Optional[np.ndarray]) -> Any:
    return None if values is None else ctypes.byref(array(values))


def state(values: Any, rows: int, row_bytes: int, pointer: int, device: int) -> Array:
    """Returns a lockstep_array of structs, with rows of `row_bytes` bytes. `values` owns the memory."""
    made = Array(pointer, rows, row_bytes, 0, device)
    made.owner = values  # type: ignore[attr-defined]
    return made


class Handle:
    """A handle of the library, which is freed when this object is deleted."""

    def __init__(self, kind: str):
        self.kind, self.pointer = kind, ctypes.c_void_p()

    def __del__(self) -> None:
        pointer, self.pointer = self.pointer, ctypes.c_void_p()
        if pointer and not sys.is_finalizing():
            getattr(library(), f"lockstep_{self.kind}_free")(pointer)

    def __reduce__(self) -> Any:
        raise TypeError(f"a {self.kind} in memory cannot be pickled; save it to a file")

    def out(self) -> Any:
        return ctypes.byref(self.pointer)


class Arrays(Handle):
    """A lockstep_result: its JSON as the property `json`, and copies of its arrays by name."""

    def __init__(self) -> None:
        super().__init__("result")

    @property
    def json(self) -> Result:
        return Result(json.loads(library().lockstep_result_json(self.pointer)))

    @property
    def names(self) -> List[str]:
        return [name for name in library().lockstep_result_names(self.pointer).decode().split(",") if name]

    def __getitem__(self, name: str) -> np.ndarray:
        view = Array()
        check(library().lockstep_result_array(self.pointer, name.encode(), ctypes.byref(view)))
        dtype = NUMBERS.get(view.type, np.dtype(np.uint8))
        count = view.rows * view.columns
        if count == 0:
            return np.empty((view.rows, view.columns) if view.columns != 1 else view.rows, dtype)
        buffer = (ctypes.c_uint8 * (count * dtype.itemsize)).from_address(view.data)
        found = np.frombuffer(buffer, dtype).copy()
        return found.reshape(view.rows, view.columns) if view.columns != 1 else found

    def ids(self, name: str) -> np.ndarray:
        """Returns the array of IDs with this name, as int64, or as str in an array of objects."""
        if name + "_offsets" not in self.names:
            return self[name]
        text, ends = self[name].tobytes(), self[name + "_offsets"].tolist()
        names = np.empty(len(ends) - 1, object)
        names[:] = [text[a:b].decode() for a, b in zip(ends, ends[1:])]
        return names
