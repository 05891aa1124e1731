#!/usr/bin/env python3
"""The folders of the sources, and which includes which: no arrow that is not written here, none upwards, no cycle.

    tools/include_graph.py [--root FOLDER]

Prints a line a folder with those that its files include, lowest first. Exit code 1, and a line for each, where a file includes
a folder that it may not, another one's private src/, or what is not in the sources; and where a header does not begin with what it is.
"""
import argparse
import pathlib
import re
import sys

# The folders, lowest first. A folder may include the folders in its value, which all stand above it in this
# list.
ALLOWED = {
    "schedules": "",
    "formats": "schedules",
    "tools/cli": "schedules formats",
    "executor": "schedules",
    "executor/ranks": "executor",  # MPI
    "executor/device": "schedules executor",
    "executor/csr": "schedules executor executor/device",
    "executor/worklist": "schedules executor executor/device",
    # The families of walks form one layer.
    "executor/edge": "schedules executor executor/device executor/csr",
    # User-defined updates: an operator of two structs and a function.
    "executor/update": "schedules executor executor/device executor/edge",
    "executor/arc": "schedules executor executor/device executor/csr",
    "executor/frontier": "schedules executor executor/device executor/csr",
    "executor/structure": "schedules executor executor/device executor/csr executor/worklist",
    "executor/mesh": "schedules executor executor/device executor/csr executor/worklist",
    "executor/layout": "schedules executor executor/device executor/csr executor/edge executor/update",
    # Table of strategies, which names the walks.
    "executor/table": "schedules executor executor/edge executor/arc executor/frontier executor/structure executor/mesh executor/layout",
    "executor/insight": "schedules formats executor executor/edge",
    "executor/apps": "schedules formats executor executor/device executor/csr executor/edge executor/arc executor/frontier executor/structure",
    "executor/apps/frame": "schedules formats executor executor/device executor/csr executor/edge executor/arc executor/frontier executor/structure executor/worklist executor/insight executor/apps",
    "executor/apps/*": "schedules formats executor executor/device executor/csr executor/edge executor/arc executor/frontier executor/structure executor/worklist executor/mesh executor/layout executor/update executor/insight executor/apps executor/apps/frame",
    "executor/apps/als": "schedules formats executor executor/device executor/apps executor/apps/frame executor/apps/*",  # another solver of the models of sgd
    "executor/insight/measure": "schedules formats executor executor/device executor/edge executor/insight executor/apps executor/apps/*",
    "preprocess": "schedules formats tools/cli executor/insight",  # figures of a device, no CUDA
    # Execution of a run.
    "tools/execute": "schedules formats executor executor/ranks executor/device executor/insight executor/apps executor/apps/frame tools/cli",
    "tools/train": "tools/execute schedules formats executor executor/insight executor/apps executor/apps/* executor/apps/als executor/apps/frame tools/cli preprocess",
    "tools/report": "schedules formats tools/cli executor executor/insight",  # no CUDA
    "tools/predict": "schedules formats tools/cli",
    # A layer of its own, above the programs.
    "tools/c": "tools/execute schedules formats executor executor/device executor/insight executor/apps executor/apps/* executor/apps/als executor/apps/frame tools/cli tools/train tools/predict preprocess",
    "tools/*": "schedules formats executor/insight executor/insight/measure executor/apps executor/apps/* tools/cli",
}
PUBLIC = ["schedules/include", "formats/include", "executor/include", "executor", "preprocess", "tools/cli", "tools/execute", "tools/train", "tools/predict"]
TOP = ("schedules", "formats", "executor", "tools", "preprocess")
GENERATED = {"lockstep/formats/revision.hpp", *(f"lockstep/executor/{family}/walks.{kind}" for family in ("edge", "arc", "frontier") for kind in ("hpp", "cuh"))}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def folder_of(path):
    """Returns the folder to which a file belongs. The public headers and the sources of a library are one
    folder, and so are the files executor/apps/NAME.* of an application."""
    parts = list(path.parts[:-1])
    if parts[:4] == ["executor", "include", "lockstep", "executor"]:
        parts = ["executor", *parts[4:]]
    elif parts[:2] == ["executor", "src"]:
        parts = ["executor", *parts[2:]]
    if parts == ["executor", "apps"] and path.stem != "device":
        parts.append(path.stem)  # an application of one or two files
    if parts[:2] in (["executor", "apps"], ["executor", "insight"]):
        return "/".join(parts[:3])
    return "/".join(parts[:2] if parts[0] in ("executor", "tools") else parts[:1])


def kind_of(folder):
    """Returns the key of ALLOWED for a folder, or None."""
    if folder in ALLOWED:
        return folder
    parent = folder.rpartition("/")[0] + "/*"
    return parent if parent in ALLOWED else None


def resolve(root, file, name):
    own = [f"{file.parts[0]}/src", *[str(p) for p in file.parents]]
    for base in [str(file.parent), *own, *PUBLIC]:
        if (root / base / name).is_file():
            return (root / base / name).resolve().relative_to(root)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root.resolve()
    order, faults, graph = list(ALLOWED), [], {}
    for folder, allowed in ALLOWED.items():
        faults += [f"{folder}: {other} must not be below it" for other in allowed.split() if order.index(other) > order.index(folder)]
    for file in sorted(p.relative_to(root) for top in TOP for p in (root / top).rglob("*") if p.suffix in (".cpp", ".hpp", ".cu", ".cuh", ".in")):
        folder = folder_of(file)
        kind = kind_of(folder)
        if kind is None:
            faults.append(f"{file}: the folder {folder} has no line in tools/include_graph.py")
            continue
        includes = graph.setdefault(folder, set())
        text = (root / file).read_text()
        if file.suffix in (".hpp", ".cuh") and not text.startswith("// "):
            faults.append(f"{file}: does not begin with a comment that describes it")
        for name in INCLUDE.findall(text):
            target = resolve(root, file, name)
            if target is None:
                if name not in GENERATED and not name.endswith(".inc"):
                    faults.append(f"{file}: includes \"{name}\", which is not a source file")
                continue
            other = folder_of(target)
            if other == folder:
                continue
            includes.add(other)
            if kind_of(other) not in ALLOWED[kind].split():
                faults.append(f"{file}: {folder} must not include {other} (\"{name}\")")
            elif target.parts[1] == "src" and target.parts[0] != file.parts[0]:
                faults.append(f"{file}: includes \"{name}\", which is private to {target.parts[0]}")
    rank = lambda folder: (order.index(kind_of(folder)), folder)
    for folder in sorted(graph, key=rank):
        print(f"{folder}: {' '.join(sorted(graph[folder], key=lambda f: rank(f) if kind_of(f) else (99, f)))}".rstrip())
    for fault in faults:
        print(f"tools/include_graph.py: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
