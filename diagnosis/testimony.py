"""What each witness of a hang says: the logs, flight-recorder dumps, RAS snapshots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the report holds these values and is imported by them
    from logtui.diagnosis.report import Evidence


@dataclass(frozen=True, slots=True)
class Testimony:
    """What one witness says of who keeps the others waiting."""

    witness: str
    """`log`, `dumps` or `ras`."""
    ranks: tuple[int, ...]
    """() where it points at nobody."""
    what: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two witnesses that cannot both be right."""

    what: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Witnesses:
    """All that were heard, and where they contradict each other."""

    testimonies: tuple[Testimony, ...]
    disagreements: tuple[Disagreement, ...] = ()
