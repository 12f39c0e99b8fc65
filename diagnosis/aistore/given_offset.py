"""An offset of the storage daemons' clock that was set, not derived."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.report import Evidence


@dataclass(frozen=True, slots=True)
class GivenOffset:
    """An offset that the user knows, or that two marked lines gave."""

    offset_s: float
    """Seconds to add to a daemon's time to get the workers'."""
    residual_s: float | None = None
    """What whole quarter hours leave of it: the time from the one line to the other."""
    evidence: tuple[Evidence, ...] = ()
    """The worker's line, the daemon's."""
