#!/usr/bin/env python3
"""The golden table: what the programs of a build do, one case per line of table.txt.

    golden.py --bin BUILD/bin compare                   names the cases that differ from the table
    golden.py --bin BUILD/bin record                    writes the table
    golden.py --bin BUILD/bin show --only 'bfs best'    prints lines, and the texts behind hashes
    golden.py --bin BUILD/bin compare --device cuda     compares a GPU's results with the same lines

A line is `job | case | words`. Words are exit codes, hashes (16 digits), JSON keys and options.
  result  the result_hash of a run, the same for every device and number of threads
  alone   the result_hash of a run with one thread, where more threads may change it
  facts   the JSON and the run record of one thread, without the values that MEASURED matches
  key     the strategies of an application whose JSON, or record, has a key: all -NAME: all but NAME
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import cases  # noqa: E402

TABLE = pathlib.Path(__file__).with_name("table.txt")
JOBS = max(2, os.cpu_count() or 1)  # number of concurrent jobs
HEAD = "# job | case | words: tests/golden/golden.py explains the lines, and writes this file.\n"
# Paths of JSON keys whose values depend on time, machine or build
MEASURED = re.compile(r"seconds|_per_second|bytes|teps|memory|^hash$|(^|\.)device\.name$"
                      r"|(^|\.)(started|run|command|program|version|threads|driver|proof)$")
SETTINGS = re.compile("LOCKSTEP_|OMP_|GOMP_|OMPI_|PMI_|XDG_|TMPDIR")


class Programs:
    """The programs of a build. They run in `folder`, without the settings and caches of the user."""

    def __init__(self, binaries, folder, device):
        self.binaries, self.folder = pathlib.Path(binaries).resolve(), pathlib.Path(folder)
        self.device = device
        self.texts = {}  # hashed texts by hash
        self.environment = {k: v for k, v in os.environ.items() if not SETTINGS.match(k)}
        self.environment.update(LOCKSTEP_CACHE=str(self.folder / "cache"), HOME=folder,
                                COLUMNS="100", LC_ALL="C.UTF-8", GOMP_SPINCOUNT="0")

    def names(self):
        """Returns the names after "lockstep-"."""
        return sorted(path.name.removeprefix("lockstep-")
                      for path in self.binaries.glob("lockstep-*"))

    def run(self, command):
        """Runs lockstep-COMMAND. Returns its exit code and its standard output."""
        program, *words = shlex.split(command)
        done = subprocess.run([self.binaries / f"lockstep-{program}", *words], timeout=600,
                              cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        return done.returncode, done.stdout.decode(errors="replace")

    def must(self, command):
        """Returns the standard output of a command. Ends this script if its exit code is not 0."""
        code, out = self.run(command)
        if code:
            sys.exit(f"golden: exit code {code}: lockstep-{command}")
        return out

    def hash_of(self, text):
        """Returns the hash of a text, without the revision of the build in it."""
        text = re.sub(r"\(revision [^)]*\)", "", text)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.texts[digest] = text
        return digest

    def hash_of_facts(self, documents):
        return self.hash_of(json.dumps(facts_of(documents), indent=1))

    def hash_of_file(self, name):
        """Returns the hash of a file: of the output of lockstep-inspect for an HDF5 file, of the
        facts for a run record, of all bytes for other files; "none" if there is no file."""
        path = self.folder / name
        if not path.exists():
            return "none"
        if path.suffix == ".h5":
            return self.hash_of_facts(documents_of(self.must(f"inspect {name} --json")))
        if path.suffix == ".jsonl":
            return self.hash_of_facts(documents_of(path.read_text()))
        return self.hash_of(path.read_bytes().decode(errors="backslashreplace"))


def documents_of(text):
    """Returns the JSON documents of a text, one or one per line; none if it is not JSON."""
    for parts in ([text], text.splitlines()):
        try:
            return [json.loads(part) for part in parts]
        except ValueError:
            pass
    return []


def keys_of(value, around=""):
    """Returns the keys of JSON values, each preceded by the keys of the enclosing objects."""
    if isinstance(value, list):
        return set().union(*(keys_of(item, around) for item in value))
    if isinstance(value, dict):
        return set().union(*({around + key} | keys_of(item, f"{around}{key}.")
                             for key, item in value.items()))
    return set()


def facts_of(value, around=""):
    """Returns JSON values without the members whose keys MEASURED matches."""
    if isinstance(value, list):
        return [facts_of(item, around) for item in value]
    if isinstance(value, dict):
        return {key: facts_of(item, f"{around}{key}.") for key, item in value.items()
                if not MEASURED.search(around + key)}
    return value


def run_application(programs, inputs, options, device):
    """Runs an application under one strategy on its inputs, on a CPU with one thread and with two.
    Returns its cases: each input, and "keys", the JSON keys of all."""
    found, keys, record = {}, set(), programs.hash_of(options + device) + ".jsonl"
    for given in inputs:
        words = found[given] = []
        for threads in (1, 2) if device == "cpu" else (1,):
            recording = f"--record {record}" if threads == 1 else ""
            code, out = programs.run(f"execute {given} {options} --device {device} "
                                     f"--threads {threads} --json {recording}")
            run, lines = documents_of(out), []
            if recording and (programs.folder / record).exists():
                lines = documents_of((programs.folder / record).read_text())
                (programs.folder / record).unlink()
            keys |= keys_of(run) | keys_of(lines, "record.")
            more = [f"exit={code}"]
            if run and (run[0]["deterministic"] or threads == 1):
                kind = "result" if run[0]["deterministic"] else "alone"
                more.append(f"{kind}={run[0]['result_hash'][:16]}")
            if run and threads == 1:
                more.append("facts=" + programs.hash_of_facts(run + lines))
            words += [word for word in more if word not in words]
    return {**found, "keys": sorted(keys)}


def run_command(programs, line):
    """Runs a line of cases.COMMANDS. Returns its words: exit code, hashes and JSON keys."""
    command, _, hashed = line.partition(" | ")
    code, out = programs.run(command)
    words = [f"exit={code}"]
    for what in hashed.split():
        digest = (programs.hash_of(out) if what == "stdout"
                  else programs.hash_of_facts(documents_of(out)) if what == "facts"
                  else programs.hash_of_file(what))
        words.append(f"{what}={digest}")
    return words + sorted(keys_of(documents_of(out)))


def help_of(programs, command):
    """Returns the cases of both help pages: the hash of the text, and the options."""
    found = {}
    for page in ("--help", "--help-all"):
        text = programs.must(f"{command} {page}")
        found[page] = ["text=" + programs.hash_of(text)]
        found[page + " options"] = re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE)
    return found


def make_schedules(programs, name, reading, threads=2):
    """Makes a schedule file with all schedules of a graph."""
    programs.must(f"preprocess {reading} -o {name}.h5 --schedule all --threads {threads} --force "
                  "--no-times --quiet")


def compare_schedules(programs, name, reading):
    """Makes a schedule file with one thread and with two. Returns the hashes of its graph and
    schedules."""
    found = {}
    for threads in (1, 2):
        make_schedules(programs, name, reading, threads)
        file = json.loads(programs.must(f"inspect {name}.h5 --json"))
        hashes = {s["name"]: s["hash"] for s in file["schedules"]}
        for part, digest in {"graph": file["graph"]["hash"], **hashes}.items():
            words = found.setdefault(part, [])
            words += {f"hash={digest[:16]}"} - set(words)
    return found


def make_inputs(programs):
    for name, content in cases.WRITTEN.items():
        (programs.folder / name).write_bytes(content)
    for triangles in cases.ODD_MESHES:
        shutil.copy(triangles, programs.folder)
        shutil.copy(triangles.with_suffix(".node"), programs.folder)
    for name, arguments in cases.GENERATED.items():
        programs.must(f"generate {arguments} --seed 1 -o {name} --quiet")


def make_results(programs, pool):
    """Makes the files that other jobs read in addition to schedule files."""
    list(pool.map(programs.must, cases.MADE))
    content = bytearray((programs.folder / "ratings.h5").read_bytes())
    content[len(content) // 2] ^= 1
    (programs.folder / "damaged.h5").write_bytes(content)


def applications(programs):
    """Yields (application, its inputs, facts of its strategies) for all of lockstep-execute."""
    text = programs.must("execute --help-all")
    listed = re.search(r"^Applications:\n((?:  .*\n)+)", text, re.MULTILINE)[1]
    for app in re.findall(r"^  (\w+)", listed, re.MULTILINE):
        told = json.loads(programs.must(f"execute --strategies --json --app {app}"))
        yield app, cases.INPUTS.get(app, cases.DEFAULT), told["strategies"]


def runs(programs, listed):
    """Yields (job, function that returns its cases) for each strategy of the listed applications,
    and for the reference of each, which has no device."""
    for app, inputs, strategies in listed:
        for strategy in strategies:
            options = f"--app {app} --strategy {strategy['name']}"
            yield f"execute {app} {strategy['name']}", lambda i=inputs, o=options: (
                run_application(programs, i, o, programs.device))
        if programs.device == "cpu":
            options = f"--app {app} --strategy {strategies[0]['name']}"
            yield f"execute {app} reference", lambda i=inputs, o=options: (
                run_application(programs, i, o, "reference"))


def other_jobs(programs, listed):
    """Yields (job, function that returns its cases) for all other jobs."""
    for app, _, strategies in listed:
        yield f"help execute {app}", lambda a=app: help_of(programs, f"execute --app {a}")
        yield f"strategies {app}", lambda s=strategies: {
            facts["name"]: [f"{key}={str(value).replace(' ', ',')}" for key, value in facts.items()
                            if key not in ("name", "source", "summary")] for facts in s}
    for name in programs.names():
        yield f"help {name}", lambda n=name: help_of(programs, n)
        yield f"refused {name}", lambda n=name: {
            words or "no argument": run_command(programs, f"{n} {words}")
            for words in cases.REFUSED if (n, words) not in cases.NOT_REFUSED}
    for job, lines in cases.COMMANDS.items():
        yield job, lambda ls=lines: {line: run_command(programs, line) for line in ls}


def by_key(found):
    """Replaces the list of keys of each strategy by one case per key of an application."""
    strategies = {}
    for job, case in [key for key in found if key[1] == "keys"]:
        _, app, strategy = job.split(" ")
        strategies.setdefault(app, {})[strategy] = found.pop((job, case))
    for app, keys in strategies.items():
        for key in set().union(*keys.values()):
            having = sorted(strategy for strategy in keys if key in keys[strategy])
            lacking = sorted(f"-{strategy}" for strategy in keys if key not in keys[strategy])
            words = having if len(having) < len(lacking) else ["all", *lacking]
            found[f"execute {app}", f"key {key}"] = words
    return found


def found_by(programs, only):
    """Runs the jobs whose names match. Returns {(job, case): words}."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        def all_of(jobs):
            running = [(job, pool.submit(work)) for job, work in jobs]
            return {(job, case): words for job, future in running
                    for case, words in future.result().items() if words}

        make_inputs(programs)
        found = all_of([(f"schedules {name}", lambda n=name, r=reading: (
            compare_schedules(programs, n, r) if only.search(f"schedules {n}")
            else make_schedules(programs, n, r) or {})) for name, reading in cases.FILES.items()])
        listed = list(applications(programs))
        jobs = [job for job in runs(programs, listed) if only.search(job[0])]
        more = [job for job in other_jobs(programs, listed) if only.search(job[0])]
        if more and programs.device == "cpu":
            make_results(programs, pool)
            jobs += more
        found |= all_of(jobs)
        return {key: words for key, words in by_key(found).items() if only.search(key[0])}


def read_table(path):
    lines = [line.split(" | ") for line in path.read_text().splitlines()
             if not line.startswith("#")]
    return {(line[0], " | ".join(line[1:-1])): line[-1].split() for line in lines}


def write_table(path, found):
    path.write_text(HEAD + "".join(f"{job} | {case} | {' '.join(words)}\n"
                                   for (job, case), words in sorted(found.items())))


def kind_of(word):
    return word.partition("=")[0]


def disagreements(found):
    """Yields the cases whose result with two threads differs from that with one."""
    for (job, case), words in sorted(found.items()):
        if len(words) > len(set(map(kind_of, words))):
            yield f"differs with the number of threads: {job} | {case}: {' '.join(words)}"


def differences(table, found):
    """Yields a line for each case in which the table and the build differ."""
    for job, case in sorted(table.keys() | found.keys()):
        before, now = set(table.get((job, case), [])), set(found.get((job, case), []))
        if (job, case) not in found:
            yield f"missing: {job} | {case}"
        elif (job, case) not in table:
            yield f"new: {job} | {case}: {' '.join(sorted(now))}"
        elif before != now:
            lost, added = (" ".join(sorted(words)) or "-" for words in (before - now, now - before))
            yield f"differs: {job} | {case}: table: {lost}; build: {added}"


def of_gpu(table, found):
    """Returns the table and the cases of a GPU, reduced to the words that must be equal: exit
    codes of the cases that ran there, and results of deterministic runs. Sums of floats are left
    out, since their order, and so their rounding, depend on the device."""
    ran = {key: [word for word in words if kind_of(word) in ("exit", "result")]
           for key, words in found.items()
           if words != ["exit=5"] and "--sums float" not in key[1]}
    ran = {key: words for key, words in ran.items() if words}
    return {key: [word for word in words if kind_of(word) in map(kind_of, ran[key])]
            for key, words in table.items() if key in ran}, ran


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("compare", "record", "show"))
    parser.add_argument("--bin", required=True, help="folder of the programs")
    parser.add_argument("--only", type=re.compile, default=re.compile(""), metavar="REGEX",
                        help="only the jobs whose names match")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu",
                        help="where lockstep-execute runs; cuda: nothing else is compared")
    parser.add_argument("--table", type=pathlib.Path, default=TABLE,
                        help="default: table.txt beside this script")
    options = parser.parse_args()
    if options.device == "cuda" and options.what == "record":
        parser.error("the table is recorded on a CPU; a GPU has the same results")
    with tempfile.TemporaryDirectory(prefix="lockstep-golden-") as folder:
        programs = Programs(options.bin, folder, options.device)
        found = found_by(programs, options.only)
    if options.what == "show":
        for (job, case), words in sorted(found.items()):
            texts = [programs.texts.get(word.rpartition("=")[2], "") for word in words]
            print(f"{job} | {case} | {' '.join(words)}", *filter(None, texts), sep="\n")
        return 0
    table = read_table(options.table) if options.table.exists() else {}
    wrong = list(disagreements(found))
    if options.what == "record":
        kept = {key: words for key, words in table.items() if not options.only.search(key[0])}
        if not wrong:
            write_table(options.table, kept | found)
    else:
        table = {key: words for key, words in table.items() if options.only.search(key[0])}
        if options.device == "cuda":
            refused = [" | ".join(key) for key, words in found.items() if words == ["exit=5"]]
            print(f"golden: exit code 5, not compared: {len(refused)} cases", *refused, sep="\n  ")
            table, found = of_gpu(table, found)
        wrong += differences(table, found)
    print(*wrong, f"golden: {len(found)} cases, {len(wrong)} differ", sep="\n")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
