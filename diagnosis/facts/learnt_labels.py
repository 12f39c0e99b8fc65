"""Ranks by the labels that stand before lines, in whatever words: `r3 |`, `[trainer-3]`, `P07`; and by the words of
sentences: `launches replica #3`.

Where the size of the job is known, a label whose numbers are those of all its processes, from 0 on and without a gap,
each on several lines, is taken for the name of the one that writes; so is a word for a process anywhere in lines, each
number in one at least. Nothing is blamed on it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence

from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import spread
from logtui.parsers.files.ends import both
from logtui.parsers.regex import regex
from logtui.parsers.source import LogFile

HEAD_BYTES, TAIL_BYTES, MOST_FILES = 128 << 10, 64 << 10, 8
"""Bytes at the two ends of a file that are looked at, and files."""
WIDTH, FARTHER, OFTEN, MOST = 72, 400, 2, 4096
"""Characters of a line in which its label stands, and in which a process is named; lines that have it, each of them;
processes that are looked for."""
_LABEL = regex(
    r"(?:^|[\[|(<]|(?<=\s))(?P<word>[A-Za-z][A-Za-z_ -]{0,15}?)?[ :=#-]?(?P<number>\d{1,4})(?=[\]|)>]| {1,8}\||: |  )"
)
_PROCESS = regex(
    r"(?i)(?<![a-z])(?P<word>(?:[a-z]{1,16}[ _-])?(?:rank|proc(?:ess)?|trainer|replica|peer|actor|task)"
    r"(?:[ _-]?(?:id|idx|index|number|num|no))?['\"]?[ :=#(\[<{-]{0,4})(?P<number>\d{1,4})(?![\d%]|\.\d)"
)
_COUNTS = regex(
    r"step|epoch|iter|batch|layer|fold|round|trial|episode|attempt|seed|stage|phase|level|block|class|\btry\b", re.I
)
"""What a number in such a place counts otherwise."""


def learnt_labels(case: Case, size: int, known: Container[int] = ()) -> frozenset[int]:
    """The ranks from 0 to one less than the size, where some label names them all; else none. Files that are `known`
    are of one rank each, and say of no other that it writes."""
    if not 1 < size <= MOST or case.share_read < 1.0:
        return frozenset()
    seen: dict[str, Counter[int]] = defaultdict(Counter)
    named: dict[str, Counter[int]] = defaultdict(Counter)
    for line in _heads([f for f in spread(case.files) if f.index not in known]):
        for word, number in {(m["word"] or "", int(m["number"])) for m in _LABEL.finditer(line[:WIDTH])}:
            seen[word][number] += 1
        for word, number in {(m["word"], int(m["number"])) for m in _PROCESS.finditer(line)}:
            named[word.lower()][number] += 1
    whole = frozenset(range(size))
    found = any(_names_all(word, numbers, size, OFTEN) for word, numbers in seen.items())
    found = found or any(_names_all(word, numbers, size, 1) for word, numbers in named.items())
    return whole if found else frozenset()


def _names_all(word: str, numbers: Counter[int], size: int, often: int) -> bool:
    """Whether these are the numbers of all processes and no other, each so often, and nothing that is counted."""
    alike = len(numbers) == size and max(numbers) == size - 1
    return alike and min(numbers.values()) >= often and not _COUNTS.search(word)


def _heads(files: Sequence[LogFile]) -> Iterator[str]:
    """The beginnings of the lines at both ends of some files, as far as a process is named in them."""
    for file in files[:MOST_FILES]:
        for part in both(file, HEAD_BYTES, TAIL_BYTES):
            yield from (clean(raw[:FARTHER]) for raw in part.replace(b"\r", b"\n").split(b"\n") if raw)
