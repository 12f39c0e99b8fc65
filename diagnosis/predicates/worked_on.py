"""What shows that a program worked on, whatever a line of it complained of."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.file_ends import FALLS_BACK, calm_end, last_progress, last_words, last_work
from logtui.diagnosis.predicates.handled import serves_pages
from logtui.diagnosis.predicates.items import items_go_on
from logtui.diagnosis.predicates.lasting import is_over
from logtui.diagnosis.predicates.outlived import outlived
from logtui.diagnosis.predicates.plain_words import ITEM
from logtui.diagnosis.predicates.trouble import speaks_of_trouble
from logtui.diagnosis.rules.ranking import WEIGHTY
from logtui.parsers.pattern import Mark, Pattern
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

TAIL, OUTSPOKEN, LEAST_SPOKEN, STAMP = 60, 100, 8, 16
"""The last lines of a file; those behind an error, and of the last ones those of who said it, that show that it goes
on; characters of a stamp before a label."""
VERY_MUCH = 1000
"""Lines behind a program that did not begin, up to a calm end, which are another one's, whether or not it counts."""
LONGEST, BELOW, ABOVE, SAID_BELOW = 400, 40, 400, 2
"""Characters of a line that are looked at; lines below a complaint in which the next items are looked for, and above
it the last ones; those below it in which a program says what it did about it."""
_SKIPPED = regex(
    r"(?i)^.{0,120}\bskipp(?:ed|ing) (?:\w{1,12} ){0,2}(?:iter\w{0,6}|steps?|batch(?:es)?|samples?|items?)\b"
)
_INFO = regex(r"^.{0,120}?\b(?:INFO|DEBUG)\b")
"""The level of a record, before its words."""
_LABELLED = regex(r"^(?P<label>\[[A-Za-z]\w{1,20}\b)")
_SERVICE = regex(r"^\w{3} [ \d]\d \d\d:\d\d:\d\d (?P<label>[\w.-]{1,64} [\w.-]{1,40}\[\d{1,9}\]: )")
"""A host's journal: the service and its process."""
_LABELS: tuple[tuple[Callable[[Pattern], bool], re.Pattern[str]], ...] = (
    (lambda pattern: pattern.weight < WEIGHTY, _LABELLED),
    (lambda pattern: Mark.REFUSED in pattern.marks, _SERVICE),
)
"""What is believed of whom: which lines may be passed over, and the label before the lines of who said them."""


def worked_on(facts: Facts, record: Record) -> str:
    """Why a line that states a cause did not end its program; "" where nothing shows that."""
    labels = (label for may, by in _LABELS if may(record.pattern) and (label := by.match(record.first_line)))
    if not facts.exits.failed and any(_speaks_on(facts, record, label["label"]) for label in labels):
        return "who said it goes on to the end"
    if serves_pages(facts, record.file) and record.line < facts.case.line_count(record.file):
        return "the server shows it on a page, and serves on"
    if items_go_on(facts, record):
        return "what is done item by item went on behind it, to the end"
    below = [text[:LONGEST] for text in facts.case.bodies(record.file, record.line + 1, BELOW)]
    if _passed_over(record, below):
        return "the program says that it passed it over, and worked on"
    if is_over(facts, record):
        return "the last losses in the file are numbers again"
    if Mark.REFUSED in record.pattern.marks and _others_work(facts, record):
        return "other processes that write into the file work on behind it"
    if _next_begun(facts, record, below):
        return "the next of many items was begun behind it"
    if facts.exits.failed is None and any(map(FALLS_BACK.search, below)) and _ends_calmly(facts, record.file):
        return "the program says that it tries another way, and ends calmly"
    if _informs(facts, record, below):
        return "it is said for information, behind which the program works on calmly to the end"
    return "more than a thousand lines of work stand behind it" if outlived(facts, record) else ""


def _next_begun(facts: Facts, record: Record, below: Sequence[str]) -> bool:
    """Whether the item that was counted last above a complaint is followed by the next one right below it, and nothing
    complains at the end."""
    following = next((m for text in below if (m := ITEM.match(text))), None)
    if facts.exits.failed is not None or following is None:
        return False
    first = max(facts.begins_at(record.file), record.line - ABOVE)
    above = facts.case.bodies(record.file, first, record.line - first)
    last = next((m for text in reversed(above) if (m := ITEM.match(text[:LONGEST]))), None)
    if last is None:
        return False
    on = following["total"] == last["total"] and int(following["done"]) == int(last["done"]) + 1
    return on and _ends_calmly(facts, record.file)


def _informs(facts: Facts, record: Record, below: Sequence[str]) -> bool:
    """Whether the logger itself gives it as information, and its program speaks on without any complaint."""
    if facts.exits.failed is not None or not _INFO.match(record.first_line):
        return False
    own = [text for text in below if _INFO.match(text) and not speaks_of_trouble(text)]
    return len(own) >= SAID_BELOW and _ends_calmly(facts, record.file)


def _ends_calmly(facts: Facts, file: int) -> bool:
    return not any(speaks_of_trouble(text) for _, text in last_words(facts, file))


def _passed_over(record: Record, below: Sequence[str]) -> bool:
    """Whether the line below says that a step was skipped for it, or it is one numbered item's, below which further
    ones of as many were done: `[217/412] 2xt3 failed: out of memory`."""
    if any(_SKIPPED.search(text) for text in below[:SAID_BELOW]) and any(text.strip() for text in below[SAID_BELOW:]):
        return True
    item = ITEM.match(record.first_line)
    if item is None:
        return False
    further = (m for text in below if (m := ITEM.match(text)) and not speaks_of_trouble(text))
    return any(m["total"] == item["total"] and int(m["done"]) > int(item["done"]) for m in further)


def _speaks_on(facts: Facts, record: Record, label: str) -> bool:
    """Whether whoever said it, by the label before its lines, speaks on to the end of the file."""
    if facts.case.line_count(record.file) - record.line < OUTSPOKEN:
        return False
    end = facts.case.bodies(record.file, facts.case.line_count(record.file) - TAIL + 1, TAIL)
    return sum(label in text[: len(label) + STAMP] for text in end) >= LEAST_SPOKEN


def _others_work(facts: Facts, record: Record) -> bool:
    """Whether far behind a program that did not begin something advances, up to the end of its file."""
    done = last_progress(facts, record.file) or last_work(facts, record.file)
    if done is None and facts.exits.failed is None:
        done = calm_end(facts, record.file)
        return done is not None and done - record.line > VERY_MUCH
    return done is not None and done - record.line > OUTSPOKEN
