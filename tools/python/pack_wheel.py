#!/usr/bin/env python3
"""Packs the Python package with an installed Lockstep, or the CUDA library, as a wheel for every Python 3.

    tools/python/pack_wheel.py --prefix INSTALLED | --cuda liblockstep_cuda.so  --output FOLDER

Shared libraries other than those of the C and C++ runtimes go along, with the licences of their Debian packages; the
lookup of all is relative to the wheel. tools/wheel.sh calls it.
"""
import argparse
import base64
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Libraries that are not packed: those that every manylinux system has (PEP 600), and the GPU driver.
SYSTEM = re.compile(r"^(lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s|cuda)\.so|ld-linux|linux-vdso)")
MOST_BYTES = 60_000_000
# The script that pip installs for each program: it finds the folder of the package without importing the package,
# and executes the program in this folder.
SCRIPT = """#!python
import importlib.util, os, sys
name = os.path.basename(sys.argv[0])
os.execv(os.path.join(os.path.dirname(importlib.util.find_spec("lockstep").origin), "bin", name), [name, *sys.argv[1:]])
"""


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def needed(file, seen):
    """Returns {name: path} of all shared libraries that a file requires, directly or indirectly."""
    for line in run("ldd", file).splitlines():
        found = re.match(r"\s*(\S+) => (\S+)", line)
        if not found or SYSTEM.match(found[1]):
            continue
        if found[2] == "not":
            sys.exit(f"pack_wheel: {file} needs {found[1]}, which was not found")
        if not os.path.basename(found[2]).startswith("liblockstep"):
            seen[found[1]] = found[2]
    return seen


def licence_of(library):
    """Returns the name of the Debian package that contains a library, and the copyright file of the package."""
    path = os.path.realpath(library)
    for name in (path, path.removeprefix("/usr"), "/usr" + path):
        done = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if done.returncode == 0:
            package = done.stdout.split(":")[0]
            return package, pathlib.Path("/usr/share/doc", package, "copyright")
    sys.exit(f"pack_wheel: {library} does not belong to a Debian package, so its licence is unknown")


def set_rpath(file, path):
    run("patchelf", "--force-rpath", "--set-rpath", path, os.fspath(file))


def glibc_of(files):
    """Returns the newest version of glibc that any of the files requires, such as (2, 36)."""
    versions = {(2, 17)}
    for file in files:
        for found in re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "-T", os.fspath(file))):
            versions.add(tuple(map(int, found)))
    return max(versions)


def write_wheel(name, about, folder, output):
    """Writes a wheel: a zip file of the folder with metadata and a list of hashes."""
    binaries = [p for p in folder.rglob("*") if p.is_file() and open(p, "rb").read(4) == b"\x7fELF"]
    tag = "py3-none-manylinux_{}_{}_{}".format(*glibc_of(binaries), platform.machine())
    info = folder / f"{name}-{about['version']}.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("\n".join([
        "Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {about['version']}",
        f"Summary: {about['description']}", "License: Apache-2.0", f"Requires-Python: {about['requires-python']}",
        *(f"Requires-Dist: {one}" for one in about["dependencies"]),
        *(line for extra, all in about.get("optional-dependencies", {}).items()
          for line in (f"Provides-Extra: {extra}", *(f"Requires-Dist: {one}; extra == '{extra}'" for one in all))), "", ""]))
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: pack_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n")
    wheel = pathlib.Path(output) / f"{name}-{about['version']}-{tag}.whl"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            place, data = path.relative_to(folder).as_posix(), path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{place},sha256={digest},{len(data)}")
            entry = zipfile.ZipInfo(place, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
        listed = f"{info.name}/RECORD"
        archive.writestr(zipfile.ZipInfo(listed, (2020, 1, 1, 0, 0, 0)), "\n".join([*record, f"{listed},,", ""]))
    size = wheel.stat().st_size
    print(f"{wheel}: {size / 1e6:.1f} MB")
    return size


def programs(prefix, folder, about, output):
    package = folder / "lockstep"
    shutil.copytree(HERE / "lockstep", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(prefix / "bin", package / "bin")
    shutil.copytree(prefix / "include", package / "include")
    (package / "lib").mkdir()
    library = next(p for folder in ("lib", f"lib/{platform.machine()}-linux-gnu") for p in (prefix / folder).glob("liblockstep.so"))
    shutil.copy(library, package / "lib/liblockstep.so")
    own = [*(package / "bin").iterdir(), package / "lib/liblockstep.so"]
    libraries = {}
    for file in own:
        needed(file, libraries)
    licences = folder / f"lockstep-{about['version']}.dist-info/licenses"
    licences.mkdir(parents=True)
    shutil.copy(HERE.parents[1] / "LICENSE", licences / "LICENSE")
    listed = []
    for name, path in sorted(libraries.items()):
        shutil.copy(os.path.realpath(path), package / "lib" / name)
        of, text = licence_of(path)
        shutil.copy(text, licences / f"{of}.txt")
        listed.append(f"lockstep/lib/{name}: {of}.txt")
    (licences / "LIBRARIES").write_text("\n".join([*listed, ""]))
    for file in (package / "lib").iterdir():
        set_rpath(file, "$ORIGIN")
    scripts = folder / f"lockstep-{about['version']}.data/scripts"
    scripts.mkdir(parents=True)
    for file in (package / "bin").iterdir():
        set_rpath(file, "$ORIGIN/../lib")
        (scripts / file.name).write_text(SCRIPT)
        (scripts / file.name).chmod(0o755)
    if write_wheel("lockstep", about, folder, output) > MOST_BYTES:
        sys.exit(f"pack_wheel: expected at most {MOST_BYTES // 1_000_000} MB")


def cuda(library, folder, about, output):
    package = folder / "lockstep_cuda"
    package.mkdir()
    (package / "__init__.py").write_text('"""liblockstep_cuda.so, which the package lockstep finds here."""\n')
    run("strip", "-o", os.fspath(package / "liblockstep_cuda.so"), library)
    set_rpath(package / "liblockstep_cuda.so", "$ORIGIN/../lockstep/lib")  # finds the libraries in the other wheel
    same = {**about, "name": "lockstep-cuda", "description": "CUDA for the package lockstep",
            "dependencies": [f"lockstep=={about['version']}"], "optional-dependencies": {}}
    write_wheel("lockstep_cuda", same, folder, output)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--prefix", type=pathlib.Path)
    what.add_argument("--cuda")
    parser.add_argument("--output", required=True)
    given = parser.parse_args()
    about = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    with tempfile.TemporaryDirectory() as folder:
        if given.cuda:
            cuda(given.cuda, pathlib.Path(folder), about, given.output)
        else:
            programs(given.prefix, pathlib.Path(folder), about, given.output)


if __name__ == "__main__":
    main()
