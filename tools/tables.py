#!/usr/bin/env python3
"""Makes the tables of README.md and docs/*.md from the measurements in docs/data/*.json.

    tools/tables.py [--bin FOLDER] [--update] [PAGE…]

A table stands between two comments:

    <!-- table: RUN PART: COLUMN, … -->                      those columns
    <!-- table: RUN PART: COLUMN, … | ACROSS, … | VALUE -->  a row for each of the first, a column for each ACROSS
    <!-- table: RUN PART: best -->                           the fastest strategy of each kind on each data set, as the table of strategies has them
                                                             (lockstep-execute of --bin, default: build/bin)
    <!-- end of table -->

RUN is a file of docs/data, without ".json" (A+B: of B what it has, else of A), PART one of its parts. A column with a comma in it stands in quotes;
"where COLUMN=VALUE/…" or "where COLUMN!=VALUE/…" behind takes some rows (* is any text); "bold least" marks the least of each row. Under the
table stands what the run says of its machine, revision and day. tools/bench.py writes such files and has their schema.

A number in a sentence is checked likewise where a comment stands before it, <!-- figure: … --> (tools/figures.py), or where it stands in the ledger
docs/data/figures.txt (tools/ledger.py).

Without --update nothing is written, and the exit code is 1 if a page does not agree with its data, or has a number without a source.
"""
import argparse
import difflib
import fnmatch
import json
import os
import pathlib
import re
import sys

import figures
import ledger
from measure.runner import strategies, text

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "docs/data"
MARK = re.compile(r"(<!-- table: (\S+) (\S+): (.*?) -->\n).*?(<!-- end of table -->)[^\n]*", re.DOTALL)
BIN = ROOT / "build/bin"


def table(titles, rows, best=None):
    """Returns the lines of a Markdown table with numbers aligned to the right; best: min or max, printed
    bold in each row."""
    def cells(row):
        numbers = [value for value in row[1:] if isinstance(value, (int, float))]
        bold = best(numbers) if best and numbers else None
        return [f"**{text(value)}**" if i and bold is not None and value == bold else text(value) for i, value in enumerate(row)]

    right = [any(isinstance(row[i], (int, float)) for row in rows) for i in range(len(titles))]
    lines = [titles, ["---:" if r else "---" for r in right], *map(cells, rows)]
    return ["| " + " | ".join(line) + " |" for line in lines]


def kinds():
    """Returns the strategies by the method that keeps their updates apart; each of our offline strategies
    has a column of its own. {title: names}"""
    found = {}
    for s in strategies(BIN):
        offline = f"`{s['name']}`" if s["source"] == "ours" else "supersteps of the paper"
        found.setdefault({"locks": "locks", "racing": "racing"}.get(s["policy"], offline), []).append(s["name"])
    return found


def best_of_kinds(records):
    """Returns for each data set the fastest measured strategy of each kind, with its time."""
    columns = kinds()
    rows = []
    for data in dict.fromkeys(record["data"] for record in records):
        times = {r["strategy"]: r["sweep ms"] for r in records if r["data"] == data and r["sweep ms"] is not None}
        row = [data]
        for names in columns.values():
            fastest = min((name for name in names if name in times), key=times.get, default=None)
            word = len(names) > 1 and fastest
            row.append(None if not fastest else f"{text(times[fastest])} `{fastest}`" if word else times[fastest])
        rows.append(row)
    measured = [0] + [i for i in range(1, len(columns) + 1) if any(row[i] is not None for row in rows)]
    titles = ["milliseconds a sweep", *columns]
    return table([titles[i] for i in measured], [[row[i] for i in measured] for row in rows])


def pivot(records, keys, across, value):
    records = [{**record, across: ", ".join(str(record[name]) for name in across)} for record in records]
    columns = list(dict.fromkeys(record[across] for record in records))
    rows = {}
    for record in records:
        row = rows.setdefault(tuple(record[key] for key in keys), {})
        row[record[across]] = row.get(record[across]) if record[value] is None else record[value]
    return columns, [[*key, *(row.get(column) for column in columns)] for key, row in rows.items()]


def origins(runs, part, page):
    """Returns the origin of the runs as HTML, since it is on the line of a comment."""
    return " <sub>" + "; ".join(origin(run, part, page) for run in runs.split("+")) + "</sub>"


def origin(run, part, page):
    data = json.loads((DATA / f"{run}.json").read_text())
    apart = data["parts"].get("origins", {"columns": [], "rows": []})
    said = next((dict(zip(apart["columns"], row)) for row in apart["rows"] if row[0] == part), data)
    revision = f"revision {said['revision']}" if said["revision"] else ""
    return ", ".join(filter(None, [said["device"], revision, said["date"]])) + f' (<a href="{os.path.relpath(DATA, page.parent)}/{run}.json">data</a>)'


def records_of(runs, part, spec):
    """Returns the rows to which a specification applies, and the specification without its conditions."""
    records = []
    for run in runs.split("+"):
        data = json.loads((DATA / f"{run}.json").read_text())["parts"][part]
        records += [dict(zip(data["columns"], row)) for row in data["rows"]]
    unit = re.search("( as %.*)?$", spec)[0]
    spec, *conditions = spec.removesuffix(unit).split(" where ")
    for condition in conditions:
        column, negated, wanted = re.fullmatch(r"(.*?)(!?)=(.*)", condition).groups()
        records = [record for record in records if any(fnmatch.fnmatchcase(str(record[column]), one) for one in wanted.split("/")) != bool(negated)]
    return records, spec + unit


def made(runs, part, spec):
    """Returns the lines between the two comments."""
    spec, _, best = spec.partition(" bold ")
    records, spec = records_of(runs, part, spec)
    fields = [[f.strip(' "') for f in re.findall(r'"[^"]*"|[^,"]+', field) if f.strip()] for field in spec.split("|")]
    names = fields[0]
    best = min if best == "least" else None
    if spec == "best":
        lines = best_of_kinds(records)
    elif len(fields) == 3:
        across, rows = pivot(records, names, tuple(fields[1]), fields[2][0])
        lines = table([*names, *map(str, across)], rows, best)
    else:
        lines = table(names, [[record[name] for name in names] for record in records], best)
    return "".join(line + "\n" for line in lines)


def main():
    global BIN
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=BIN)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    BIN = options.bin
    pages = ledger.read(DATA / "figures.txt") if (DATA / "figures.txt").exists() else {}
    different = count = numbers = faults = 0
    for name in pages:
        if not (ROOT / name).exists():
            faults += 1
            print(f"figures.txt: no such page: {name}")
    for page in options.pages or [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]:
        before = page.read_text()
        after, tables = MARK.subn(lambda m: m[1] + made(*m.group(2, 3, 4)) + m[5] + origins(*m.group(2, 3), page.resolve()), before)
        after, found = figures.checked(after, records_of)
        count, numbers = count + tables, numbers + found
        if known := pages.get(os.path.relpath(page.resolve(), ROOT)):
            after, found, wrong = ledger.checked(after, known, records_of)
            numbers, faults = numbers + found, faults + len(wrong)
            for fault in wrong:
                print(f"{page}: {fault}")
        if before != after:
            different += 1
            print(f"{page}: " + ("rewritten" if options.update else "does not match docs/data; run tools/tables.py --update"))
            print(*difflib.unified_diff(before.splitlines(), after.splitlines(), "page", "data", n=0, lineterm=""), sep="\n")
            if options.update:
                page.write_text(after)
    print(f"tables: {count}, figures: {numbers}, {different} pages differ, {faults} faults")
    return 1 if faults or different and not options.update else 0


if __name__ == "__main__":
    sys.exit(main())
