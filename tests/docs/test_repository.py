#!/usr/bin/env python3
"""Tests the files for citation, changes, security, contributors and CI: they parse and have their
keys, they have one version, and the files that they name exist. Each check must find a planted
fault.

    test_repository.py REPOSITORY       exit code 77: there is no python3-yaml
"""
import pathlib
import re
import sys

try:
    import yaml
except ImportError:
    print("skipped: there is no yaml module (Debian's python3-yaml)")
    sys.exit(77)

ROOT = pathlib.Path(sys.argv[1])
KEYS = {
    "CITATION.cff": {"cff-version", "message", "title", "type", "version", "license", "authors"},
    ".pre-commit-config.yaml": {"repos", "default_install_hook_types"},
    ".github/workflows/ci.yml": {"name", "on", "jobs", "permissions"},
    ".github/ISSUE_TEMPLATE/defect.yml": {"name", "description", "body"},
    ".github/ISSUE_TEMPLATE/wish.yml": {"name", "description", "body"},
}
TEXTS = ["CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "Containerfile", ".editorconfig",
         ".dockerignore", ".github/pull_request_template.md"]
# A path of the repository: it begins with one of its folders, or is a file at its root.
PATH = re.compile(r"(?<![\w./-])(?:(?:tools|tests|docs|samples|formats|\.ci)/[\w./-]*\w"
                  r"|[A-Z_]+\.(?:md|cff)|LICENSE|Containerfile)")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
VERSION = {
    "CMakeLists.txt": r"project\(Lockstep VERSION (\S+)",
    "CITATION.cff": r"(?m)^version: (\S+)$",
    "CHANGELOG.md": r"(?m)^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$",
    "README.md": r"Version (\d+\.\d+\.\d+)\.",
    "tools/python/pyproject.toml": r'(?m)^version = "(.+)"$',
}


def find_faults(texts):
    """Returns a line for each fault in these files, which are given as {path: text}."""
    faults = []
    parsed = {}
    for path, keys in KEYS.items():
        try:
            parsed[path] = yaml.load(texts[path], Loader=yaml.BaseLoader)  # "on" stays a string
        except yaml.YAMLError as error:
            faults.append(f"{path}: {error}")
            continue
        found = set(parsed[path]) if isinstance(parsed[path], dict) else set()
        faults += [f"{path}: the key {key} is missing" for key in sorted(keys - found)]
    if faults:
        return faults

    versions = {}
    for path, pattern in VERSION.items():
        match = re.search(pattern, texts[path])
        versions[path] = match[1] if match else None
    if len(set(versions.values())) != 1 or None in versions.values():
        faults.append(f"the versions differ: {versions}")

    for path in [*KEYS, *TEXTS]:
        for name in set(PATH.findall(texts[path])):
            if not (ROOT / name).exists():
                faults.append(f"{path}: {name} does not exist")
        for name in LINK.findall(texts[path]):
            if not (ROOT / path).parent.joinpath(name).exists():
                faults.append(f"{path}: the target of the link {name} does not exist")

    for reference in parsed["CITATION.cff"].get("references", []):
        if not {"type", "title", "authors"} <= set(reference):
            faults.append(f"CITATION.cff: a reference lacks type, title or authors: {reference}")
    for form in (path for path in KEYS if "ISSUE_TEMPLATE" in path):
        for field in parsed[form]["body"]:
            if not {"type", "id", "attributes"} <= set(field) or "label" not in field["attributes"]:
                faults.append(f"{form}: a field lacks type, id or label: {field}")
    for repository in parsed[".pre-commit-config.yaml"]["repos"]:
        for hook in repository["hooks"]:
            complete = {"id", "name", "entry", "language"} <= set(hook)
            if repository["repo"] != "local" or not complete:
                faults.append(f".pre-commit-config.yaml: not a complete local hook: {hook}")
    steps = parsed[".github/workflows/ci.yml"]["jobs"]["checks"]["steps"]
    if ".ci/run" not in [step.get("run") for step in steps]:
        faults.append(".github/workflows/ci.yml: no step runs .ci/run")
    return faults


# (file, text in it, replacement, what the fault's line contains)
PLANTED = [
    ("CITATION.cff", "version: 0.1.0", "version: 0.1.1", "versions differ"),
    ("CHANGELOG.md", "## [0.1.0] - 2", "## 0.1.0 - 2", "versions differ"),
    ("CITATION.cff", "license:", "licence:", "the key license is missing"),
    ("CITATION.cff", "slides\n    title:", "slides\n    heading:", "a reference lacks"),
    ("CITATION.cff", "authors:\n", "authors: [\n", "CITATION.cff: while parsing"),
    ("Containerfile", "tools/quickstart.sh", "tools/quick.sh", "tools/quick.sh does not exist"),
    ("SECURITY.md", "(tools/c/lockstep.h)", "(../lockstep.h)", "the link ../lockstep.h"),
    ("CODE_OF_CONDUCT.md", "(SECURITY.md)", "(SAFETY.md)", "SAFETY.md does not exist"),
    (".github/workflows/ci.yml", "run: .ci/run", "run: .ci/walk", "no step runs .ci/run"),
    (".github/ISSUE_TEMPLATE/wish.yml", "id: task", "ids: task", "lacks type, id or label"),
    (".pre-commit-config.yaml", "repo: local", "repo: meta", "not a complete local hook"),
]


def main():
    texts = {path: (ROOT / path).read_text() for path in [*KEYS, *TEXTS, *VERSION]}
    faults = find_faults(texts)
    assert not faults, "\n".join(faults)
    for path, before, after, expected in PLANTED:
        assert before in texts[path], f"{path}: the text {before!r} for a planted fault is missing"
        found = find_faults({**texts, path: texts[path].replace(before, after, 1)})
        assert any(expected in fault for fault in found), f"{path}: {after!r} is not found: {found}"
    print(f"{len(KEYS) + len(TEXTS)} files, {len(PLANTED)} planted faults found")


if __name__ == "__main__":
    main()
