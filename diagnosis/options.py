"""What a user may set about reading and judging."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from logtui.diagnosis.model.evidence import Evidence

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True, slots=True)
class GivenOffset:
    """An offset that the user knows, or that two marked lines gave."""

    offset_s: float
    """Seconds to add to a daemon's time to get the workers'."""
    residual_s: float | None = None
    """What whole quarter hours leave of it: the time from the one line to the other."""
    evidence: tuple[Evidence, ...] = ()
    """The worker's line, the daemon's."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may set."""

    engine: str = "auto"
    ais: tuple[Path, ...] = ()
    jobs: int | None = None
    """Processes that scan; None for one per core."""
    executor: Executor | None = None
    """Where to scan instead: a pool started before, or the workers of a cluster. It stays open."""
    polite: bool = False
    """Scan at low priority."""
    no_cache: bool = False
    """Neither use nor keep an index of what was read."""
    offset_s: float | None = None
    """Seconds to add to an AIStore daemon's time to get the workers', where the user knows it."""
    since: str = ""
    until: str = ""
    """Between which times lines are read, as `typed_time.read_time` takes them; nothing is kept of that."""
    baseline: tuple[Path, ...] = ()
    """Logs of a healthy run to compare with."""
    within: tuple[Path, ...] = ()
    """Where given, no file is read that does not lie below one of these, whatever links lead to it."""
    early: bool = True
    """Report on what has been read while the rest is being read, and after a kept report on what it was made from."""
    closer: bool = False
    """After a kept report what it was made from, though nothing is shown early."""
