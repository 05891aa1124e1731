"""The undamaged files: small files of every kind and compression, most of them made by the programs
themselves."""
import bz2
import gzip
import io
import lzma
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile

from torture import SOURCE

sys.path.append(os.path.join(SOURCE, "tools"))
from measure.runner import strategies  # noqa: E402


EXECUTED = ("all.h5", "pages.h5", "m.node", "m.ele")


class Seed:
    """A file, its row of the table, its kind of reader, and whether checksums protect its bytes."""

    def __init__(self, name, row, kind, data, protected):
        self.name, self.row, self.kind, self.data, self.protected = name, row, kind, data, protected


def ratings(edges=120):
    """Returns the text of a graph with some larger degrees. Its ids are not numbers."""
    return "".join(f"u{i * i % 23} item{i * 7 % 17} {i % 9 / 2}\n" for i in range(edges)).encode()


def npy(values, form, dtype):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header = header.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}{form}", *values)


def npz(compression):
    """Returns the bytes of a matrix as scipy.sparse.save_npz writes it."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", compression) as archive:
        word = b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + b"{'descr': '|S3', 'fortran_order': False, 'shape': (), }".ljust(117) + b"\ncsr"
        for name, content in (("indices", npy([0, 2, 1, 0, 1], "i", "<i4")), ("indptr", npy([0, 2, 3, 5], "i", "<i4")), ("format", word),
                              ("shape", npy([3, 3], "q", "<i8")), ("data", npy([5, 3.5, 4, 1, 2], "d", "<f8"))):
            archive.writestr(name + ".npy", content)
    return memory.getvalue()


def compressed(text):
    """Yields (suffix, compressed text) for each compression with checksums."""
    yield "gz", gzip.compress(text, mtime=0)
    yield "bz2", bz2.compress(text)
    yield "xz", lzma.compress(text)
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("r.txt", text)
    yield "zip", zipped.getvalue()
    with tarfile.open(fileobj=tarred, mode="w:gz") as archive:
        entry = tarfile.TarInfo("r.txt")
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
    yield "tar.gz", tarred.getvalue()
    for program in ("zstd", "lz4"):
        if shutil.which(program):
            options = [program, "-q", "-c", "-"] + (["-BX"] if program == "lz4" else ["--check"])
            yield {"zstd": "zst", "lz4": "lz4"}[program], subprocess.run(options, input=text, stdout=subprocess.PIPE, check=True).stdout


def graph_seeds():
    folder = os.path.join(SOURCE, "tests", "data", "valid")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            binary = os.path.splitext(name)[1] in (".sg", ".wsg", ".bin") or "galois" in name
            yield Seed(name, "graphs, binary" if binary else "graphs, text", "graph", file.read(), False)
    for suffix, data in compressed(ratings()):
        yield Seed("r.txt." + suffix if suffix not in ("zip", "tar.gz") else "r." + suffix, "graphs, " + suffix, "graph", data, True)
    yield Seed("stored.npz", "matrices, npz", "graph", npz(zipfile.ZIP_STORED), True)
    yield Seed("deflated.npz", "matrices, npz", "graph", npz(zipfile.ZIP_DEFLATED), True)


def written_seeds(run):
    """Yields the files that the programs of this build write. Programs that are not built are left out."""
    def content(path):
        with open(path, "rb") as file:
            return file.read()

    text, square = run.path("r.txt"), run.path("arcs.txt")
    with open(text, "wb") as file:
        file.write(ratings())
    with open(square, "w") as file:
        file.writelines(f"{i} {(i * i + 1) % 19}\n{i} {(i + 1) % 19}\n" for i in range(19))
    schedules, pages = run.path("r.h5"), run.path("p.h5")
    run.must(run.program("preprocess"), text, "-o", schedules, "-q", "--force", "--no-times", "-s", "agm-e,agm-n,blkdiag,metis")
    run.must(run.program("preprocess"), square, "--shape", "square", "-o", pages, "-q", "--force", "--no-times", "--deflate", "1", "-s", "agm-e,edge-tiled")
    yield Seed("r.h5", "schedule files", "schedules", content(schedules), True)
    yield Seed("p.h5", "schedule files", "schedules", content(pages), True)
    if run.has("execute"):
        model, record, ranks = run.path("m.h5"), run.path("runs.jsonl"), run.path("ranks.h5")
        run.must(run.program("execute"), schedules, "--strategy", "agm-e", "--device", "cpu", "-k", "4", "--sweeps", "2", "-q", "--force",
                 "--model", model, "--record", record)
        run.must(run.program("execute"), pages, "--app", "pagerank", "--strategy", "pull", "--device", "cpu", "-q", "--force", "--output", ranks)
        yield Seed("m.h5", "models", "model", content(model), True)
        yield Seed("ranks.h5", "results", "result", content(ranks), True)
        yield Seed("runs.jsonl", "run records", "record", content(record), False)
    with open(os.path.join(SOURCE, "executor", "insight", "h200.json"), "rb") as file:
        yield Seed("probe.json", "probes", "probe", file.read(), False)


def executions(run):
    """Yields (words, outputs, whether it is deterministic) for every application and strategy: the words with
    which lockstep-execute runs it, without a device, and the files that it writes. Makes its inputs
    (EXECUTED) from r.txt and arcs.txt (written_seeds)."""
    for text, file, shape in (("r.txt", "all.h5", "bipartite"), ("arcs.txt", "pages.h5", "square")):
        run.must(run.program("preprocess"), run.path(text), "-o", run.path(file), "-q", "--force", "--no-times", "--shape", shape, "-s", "all")
    for suffix in ("node", "ele"):
        shutil.copy(os.path.join(SOURCE, "tests", "data", "mesh", "odd", "corner-of-ten-degrees." + suffix), run.path("m." + suffix))
    apps = set(re.findall(r"[\w-]+", " ".join(re.findall(r"^For --app (.*):", run.must(run.program("execute"), "--help-all"), re.MULTILINE))))
    for app in sorted(apps):
        for strategy in strategies(run.bin, app):
            words, outputs = ["pages.h5", "--output", "out.h5"], ["out.h5"]
            if app == "sgd":
                words = ["all.h5", "-k", "16", "--sweeps", "2", "--model", "out.h5"]
            elif app == "dmr":
                words, outputs = ["m.ele", "--mesh", "out.ele"], ["out.node", "out.ele"]
            elif app == "kcore" and "axes" in strategy:
                words += ["--k", "2"]
            yield [*words, "--app", app, "--strategy", strategy["name"]], outputs, strategy["deterministic"]


def foreign_seeds():
    """Yields matrices of AnnData and CellRanger: HDF5 files without checksums, which only libhdf5 reads."""
    try:
        import h5py
        import numpy
    except ImportError:
        return
    for name in ("x.h5ad", "tenx.h5"):
        memory = io.BytesIO()
        parts = dict(indptr=[0, 2, 3, 5], indices=[0, 2, 1, 0, 1], data=[5.0, 3.5, 4.0, 1.0, 2.0])
        with h5py.File(memory, "w") as file:
            group = file.create_group("X" if name == "x.h5ad" else "matrix")
            for key, values in parts.items():
                group.create_dataset(key, data=numpy.array(values, "f4" if key == "data" else "i8"))
            if name == "x.h5ad":
                file.attrs["encoding-type"] = "anndata"
                for key, value in (("encoding-type", "csr_matrix"), ("encoding-version", "0.1.0"), ("shape", numpy.array([3, 3]))):
                    group.attrs[key] = value
                for side in ("obs", "var"):
                    frame = file.create_group(side)
                    frame.attrs["_index"] = "_index"
                    frame.create_dataset("_index", data=["a", "b", "c"], dtype=h5py.string_dtype())
            else:
                group.create_dataset("barcodes", data=numpy.array(["a", "b", "c"], "S18"))
                group.create_dataset("shape", data=numpy.array([3, 3], "i4"))
                group.create_group("features").create_dataset("id", data=numpy.array(["x", "y", "z"], "S8"))
        yield Seed(name, "matrices of other programs, HDF5", "graph", memory.getvalue(), False)
