"""What stands before what a line says: labels of launchers, times, ranks, sources; seventy columns with some writers.

Where rank and time stand beside the line already it is left out; where room is short it is folded to `r57 15:42:03`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LOOKED_AT_CHARS = 240
WORTH_CHARS = 24
"""A prefix of fewer characters is not folded: it says as much in as little room."""

_PREFIX = re.compile(
    r"\s{0,8}(?:\d{1,6}: )?"  # srun --label
    r"(?:(?P<host>[\w.-]{2,48}): (?=\[))?"  # pdsh
    r"(?:\[(?:[A-Z][a-z]{2} ){2}[ \d]\d \d\d:\d\d:\d\d \d{4}\] )?"  # dmesg -T
    r"(?:\((?:[\w.:]{1,48} )?pid=\d{1,9}(?:, ip=[\d.]{1,15})?\) )?"  # Ray
    r"(?:\[(?:default|rank)?(?P<local>\d{1,6})\]: ?)?(?:\[rank(?P<rank>\d{1,6})\]: ?)?"  # torchrun tee, [rank57]:
    r"(?:\[[EWIF]\d{3,4} (?P<c10>\d\d:\d\d:\d\d)[\d.]{0,10}(?: [\w.]{1,64}:\d{1,5})?\] ?)?"  # c10 header
    r"(?:[EWIF]\d{4} (?P<elastic>\d\d:\d\d:\d\d)[\d.]{0,10} \d{1,9} [\w./-]{1,80}:\d{1,5}\] )?"  # torchrun
    r"(?:\[PG [^\]]{0,80}\] {0,4}|\[Rank \d{1,6}\] {0,4})?"  # the process group; the rank stands beside it
    r"(?:\[?\d{4}-\d\d-\d\d[ T](?P<clock>\d\d:\d\d:\d\d)(?:[.,]\d{1,9})?Z?\]? ?)?"
    r"(?:(?P<level>\[?[A-Z]{4,8}\]?:? )?\[rank[ =:]?(?P<after>\d{1,6})\]:? ?)?"  # scripts' logging
    r"(?P<nccl>[\w.-]{1,48}:\d{1,9}:\d{1,9} \[(?P<device>\d{1,3})\] (?=NCCL ))?"
)
_NAMED = re.compile(r"\[rank\d|Rank (\d{1,6})\]")


@dataclass(frozen=True, slots=True)
class Prefix:
    """How long it is, and what it says of the writer in the fewest columns."""

    chars: int
    label: str
    """`r57 15:42:03`; "" where it names neither a writer nor a time."""


def read_prefix(text: str) -> Prefix:
    """The prefix of a line."""
    found = _PREFIX.match(text[:LOOKED_AT_CHARS])
    if found is None:
        return Prefix(0, "")
    clock = found["c10"] or found["elastic"] or found["clock"] or ""
    return Prefix(found.end(), " ".join(filter(None, (_writer(found), clock, (found["level"] or "").strip("[]: ")))))


def _writer(found: re.Match[str]) -> str:
    """`r57`; of a local rank and of a device `[3]`, with the host where that is named."""
    head = found[0]
    named = _NAMED.search(head)
    rank = found["rank"] or found["after"] or (named and named[1]) or (found["local"] if "[rank" in head else None)
    if rank is not None:
        return f"r{rank}"
    local = found["local"] or found["device"]
    return f"{found['host'] or ''}[{local}]" if local is not None else found["host"] or ""


def without_prefix(text: str) -> str:
    """What a line says after its rank and its time, for places that show those beside it."""
    return text[read_prefix(text).chars :]
