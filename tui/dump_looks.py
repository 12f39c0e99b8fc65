"""How each cell of the flight-recorder view looks: a glyph, words and a style, so that colour never stands alone."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.flight_recorder.matrix import Cell


@dataclass(frozen=True, slots=True)
class CellLook:
    """One state as it is drawn."""

    glyph: str
    """One cell wide."""
    words: str
    css: str
    """Component class."""

    @property
    def ink(self) -> str:
        """Colour in a text, as a theme variable: that of the rank state nearest to it."""
        return _INKS[self.css]


_INKS = {
    "missing": "$rank-never-entered", "pending": "$rank-waiting", "done": "$rank-healthy", "odd": "$rank-ahead",
    "unknown": "$rank-silent",
}  # fmt: skip


LOOKS: dict[Cell, CellLook] = {
    Cell.MISSING: CellLook("◆", "not launched", "missing"),
    Cell.SCHEDULED: CellLook("■", "launched, not finished", "pending"),
    Cell.STARTED: CellLook("▶", "running on the device", "pending"),
    Cell.COMPLETED: CellLook("─", "finished", "done"),
    Cell.NO_DUMP: CellLook("×", "no dump", "unknown"),
    Cell.UNKNOWN: CellLook("?", "not known: the ring no longer holds it", "unknown"),
    Cell.NOTHING: CellLook(" ", "nothing launched", "unknown"),
}
"""Loudest first: the order of the legend."""
ODD = CellLook("≠", "another operation than most called", "odd")
"""Drawn over the state."""

GLYPHS = "".join(LOOKS[cell].glyph for cell in sorted(LOOKS)) + ODD.glyph
"""By number of the cell; the last one is for odd calls."""
STYLES = [*(LOOKS[cell].css for cell in sorted(LOOKS)), ODD.css]
