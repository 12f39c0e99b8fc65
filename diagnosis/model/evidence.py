"""A line that somebody can open and check, cited by the diagnosis or marked by a person."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.parsers.prefix.stamp import iso


@dataclass(frozen=True, slots=True)
class Evidence:
    """One line somebody can open and check."""

    file: str
    line: int
    text: str
    time: float | None = None
    zoned: bool = False
    rank: int | None = None
    inherited: bool = False
    """Whether the time is a neighbour's: the line itself says none."""

    @property
    def place(self) -> str:
        """`file:line`."""
        return f"{self.file}:{self.line}"

    @property
    def iso_time(self) -> str | None:
        """Its time as it is written."""
        return iso(self.time, self.zoned)


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A line that a person marked."""

    file: str
    line: int
    text: str
    note: str = ""
    rank: int | None = None
    time: float | None = None
    """Seconds since the epoch, where the line or its surroundings tell."""

    @property
    def evidence(self) -> Evidence:
        """The line as something that can be opened and checked."""
        return Evidence(self.file, self.line, self.text, self.time, rank=self.rank)

    @property
    def iso_time(self) -> str | None:
        """Its time as it is written."""
        return iso(self.time)
