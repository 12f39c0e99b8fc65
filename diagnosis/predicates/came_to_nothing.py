"""Whether a program that says it is done also says, shortly before, that what it was to leave or work on is not there.

It came to its end, and may well be right about that; who reads the word alone would not look at what came out.
"""

from __future__ import annotations

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.file_ends import LONGEST
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

NEAR = 40
"""Lines round a word of completion that are read."""
_NOTHING = regex(
    r"(?i)(?<![\w.,/:=-])(?:0|no|zero)"
    r" (?:samples?|records?|examples?|images?|documents?|rows?|scores?|results?|predictions?)"
    r" (?:(?:were |was )?(?:processed|evaluated|scored|written|saved|produced|generated|found|loaded)\b|to )"
    r"|\bha(?:s|ve) no (?:scores?|results?|samples?|predictions?)\b"
    r"|\b(?:could not|couldn['’]t|cannot|unable to) (?:load|read|find|restore|save|write|export|evaluate)\b"
    r"|\b(?:is|was|were|are) not (?:saved|written|exported|evaluated|promoted)\b|\bnot promoted\b"
    r"|[|:=] {0,12}nan(?: {0,12}[|,]|\s*$)"
)
"""Nothing was worked on, nothing came out, or what should be used was not there."""


def came_to_nothing(facts: Facts, ending: Record) -> bool:
    """Whether one of the attempt's lines round a word of completion says so."""
    first = max(ending.line - NEAR, facts.begins_at(ending.file))
    return any(_NOTHING.search(text[-LONGEST:]) for text in facts.case.bodies(ending.file, first, 2 * NEAR))
