"""What the ends of files show, one state of a rewritten line after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import spread
from logtui.parsers.files.ends import tail
from logtui.parsers.prefix.wrapping import unwrapped
from logtui.parsers.regex import regex

TAIL_BYTES, FARTHEST = 64 << 10, 4 << 20
"""Bytes at the end of a file that are looked at; those of all files in which a bar is sought, if need be."""
MOST_FILES = 8
WIDTH = 600
"""Characters of a line that are looked at."""
_END = regex(rb"[\r\n]")
_CELLS = regex(rb"(?:\xe2\x96[\x80-\x9f]){16,}| {40,}")
"""Of a bar: on a wide terminal they are longer than what is looked at."""
_COUNT = regex(rb"(?<![\w.])(\d{1,9})/(\d{1,9})(?![\w./])")
_RATED = regex(
    r"\b[Aa]ccuracy['\"]?[ :=]{1,3}\d{1,9} ?/ ?\d{1,9}(?: \([\d.]{1,9} ?%\))?"
    r"|\b[Aa]cc(?:uracy)?['\"]?[ :=]{1,3}[\d.]{1,9} ?%? ?\(\d{1,9}/\d{1,9}\)"
)
"""Of so many samples so many were right: no count of steps."""
GLUED = 8
"""Counts up to one total in a line that was never ended."""
_PACE_ENDS = re.compile(rb"((?:it/s|s/it)[^\[\]|]{0,300}\])")
"""Where a bar ends; the next may follow without a break where a collector takes the returns of the carriage away."""
_OF_RUNTIME = regex(rb"\.cc:\d{1,6}\] ")
"""A runtime in C++ tells of its own work, also step by step."""
_STEP_DAEMON = "slurmstepd: "
"""Glued to what the program had begun to say; its own steps are programs."""


def ends_of(case: Case, begins: Mapping[int, int], room: int, holding: bytes = b"") -> Iterator[list[str]]:
    """What the ends of files show, as far back as the attempt goes; of lines that hold something."""
    for file in spread(case.files)[:MOST_FILES] if case.share_read >= 1.0 else ():
        begin = begins.get(file.index, 0) if file.in_place else 0
        left = max(0, file.size - begin) if begin else room
        shown = _shown(tail(file, min(room, left)), room, holding, file.wrapping)
        yield [_RATED.sub("", text) if "cc" in text else text for text in shown]


def far_ends(case: Case, begins: Mapping[int, int], holding: bytes) -> Iterator[list[str]]:
    """The lines that hold something, farther from the ends of files than is looked at first."""
    return ends_of(case, begins, FARTHEST // min(MOST_FILES, max(1, len(case.files))), holding)


def _shown(end: bytes, room: int, holding: bytes, wrapping: str) -> Iterator[str]:
    """What the end of a file shows, one state of a rewritten line after the other, without what collectors put before
    its lines."""
    parts = _END.split(end)
    if len(parts) > 1 and len(end) == room:  # it may begin within a line
        del parts[0]
    bodies = (unwrapped(part, wrapping) for part in parts if holding in part)
    pieces = (part for part in bodies if part and not _OF_RUNTIME.search(part))
    states = (state for piece in pieces for state in (_states(piece) if len(piece) <= WIDTH else _ends_of(piece)))
    yield from (
        clean((_CELLS.sub(b" ", state) if b"%|" in state else state)[:WIDTH].partition(b"^C")[0]) for state in states
    )


def _ends_of(piece: bytes) -> list[bytes]:
    """A long line's bars; its last count, where it goes on counting in one line."""
    if piece[:1] == b"{":  # a record, which may count behind all its figures
        return [piece[: WIDTH // 2] + b", " + piece[2 - WIDTH // 2 :]]
    states, counts = _states(piece), [*_COUNT.finditer(piece, max(0, len(piece) - 16 * WIDTH))]
    if len(states) > 1 or len(counts) < GLUED or len({m[2] for m in counts[-GLUED:]}) > 1:
        return states
    return [*states, piece[counts[-2].end() :]]


def _states(piece: bytes) -> list[bytes]:
    """The bars that are glued together in a line, else the line."""
    if piece.count(b"%|") < 2:
        return [piece]
    return [state for state in _PACE_ENDS.sub(rb"\1\n", piece).split(b"\n") if state.strip()]


def of_program(text: str) -> str:
    """What a line shows of its program, without what SLURM's daemon says."""
    return text.partition(_STEP_DAEMON)[0]


def behind_last(told: Sequence[int], known: int) -> Sequence[int]:
    """The numbers of some that stand behind the last one that is known already; all, where it is none of them."""
    return told[len(told) - told[::-1].index(known) :] if known in told else told
