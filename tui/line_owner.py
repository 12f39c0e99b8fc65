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
    r"|^(?:[^\n]{0,90}?)\[rank(?P<rank>\d{1,6})\]:"
    r"|^\[(?![Rr]ank\d)[A-Za-z][\w.-]*?:?(?P<local>\d{1,3})\]:"  # torchrun's tee header
    r"|^[^\n]{0,90}?: rank(?P<composer>\d{1,6})\[\d+\]\["
    # A message after time, level and logger that begins with its subject: `… INFO shards: rank 57 opening …`.
    r"|^[\d:,.TZ/ \[\]-]{8,34}(?:\[?[A-Z]{4,8}\]?:? )?(?:[\w.]{1,40}: )?[Rr]ank (?P<said>\d{1,6})\b"
    r"|^\([A-Za-z_][\w.:<>-]* rank=(?P<ray>\d{1,6}),? ?pid=\d",
    re.MULTILINE,
)
_INNER = re.compile(r"[^\n]{0,90}?\[rank(\d{1,6})\]:")

Labels = Mapping[tuple[str, int], int]
"""(kind of label, number) to global rank."""


def marked_lines(text: str, labels: Labels) -> Iterator[tuple[int, int]]:
    """(index of its first character, rank) of every line that says who wrote it."""
    for match in _MARKS.finditer(text):
        kind, number = match.lastgroup or "", int(match[match.lastindex or 0])
        if kind in ("task", "local"):
            inner = _INNER.match(text, match.end())
            rank = int(inner[1]) if inner else labels.get((kind, number), -1)
        else:
            rank = number
        if rank >= 0:
            yield match.start(), rank


def owner(text: str, labels: Labels) -> int | None:
    """The rank that wrote one line."""
    return next((rank for _, rank in marked_lines(text, labels)), None)


def labels_of(case: Case, file: int) -> dict[tuple[str, int], int]:
    """What the labels of a file mean, where the records of the file agree on it."""
    rows = case.records.rows[case.records.rows_of_file(file)]
    here = rows[rows["rank"] >= 0]
    found: dict[tuple[str, int], set[int]] = {}
    for kind, column in (("task", "task"), ("local", "local_rank")):
        labelled = here[here[column] >= 0]
        for number, rank in set(zip(labelled[column].tolist(), labelled["rank"].tolist(), strict=True)):
            found.setdefault((kind, number), set()).add(rank)
    return {label: min(ranks) for label, ranks in found.items() if len(ranks) == 1}
