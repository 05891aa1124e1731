"""Finds and runs Lockstep's programs, and converts their exit codes to exceptions."""
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

    code     exit code of the program; 128 + n if signal n killed it
    message  error message of the program, without the program's name
    command  command line
    notes    all lines that the program wrote to standard error
    result   JSON that the program wrote before it failed (for a failed verification or a diverged run); else None
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
    """Exit code 2: an unknown option, strategy or schedule, or a value that is out of range."""


class Diverged(LockstepError):
    """Exit code 3: a value became NaN or infinite. The result is the last finite factors."""


class BadInput(LockstepError):
    """Exit code 4: damaged or invalid input. The message contains the file and the line."""


class NoDevice(LockstepError):
    """Exit code 5: no usable GPU, or too little GPU memory."""


class OutputFailed(LockstepError):
    """Exit code 6: an output could not be written."""


class VerificationFailed(LockstepError):
    """Exit code 7: a verification failed; `result` has the details."""


SIGNALS = {128 + number: number.name for number in signal.Signals}
ERRORS = {2: UsageError, 3: Diverged, 4: BadInput, 5: NoDevice, 6: OutputFailed, 7: VerificationFailed}


class Result(dict):
    """The JSON object that a program printed. Keys are also attributes: result.rmse_test is result["rmse_test"].

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
    """Returns the path of a program. It is searched in the folder `bin` if given, otherwise in $LOCKSTEP_BIN if
    set, otherwise in this package, and then in PATH.

    Raises FileNotFoundError if it is not found.
    """
    folder = bin or os.environ.get("LOCKSTEP_BIN") or None
    packed = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
    if not folder and os.access(os.path.join(packed, program), os.X_OK):
        return os.path.join(packed, program)
    found = shutil.which(program, path=os.fspath(folder) if folder else None)
    if found:
        return os.path.abspath(found)
    where = f"in {os.fspath(folder)}" if folder else "on the PATH"
    raise FileNotFoundError(f"there is no program {program} {where}; build Lockstep, and set bin=, LOCKSTEP_BIN "
                            "or PATH to the folder of its programs")


def command_line(options: "dict[str, Any]") -> List[str]:
    """Converts options to words of a command line: {"test_fraction": 0.1, "force": True, "order": None} becomes
    ["--test-fraction=0.1", "--force"]. Elements of lists and arrays are separated by commas. Raises TypeError if
    a value is not a string, path or number, nor a list of these."""
    words = []
    for key, value in options.items():
        name = "--" + key.replace("_", "-")
        if hasattr(value, "tolist"):  # a NumPy array, or an element of one
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
    raise TypeError(f"{key} is a {type(value).__name__}; expected a string, a path, a number, or a list of "
                    "these")


def run(program: str, *arguments: Any, bin: Optional[Path] = None, quiet: bool = True, **options: Any) -> Result:
    """Runs `program ARGUMENTS OPTIONS --json` and returns its JSON.

    Options are those of the program, with _ instead of -. The value True means an option without a value; None
    and False omit the option. Arguments are files, even if a name begins with "-"; only "-" is standard input,
    which is empty. quiet=False prints the program's standard error while it runs. Its warnings become
    UserWarnings.

    Raises FileNotFoundError if the program is missing, and LockstepError or a subclass if the exit code is not
    0. Ctrl-C interrupts the program, waits until it has ended (it may write a model first), and raises
    KeyboardInterrupt; a second Ctrl-C ends the program immediately.
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
    """Runs a program, with its standard output in the file `output`. Returns its exit code, and the lines of its
    standard error."""
    notes: List[str] = []

    def listen(pipe: Any) -> None:
        for line in pipe:
            notes.append(line.rstrip("\n"))
            if not quiet:
                print(notes[-1], file=sys.stderr, flush=True)

    # The program runs in its own session, so that it receives signals only from this process and not also from
    # the terminal: a second SIGINT would end it immediately.
    with _Interruption() as interruption:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True,
                                   encoding="utf-8", errors="replace", start_new_session=True)
        interruption.began(process)
        listener = threading.Thread(target=listen, args=(process.stderr,), daemon=True)
        listener.start()
        try:
            process.wait()
        except BaseException:  # an exception of a signal handler of the caller
            process.kill()
            raise
        listener.join()
        process.stderr.close()  # type: ignore[union-attr]
    if interruption.count:
        raise KeyboardInterrupt
    return (process.returncode if process.returncode >= 0 else 128 - process.returncode), notes


class _Interruption:
    """A context in which Ctrl-C is forwarded to the program instead of raising KeyboardInterrupt, which could
    occur at any line."""

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
