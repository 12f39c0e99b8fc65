"""Whether a program works through many items, of which one failed: the same sentence stands above a complaint and below
it, said of other items; or it is said of several items amid others, and at the end that all is done."""

from __future__ import annotations

from collections import Counter

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.done_items import failed_items
from logtui.diagnosis.predicates.trouble import speaks_of_trouble
from logtui.diagnosis.rules.ranking import SPECIFIC
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.tracebacks.traceback import HEADER

NEAR, LONGEST, ALIKE = 80, 400, 24
"""Lines above and below that are compared; characters of one that are looked at; those by which sentences are alike."""
ABOVE, BELOW, SHARE = 2, 4, 0.3
"""So many lines above are of such a sentence, and so many below, which are such a share of all that is said there."""
MOST = 512
"""Of more causes none is that of a single item."""
LAST = 2
"""Of the last lines with words none may complain."""
_OF_ITEM = regex(
    r"(?i)^\W{0,8}(?:error|failed|failure|could not|cannot|unable)(?: [\w-]{1,30}){0,6}"
    r",? [\w-]{1,20} #?\d{1,12}\W{0,3}: "
)
"""How a program tells of an item that it caught a failure of: `Error during generation for blogs, row 5708: `."""
_DIGITS = regex(r"\d+")


def items_go_on(facts: Facts, record: Record) -> bool:
    """Whether what stood above a complaint goes on below it, to the end of the file; never of a specific cause, unless
    the program itself says of which item, nor of a program that counts steps, which tell better whether it went on."""
    specific = record.pattern.weight >= SPECIFIC and not _OF_ITEM.match(record.first_line)
    if facts.exits.failed is not None or facts.lived or specific:
        return False
    if len(facts.causes) > MOST:
        return False
    if _done_with_all(facts, record):
        return True
    first = max(facts.begins_at(record.file), record.line - NEAR)
    above = facts.case.bodies(record.file, first, record.line - first)
    below = _spoken(facts.case.bodies(record.file, record.line + 1, NEAR))
    if len(below) < BELOW or any(HEADER in text for text in (*above, *below)):
        return False
    own = _alike(record.first_line)
    items = {mask for mask, times in Counter(map(_alike, _spoken(above))).items() if times >= ABOVE} - {own}
    on = sum(_alike(text) in items and not speaks_of_trouble(text) for text in below)
    last = _spoken(facts.case.bodies(record.file, facts.case.line_count(record.file) - NEAR + 1, NEAR))[-LAST:]
    return on >= max(BELOW, SHARE * len(below)) and not any(map(speaks_of_trouble, last))


def _done_with_all(facts: Facts, record: Record) -> bool:
    """Whether a complaint is one of several items' of a work that was done to its end."""
    first, many = max(facts.begins_at(record.file), record.line - NEAR), facts.case.line_count(record.file)
    around = [*enumerate(facts.case.bodies(record.file, first, 2 * NEAR), first)]
    last = enumerate(facts.case.bodies(record.file, many - LAST + 1, LAST), many - LAST + 1)
    return record.line in failed_items([*around, *(one for one in last if one[0] > around[-1][0])])


def _spoken(lines: list[str]) -> list[str]:
    return [text[:LONGEST] for text in lines if any(c.isalpha() for c in text)]


def _alike(text: str) -> str:
    return _DIGITS.sub("#", text.strip())[:ALIKE]
