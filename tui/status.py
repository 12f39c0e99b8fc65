"""How each state of a rank looks: a glyph, a word and a theme variable, so that colour is never the only carrier."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True, eq=False)
class StatusLook:
    """One state as it is drawn. There is one object of each, so that sixteen thousand of them are counted at once."""

    status: str
    """The contract's word."""
    glyph: str
    """One cell wide."""
    words: str
    like: str = ""
    """The state whose colour it has, where it is none itself."""

    @property
    def css(self) -> str:
        """Name that component classes and theme variables are made of."""
        status = self.like or self.status
        return status.replace("_", "-") if status in BY_STATUS else SILENT


LOOKS = (
    StatusLook("never_entered", "◆", "never entered"),
    StatusLook("behind", "▼", "behind"),
    StatusLook("crashed", "✖", "crashed"),
    StatusLook("killed", "†", "killed"),
    StatusLook("ahead", "▲", "ahead"),
    StatusLook("queued_ahead", "△", "queued ahead"),
    StatusLook("exited", "□", "exited"),
    StatusLook("silent", "·", "silent"),
    StatusLook("waiting", "■", "waiting"),
    StatusLook("healthy", "●", "healthy"),
    StatusLook("absent", " ", "not in this group"),
)
"""Loudest first: the order of the legend, and of blame where nothing better is known."""

SILENT = "silent"
ABSENT = "absent"
"""Not a state of the contract: the rank is no member of the process group that is shown."""

BY_STATUS = {look.status: look for look in LOOKS}


@lru_cache(maxsize=256)
def look_of(status: str) -> StatusLook:
    """The look of a state; one we do not know is drawn as silent, under its own name."""
    return BY_STATUS.get(status) or StatusLook(status, "?", status.replace("_", " "))


CONFIDENCE_MARKS = {"high": "●●●", "medium": "●●○", "low": "●○○"}


def verdict_mark(cls: str) -> str:
    """The glyph that stands before a verdict."""
    return {"healthy": "✔", "unknown": "?", "slow-training": "◔"}.get(cls, "✖")
