#!/usr/bin/env python3
"""Finds comments that a reader who does not know the code cannot understand.

    tools/wording.py --since REVISION     comments on lines that changed since then
    tools/wording.py FILE...              all comments of these files

Each finding names the file and the line, shows the comment, and explains the rule that it breaks.
CONTRIBUTING.md has the rules. Exit code: 0 nothing found, 1 findings.
"""
import argparse
import pathlib
import re
import subprocess
import sys

COUNTED = ("vertex|edge|row|column|line|block|tile|thread|warp|task|round|sweep|arc|star|group|bin|"
           "device|GPU|user|item|triangle|process|lane|phase|side|region|list|word|piece|step|"
           "second")
JOINING = ("by|of|in|into|to|for|with|from|at|on|as|or|and|per|is|are|has|like|over|than|after|"
           "before|if|when|without")
# "a thread a vertex", "8 bytes an edge"; but not "a warp takes a tile".
PER = (rf".*\b((a|an|one) (?!\w*s\b)|(two|three|four|\d+) )(?!({JOINING}) )[a-z-]+ an? "
       rf"({COUNTED})\b")
RULES = [
    (re.compile(r"(of|that|which|whose|where|what|who)\b", re.I),
     "begins without its noun: name the thing first (\"number of arcs\", \"Returns the …\")"),
    (re.compile(r"(by|behind|from|to)( [^\s,:]+){1,7}$", re.I),
     "begins with a preposition: begin with the subject or a verb (\"Copies … to …\")"),
    (re.compile(r"(the same([.,;:]|$| (for|by|of|with)\b)|likewise\b)", re.I),
     "refers to something that is not here: repeat the noun"),
    (re.compile(PER, re.I),
     "\"a thread a vertex\": write \"one thread per vertex\""),
    (re.compile(r".*\b((so many|so often)(?!.* that)|but one|anew|beside|in vain)\b", re.I),
     "a private expression: write the number, \"each time\", \"all but one\" in full, \"again\", "
     "\"next to\", \"unsuccessfully\""),
    (re.compile(r".*\bwhat (is|are|it|they|one|was|has|lies|stands|no|others?)\b", re.I),
     "\"what …\" hides a noun: index, size, offset, count, capacity, result"),
    (re.compile(r".*\b(told|says?|said|wants|asked)\b", re.I),
     "programs and data do not speak: they print, return, require, contain or store"),
]
CODE = re.compile(r"`[^`]*`|\w+(\.\w+)*\(\)|\"[^\"]*\"")
SLASHES = re.compile(r"(?P<code>.*?)(?<![:\"'])//[/!]?<? ?(?P<text>.*)")
HASHES = re.compile(r"(?P<code>.*?)(?:(?<=\s)|^)#(?!!) ?(?P<text>.*)")
MARKS = {suffix: SLASHES for suffix in (".cpp", ".hpp", ".cu", ".cuh", ".c", ".h")}
MARKS |= {suffix: HASHES for suffix in (".py", ".sh", ".cmake")}


def mark_of(path):
    """Returns the pattern of a comment of a file; None for files that are not checked."""
    return HASHES if path.name == "CMakeLists.txt" else MARKS.get(path.suffix)


def comments_of(lines, mark):
    """Yields (first line, last line, text) of each comment. Full lines that follow one another are
    one comment."""
    first, texts = 0, []
    for number, line in enumerate([*lines, ""], 1):
        found = mark.fullmatch(line)
        alone = found and not found["code"].strip()
        if texts and not alone:
            yield first, number - 1, " ".join(texts)
            texts = []
        if alone:
            first = first if texts else number
            is_code = found["text"].startswith("   ")  # an example
            texts.append("" if is_code else found["text"].strip())
        elif found and not found["code"].count('"') % 2:
            yield number, number, found["text"].strip()


def findings(path, changed=None):
    """Yields the findings of a file, or only those in comments with a line in `changed`."""
    path = pathlib.Path(path)
    mark = mark_of(path)
    if not mark or not path.is_file():
        return
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for first, last, text in comments_of(lines, mark):
        if changed is not None and changed.isdisjoint(range(first, last + 1)):
            continue
        text = CODE.sub("x", text)
        if not re.search("[A-Za-z]{2}", text):
            continue
        for pattern, why in RULES:
            if pattern.match(text):
                yield f"{path}:{first}: \"{text[:100]}\": {why}"


def changes_since(revision):
    """Returns the numbers of the lines that were added since a revision, by file."""
    text = subprocess.run(["git", "diff", "-U0", "--no-color", "--no-prefix", revision, "--"],
                          check=True, stdout=subprocess.PIPE, text=True, errors="replace").stdout
    changes, path = {}, None
    for line in text.splitlines():
        if line.startswith("+++ "):
            path = line[4:]
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            begin, count = int(hunk[1]), int(hunk[2] or 1)
            changes.setdefault(path, set()).update(range(begin, begin + count))
    return changes


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--since", metavar="REVISION")
    options = parser.parse_args()
    found = [finding for path in options.files for finding in findings(path)]
    if options.since:
        for path, lines in changes_since(options.since).items():
            found += findings(path, lines)
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
