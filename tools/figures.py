"""Figures in sentences, of the measurements in docs/data; tools/tables.py checks and writes them.

    <!-- figure: RUN PART: HOW COLUMN [where …] [as %|as % more] -->1.17 times
    <!-- figure: RUN PART: HOW COLUMN of NAME=A/B over C/D by KEY, … [where …] [as %|as % more] -->1.37 times

The number behind the comment is the data's, rounded to the places that it shows. HOW is only (one value), least, most, median, geomean, sum, or
"count" (of all), "count < 1.5" or "count > 1.5" of them; NAME=A/B over C/D is, for each KEY, the least COLUMN of the rows whose NAME is A or B
over the least of those where it is C or D. Conditions are those of a table. "as %" is 100 times the value, "as % more" 100 times what it is above 1.
"""
import math
import re
import statistics

MARK = re.compile(r"(<!-- figure: (\S+) (\S+): ((?:(?!-->).)*) -->)(\d+(?:,\d{3})*(?:\.\d+)?)", re.DOTALL)
SPEC = re.compile(r"(only|least|most|median|geomean|sum|count)(?: ([<>]) ?([\d.]+))? (.+?)(?: of (\S+?)=(.+?) over (.+?) by (.+?))?( as % more| as %)?")
HOW = {"least": min, "most": max, "median": statistics.median, "sum": sum, "count": len,
       "geomean": lambda values: math.exp(sum(map(math.log, values)) / len(values))}


def ratios(records, column, name, above, below, keys):
    """For each key the least of some rows over the least of others, where both are there."""
    found = {}
    for record in records:
        for side, wanted in enumerate((above, below)):
            if str(record[name]) in wanted.split("/") and record[column] is not None:
                found.setdefault(tuple(record[key] for key in keys), ([], []))[side].append(record[column])
    return [min(a) / min(b) for a, b in found.values() if a and b]


def value_of(records, spec):
    """What a specification without its conditions says of these rows."""
    match = SPEC.fullmatch(spec)
    if not match:
        raise ValueError(f"figure: {spec} is not understood; tools/figures.py says what is")
    how, sign, bound, column, name, above, below, keys, unit = match.groups()
    column = column.strip('"')
    if name:
        values = ratios(records, column, name, above, below, keys.split(", "))
    else:
        values = [record[column] for record in records if record[column] is not None]
    if sign:
        values = [value for value in values if (value < float(bound)) == (sign == "<")]
    if not values and how != "count" or how == "only" and len(values) != 1:
        raise ValueError(f"figure: {spec} is of {len(values)} values")
    value = values[0] if how == "only" else HOW[how](values)
    return {None: value, " as %": 100 * value, " as % more": 100 * (value - 1)}[unit]


def checked(text, records_of):
    """The text with its figures as records_of(runs, part, spec) -> rows, the rest of the spec has them; and how many there are."""
    if re.search("^ {0,3}<!-- figure:", text, re.MULTILINE):
        raise ValueError("figure: at the beginning of a line Markdown takes the whole line for HTML; put a word before it")

    def figure(match):
        mark, run, part, spec, shown = match.groups()
        places = len(shown.partition(".")[2])
        return f"{mark}{value_of(*records_of(run, part, ' '.join(spec.split()))):{',' if ',' in shown else ''}.{places}f}"

    return MARK.subn(figure, text)
