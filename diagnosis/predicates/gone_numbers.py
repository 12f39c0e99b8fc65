"""Figures of any kind that are NaN from some line on to the end of a file, and were numbers in the same sentence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.parsers.regex import regex
from logtui.parsers.source import OF_PROGRAMS

TAIL, LONGEST, MOST_FILES = 2000, 300, 8
"""Lines at the end of a file that are read, and characters of each; files of a job."""
BEFORE, AFTER, NEAR_THE_END = 3, 3, 200
"""So many times it was a number, and so many it was none; lines at the end among which it is said the last time."""
_FIGURE = regex(r"(?i)(?<![a-z_])[-+]?(?:\d+(?:\.\d*)?(?:[ed][-+]?\d+)?|nan|inf(?:inity)?)(?![a-z_])")
_NAN = regex(r"(?i)(?<![a-z_])nan(?![a-z_])")
_UNDEFINED = regex(
    r"(?i)\b(?:val\w*|test\w*|eval\w*|f1|auc\w*|roc\w*|precision|recall|corr\w*|spearman\w*|pearson\w*|r2|bleu|wer|map|iou"
    r"|accuracy|eta|remaining|speed|rate|per sec\w*)\b"
)
"""Figures that may have no value though all is well: of an evaluation, of a pace."""


@dataclass(frozen=True, slots=True)
class Gone:
    """The first line of those that say NaN to the end."""

    file: int
    line: int
    text: str


_GONE: WeakKeyDictionary[Facts, tuple[Gone, ...]] = WeakKeyDictionary()
"""Once asked for: a word of completion asks too."""


def gone_numbers(facts: Facts) -> tuple[Gone, ...]:
    """Such lines, the first of each file that has any."""
    if facts not in _GONE:
        files = [f.index for f in facts.case.files if f.kind in OF_PROGRAMS] if facts.case.share_read >= 1.0 else []
        found = (_in_file(facts, file) for file in files[:MOST_FILES])
        _GONE[facts] = tuple(one for one in found if one is not None)
    return _GONE[facts]


def _in_file(facts: Facts, file: int) -> Gone | None:
    last = facts.case.line_count(file)
    first = max(facts.begins_at(file), last - TAIL + 1)
    lines = facts.case.bodies(file, first, last - first + 1)
    if not any(_NAN.search(text[:LONGEST]) for text in lines[-NEAR_THE_END:]):
        return None
    said: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    for number, text in enumerate(lines, first):
        alike = " ".join(_FIGURE.sub("#", text[:LONGEST]).split())
        if "#" in alike and not _UNDEFINED.search(alike):
            said[alike].append((number, _NAN.search(text[:LONGEST]) is not None))
    began = (at for told in said.values() if (at := _since(told)) is not None and told[-1][0] > last - NEAR_THE_END)
    at = min(began, default=None)
    return None if at is None else Gone(file, at, lines[at - first].strip())


def _since(told: list[tuple[int, bool]]) -> int | None:
    """The line from which on a sentence says NaN alone, behind numbers."""
    at = next((n for n, (_, gone) in enumerate(told) if gone), len(told))
    whole = all(gone for _, gone in told[at:])
    return told[at][0] if at >= BEFORE and len(told) - at >= AFTER and whole else None
