"""What panes tell the screen: facts about what the user did, answered by the screen alone."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from logtui.tui.shared.walks import Walk


@dataclass
class RankChosen(Message):
    """The cursor of the rank grid stands on another rank."""

    rank: int
    group: str | None
    opened: bool = False
    """Whether the user asked for its proving line (Enter), rather than passing over it."""


@dataclass
class LineChosen(Message):
    """A line is to be shown in the raw viewer."""

    file: str
    line: int
    rank: int | None = None
    moment: float | None = None
    """Seconds since the epoch."""
    why: str = ""
    step: bool = False
    """Whether the user passes along a list; a step leaves no place of its own in the history."""
    opened: bool = False
    """Whether the raw viewer is to take the focus."""


@dataclass
class WalkWanted(Message):
    """The user goes along some lines."""

    walk: Walk
    direction: int
    opened: bool = False
    """Whether the raw viewer is to take the focus."""


@dataclass
class TimeChosen(Message):
    """The time cursor moved to where no event is."""

    moment: float


@dataclass
class WholeLineWanted(Message):
    """A line is to be shown in full."""

    place: str
    text: str


@dataclass
class SearchWanted(Message):
    """The file shown is to be searched."""

    pattern: str


@dataclass
class CommandTyped(Message):
    """Something was typed behind the colon."""

    text: str


class FormatsLoaded(Message):
    """What formats know of a line can be told from now on."""
