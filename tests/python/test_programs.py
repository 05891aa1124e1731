"""Tests how programs are found and run: options, JSON, errors with exit code and message, Ctrl-C."""
import os
import signal
import subprocess
import sys
import textwrap
import time
import unittest.mock

import support

import lockstep

PAPER = str(support.ROOT / "samples/paper.txt")


class Programs(support.InFolder):
    def program(self, script, name="lockstep-fake"):
        path = self.path(name)
        with open(path, "w") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(path, 0o755)

    def test_found_by_argument_then_environment_then_path(self):
        self.program("echo '{}'")
        with unittest.mock.patch.dict(os.environ, {"LOCKSTEP_BIN": "", "PATH": "/nowhere"}):
            with self.assertRaisesRegex(FileNotFoundError, "lockstep-fake on the PATH"):
                lockstep.find_program("lockstep-fake")
            self.assertEqual(lockstep.find_program("lockstep-fake", self.folder), self.path("lockstep-fake"))
            os.environ["PATH"] = self.folder
            self.assertEqual(lockstep.find_program("lockstep-fake"), self.path("lockstep-fake"))
            os.environ["LOCKSTEP_BIN"] = "/nowhere"
            with self.assertRaisesRegex(FileNotFoundError, "in /nowhere"):
                lockstep.find_program("lockstep-fake")
            self.assertEqual(lockstep.find_program("lockstep-fake", self.folder), self.path("lockstep-fake"))

    def test_options_and_json(self):
        self.program('for word in "$@"; do echo "got $word" >&2; done; echo \'{"a_b": {"c": 1}}\'')
        result = lockstep.run("lockstep-fake", "in put", bin=self.folder, test_fraction=0.1, force=True, order=None,
                              trust=False, schedule=["x", "y"])
        self.assertEqual(result.notes, ["got in put", "got --test-fraction=0.1", "got --force", "got --schedule=x,y", "got --json"])
        self.assertEqual((result["a_b"], result.a_b.c), ({"c": 1}, 1))
        with self.assertRaisesRegex(AttributeError, "no 'x', but a_b"):
            result.x

    def test_every_exit_code_has_its_exception(self):
        for code, error in ((1, lockstep.LockstepError), (2, lockstep.UsageError), (3, lockstep.Diverged),
                            (4, lockstep.BadInput), (5, lockstep.NoDevice), (6, lockstep.OutputFailed),
                            (7, lockstep.VerificationFailed), (130, lockstep.LockstepError)):
            self.program(f'echo a note >&2; echo \'{{"ok": false}}\'; echo "lockstep-fake: no way" >&2; exit {code}')
            with self.assertRaises(error) as caught:
                lockstep.run("lockstep-fake", bin=self.folder)
            e = caught.exception
            self.assertEqual((type(e), e.code, e.message, e.result), (error, code, "no way", {"ok": False}))
            self.assertEqual(str(e), f"lockstep-fake: no way (exit code {code})")
            self.assertEqual(e.notes, ["a note", "lockstep-fake: no way"])

    def test_a_program_that_is_killed_and_one_without_json(self):
        self.program("kill -9 $$")
        with self.assertRaisesRegex(lockstep.LockstepError, "killed by SIGKILL"):
            lockstep.run("lockstep-fake", bin=self.folder)
        for code in (200, 255):  # exit codes that are not those of a signal
            self.program(f"exit {code}")
            with self.assertRaisesRegex(lockstep.LockstepError, rf"ended without a message \(exit code {code}\)"):
                lockstep.run("lockstep-fake", bin=self.folder)
        self.program("echo hello")
        with self.assertRaisesRegex(lockstep.LockstepError, "no JSON"):
            lockstep.run("lockstep-fake", bin=self.folder)

    def test_files_whose_names_begin_as_options_do(self):
        with open(self.path("-r.csv"), "w") as file:
            file.write("1 2 3\n")
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        self.assertEqual(lockstep.preprocess("-r.csv", "-r.h5").edges, 1)
        self.assertTrue(lockstep.verify("-r.h5", input="-r.csv").ok)

    def test_what_a_program_warns_of_is_a_warning(self):
        self.program("echo 'warning: no ice' >&2; echo 'a note' >&2; echo '{}'")
        with self.assertWarnsRegex(UserWarning, "lockstep-fake: no ice"):
            self.assertEqual(lockstep.run("lockstep-fake", bin=self.folder).notes, ["warning: no ice", "a note"])

    def test_errors_of_the_programs(self):
        with self.assertRaisesRegex(lockstep.UsageError, "sideways"):
            lockstep.preprocess(PAPER, self.path("p.h5"), "sideways")
        with open(self.path("bad.txt"), "w") as file:
            file.write("1 2 3\n1 x\n")
        with self.assertRaisesRegex(lockstep.BadInput, r"bad\.txt:2"):
            lockstep.preprocess(self.path("bad.txt"), self.path("p.h5"))
        lockstep.preprocess(PAPER, self.path("p.h5"))
        with self.assertRaises(lockstep.Diverged) as caught:
            lockstep.execute(self.path("p.h5"), "agm-e", device="cpu", learning_rate=1e9)
        self.assertEqual(caught.exception.result["status"], "diverged")

    def interrupt(self, script):
        """Runs `script` in Python, and sends SIGINT after it has printed "ready". Returns its output, its
        exit code and the seconds until its end."""
        prelude = f"import sys; sys.path.insert(0, {str(support.ROOT / 'tools/python')!r}); import lockstep\n"
        python = subprocess.Popen([sys.executable, "-c", prelude + textwrap.dedent(script)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        with python:
            python.stderr.readline()
            start = time.monotonic()
            python.send_signal(signal.SIGINT)
            out, err = python.communicate(timeout=60)
        return out, python.returncode, time.monotonic() - start

    def test_ctrl_c_ends_the_program_in_order(self):
        # The program needs longer than the time that subprocess.run grants, and must get only one signal.
        self.program("trap 'n=x$n; sleep 1; echo $n > interrupted' INT\necho ready >&2\n"
                     "while [ ! -e interrupted ]; do sleep 0.1; done; exit 130")
        out, code, _ = self.interrupt(f"""
            import os
            os.chdir({self.folder!r})
            try:
                lockstep.run("lockstep-fake", bin=".", quiet=False)
            except KeyboardInterrupt:
                print("interrupted", open("interrupted").read().strip())
        """)
        self.assertEqual((out, code), ("interrupted x\n", 0))

    def test_an_interrupted_run_keeps_its_model(self):
        lockstep.preprocess(str(support.ROOT / "samples/ratings.txt"), self.path("r.h5"))
        out, code, _ = self.interrupt(f"""
            import os, threading, time
            os.chdir({self.folder!r})
            def ready():
                while not os.path.exists("r.jsonl") or os.path.getsize("r.jsonl") < 4000:
                    time.sleep(0.05)
                print("ready", file=sys.stderr, flush=True)
            threading.Thread(target=ready).start()
            try:
                lockstep.execute("r.h5", "agm-e", device="cpu", sweeps=10**9, model="m.h5", record="r.jsonl")
            except KeyboardInterrupt:
                print("interrupted", lockstep.read_record("r.jsonl")[0].end["status"], lockstep.read_model("m.partial.h5").rank)
        """)
        self.assertEqual((out, code), ("interrupted interrupted 16\n", 0))


if __name__ == "__main__":
    support.main()
