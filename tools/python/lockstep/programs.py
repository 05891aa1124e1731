"""Finds and runs Lockstep's programs; their errors become exceptions."""
from __future__ import annotations

import json
import numbers
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from typing import Any, List, Optional, Sequence, Union

Path = Union[str, "os.PathLike[str]"]


class LockstepError(RuntimeError):
    """A program ended with an exit code other than 0.

    code     its exit code; 128 + n if signal n killed it
    message  its error message, without the name of the program
    command  the command line
    notes    all lines that it wrote to standard error
    result   its JSON if it wrote some before it failed (a failed verification, a diverged run), else None
    """

    def __init__(self, command: Sequence[str], code: int, notes: Sequence[str], result: Any = None):
        program = os.path.basename(command[0])
        said = [line for line in notes if line.startswith(program + ": ")] or list(notes[-1:])
        self.message = said[-1].removeprefix(program + ": ") if said else ""
        if not self.message:
            self.message = f"killed by {SIGNALS[code]}" if code in SIGNALS else "ended without a message"
        self.command, self.code, self.notes, self.result = list(command), code, list(notes), result
        super().__init__(f"{program}: {self.message} (exit code {code})")


class UsageError(LockstepError):
    """Exit code 2: an unknown option, strategy or schedule, or an impossible value."""


class Diverged(LockstepError):
    """Exit code 3: a value became NaN or infinite; the last good factors were kept."""


class BadInput(LockstepError):
    """Exit code 4: damaged or bad input; the message contains file and line."""


class NoDevice(LockstepError):
    """Exit code 5: no usable GPU, or too little GPU memory."""


class OutputFailed(LockstepError):
    """Exit code 6: an output could not be written."""


class VerificationFailed(LockstepError):
    """Exit code 7: a verification failed; `result` has the details."""


SIGNALS = {128 + number: number.name for number in signal.Signals}
ERRORS = {2: UsageError, 3: Diverged, 4: BadInput, 5: NoDevice, 6: OutputFailed, 7: VerificationFailed}


class Result(dict):
    """The JSON of a program; keys are attributes, too: result.rmse_test is result["rmse_test"].

    notes    the lines that the program wrote to standard error
    """

    notes: List[str]

    def __init__(self, values: Any, notes: Sequence[str] = ()):
        super().__init__(values)
        object.__setattr__(self, "notes", list(notes))

    def __getattr__(self, key: str) -> Any:
        try:
            value = self[key]
        except KeyError:
            raise AttributeError(f"the result has no {key!r}, but {', '.join(self)}") from None
        return Result(value) if isinstance(value, dict) else value


def find_program(program: str, bin: Optional[Path] = None) -> str:
    """Returns the path of a program: in the folder `bin`, else in $LOCKSTEP_BIN, else in this package, else
    on the PATH.

    Raises FileNotFoundError.
    """
    folder = bin or os.environ.get("LOCKSTEP_BIN") or None
    packed = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
    if not folder and os.access(os.path.join(packed, program), os.X_OK):
        return os.path.join(packed, program)
    found = shutil.which(program, path=os.fspath(folder) if folder else None)
    if found:
        return os.path.abspath(found)
    where = f"in {os.fspath(folder)}" if folder else "on the PATH"
    raise FileNotFoundError(f"there is no program {program} {where}; build Lockstep, and name the folder of its "
                            "programs by bin=, LOCKSTEP_BIN or PATH")


def command_line(options: "dict[str, Any]") -> List[str]:
    """Returns {"test_fraction": 0.1, "force": True, "order": None} as ["--test-fraction=0.1", "--force"];
    elements of lists and arrays are separated by commas. Raises TypeError for a value that is not a text,
    path or number, nor a list of these."""
    words = []
    for key, value in options.items():
        name = "--" + key.replace("_", "-")
        if hasattr(value, "tolist"):  # arrays of NumPy, and their elements
            value = value.tolist()
        if value is True:
            words.append(name)
        elif isinstance(value, (list, tuple)):
            words.append(f"{name}={','.join(_word(key, part) for part in value)}")
        elif value is not None and value is not False:
            words.append(f"{name}={_word(key, value)}")
    return words


def _word(key: str, value: Any) -> str:
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, (str, numbers.Number)):
        return str(value)
    raise TypeError(f"{key} is a {type(value).__name__}; expected a text, a path, a number, or a list of "
                    "these")


def run(program: str, *arguments: Any, bin: Optional[Path] = None, quiet: bool = True, **options: Any) -> Result:
    """Runs `program ARGUMENTS OPTIONS --json` and returns its JSON.

    Options are those of the program, with _ instead of -; True is an option without a value, None and False
    omit the option. Arguments are files, also if a name begins with "-"; "-" alone is standard input, which
    is empty. quiet=False prints the program's standard error while it runs; its warnings become UserWarnings.
    Raises FileNotFoundError if the program is missing, and LockstepError or a subclass for any exit code
    other than 0. Ctrl-C interrupts the program, waits until it has ended in order (it may write a model
    first), and raises KeyboardInterrupt; a second Ctrl-C ends it immediately.
    """
    words = [_word("a file", argument) for argument in arguments]
    files = [f"./{word}" if word.startswith("-") and word != "-" else word for word in words]
    command = [find_program(program, bin), *files, *command_line(options), "--json"]
    with tempfile.TemporaryFile() as output:
        code, notes = _execute(command, output, quiet)
        output.seek(0)
        text = output.read()
    try:
        result = json.loads(text) if text.strip() else None
    except ValueError:
        result = None
    if code != 0:
        raise ERRORS.get(code, LockstepError)(command, code, notes, result)
    if not isinstance(result, dict):
        raise LockstepError(command, code, [*notes, "no JSON on standard output"])
    for note in notes:
        if note.startswith("warning: "):
            warnings.warn(f"{program}: {note.removeprefix('warning: ')}", stacklevel=3)
    return Result(result, notes)


def _execute(command: Sequence[str], output: Any, quiet: bool) -> "tuple[int, List[str]]":
    """Runs a program whose standard output goes to a file. Returns its exit code and its standard error."""
    notes: List[str] = []

    def listen(pipe: Any) -> None:
        for line in pipe:
            notes.append(line.rstrip("\n"))
            if not quiet:
                print(notes[-1], file=sys.stderr, flush=True)

    # In a session of its own, the program gets no signals from the terminal, only those that are sent here:
    # if it got a signal twice it would end immediately.
    with _Interruption() as interruption:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True,
                                   encoding="utf-8", errors="replace", start_new_session=True)
        interruption.began(process)
        listener = threading.Thread(target=listen, args=(process.stderr,), daemon=True)
        listener.start()
        try:
            process.wait()
        except BaseException:  # a signal handler of the caller raised an exception
            process.kill()
            raise
        listener.join()
        process.stderr.close()  # type: ignore[union-attr]
    if interruption.count:
        raise KeyboardInterrupt
    return (process.returncode if process.returncode >= 0 else 128 - process.returncode), notes


class _Interruption:
    """A context in which Ctrl-C is forwarded to the program, since a KeyboardInterrupt could be raised at
    any line."""

    def __init__(self) -> None:
        self.program: Optional["subprocess.Popen[str]"] = None
        self.count = self.sent = 0

    def __enter__(self) -> "_Interruption":
        in_main = threading.current_thread() is threading.main_thread()
        self.replaced = in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self.replaced:
            signal.signal(signal.SIGINT, self.forward)
        return self

    def __exit__(self, *_: Any) -> None:
        if self.replaced:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def forward(self, *_: Any) -> None:
        self.count += 1
        if self.program:
            self.sent += 1
            self.program.send_signal(signal.SIGINT)

    def began(self, program: "subprocess.Popen[str]") -> None:
        self.program = program
        if self.count > self.sent:  # the signal arrived while the program was started
            self.sent = self.count
            program.send_signal(signal.SIGINT)
