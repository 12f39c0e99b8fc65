"""Which rank wrote a line, told from the line alone, for many lines at once.

Only marks at a line's head count. Labels that are not global ranks (SLURM's task, torchrun's local rank) are joined
with what the diagnosis found out about this file. A line without a mark belongs to nobody known, and is nobody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.parsers.case import Case

_MARKS = re.compile(
    r"^(?:P\d+ )? *(?P<task>\d{1,6}): "  # srun --label, MPI's tag
    r"|^\[\d+,(?P<mpi>\d{1,6})\]<std\w+>:"
    r"|^\[(?![Rr]ank\d)[A-Za-z][\w.-]*?:?(?P<local>\d{1,3})\]:"  # torchrun's tee header
    r"|^\([A-Za-z_][\w.:<>-]* rank=(?P<ray>\d{1,6}),? ?pid=\d",
    re.MULTILINE,
)
_GLOBAL = re.compile(r"\[rank(\d{1,6})\]:|: rank(\d{1,6})\[\d+\]\[")
"""`[rank57]:`, and Composer's: wherever they stand at the head of a line they outdo what stands before them."""
_SAID = re.compile(r"ank (\d{1,6})\b")
_BEFORE_SUBJECT = re.compile(r"[\d\[][\d:,.TZ/ \[\]-]{7,33}(?:\[?[A-Z]{4,8}\]?:? )?(?:[\w.]{1,40}: )?[Rr]")
"""A message after time, level and logger that begins with its subject: `… INFO shards: rank 57 opening …`."""
HEAD_CHARS = 120

Labels = Mapping[tuple[str, int], int]
"""(kind of label, number) to global rank."""


def marked_lines(text: str, labels: Labels) -> Iterator[tuple[int, int]]:
    """(index of its first character, rank) of every line that says who wrote it, in no order."""
    found: dict[int, int] = {}
    own: set[int] = set()
    for match in _MARKS.finditer(text):
        kind, number = match.lastgroup or "", int(match[match.lastindex or 0])
        rank = labels.get((kind, number), -1) if kind in ("task", "local") else number
        if rank >= 0:
            found[match.start()] = rank
    for match in _GLOBAL.finditer(text):
        start = text.rfind("\n", 0, match.start()) + 1
        if match.start() - start <= HEAD_CHARS and start not in own:
            own.add(start)
            found[start] = int(match[match.lastindex or 0])
    for match in _SAID.finditer(text):
        start = text.rfind("\n", 0, match.start()) + 1
        near = match.start() - start <= HEAD_CHARS and start not in found
        if near and _BEFORE_SUBJECT.fullmatch(text, start, match.start()):
            found[start] = int(match[1])
    yield from found.items()


def owner(text: str, labels: Labels) -> int | None:
    """The rank that wrote one line."""
    return next((rank for _, rank in marked_lines(text, labels)), None)


def labels_of(case: Case, file: int) -> dict[tuple[str, int], int]:
    """What the labels of a file mean, where the records of the file agree on it."""
    import numpy as np  # not before the first frame

    rows = case.records.rows[case.records.rows_of_file(file)]
    ranks = rows["rank"].astype(np.int64)
    found: dict[tuple[str, int], set[int]] = {}
    for kind, column in (("task", "task"), ("local", "local_rank")):
        numbers = rows[column].astype(np.int64)
        known = (ranks >= 0) & (numbers >= 0)
        for pair in np.unique(numbers[known] << 32 | ranks[known]).tolist():
            found.setdefault((kind, pair >> 32), set()).add(pair & 0xFFFFFFFF)
    return {label: min(ranks) for label, ranks in found.items() if len(ranks) == 1}
