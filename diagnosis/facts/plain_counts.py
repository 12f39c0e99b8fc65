"""How far work went that nothing known counts: a number of whatever name that grows evenly, or what is said to be
done.

`Current perturbation = 199`, `20,239.3,1.05,0.61`, `trace is:26-forward`, `Processed instances 60`. Asked last of all:
neither a bar nor a step, an epoch or a total was found.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, islice, pairwise
from operator import itemgetter
from statistics import median

from logtui.diagnosis.facts.shown_ends import of_program
from logtui.diagnosis.facts.stamped import parted
from logtui.parsers.regex import regex

LEAST = 6
"""Different numbers of one sentence that show that it counts."""
EVEN = 0.8
"""Of the steps by which it grows so many are alike."""
_OF_SOURCE = ("- ", ":", "line ", "[")
"""Behind which a line of the program's source may be numbered."""
LABEL = 16
"""Characters before a number that say what it is of."""
PLACES, SHOWN, MOST = 4, 60, 1_000_000
"""Numbers of a line that are asked, characters by which its sentence is known again, and the largest that counts."""
_WARNED = regex(r"\S{1,300}\.py:\d{1,6}: \w{0,40}Warning\b")
"""Python's own warning, which numbers the program's lines."""
WORD = 4
"""Characters before a number by which lines are known again that say other things behind it: `Rust/57 sum: passed`."""
NEAR_END = 40
"""Lines at the end in which it is said what was done."""
_NUMBER = regex(r"^\d{1,9}(?=,\d)|(?<![\w.-])\d{1,9}(?![\w.%]| percent\b|,\d{3}\b)")
_DIGITS = regex(r"\d[\d.,]*")
_CLOCK = regex(r"(?<![A-SU-Za-z_\d:.])\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?![\w:])")
"""A time of day, whose minutes grow evenly too."""
_LEADING = regex(r"^\W{0,4}[\[(](\d{1,7}) ?/ ?(\d{1,7})[\])]:? ?[A-Za-z]")
_NO_COUNT = regex(
    r"load|download|rank|node\b|gpu|worker|proc(?:ess)?\b|port|pid|layer|param|cache|token|memory|sleep|wait|retr|attempt"
    r"|shard|frame #|defer|class\b|topic|seed[:=]|message|severity|level|futex|\bvm #|output #|^ {0,60}\($|\w\($",
    re.I,
)
"""What is numbered, set, a state, or comes before the work; a part of a model that is printed, `  (5): Linear(`."""
_THINGS = (
    r"(?:samples?|examples?|images?|instances?|sentences?|questions?|prompts?|files?|documents?|rows?|configurations?|sequences?"
    r"|frames?|episodes?|games?|batch(?:es)?|items?|records?|queries|pairs?|utterances?|molecules?|tasks?|videos?|chunks?|features?)"
)
_DONE = regex(
    r"\b(?:done|finished|completed?|processed|saved|evaluated|generated|wrote|scored|decoded|written|built|build(?= \d)"
    r"|converted|extracted)\b|完成|保存|処理",
    re.I,
)
_AMOUNT = regex(
    rf"(?<![\w.-])(\d{{1,9}}) {_THINGS}\b|\b{_THINGS}\W{{1,4}}(\d{{1,9}})(?![\w.%])|数量?\W{{0,3}}(\d{{1,9}})", re.I
)


_TOTAL_DONE = regex(
    rf"(?i)\btotal (?:number of )?(?:\w{{1,20}} ){{0,2}}{_THINGS} "
    r"(?:done|processed|completed?|evaluated|generated)\W{1,4}(\d{1,9})(?![\w.%])"
)
ROWS, CELLS, NEAR_ROWS = 24, 3, 8
"""Rows that are enough, their cells, and lines at the very end of which one is a row."""
_LOSS = regex(r"(\d{1,9}): \d{1,6}\.\d{3,20}(?:e-\d{1,3})?\s*$")
"""`79990: 0.0064`, as trainers of diffusion models write it."""
_CELL = regex(r"[-+]?\d{1,15}(?:\.\d{0,20})?(?:[eEdD][-+]?\d{1,3})?|[Nn]a[Nn]")


_HEAD = regex(r"(?i)^(?=.{0,80}\bepochs?\b)[^\n]{0,160}[A-Za-z][^\n]{0,40}$")
"""Of a table with an epoch in each row."""
FEW_ROWS = 3
_COLUMNS = regex(r" {0,40}[|\t] {0,40}| {2,40}")
"""What stands between two cells."""


_RULED = regex(r"^\W{0,4}([-=*#~_])\1{2,40} {0,4}(?P<n>\d{1,6}) {0,4}\1{3,42}\s*$")
"""A number that stands alone within a rule: `-----57------`."""
SEVERAL = 3
"""Rules that count on."""


def _ruled(end: Sequence[str]) -> int | None:
    """The last of some numbers that head what is said below them, each one more than the one before."""
    heads = [(at, int(m["n"])) for at, text in enumerate(end) if (m := _RULED.match(text))]
    last = [n for at, n in heads if any(text.strip() for text in end[at + 1 :])][-SEVERAL:]
    counts = len(last) == SEVERAL and all(b - a == 1 for a, b in pairwise(last))
    return last[-1] if counts else None


def plain_count(end: Sequence[str]) -> int | None:
    """What is said to be done in all; else the last number of the sentence that counts nearest to the end, whatever it
    counts; None where none grows."""
    if totals := [int(m[1]) for text in end[-NEAR_END:] if (m := _TOTAL_DONE.search(text))]:
        return totals[-1]
    if (ruled := _ruled(end)) is not None:
        return ruled
    sentences: defaultdict[str, list[tuple[int, ...]]] = defaultdict(list)
    begun: defaultdict[str, list[tuple[int, ...]]] = defaultdict(list)
    for at, text in enumerate(end):
        said = _behind_stamp(of_program(text))
        if _WARNED.match(said):
            continue
        found = [m for m in _NUMBER.finditer(said) if not _NO_COUNT.search(said[max(0, m.start() - LABEL) : m.start()])]
        if not found:
            continue
        sentences[_DIGITS.sub("0", said)[:SHOWN]].append((at, *(int(m[0]) for m in found[:PLACES])))
        words = _DIGITS.sub("0", said[: found[0].start()])
        if len(words) >= WORD and not words.endswith(_OF_SOURCE):
            begun[words].append((at, int(found[0][0])))
    told = [
        (rows[-1][0], n)
        for some in (begun, sentences)
        for rows in some.values()
        if (n := _counter_of(rows)) is not None
    ]
    return max(told, key=itemgetter(0), default=(0, None))[1]


def amount_done(end: Sequence[str]) -> int | None:
    """How many things the last lines say were done; None where they do not."""
    told = (m for text in reversed(end[-NEAR_END:]) if _DONE.search(text) and (m := _AMOUNT.search(text)))
    last = next(told, None)
    return int(last[last.lastindex or 0]) if last else None


def bare_rows(end: Sequence[str]) -> int | None:
    """The first number of the last of many rows without a name that stand at the end, if it grows evenly, by more than
    one, as the numbers of what came out do; else None."""
    if (step := _losses_alone(end)) is not None:
        return step
    if not any(map(_is_row, map(str.split, end[-NEAR_ROWS:]))):
        return None
    last = [*islice(filter(_is_row, map(str.split, reversed(end))), ROWS)][::-1]
    if len(last) < ROWS or len({*map(len, last)}) > 1:
        return None
    steps = {int(after[0]) - int(before[0]) for before, after in pairwise(last)}
    return int(last[-1][0]) if len(steps) == 1 and min(steps) > 1 else None


def _losses_alone(end: Sequence[str]) -> int | None:
    """The last step of those that say nothing but their number and their loss, several times where they have parts;
    None where the last lines are no such."""
    if not any(map(_LOSS.match, end[-NEAR_ROWS:])):
        return None
    told = (int(found[1]) for text in reversed(end) if (found := _LOSS.match(text)))
    steps = [step for step, _ in islice(groupby(told), ROWS)]
    return steps[0] if len(steps) == ROWS and len({a - b for a, b in pairwise(steps)}) == 1 else None


def epoch_table(end: Sequence[str]) -> int | None:
    """The last epoch of a table whose head names one, of whatever form its numbers are; None where it shows none."""
    head = next((n for n in range(len(end) - 1, -1, -1) if _HEAD.search(end[n])), None)
    if head is None:
        return None
    texts = _within_frame(end, head)
    below = [text if _COLUMNS.split(text)[0].isdecimal() else _behind_stamp(text).strip() for text in texts]
    below = [text for text in below if any(c.isalnum() for c in text)]
    return _counted_first(_behind_stamp(end[head]), below) or _counted_by_one([text.split() for text in below])


def _within_frame(end: Sequence[str], head: int) -> Iterator[str]:
    """The lines below a table's head, up to the rule that closes it where bars begin its rows."""
    framed, rows = end[head].lstrip().startswith("|"), 0
    for text in map(str.strip, end[head + 1 :]):
        if framed and rows and text.startswith("+-"):
            return
        rows += framed and text.startswith("| ")
        yield text


def _counted_first(head: str, below: Sequence[str]) -> int | None:
    """The number with which the last row begins, where the first column is that of the epochs."""
    names = [cell.strip(" |-") for cell in _COLUMNS.split(head.strip(" |-"))]
    first = [_COLUMNS.split(text.strip(" |"))[0].strip() for text in below[-NEAR_ROWS:]]
    named = len(names) >= CELLS and names[0].lower().startswith("epoch")
    return int(first[-1]) if named and first and all(cell.isdecimal() for cell in first) else None


def _counted_by_one(rows: Sequence[Sequence[str]]) -> int | None:
    """The last number of a column that grows by one from row to row."""
    if len(rows) < FEW_ROWS or len({*map(len, rows)}) > 1 or not all(_CELL.fullmatch(c) for r in rows for c in r):
        return None
    columns = [[float(cell.upper().replace("D", "E")) for cell in column] for column in zip(*rows, strict=True)]
    counted = [column for column in columns if all(b - a == 1 for a, b in pairwise(column)) and column[0].is_integer()]
    return int(counted[0][-1]) if counted else None


def _is_row(cells: Sequence[str]) -> bool:
    return len(cells) >= CELLS and cells[0].isdecimal() and all(map(_CELL.fullmatch, cells))


def _behind_stamp(text: str) -> str:
    return _CLOCK.sub("", parted(text.encode())[0].decode(errors="replace"))


def _counter_of(rows: Sequence[tuple[int, ...]]) -> int | None:
    """The last of the first numbers of a sentence's lines that grow evenly from line to line; before them stands where
    each line is."""
    places = min(map(len, rows))
    columns = ([row[at] for row in rows] for at in range(1, places))
    return next((column[-1] for column in columns if _grows_evenly(column)), None)


def _grows_evenly(column: Sequence[int]) -> bool:
    """Whether numbers grow by the same; they may begin anew where they began."""
    if len(set(column)) < LEAST or column[-1] > MOST:
        return False
    first = min(column)
    moved = [after - before for before, after in pairwise(column) if after != before and not before > after == first]
    usual = median(moved)
    return usual > 0 and sum(move == usual for move in moved) >= EVEN * len(moved)


def leading_total(end: Sequence[str]) -> int | None:
    """How far lines count that begin with it, behind their stamps, whatever is done: `[20/38] loaded study_20`."""
    told: defaultdict[int, list[int]] = defaultdict(list)
    for text in end:
        if m := _LEADING.match(_behind_stamp(text).lstrip("| ")):
            told[int(m[2])].append(int(m[1]))
    grown = [n for of, n in told.items() if len(set(n)) >= LEAST and n == sorted(n) and n[-1] <= of]
    return grown[-1][-1] if grown else None


def lone_total(end: Sequence[str]) -> int | None:
    """What a line that begins with it counts of a total, `[1/101] Task: 423a`, where there is only one such line."""
    told = (m for text in reversed(end) if (m := _LEADING.match(text)) and not _NO_COUNT.search(text[:SHOWN]))
    last = next((m for m in told if int(m[1]) <= int(m[2])), None)
    return int(last[1]) if last else None
