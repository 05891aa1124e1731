"""Figures in sentences, which are computed from the measurements in docs/data; tools/tables.py checks and
writes them.

    <!-- figure: RUN PART: HOW COLUMN [where …] [as %|as % more] -->1.17 times
    <!-- figure: RUN PART: HOW COLUMN of NAME=A/B over C/D by KEY, … [where …] [as %|as % more] -->1.37 times

The number behind the comment is computed from the data and rounded to the decimals that it shows. HOW is only
(one value), least, most, farthest (largest absolute value), median, geomean, sum, or "count" (of all values),
"count < 1.5", "count > 1.5" or "count > 0.95 < 1.05". "COLUMN of NAME=A/B over C/D" is one value per KEY: the
least COLUMN of the rows whose NAME is A or B, divided by the least of the rows whose NAME is C or D. "COLUMN
over COLUMN" is one ratio per row. Conditions have the form of a table's conditions. "as %" is 100 times the
value, "as % more" 100 times (the value - 1). Several of these expressions, or plain numbers, with " / "
between them are divided one by the next: "… / 1000". In the ledger (tools/ledger.py), "each" is one value per
row.
"""
import math
import re
import statistics

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
MARK = re.compile(rf"(<!-- figure: ((?:(?!-->).)*) -->)({NUMBER})", re.DOTALL)
SPEC = re.compile(r'(only|each|least|most|farthest|median|geomean|sum|count)((?: [<>] ?[\d.]+)*) (".+?"|.+?)(?: of (\S+?)=(.+?) over (.+?) by (.+?)| over (.+?))?( as % more| as %)?')
HOW = {"least": min, "most": max, "farthest": lambda values: max(map(abs, values)), "median": statistics.median, "sum": sum, "count": len,
       "geomean": lambda values: math.exp(sum(map(math.log, values)) / len(values))}
UNITS = {None: lambda value: value, " as %": lambda value: 100 * value, " as % more": lambda value: 100 * (value - 1)}


def ratios(records, column, name, above, below, keys):
    """Returns for each key the least of the rows `above` divided by the least of the rows `below`, if both
    exist."""
    found = {}
    for record in records:
        for side, wanted in enumerate((above, below)):
            if str(record[name]) in wanted.split("/") and record[column] is not None:
                found.setdefault(tuple(record[key] for key in keys), ([], []))[side].append(record[column])
    return [min(a) / min(b) for a, b in found.values() if a and b]


def values_of(records, spec):
    """Returns the values of a specification (without its conditions) for these rows: one value, or one per
    row for "each"."""
    match = SPEC.fullmatch(spec)
    if not match:
        raise ValueError(f"figure: {spec} is not understood; tools/figures.py describes the syntax")
    how, bounds, column, name, above, below, keys, divisor, unit = match.groups()
    column = column.strip('"')
    if name:
        values = ratios(records, column, name, above, below, keys.split(", "))
    elif divisor:
        divisor = divisor.strip('"')
        values = [record[column] / record[divisor] for record in records if record[column] is not None and record[divisor] is not None]
    else:
        values = [record[column] for record in records if record[column] is not None]
    for sign, bound in re.findall(r"([<>]) ?([\d.]+)", bounds):
        values = [value for value in values if (value < float(bound)) == (sign == "<")]
    if not values and how != "count" or how == "only" and len(values) != 1:
        raise ValueError(f"figure: {spec} gives {len(values)} values; expected one")
    return [UNITS[unit](value) for value in (values if how in ("only", "each") else [HOW[how](values)])]


def evaluated(expression, records_of):
    """Returns the values of an expression; records_of(runs, part, spec) returns the rows and the rest of a
    specification."""
    def term(text):
        if re.fullmatch(NUMBER, text):
            return [float(text)]
        match = re.fullmatch(r"(\S+) (\S+): (.*)", text)
        if not match:
            raise ValueError(f"figure: {text} is not RUN PART: HOW COLUMN …")
        return values_of(*records_of(*match.groups()))

    values, *divisors = map(term, re.split(r' / (?=(?:[^"]*"[^"]*")*[^"]*$)', " ".join(expression.split())))
    for divisor in divisors:
        divisor = divisor * len(values) if len(divisor) == 1 else divisor
        values = [a / b for a, b in zip(values, divisor, strict=True)]
    return values


def rounded(value, shown):
    """Returns the value formatted like the shown number: with its decimals, thousands separators and sign."""
    text = f"{abs(value):{',' if ',' in shown else ''}.{len(shown.partition('.')[2])}f}"
    return ("−" if value < 0 else "+" if shown[0] == "+" else "") + text


def checked(text, records_of):
    """Returns the text with its figures replaced by the values of the data, and the number of figures."""
    if re.search("^ {0,3}<!-- figure:", text, re.MULTILINE):
        raise ValueError("figure: at the beginning of a line, Markdown treats the whole line as HTML; put a word before it")

    def figure(match):
        mark, expression, shown = match.groups()
        values = evaluated(expression, records_of)
        if len(values) != 1:
            raise ValueError(f"figure: {expression} has {len(values)} values")
        return mark + rounded(values[0], shown)

    return MARK.subn(figure, text)
