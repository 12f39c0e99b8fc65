"""Data that somebody still prepares while the others wait, told by the bar that stood unfinished when they gave up.

`main_process_first` and its kin let one rank fill the cache of a data set while all others stand in a barrier. Nothing
names the rank that fills the bar; whoever fills it does not wait.
"""

from __future__ import annotations

from logtui.diagnosis.evidence import cite_line
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import WatchedGroup
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.stall import first_timeout
from logtui.parsers.regex import regex

ABOVE, LONGEST = 3, 4000
"""Lines above the first time-out among which the last words stand; characters of one that are read, from its end."""
_STATE = regex(
    r"(?P<label>[A-Z][^|%\[\]\n:]{0,80}):? {1,4}(?:\d{1,3}%\|[^|]{0,200}\| {0,4}(?P<done>[\d.]{1,12}[kMGT]?)"
    r"/(?P<of>[\d.]{1,12}[kMGT]?)|\d{1,12}) ?(?:examples|rows|files|tokens)? \[\d"
)
"""A bar with a label; the total may be unknown, as of a generator: `Generating train split: 908 examples [16:41, …`."""
_PREPARES = regex(
    r"(?i)tokeniz|\bgenerating \w{1,40} split|^(?:map|filter)\b|\bpacking\b|pre-?process|\bgrouping texts|\bflattening"
    r"|\bcasting the dataset|\bsaving the dataset|\bdownloading|\bextracting|\bconverting\b.{0,40}\b(?:data|features)"
)


def unfinished_preparation(facts: Facts, group: WatchedGroup) -> Evidence | None:
    """The line whose bar says that data is prepared: the last one above the first time-out, or its own."""
    alarm = first_timeout(group).record
    first = max(1, alarm.line - ABOVE)
    texts = facts.case.bodies(alarm.file, first, alarm.line - first + 1)
    for line, text in reversed(list(enumerate(texts, first))):
        states = list(_STATE.finditer(text[-LONGEST:]))
        if states:
            last = states[-1]
            unfinished = last["done"] is None or last["done"] != last["of"]
            told = unfinished and _PREPARES.search(last["label"]) is not None
            return cite_line(facts.case, alarm, line, text) if told else None
        if line < alarm.line and text.strip():
            return None
    return None
