#!/usr/bin/env python3
"""Plants defects in a copy of this source, and reports after how many tries a class of tools/torture.sh finds
each.

    python3 tests/torture/planted.py --work FOLDER [--only WORDS] [--seconds S] [--json docs/data/reliability.json]

FOLDER keeps the copy and its builds (with ccache if it is installed). If the class of a defect does not find
it in S seconds, the harness has a hole: exit code 7.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import table  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ["lockstep-preprocess", "lockstep-verify", "lockstep_torture_reader", "lockstep_torture_faults"]


class Defect:
    """A defect: replaces the only occurrence of `right` in `file` by `wrong`. Then `targets` are built, and
    `command` of tests/torture is run."""

    def __init__(self, name, file, right, wrong, command, targets=(), preset=None):
        self.name, self.file, self.right, self.wrong = name, file, right, wrong
        self.command, self.targets, self.preset = command, targets or PROGRAMS, preset


DEFECTS = [
    Defect("the checksum of gzip is skipped", "formats/src/readers/gunzip.cpp", "if (result == Z_STREAM_END) {",
           'if (result == Z_STREAM_END || (stream_.msg && std::string_view(stream_.msg).ends_with("data check") && !(stream_.avail_in = 0))) {',
           ["damage", "--row", "graphs, gz"]),
    Defect("an id is compared with > instead of >= (counted from 0)", "formats/src/readers/words.cpp", "if (*id < 1 || *id > std::int64_t{size}) {",
           "if (*id < 1 || *id - 1 > std::int64_t{size}) {", ["damage", "--row", "graphs, text"]),
    Defect("an id is not compared with the size that a text declares", "formats/src/readers/words.cpp", "if (*id < 1 || *id > std::int64_t{size}) {",
           "if (*id < 1) {", ["damage", "--row", "graphs, text"]),
    Defect("a neighbour is compared with > instead of >=", "formats/src/readers/binary_graph.hpp", "if (vertex >= vertices) {",
           "if (vertex > vertices) {", ["damage", "--row", "graphs, binary"]),
    Defect("an index of a sparse matrix is not compared with its shape", "formats/src/readers/sparse_matrix.cpp",
           "            check_index(*matrix.indices, entry, indices[i], columns ? matrix.rows : matrix.cols);\n", "",
           ["damage", "--row", "matrices of other programs"]),
    Defect("the last offset of compressed rows is not compared with the entries", "formats/src/readers/sparse_matrix.cpp",
           "static_cast<std::uint64_t>(offsets_.back()) != entries", "entries < 1",
           ["fuzz", "--only", "npz"], ["lockstep_fuzz_npz", "lockstep_fuzz_seeds"], "fuzz"),
    Defect("the hash of an array is not compared", "formats/src/hdf5_arrays.cpp", "if (hash != array.hash)", "if (hash.empty())",
           ["damage", "--row", "schedule files, resealed"]),
    Defect("the offsets of a schedule's level are not compared with what is inside", "formats/src/checks.cpp",
           'check_offsets(s.level(*l), inner, fmt::format("{}/{}_offsets", path, to_string(*l)));', "",
           ["fuzz", "--only", "schedule_arrays"], ["lockstep_fuzz_schedule_arrays", "lockstep_fuzz_seeds"], "fuzz"),
    Defect("a corner of a triangle is not compared with the points", "formats/src/readers/mesh.cpp", "if (corner < 0 || corner >= points)",
           "if (corner < 0)", ["fuzz", "--only", "mesh"], ["lockstep_fuzz_mesh", "lockstep_fuzz_seeds"], "fuzz"),
    Defect("no fsync before the rename", "formats/src/atomic_file.cpp", 'if (fsync(file_) != 0) fail("cannot be written", errno);', "", ["faults"]),
    Defect("the exception of a failed write is swallowed", "formats/src/hdf5_writer.cpp",
           'if (output_->error) throw Hdf5Error(fmt::format("cannot be written: {}", std::strerror(output_->error)));', "", ["faults"]),
    Defect("a temporary file is not removed", "formats/src/atomic_file.cpp",
           "        unlink(temporary_.c_str());\n        temporaries.remove(temporary_);", "        temporaries.remove(temporary_);", ["faults"]),
    Defect("outputs are written under their names", "formats/src/atomic_file.cpp", 'temporary_ = stem + "-" + std::to_string(attempt);',
           "temporary_ = path_; unlink(path_.c_str());", ["kill"], ["lockstep-preprocess", "lockstep-execute"]),
    Defect("the checker passes over a claimed vertex", "schedules/src/verify_units.cpp", "good = good && (claimed < least || claimed >= stamp);",
           "good = good && (claimed < least || claimed >= stamp || claimed + 1 == stamp);", ["model"],
           ["lockstep_model", "lockstep-preprocess", "lockstep-execute"]),
    Defect("no barrier between rounds", "executor/include/lockstep/executor/edge/phases.hpp", "#pragma omp barrier\n", "", ["soak"],
           ["lockstep-preprocess", "lockstep-verify", "lockstep-execute", "lockstep-predict"]),
]


def run(*words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"planted: {' '.join(words)}: exit code {done.returncode}\n{done.stdout[-4000:]}")


class Copy:
    def __init__(self, work):
        self.source = os.path.join(work, "source")
        if not os.path.isdir(self.source):
            run("git", "clone", "--quiet", ROOT, self.source)

    def build(self, preset, targets):
        """Builds the targets. Returns the folder of the programs."""
        folder = os.path.join(self.source, f"build-{preset}" if preset else "build")
        if not os.path.isfile(os.path.join(folder, "build.ninja")):
            cache = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX") if shutil.which("ccache")]
            how = ["--preset", preset] if preset else ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DLOCKSTEP_BUILD_TESTS=ON", "-DLOCKSTEP_CUDA=OFF"]
            run("cmake", "-S", self.source, "-B", folder, *how, "-DLOCKSTEP_UNITY=OFF", *cache, cwd=self.source)
        run("cmake", "--build", folder, "--target", *targets)
        return os.path.join(folder, "bin")

    def tries(self, defect, seconds):
        """Runs the class until the first failure. Returns (tries, rows with failures, the first message)."""
        path = os.path.join(self.source, defect.file)
        with open(path) as file:
            text = file.read()
        if text.count(defect.right) != 1:
            sys.exit(f"planted: {defect.file} has {text.count(defect.right)} times what '{defect.name}' replaces")
        try:
            with open(path, "w") as file:
                file.write(text.replace(defect.right, defect.wrong))
            folder = self.build(defect.preset, defect.targets)
            class_, *more = defect.command
            command = [os.path.join(self.source, "tests", "torture", class_), "--seconds", str(seconds), "--seed", "1", "--bin", folder, *more]
            if class_ not in ("fuzz", "model"):  # these two always end with the first failure
                command.append("--first")
            done = subprocess.run(command, capture_output=True, text=True)
        finally:
            with open(path, "w") as file:
                file.write(text)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        failed = [row["class"] for row in rows if row["failures"]]
        said = [line for line in done.stderr.splitlines() if ": try " in line or ", try " in line or "ERROR" in line or "not hold" in line]
        return sum(row["tried"] for row in rows), failed, (said or [""])[0]


parser = argparse.ArgumentParser(description="Plants defects; tells which class finds them.")
parser.add_argument("--work", required=True)
parser.add_argument("--only", default="")
parser.add_argument("--seconds", type=int, default=120)
parser.add_argument("--json", help="add what was found to the part \"planted\" of this file of docs/data")
given = parser.parse_args()
rows = []
copy, missed = Copy(os.path.abspath(given.work)), 0
for planted in DEFECTS:
    if given.only not in planted.name:
        continue
    tried, failed, message = copy.tries(planted, given.seconds)
    missed += not failed
    found = f"{failed[0]}, after {tried:,} tries: {message[:200]}" if failed else f"NOT found in {tried:,} tries"
    print(f"{planted.name}: {planted.command[0]}: {found}", flush=True)
    rows.append([planted.name, f"`{planted.command[0]}`", failed[0] if failed else None, tried])
if given.json:
    with open(given.json) as file:
        data = json.load(file)
    parts = data.pop("parts")
    names = [row[0] for row in rows]
    old = [row for row in parts["planted"]["rows"] if row[0] not in names]
    parts["planted"] = {"columns": ["planted defect", "class", "found in", "tries"], "rows": old + rows}
    table.save(given.json, data, parts)
sys.exit(7 if missed else 0)
