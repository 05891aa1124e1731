"""Functions that the classes of tools/torture.sh share: options, time, random numbers by try, counts, kept
failures.

A class is an executable of this folder, without suffix, called as  CLASS --seconds S --seed N --part I/P
--bin DIR. P concurrent processes together make the same tries as one process alone. A class prints one line
of JSON per row of the table: {"class", "tried", "refused", "identical", "failures"}, and, if they apply,
"other" (accepted with other contents, which a format without checksums cannot detect), "library" (ended
inside libhdf5 or libarchive, which Lockstep cannot prevent) and "note".
"""
import argparse
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))


class Class:
    """The command line of a class, its clock, its counts, and a folder that is removed at the end."""

    def __init__(self, name, summary, add_options=None):
        parser = argparse.ArgumentParser(prog=name, description=summary)
        parser.add_argument("--seconds", type=float, default=10, help="time to take (default: 10)")
        parser.add_argument("--seed", type=int, default=1, help="of all that is random (default: 1)")
        parser.add_argument("--bin", default=os.path.join(SOURCE, "build", "bin"), help="folder of the programs")
        parser.add_argument("--part", default="0/1", help="I/P: of the tries those whose number leaves I by P (default: 0/1)")
        parser.add_argument("--first", action="store_true", help="end with the first failure")
        parser.add_argument("--only", type=int, help="this try alone, as a failure names it")
        if add_options:
            add_options(parser)
        self.options = parser.parse_args()
        self.name, self.only, self.seed = name, self.options.only, self.options.seed
        self.part, self.parts = map(int, self.options.part.split("/"))
        self.bin = os.path.abspath(self.options.bin)
        self.kept_in = os.path.join(os.path.dirname(self.bin), "torture")
        fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = tempfile.mkdtemp(prefix="lockstep-torture-", dir=fast)
        # Tries run concurrently, so that spinning threads would take the time of other tries.
        self.environment = dict(os.environ, LOCKSTEP_CACHE=self.path("cache"), GOMP_SPINCOUNT="0", LC_ALL="C.UTF-8")
        self.environment.setdefault("OMP_NUM_THREADS", "2")
        self.rows = {}
        self.end = time.monotonic() + self.options.seconds

    def __enter__(self):
        return self

    def __exit__(self, *error):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def random(self, number, of=""):
        """Returns the random numbers of a try. They are the same if the try is repeated alone."""
        return random.Random(f"{self.name} {of} {self.seed} {number}")

    def tries(self):
        """Yields the numbers of the tries of this part until the time is over."""
        number = self.part
        while self.only is None and not self.is_over():
            yield number
            number += self.parts
        if self.only is not None:
            yield self.only

    def is_over(self):
        failed = self.options.first and any(counts["failures"] for counts in self.rows.values())
        return failed or time.monotonic() >= self.end

    def program(self, name):
        return os.path.join(self.bin, "lockstep-" + name)

    def has(self, name):
        return os.access(self.program(name), os.X_OK)

    def run(self, command, timeout=120, **more):
        """Runs a command. Returns (exit code, standard output, standard error). The code is negative for a
        signal, or "hung"."""
        more = {"env": self.environment, "cwd": self.folder, **more}
        try:
            done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=timeout, **more)
        except subprocess.TimeoutExpired:
            return "hung", b"", b""
        return done.returncode, done.stdout, done.stderr

    def must(self, *command, **more):
        """Returns the standard output of a command. Ends this program if its exit code is not 0."""
        code, out, error = self.run(list(command), **more)
        if code != 0:
            sys.exit(f"{self.name}: {shlex.join(command)}: exit code {code}: {error.decode(errors='replace')}")
        return out.decode(errors="replace")

    def count(self, row, verdict):
        """Counts a try. verdict: refused, identical, other, library or failures."""
        counts = self.rows.setdefault(row, dict(tried=0, refused=0, identical=0, other=0, library=0, failures=0))
        counts["tried"] += 1
        counts[verdict] += 1

    def fail(self, row, number, what, files=(), command=None):
        """Counts a failure, and keeps its files, the command that failed, and the command line that repeats
        it."""
        self.count(row, "failures")
        kept = os.path.join(self.kept_in, f"{row.replace(' ', '-').replace('/', '-')}-{self.seed}-{number}")
        os.makedirs(kept, exist_ok=True)
        for file in files:
            if os.path.isfile(file):
                shutil.copy(file, kept)
        again = [os.path.join(HERE, self.name), "--seed", str(self.seed), "--only", str(number), "--bin", self.bin]
        with open(os.path.join(kept, "README"), "w") as text:
            text.write(f"{what}\n\nagain: {shlex.join(again)}\n" + (f"the command: {command}\n" if command else ""))
        if self.rows[row]["failures"] <= 3 or self.only is not None:
            print(f"{self.name}: {row}, try {number}: {what}; see {kept}", file=sys.stderr)

    def finish(self, nothing="nothing to try", note=None):
        for row, counts in self.rows.items():
            line = {"class": row, **{k: v for k, v in counts.items() if v or k not in ("other", "library")}}
            print(json.dumps({**line, **({"note": note} if note else {})}))
        if not self.rows:
            print(json.dumps({"class": self.name, "tried": 0, "refused": 0, "identical": 0, "failures": 0, "note": nothing}))
        sys.exit(7 if any(c["failures"] for c in self.rows.values()) else 0)
