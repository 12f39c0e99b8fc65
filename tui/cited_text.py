"""A cited line in a few words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from logtui.tui.printable import printable
from logtui.tui.wording import time_text

if TYPE_CHECKING:
    from logtui.diagnosis.report import Evidence

_PREFIX = re.compile(
    r"\s*(?:\d+: )?"  # srun --label
    r"(?:[\w.-]{2,48}: (?=\[))?"  # pdsh
    r"(?:\[(?:[A-Z][a-z]{2} ){2}[ \d]\d \d\d:\d\d:\d\d \d{4}\] )?"  # dmesg -T
    r"(?:\[(?:default|rank)?\d+\]: ?)?"  # torchrun tee, [rank57]:
    r"(?:\[[EWIF]\d{3,4} [\d:.]+(?: [\w.]+:\d+)?\] ?)?"  # c10 header
    r"(?:[EWIF]\d{4} [\d:.]+ \d+ [\w./-]+:\d+\] )?"  # torchrun
    r"(?:\[PG [^\]]{0,80}\] *|\[Rank \d+\] *)?"  # the process group; the rank stands beside it
    r"(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?Z? ?)?"
)


def without_prefix(text: str) -> str:
    """What a line says after its rank and its time, for places that show those beside it."""
    match = _PREFIX.match(text[:200])
    return text[match.end() :] if match else text


def timed_text(cited: Evidence, limit: int = 160) -> str:
    """`15:42:03 r57 what the line says`; where the time is not known, the line as it is."""
    text = printable(cited.text.strip())
    if at := time_text(cited.time).strip():
        who = f" r{cited.rank}" if cited.rank is not None else ""
        text = f"{at}{who} {without_prefix(text)}"
    return text if len(text) <= limit else text[: limit - 1] + "…"
