"""How each state of a rank looks: a glyph, a word and a theme variable, so that colour is never the only carrier.

The themes' states use the Okabe-Ito palette, which colour-blind eyes tell apart; glyphs say the same without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from textual.theme import Theme


@dataclass(frozen=True, slots=True)
class StatusLook:
    """One state as it is drawn; equal ones are one entry of the legend."""

    status: str
    """The contract's word."""
    glyph: str
    """One cell wide."""
    words: str
    like: str = ""
    """The state whose colour it has, where it is none itself."""

    def __hash__(self) -> int:
        """By its name alone, whose hash is kept: sixteen thousand of them are counted at once."""
        return hash(self.status)

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


VARIABLES: dict[str, str] = {
    "rank-never-entered": "#f0e442",
    "rank-behind": "#e69f00",
    "rank-crashed": "#ff6a3d",
    "rank-killed": "#ff6a3d",
    "rank-ahead": "#cc79a7",
    "rank-queued-ahead": "#cc79a7",
    "rank-exited": "#a0a0a0",
    "rank-silent": "#808080",
    "rank-waiting": "#56b4e9",
    "rank-healthy": "#00b884",
    "rank-absent": "#808080",
    "focused-row": "#56b4e9 30%",
}
"""Our own theme variables, for themes that do not know them."""

DARK = Theme(
    name="logtui-dark",
    primary="#56b4e9",
    secondary="#0072b2",
    accent="#e69f00",
    warning="#f0e442",
    error="#ff6a3d",
    success="#00b884",
    foreground="#d8dee4",
    background="#11151a",
    surface="#11151a",
    panel="#1c232b",
    dark=True,
    variables={"border": "#3a4652", "footer-key-foreground": "#e69f00"},
)

LIGHT = Theme(
    name="logtui-light",
    primary="#0072b2",
    secondary="#004f7c",
    accent="#a04000",
    warning="#8a6000",
    error="#b83200",
    success="#00694c",
    foreground="#1c232b",
    background="#fbfbf8",
    surface="#fbfbf8",
    panel="#e6e9ec",
    dark=False,
    variables={
        "border": "#b4bcc4",
        "footer-key-foreground": "#a04000",
        "focused-row": "#b5d3e3",
        "rank-never-entered": "#8a6000",
        "rank-behind": "#a04000",
        "rank-crashed": "#b83200",
        "rank-killed": "#b83200",
        "rank-ahead": "#8e3a6c",
        "rank-queued-ahead": "#8e3a6c",
        "rank-exited": "#5a6470",
        "rank-silent": "#7a8490",
        "rank-waiting": "#0072b2",
        "rank-healthy": "#00694c",
        "rank-absent": "#7a8490",
    },
)

SIXTEEN = Theme(
    name="logtui-16",
    primary="#55ffff",
    secondary="#00aaaa",
    accent="#ffff55",
    warning="#ffff55",
    error="#ff5555",
    success="#55ff55",
    foreground="#aaaaaa",
    background="#000000",
    surface="#000000",
    panel="#555555",
    dark=True,
    variables={
        "border": "#555555",
        "footer-key-foreground": "#ffff55",
        "focused-row": "#0000aa",
        "text-muted": "#aaaaaa",
        "foreground-muted": "#aaaaaa",
        "secondary-lighten-2": "#55ffff",
        "rank-never-entered": "#ffff55",
        "rank-behind": "#aa5500",
        "rank-crashed": "#ff5555",
        "rank-killed": "#aa0000",
        "rank-ahead": "#ff55ff",
        "rank-queued-ahead": "#aa00aa",
        "rank-exited": "#aaaaaa",
        "rank-silent": "#555555",
        "rank-waiting": "#55ffff",
        "rank-healthy": "#55ff55",
        "rank-absent": "#555555",
    },
)
"""Only colours that a terminal of sixteen has, so that none is rounded to another's."""

THEMES = (DARK, LIGHT, SIXTEEN)


def theme_for(color_system: str | None) -> str:
    """Name of the theme a terminal begins with; `color_system` is Rich's word for what it can show."""
    return SIXTEEN.name if color_system == "standard" else DARK.name
