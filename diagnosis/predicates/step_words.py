"""What the command of a workflow's step said before its engine tells that the step failed: above the engine's word, or
in the block below it where the engine quotes what the command printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.predicates.plain_words import class_in_words
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.tracebacks.traceback import HEADER

ABOVE, BELOW, LONGEST = 40, 80, 400
"""Lines above an engine's word, and below it, among which the command's own stand."""
_COMPLAINS = regex(
    r"(?i)\berrors?\b(?! ?(?:rate|model|correct\w*|prof\w*|=)|\W{0,3}0\b)|\bfail(?:ed|ure|s)?\b|\bcannot\b|\bcan't\b"
    r"|\bcould(?: not|n't)\b|\bunable to\b|\bnot complete\b|\bno such\b|\bnot found\b|\bdoes(?: not|n't) exist\b"
    r"|\binvalid\b|\bcorrupt|\btruncated\b|\babort(?:ed|ing)\b|\bdenied\b|\bexceed|\bkilled\b|\bout of memory\b"
    r"|\btimed? ?out\b|\bexception\b|\bremoved all\b|\bno space\b|\bsegmentation fault\b|\bmust be\b"
)
_ASIDE = regex(
    r"(?i)^\W{0,4}(?:INFO|DEBUG|NOTE|M::)|\bwarn(?:ing)?\b|^\W*\[?\d{4}\S* .{0,20}\bINFO\b|^\s*(?:set -|#)"
    r"|^\s*(?:input|output|log|shell|jobid|conda-env|resources|wildcards|reason|threads|priority|benchmark): "
    r"|\bsubmitted (?:job|process)\b"
)
"""What is no complaint of a command, and what an engine tells of its steps."""
_ENGINE = regex(r"^(?:local)?(?:rule|checkpoint) \S{1,120}:$|^Error in (?:group |check)?rule |^Error executing ")
_QUOTES = regex(r"^(?P<head>Command error|Command output|Caused by|Command exit status):\s*$")
_BY_STATUS = {
    "137": FailureClass.HOST_OOM,
    "247": FailureClass.HOST_OOM,
    "140": FailureClass.INFRASTRUCTURE,
    "143": FailureClass.INFRASTRUCTURE,
    "127": FailureClass.CONFIG,
}
"""What a status of the command speaks for: SIGKILL, the scheduler's signals, a command that is not there."""


@dataclass(frozen=True, slots=True)
class StepWords:
    """A line in which the command of a step says what it failed of."""

    line: int
    text: str
    cls: FailureClass


def step_words(facts: Facts, record: Record) -> StepWords | None:
    """What the command of a step that failed said, or what it raised in the block that its engine quotes; None where it
    said nothing, or raised above its engine's word."""
    return _raised_below(facts, record) or _quoted(facts, record) or _above(facts, record)


def _raised_below(facts: Facts, record: Record) -> StepWords | None:
    """What ended the command, in the block below an engine's word."""
    near = range(record.line + 1, record.line + BELOW + 1)
    raised = (e for e in fatal_exceptions(facts) if e.record.file == record.file and e.record.line in near)
    fact = next((e for e in raised if e.traceback.complete), None)
    return None if fact is None else StepWords(fact.evidence.line, fact.headline, fact.row.cls or FailureClass.SOFTWARE)


def _above(facts: Facts, record: Record) -> StepWords | None:
    """The first complaint above an engine's word, behind its word before."""
    first = max(facts.begins_at(record.file), record.line - ABOVE)
    lines = facts.case.bodies(record.file, first, record.line - first)
    begin = max((n for n, text in enumerate(lines) if _ENGINE.match(text)), default=-1) + 1
    if any(HEADER in text for text in lines[begin:]):
        return None
    return _first_of([*_complaints(enumerate(lines[begin:], first + begin))])


def _quoted(facts: Facts, record: Record) -> StepWords | None:
    """The first complaint in the blocks that Nextflow quotes, what the command printed as an error before the rest."""
    first = record.line + 1
    blocks = _blocks(enumerate(facts.case.bodies(record.file, first, BELOW), first))
    status = next((text.strip() for _, text in blocks.get("Command exit status", ())), "")
    for head in ("Command error", "Command output", "Caused by"):
        lines = blocks.get(head, [])
        if any(HEADER in text for _, text in lines):
            return None
        if (found := _first_of([*_complaints(lines)])) is not None:
            by_status = _BY_STATUS.get(status) if found.cls is FailureClass.SOFTWARE else None
            return StepWords(found.line, found.text, by_status or found.cls)
    return None


def _blocks(lines: Iterable[tuple[int, str]]) -> dict[str, list[tuple[int, str]]]:
    """By heading the lines below it, with their numbers, to the next line that is not indented."""
    found: dict[str, list[tuple[int, str]]] = {}
    head = None
    for n, text in lines:
        if (heading := _QUOTES.match(text)) is not None:
            head = found.setdefault(heading["head"], [])
        elif text[:1].strip():
            head = None
        elif head is not None and text.strip():
            head.append((n, text))
    return found


def _complaints(lines: Iterable[tuple[int, str]]) -> Iterator[StepWords]:
    for n, text in lines:
        if _COMPLAINS.search(text[:LONGEST]) and not _ASIDE.search(text[:LONGEST]):
            yield StepWords(n, text.strip()[:LONGEST], class_in_words(text))


def _first_of(said: Sequence[StepWords]) -> StepWords | None:
    """The first complaint, of the class that the first telling one speaks for."""
    if not said:
        return None
    return next((w for w in said if w.cls is not FailureClass.SOFTWARE), said[0])
