"""Counters as sparklines, disks as heat strips, and the numbers beside them: which glyph stands in which column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from logtui.tui.timeline_scale import Scale
from logtui.tui.wording import time_text

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.storage.panels import Gauge, Step
    from logtui.parsers.daemons.reread import DiskLoad

SPARKS = "▁▂▃▄▅▆▇█"
UNKNOWN, MEANWHILE = "·", "+"
"""No line speaks of this time; it grew somewhere in such a time."""
HEAT = ((15, "░"), (40, "▒"), (70, "▓"), (95, "█"))
"""Percent of busy time from which a glyph stands; below the first one a disk writes no line."""
TICK_S = 10.0
REQUESTS = {"getbatch.n": "batch", "get.n": "get", "put.n": "put"}
TIMES = 1.5
"""A rate that grew by less is not worth a factor."""
LEGEND = "▁▄█ growth  · no line  ░15 ▒40 ▓70 █95 % busy  n N other daemon  s files"


def _amount(counter: str, amount: float) -> str:
    from logtui.diagnosis.storage.counters import amount_text  # most jobs come without daemons

    return amount_text(counter, amount)


def spark(steps: Sequence[Step], scale: Scale) -> str:
    """A glyph per column: the fastest growth in it, against the fastest of all columns."""
    rates: list[float | None] = [None] * scale.width
    marked: set[int] = set()
    for step in steps:
        if step.end < scale.start or step.start > scale.start + scale.span:
            continue
        first, last = (scale.column(t) for t in (step.start, step.end))
        if step.idle:
            marked |= {last} if step.growth and last < scale.width else set()
            continue
        for column in range(max(first, 0), min(last, scale.width - 1) + 1):
            rates[column] = max(rates[column] or 0.0, step.per_s)
    most = max((r for r in rates if r), default=0.0)
    glyphs = [UNKNOWN if r is None else _spark(r, most) for r in rates]
    for column in marked:
        glyphs[column] = MEANWHILE if glyphs[column] == UNKNOWN else glyphs[column]
    return "".join(glyphs)


def _spark(rate: float, most: float) -> str:
    """Nothing has a glyph of its own: the least growth stands above it."""
    return SPARKS[0] if rate <= 0 else SPARKS[max(1, min(7, round(rate / most * 7)))]


def heat(loads: Sequence[DiskLoad], scale: Scale) -> str:
    """A glyph per column: the highest load in it."""
    busiest = [0] * scale.width
    for load in loads:
        # A line speaks of the ten seconds before it.
        for column in range(scale.column(load.time - TICK_S + 0.1), scale.column(load.time) + 1):
            if 0 <= column < scale.width:
                busiest[column] = max(busiest[column], load.busy)
    return "".join(_heat(busy) for busy in busiest)


def _heat(busy: int) -> str:
    return next((glyph for least, glyph in reversed(HEAT) if busy >= least), UNKNOWN)


def pieces(glyphs: str, style: str, window: tuple[int, int] | None, cursor: int | None) -> Iterable[tuple[str, str]]:
    """Glyphs as (text, style): what is loud in the failure, the cursor, the rest."""
    named = [(glyph, _style(glyph, n, style, window, cursor)) for n, glyph in enumerate(glyphs)]
    for ink, run in groupby(named, key=lambda pair: pair[1]):
        yield "".join(glyph for glyph, _ in run), ink


def _style(glyph: str, column: int, style: str, window: tuple[int, int] | None, cursor: int | None) -> str:
    if column == cursor:
        return "time"
    if glyph in (UNKNOWN, SPARKS[0]):
        return "gap"
    inside = window is not None and window[0] <= column <= window[1]
    return style or ("failing" if inside else "file")


def heat_pieces(glyphs: str, cursor: int | None) -> Iterable[tuple[str, str]]:
    """Glyphs of a heat strip as (text, style)."""
    inks = {"█": "error", "▓": "warning", UNKNOWN: "gap"}
    named = [(glyph, "time" if n == cursor else inks.get(glyph, "file")) for n, glyph in enumerate(glyphs)]
    for ink, run in groupby(named, key=lambda pair: pair[1]):
        yield "".join(glyph for glyph, _ in run), ink


def grown(gauge: Gauge) -> str:
    """`+7m33s`: over the failure window."""
    return f"+{_amount(gauge.name, gauge.move.delta.delta)}" if gauge.move and gauge.move.delta.delta else "–"


def rate(gauge: Gauge) -> str:
    """`6ms→778ms/batch ×136`: before the window and in it, per request where there were any."""
    if gauge.move is None or not (gauge.grew or gauge.move.base_rate):
        return ""
    against = gauge.against
    if against is not None and against.now is not None:
        then, now, unit = against.before or 0.0, against.now, REQUESTS.get(against.of, against.of)
    else:
        then, now, unit = gauge.move.base_rate, gauge.move.rate, "s"
    text = f"{_amount(gauge.name, then)}→{_amount(gauge.name, now)}/{unit}".replace(" ", "")
    return f"{text} ×{now / then:.0f}" if then and now / then >= TIMES else text


def told(gauge: Gauge) -> str:
    """Everything about a counter in one line."""
    parts = [gauge.name]
    if gauge.move is not None:
        delta = gauge.move.delta
        parts[0] += f" {_amount(gauge.name, delta.before)} → {_amount(gauge.name, delta.after)}"
        marks = ((delta.resets, "reset"), (delta.restarts, "new process"))
        parts += [f"{rate(gauge)}", *(f"{n} {what}" for n, what in marks if n)]
    return " · ".join(part for part in (*parts, gauge.means) if part)


def told_disk(name: str, loads: Sequence[DiskLoad], time: float | None) -> str:
    """A disk at the time cursor, and when it was at its limit."""
    full = [load for load in loads if load.busy >= HEAT[-1][0]]
    here = next((x for x in loads if time is not None and 0 <= x.time - time < TICK_S), None)
    busy = f"{here.busy} % at the cursor" if here else f"less than {HEAT[0][0]} % at the cursor"
    if not full:
        return f"{name} · {busy} · never at its limit"
    return f"{name} · {busy} · at its limit {time_text(full[0].time)}–{time_text(full[-1].time)}, {len(full)} lines"
