"""Ranks that a text names for the traceback it quotes, whoever prints it."""

from __future__ import annotations

import re

from logtui.diagnosis.identity import Identity
from logtui.parsers.origin import RankFrom, split
from logtui.parsers.record import Record
from logtui.parsers.tracebacks.traceback import HEADER

_OF_RANK = re.compile(re.escape(HEADER) + r": \(RANK (\d+)\)")
"""A distributed checkpoint's exception quotes what each rank raised: torch.distributed.checkpoint.api."""
_IN_BLOCK = re.compile(r"\s*traceback *: " + re.escape(HEADER))
"""A worker's entry in torchrun's failure report, with `@record`."""
_ENTRY_RANK = re.compile(r"\s*rank *: (\d+) \(local_rank: \d+\)")
ENTRY_LINES = 6
"""Lines of an entry from its number to its traceback."""


def rank_of_traceback(identity: Identity, record: Record) -> tuple[int | None, RankFrom]:
    """Whose exception a `Traceback` header begins: the rank its text names, else the one that wrote it."""
    if found := _OF_RANK.search(record.first_line):
        return int(found[1]), RankFrom.TEXT
    if (rank := _entry_rank(identity, record)) is not None:
        return rank, RankFrom.TEXT
    return identity.rank_of(record)


def quotes_rank(record: Record) -> bool:
    """Whether a `Traceback` header begins what another exception quotes of a rank."""
    return bool(_OF_RANK.search(record.first_line))


def _entry_rank(identity: Identity, record: Record) -> int | None:
    if "traceback" not in record.first_line or not _IN_BLOCK.search(record.first_line):
        return None
    above = reversed(identity.case.preceding(record, ENTRY_LINES))
    return next((int(m[1]) for line in above if (m := _ENTRY_RANK.match(split(line).body))), None)
