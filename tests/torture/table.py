#!/usr/bin/env python3
"""Adds up the lines of JSON that classes of tools/torture.sh print, and prints a table.

Exit code 7: there are failures.

    tests/torture/table.py LINES… [--json FILE --device TEXT --revision WORD --date DAY --hours CLASS=CORE_HOURS …]

--json adds the sums to FILE, which has the schema of docs/data. docs/development/reliability.md shows its
table (tools/tables.py).
"""
import argparse
import json
import os
import sys

COUNTS = ("tried", "refused", "identical", "other", "library", "failures")


def add_up(lines):
    """Returns {class: counts}, in the order of the lines."""
    rows = {}
    for line in lines:
        row = rows.setdefault(line["class"], dict.fromkeys(COUNTS, 0))
        for name in COUNTS:
            row[name] += line.get(name, 0)
        if "note" in line:
            row["note"] = line["note"]
    return rows


def show(rows):
    width = max(map(len, rows), default=5)
    print("class".ljust(width), *(name.rjust(9) for name in COUNTS))
    for name, row in rows.items():
        print(name.ljust(width), *(f"{row[c]:9,}" for c in COUNTS), " " + row["note"] if "note" in row else "")


def save(path, head, parts):
    """Writes a file of docs/data, one row per line."""
    texts = []
    for name, part in parts.items():
        rows = ",\n    ".join(json.dumps(row) for row in part["rows"])
        texts.append(f'\n  "{name}": {{"columns": {json.dumps(part["columns"])},\n   "rows": [\n    {rows}]}}')
    with open(path, "w") as file:
        file.write(json.dumps(head, indent=1)[:-2] + ',\n "parts": {' + ",".join(texts) + "}}\n")


def write(path, rows, options):
    """Adds to the parts "classes" (counts) and "hours" (core hours by class) of a file of docs/data."""
    old, hours, parts = {}, {}, {}
    if os.path.exists(path):
        with open(path) as file:
            parts = json.load(file)["parts"]
        old = {row[0]: dict(zip(COUNTS, row[1:])) for row in parts["classes"]["rows"] if row[0] != "all"}
        hours = dict(parts["hours"]["rows"])
    for name, row in rows.items():
        if row["tried"]:
            before = old.setdefault(name, dict.fromkeys(COUNTS, 0))
            old[name] = {c: before[c] + row[c] for c in COUNTS}
    for word in options.hours:
        name, value = word.rsplit("=", 1)
        hours[name] = round(hours.get(name, 0) + float(value), 3)
    old["all"] = {c: sum(row[c] for row in old.values()) for c in COUNTS}
    parts["classes"] = {"columns": ["class", *COUNTS], "rows": [[name, *row.values()] for name, row in old.items()]}
    parts["hours"] = {"columns": ["class", "core hours"], "rows": [list(pair) for pair in hours.items()]}
    save(path, {"about": "tools/torture.sh: what was tried, and what came of it", "device": options.device, "revision": options.revision,
                "date": options.date}, parts)


def main():
    parser = argparse.ArgumentParser(description="Adds up what the classes of tools/torture.sh print.")
    parser.add_argument("lines", nargs="+")
    parser.add_argument("--json")
    parser.add_argument("--hours", nargs="*", default=[])
    for name in ("device", "revision", "date"):
        parser.add_argument("--" + name, default="")
    given = parser.parse_args()
    found = []
    for name in given.lines:
        with open(name) as file:
            found += [json.loads(line) for line in file]
    table = add_up(found)
    if given.json:
        write(given.json, table, given)
    table["all"] = {c: sum(row[c] for row in table.values()) for c in COUNTS}
    show(table)
    sys.exit(7 if table["all"]["failures"] else 0)


if __name__ == "__main__":
    main()
