"""Grid and timeline of a case as a picture for a ticket: SVG that any browser shows, with no font or script of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from logtui.tui.panes.ranks.arrangement import RankBlock, arrange, nodes_of
from logtui.tui.panes.ranks.modes.known import MODES
from logtui.tui.shared.looks import ABSENT, LIGHT, StatusLook
from logtui.tui.shared.timeline_scale import Scale, StuckSpan, failure_window, loudness, stuck_spans, whole_window
from logtui.tui.shared.wording import cut, duration_text, job_words, printable, state_words, time_text

if TYPE_CHECKING:
    from logtui.diagnosis.model.report import TimelineEvent
    from logtui.tui.panes.ranks.modes.reading import Reading
    from logtui.tui.shared.case_view import CaseView

CELL, ROW = 8, 16
"""Pixels of a glyph and of a row of text."""
COLUMNS = 150
"""Glyphs side by side."""
MOST_ROWS = 400
LABEL = 12
"""Columns of a lane's name."""
TICKS = 6
COLOURS = {"error": LIGHT.error, "warning": LIGHT.warning, "info": LIGHT.primary}
HEIGHTS = {"info": 4, "warning": 8, "error": 13}
SEVERITIES = ("info", "warning", "error")
FONT = "font-family='monospace' font-size='13'"


@dataclass
class Canvas:
    """Pieces of the picture, from the top down."""

    pieces: list[str]
    y: int = ROW
    """The baseline of the next row of text."""

    def text(self, column: float, words: str, colour: str | None = None, *, bold: bool = False) -> None:
        """Words from a column on, in the row that is reached."""
        weight = " font-weight='bold'" if bold else ""
        fill = quoteattr(colour or LIGHT.foreground or "black")
        said = escape(printable(words))
        self.pieces.append(
            f"<text x='{column * CELL:.0f}' y='{self.y}' fill={fill}{weight} xml:space='preserve'>{said}</text>"
        )

    def bar(self, column: float, width: float, height: int, colour: str | None) -> None:
        """A bar that stands on the row that is reached."""
        fill = quoteattr(colour or "black")
        self.pieces.append(
            f"<rect x='{column * CELL:.1f}' y='{self.y - height}' width='{max(width * CELL, 1):.1f}' "
            f"height='{height}' fill={fill}/>"
        )

    def line(self, words: str = "", *, bold: bool = False) -> None:
        """A row of words, and on to the next one."""
        if words:
            self.text(1, cut(words, COLUMNS), bold=bold)
        self.y += ROW

    def done(self) -> str:
        """The whole picture."""
        width, height = (COLUMNS + 2) * CELL, self.y + ROW
        ground = f"<rect width='{width}' height='{height}' fill={quoteattr(LIGHT.background or 'white')}/>"
        size = f"width='{width}' height='{height}' viewBox='0 0 {width} {height}'"
        return f"<svg xmlns='http://www.w3.org/2000/svg' {size} {FONT}>{ground}{''.join(self.pieces)}</svg>\n"


def picture(view: CaseView, title: str = "logs") -> str:
    """The verdict, a glyph per rank, and what was written when."""
    canvas, report = Canvas([]), view.report
    verdict, first = report.verdict, report.verdict.first_evidence
    canvas.line(job_words(report, title, COLUMNS, state_words(report)))
    canvas.line(f"{verdict.cls} ({verdict.confidence}): {verdict.title}", bold=True)
    canvas.line(f"{first.place}  {printable(first.text.strip())}" if first else "")
    canvas.line()
    if view.ranks:
        _ranks(canvas, view)
        canvas.line()
    _timeline(canvas, view)
    return canvas.done()


def _ranks(canvas: Canvas, view: CaseView) -> None:
    reading = MODES[0].read(view, None)
    nodes = nodes_of(view.ranks, view.states, view.report.job.gpus_per_node)
    laid = arrange(view.ranks, nodes, COLUMNS, MOST_ROWS)
    for y in range(min(laid.rows, MOST_ROWS)):
        for n, block in enumerate(laid.row(y)):
            _node(canvas, block, 1 + n * laid.pitch, laid.label_width, reading)
        canvas.line()
    if laid.rows > MOST_ROWS:
        canvas.line(f"… {laid.rows - MOST_ROWS:,} more rows")
    column = 1.0
    for look in (look for look in reading.order if reading.counts[look] and look.status != ABSENT):
        words = f"{look.glyph} {look.words} {reading.counts[look]:,}"
        canvas.text(column, words, _colour(look))
        column += len(words) + 2
    canvas.line()


def _node(canvas: Canvas, block: RankBlock, column: int, label: int, reading: Reading) -> None:
    """Its name, and a glyph per rank; equal neighbours are drawn together."""
    canvas.text(column, block.label)
    at = column + label + 1
    for look, run in groupby(block.ranks, key=reading.looks.__getitem__):
        count = len(list(run))
        canvas.text(at, look.glyph * count, _colour(look))
        at += count


def _colour(look: StatusLook) -> str:
    return LIGHT.variables.get(f"rank-{look.css}", "black")


def _timeline(canvas: Canvas, view: CaseView) -> None:
    """The window of the failure: hung collectives, then a lane per source."""
    stuck, columns = stuck_spans(view.report), COLUMNS - LABEL
    window = failure_window(view, stuck, columns) or whole_window(view, stuck, columns)
    if window is None:
        return
    for n in range(TICKS + 1):
        at = round(n * (columns - 9) / TICKS)
        canvas.text(1 + LABEL + at, time_text(window.time(at)))
    canvas.line()
    for span in stuck[:3]:
        _stuck(canvas, span, window)
    lanes: Mapping[str, tuple[TimelineEvent, ...]] = view.events_by_source
    for name, events in lanes.items():
        _lane(canvas, name, events, window)


def _stuck(canvas: Canvas, span: StuckSpan, window: Scale) -> None:
    start, end = (max(0, min(window.column(time), window.width - 1)) for time in (span.start, span.end))
    canvas.text(1, "stuck")
    canvas.bar(1 + LABEL + start, end - start + 1, 2, LIGHT.variables["rank-waiting"])
    words = f"{span.op} #{span.seq} · {duration_text(span.end - span.start)} · {span.ranks} ranks"
    canvas.y -= 4
    canvas.text(1 + LABEL + start, cut(words, max(window.width - start, 1)))
    canvas.y += 4
    canvas.line()


def _lane(canvas: Canvas, name: str, events: tuple[TimelineEvent, ...], window: Scale) -> None:
    """Columns as high as what they hold is severe."""
    canvas.text(1, cut(name, LABEL - 1))
    for column, severity in _columns(events, window):
        canvas.bar(1 + LABEL + column, 1, HEIGHTS[severity], COLOURS[severity])
    canvas.line()


def _columns(events: tuple[TimelineEvent, ...], window: Scale) -> Iterator[tuple[int, str]]:
    for column, (count, worst) in enumerate(loudness(events, window)):
        if count:
            yield column, SEVERITIES[worst]
