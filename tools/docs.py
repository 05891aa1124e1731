#!/usr/bin/env python3
"""Runs the console blocks of all pages, compares what comes out with what stands there, and follows their links.

    tools/docs.py [--bin build/bin] [--data ../shared/data] [--update] [PAGE…]

A console block is a fenced block with lines that begin with "$ " (a command; "> " continues it); what follows a
command is its whole output, stdout and stderr. A line "…" stands for any lines. The blocks of a page run in
order, in one shell, in a temporary folder that has the clone's samples/ and tools/ and the build folder as build/;
the programs are on the PATH, HOME is that folder, and no GPU is seen. A command that fails is a difference.

Everything must match to the letter, but for spaces between columns and at the end, and for what depends on the machine:
  - numbers before a unit of time, rate or memory (12.5 ms, 94.2 M updates/s, 97.8 MB), and revisions;
  - cells under the titles of times (ms, time, total, × …, pays vs …, vs …, updates/s), whose numbers these are;
  - RMSE and passes in a row that says "no" under "deterministic";
  - the report's verdicts, which follow from times (Fastest …, First schedule to pay …, No schedule pays …).

A comment in front of a fenced block says what else it is:
  <!-- docs: needs NAME … -->     run only where each NAME is a file of --data (copied to the folder), a program,
                                  or a package of Debian with a Python module (python3-numpy)
  <!-- docs: not run: REASON -->  never run
  <!-- docs: file NAME -->        not a console block: its content goes to the file NAME of the folder

A link to a file must lead to one that exists, and its anchor to a heading of that page (or of this one).

--update rewrites the blocks of the pages that differ, times included. Exit code: 0 all match, 1 otherwise.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANY = "…"

MARK = re.compile(r"<!-- docs: (needs|not run:|file) (.*?) -->")
UNITS = re.compile(r"\d[\d,.]*(?: ?(?:ns|µs|ms|s|min|h|[kMGT]?i?B(?:/s)?)| ?[kMG]? ?(?:updates|edges|springs|terms)/s)(?![\w/])")
PROCESSOR = re.compile(r"on cpu \(.*?\)(?=,|$)")
REVISION = re.compile(r"revision \w+(-dirty)?")
VERDICT = re.compile(r"(Fastest (online|offline|unsynchronized)|First schedule to pay|No schedule pays)\b")
TIMED = re.compile(r"(\bms\b|\btime\b|^total$|^× |^pays vs |^vs |updates/s)")
RACED = re.compile(r"^(RMSE .*|passes)$")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PAGES = ["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/*/*.md", "formats/*.md", "samples/*.md"]


@dataclass
class Command:
    text: str
    expected: list[str] = field(default_factory=list)
    actual: list[str] = field(default_factory=list)
    code: int | None = None


@dataclass
class Block:
    first: int  # index of the line behind the opening fence, counted from 0
    lines: list[str]
    mark: str = ""
    argument: str = ""

    def commands(self):
        found = []
        for line in self.lines:
            if line.startswith("$ "):
                found.append(Command(line[2:]))
            elif line.startswith("> ") and found and not found[-1].expected:
                found[-1].text += "\n" + line[2:]
            elif found:
                found[-1].expected.append(line)
        return found

    def skip_reason(self, data):
        if self.mark == "not run:":
            return self.argument
        if self.mark == "needs":
            for name in self.argument.split():
                if not (data / name).exists() and not shutil.which(name) and not is_module(name):
                    return f"{name} was not found"
        return None


def is_module(name):
    """Returns true if `name` is the Debian package of a module that Debian's Python can import, such as
    python3-numpy."""
    python = shutil.which("/usr/bin/python3") if name.startswith("python3-") else None
    return python and subprocess.run([python, "-c", "import " + name[8:]], stderr=subprocess.DEVNULL).returncode == 0


def blocks_of(text):
    lines, found, mark = text.split("\n"), [], ("", "")
    at = 0
    while at < len(lines):
        if match := MARK.fullmatch(lines[at].strip()):
            mark = match.groups()
        elif lines[at].startswith("```"):
            end = next(i for i in range(at + 1, len(lines)) if lines[i].startswith("```"))
            block = Block(at + 1, lines[at + 1:end], *mark)
            if block.mark == "file" or any(line.startswith("$ ") for line in block.lines):
                found.append(block)
            mark, at = ("", ""), end
        at += 1
    return found


def masked(lines):
    """Returns the lines in the form in which they are compared: tuples of cells without the parts that
    depend on the machine."""
    result, header = [], []
    for line in lines:
        cells = re.split(r"\s{2,}", line.strip())
        if VERDICT.match(line):
            result.append(("verdict",))
            continue
        if len(cells) > 2 and any(TIMED.search(cell) for cell in cells) and not re.search(r"\d", cells[1]):
            header = cells
            cells = [re.sub(r"vs \S+", "vs", cell) for cell in cells]
        elif len(cells) == len(header):
            racing = "deterministic" in header and cells[header.index("deterministic")] == "no"
            cells = ["*" if TIMED.search(title) or (racing and RACED.match(title)) else cell
                     for title, cell in zip(header, cells)]
        elif not line.strip():
            header = []
        text = [PROCESSOR.sub("on cpu", REVISION.sub("revision *", UNITS.sub("*", cell))) for cell in cells]
        result.append(tuple("─" if set(cell) <= set("─-") else cell for cell in text if cell))
    return result


def aligned(expected, actual, key):
    """Returns `expected` with its lines replaced by those of `actual`, or None if their keys do not match."""
    wanted, given = key(expected), key(actual)
    parts, start = [], 0
    for i in [i for i, line in enumerate(expected) if line == ANY] + [len(expected)]:
        parts.append(wanted[start:i])
        start = i + 1
    result, at = [], 0
    for number, part in enumerate(parts):
        last = len(given) - len(part)
        places = range(at, last + 1)
        if number == 0:
            places = [0] if last >= 0 and (len(parts) > 1 or last == 0) else []
        elif number == len(parts) - 1:
            places = [last] if last >= at else []
        place = next((p for p in places if given[p:p + len(part)] == part), None)
        if place is None:
            return None
        result += ([ANY] if number else []) + actual[place:place + len(part)]
        at = place + len(part)
    return result


def words(lines):
    return [re.sub(r"[^a-zA-Z]+", " ", re.sub(r"\b[0-9a-f]{32}\b", "", line)) for line in lines]


def run(commands, folder, environment):
    """Runs all commands in one shell. A marker line with index and exit code ends the output of each
    command."""
    script = "".join(f"{c.text}\nprintf '\\001%d %d\\001\\n' {i} $?\n" for i, c in enumerate(commands))
    output = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace").stdout
    at = 0
    for match in re.finditer(r"\001(\d+) (\d+)\001\n", output):
        command = commands[int(match[1])]
        command.code = int(match[2])
        command.actual = [line.rstrip() for line in output[at:match.start()].rstrip().splitlines()]
        at = match.end()


def check(page, options):
    """Runs the blocks of a page. Returns the differences as text, and the page with the actual output."""
    text = page.read_text()
    lines, differences, live = text.split("\n"), [], []
    with tempfile.TemporaryDirectory(prefix="lockstep-docs-") as name:
        folder = pathlib.Path(name)
        for link, target in (("samples", ROOT / "samples"), ("tools", ROOT / "tools"), ("build", options.bin.parent)):
            (folder / link).symlink_to(target)
        environment = {**os.environ, "PATH": f"{options.bin}:{os.environ['PATH']}", "HOME": name, "LC_ALL": "C.UTF-8",
                       "LOCKSTEP_CACHE": f"{name}/cache", "CUDA_VISIBLE_DEVICES": ""}
        for block in blocks_of(text):
            where = f"{page.name}:{block.first}"
            if block.mark == "file":
                (folder / block.argument).parent.mkdir(parents=True, exist_ok=True)
                (folder / block.argument).write_text("\n".join(block.lines) + "\n")
            elif reason := block.skip_reason(options.data):
                print(f"{where}: skipped: {reason}")
                options.skipped += 1
            else:
                for name in block.argument.split():
                    if (options.data / name).exists():
                        shutil.copy(options.data / name, folder)
                live.append((where, block, block.commands()))
        run([command for _, _, commands in live for command in commands], folder, environment)
    for where, block, commands in reversed(live):  # from the end, so that the line numbers above stay valid
        fresh = []
        for command in commands:
            fits = aligned(command.expected, command.actual, masked)
            if fits is None or command.code != 0:
                differences.append(f"{where}: $ {command.text}\n" + f"exit code {command.code}\n" * (command.code != 0)
                                   + "the page has\n" + "".join(f"  {line}\n" for line in command.expected)
                                   + "it prints\n" + "".join(f"  {line}\n" for line in command.actual))
            fresh += [("$ " + command.text).replace("\n", "\n> ")]
            fresh += fits or aligned(command.expected, command.actual, words) or command.actual
        lines[block.first:block.first + len(block.lines)] = fresh
    options.run += len(live)
    return differences[::-1], "\n".join(lines)


def anchors(page):
    """Returns the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ +(.*)$", FENCED.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page):
    broken = []
    for target, anchor in LINK.findall(re.sub(r"`[^`]*`", "", FENCED.sub("", page.read_text()))):
        file = page.parent / target if target else page
        if not file.exists():
            broken.append(f"{page.name}: link to {target}, which does not exist\n")
        elif anchor and anchor not in anchors(file):
            broken.append(f"{page.name}: link to {target}#{anchor}: no such heading\n")
    return broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "../shared/data")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    options.bin, options.data = options.bin.resolve(), options.data.resolve()
    options.run = options.skipped = found = lost = 0
    for page in options.pages or [page for pages in PAGES for page in sorted(ROOT.glob(pages))]:
        differences, fresh = check(page, options)
        broken = broken_links(page)
        found += len(differences)
        lost += len(broken)
        print("".join(differences + broken), end="")
        if differences and options.update:
            page.write_text(fresh)
            print(f"{page}: rewritten")
    print(f"docs: {options.run} blocks run, {options.skipped} skipped, {found} commands differ, {lost} links broken")
    return 1 if lost or (found and not options.update) else 0


if __name__ == "__main__":
    sys.exit(main())
