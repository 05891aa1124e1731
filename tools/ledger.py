"""The ledger of numbers, docs/data/figures.txt: the origin of each number in the text of the pages.
tools/tables.py checks it.

    docs/guides/gpus.md                    a page; the lines below belong to it
      takes {} ms alone, {} with others    a piece of its text that occurs once; each {} is a number
        RUN PART: HOW COLUMN …             sources of the numbers, in turn (tools/figures.py); "each": one per row
      given: REGEX                         numbers not measured: sizes, options, definitions, claims of papers
      without: HEADING                     a section that is not checked

Lines that begin with # are comments. A blank in a piece matches a line break of the page, too. On a page in
the ledger, every number with a unit of time, rate or size, with %, × or "times", must be in one of these
pieces, be given, or have a comment of its own (tools/figures.py). Generated tables, code, headings and
addresses are not checked.
"""
import dataclasses
import re

import figures

NUMBER = rf"[−+]?{figures.NUMBER}"
UNIT = r"(?:[nµm]?s|seconds|minutes|hours|%|×(?! ?[\d(√])|times|[kMGT]?B|bytes|(?:[kMGT]?B|[kMGT](?: [a-z]+)?)/s)(?!\w)"
MEASURED = re.compile(rf"(?<![\w.,-]){NUMBER}(?:(?: to | and | or | for |[,;] |–){NUMBER})*\s?{UNIT}")  # "2 to 4 times" is two numbers
NOT_TEXT = re.compile(r"^```.*?^```$|<!-- table: .*?<!-- end of table -->[^\n]*|<!--.*?-->|`[^`\n]*`|^#[^\n]*|\]\([^)\s]*\)|<sub>.*?</sub>", re.DOTALL | re.MULTILINE)


@dataclasses.dataclass
class Page:
    """The entries of the ledger for a page; each entry has its line number in the ledger."""
    pieces: list = dataclasses.field(default_factory=list)  # (line, piece, [expression, …])
    given: list = dataclasses.field(default_factory=list)  # (line, regular expression)
    without: list = dataclasses.field(default_factory=list)  # (line, heading)


def read(file):
    """Returns the pages of a ledger: {name: Page}."""
    pages = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        indent, words = len(line) - len(line.lstrip()), line.strip()
        if not words or words.startswith("#"):
            continue
        if indent == 0:
            page = pages.setdefault(words, Page())
        elif indent == 4 and page.pieces:
            page.pieces[-1][2].append(words)
        elif indent != 2:
            raise ValueError(f"{file}:{number}: a page is indented by 0, what belongs to it by 2, an expression by 4: {line}")
        elif words.startswith("given: "):
            page.given.append((number, words.removeprefix("given: ")))
        elif words.startswith("without: "):
            page.without.append((number, words.removeprefix("without: ")))
        else:
            page.pieces.append((number, words, []))
    return pages


def places(regex, text):
    """Returns the matches of a regular expression in a text, in which a blank matches any white space."""
    return list(re.finditer(re.sub(r"(?:\\? )+", r"\\s+", regex), text))


def section(text, heading):
    """Returns the start and end of the section of this heading, including its subsections; None if there
    is none."""
    start = re.search(rf"^(#+) {re.escape(heading)}$", text, re.MULTILINE)
    end = start and re.search(rf"^#{{1,{len(start[1])}}} ", text[start.end():], re.MULTILINE)
    return start and (start.start(), start.end() + end.start() if end else len(text))


def found(text, piece, expressions, records_of):
    """Returns the numbers of a piece as [(start, end, number computed from the data)]."""
    matches = places(re.escape(piece).replace(r"\{\}", f"({NUMBER})"), text)
    if len(matches) != 1:
        raise ValueError(f"stands {len(matches)} times on the page, not once")
    spans = matches[0].regs[1:]
    values = [value for expression in expressions for value in figures.evaluated(expression, records_of)]
    if len(values) != len(spans) or not values:
        raise ValueError(f"{len(spans)} numbers, {len(values)} values")
    return [(start, end, figures.rounded(value, text[start:end])) for (start, end), value in zip(spans, values)]


def checked(text, page, records_of):
    """Returns the text with its numbers computed from the data, how many there are, and the errors, one
    per line."""
    numbers, wrong = [], []
    known = [match.span(3) for match in figures.MARK.finditer(text)]
    for line, piece, expressions in page.pieces:
        try:
            numbers += found(text, piece, expressions, records_of)
        except (ArithmeticError, KeyError, OSError, TypeError, ValueError) as error:
            wrong.append(f"figures.txt:{line}: {type(error).__name__}: {error}: {piece}")
    for line, heading in page.without:
        known.append(section(text, heading) or (0, 0))
        if known[-1] == (0, 0):
            wrong.append(f"figures.txt:{line}: no such section: {heading}")
    for line, regex in page.given:
        given = [match.span() for match in places(regex, text)]
        known += given
        if not given:
            wrong.append(f"figures.txt:{line}: not on the page: {regex}")
    known += [number[:2] for number in numbers]

    bare = NOT_TEXT.sub(lambda match: re.sub(r"[^\n]", "\0", match[0]), text)
    for match in MEASURED.finditer(bare):
        for number in re.finditer(NUMBER, match[0]):
            start = match.start() + number.start()
            if not any(a <= start < b for a, b in known):
                line = text.count("\n", 0, start) + 1
                wrong.append(f"line {line}: {number[0]} has no source: … {' '.join(text[max(0, start - 40):match.end()].split())} …")

    for start, end, number in sorted(numbers, reverse=True):
        text = text[:start] + number + text[end:]
    return text, len(numbers), wrong
