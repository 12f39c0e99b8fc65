"""What other files than that of a word of completion end with: of which no time is known, or in which every other
program raised."""

from __future__ import annotations

from collections.abc import Container, Sequence

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.rules.ranking import SPECIFIC
from logtui.parsers.pattern import Role
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.source import OF_PROGRAMS

TRAILER = 3
"""Lines behind a failure with which a file ends."""


def raised_elsewhere(facts: Facts, ending: Record, fatal: Sequence[ExceptionFact]) -> str:
    """The failure and its place; "" where there is none."""
    return _without_a_time(facts, ending, fatal) or _all_others(facts, ending, fatal)


def _without_a_time(facts: Facts, ending: Record, fatal: Sequence[ExceptionFact]) -> str:
    """What another file ends with, of which no time is known: a tracker's own log may end well all the same."""
    told = {e.record.file for e in facts.events if e.role is Role.END}
    through, streams = told | {ending.file}, {_stream(facts, file) for file in told}
    raised = [(e.record, _weight(facts, ending, streams, e), e.traceback.last_index, e.headline) for e in fatal]
    stated = [(e.record, e.weight, 0, e.record.first_line.strip()) for e in facts.causes]
    for record, weight, lines, said in (*raised, *stated):
        undated = record.time is None and record.file not in through
        if undated and weight >= SPECIFIC and facts.case.line_count(record.file) <= record.line + lines + TRAILER:
            return f"{said[:80]} ({facts.case.file_name(record)}:{record.line + lines})"
    return ""


_STREAM = regex(r"(?:std)?(?:err(?:ors?)?|out(?:puts?)?|logs?)(?![a-z])|\.[eo](?=\d)")


def _weight(facts: Facts, ending: Record, streams: Container[str], fact: ExceptionFact) -> int:
    """How much an exception counts: in full where it went through the main script's own level, and its file is the
    other stream of one in which an end is told, of which a tracker may keep a copy. That script did not come to that
    end."""
    if fact.record.file == ending.file or not _died(fact):
        return fact.row.weight
    return SPECIFIC if _stream(facts, fact.record.file) in streams else fact.row.weight


def _stream(facts: Facts, file: int) -> str:
    """The name that both streams of a program have."""
    return _STREAM.sub("~", facts.case.files[file].name.lower())


def _died(fact: ExceptionFact) -> bool:
    """Whether an exception went through a script's own level, so that nothing of it was left."""
    frames = fact.traceback.frames
    return fact.traceback.complete and bool(frames) and frames[0].function == "<module>"


def _all_others(facts: Facts, ending: Record, fatal: Sequence[ExceptionFact]) -> str:
    """What each of the other programs ended with: who only asked them, or counted them, came to an end all the same.
    What they raise later, or nobody knows when, may be of the teardown."""
    others = {f.index for f in facts.case.files if f.kind in OF_PROGRAMS and f.size} - {ending.file}
    earlier = (e for e in fatal if e.record.time is not None and e.record.time <= (ending.time or 0.0))
    raised = [e for e in earlier if e.record.file in others and e.row.role is Role.CAUSE]
    if not others or {e.record.file for e in raised} != others:
        return ""
    return f"{raised[0].headline[:80]} ({raised[0].evidence.place})"
