"""What the daemons' pane says beside its bars: the glyphs, both clocks, how many files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from logtui.tui.daemon_bars import LEGEND, Shown
from logtui.tui.wording import count_text, time_text

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.storage.daemon_view import DaemonView
    from logtui.diagnosis.storage.panels import Bar


def legend() -> Content:
    """What the glyphs mean."""
    return Content("  ").join([Content(f"{glyph} {words}".replace(" ", "\xa0")) for glyph, words in LEGEND])


def note(shown: Shown, daemons: DaemonView) -> str:
    """Both clocks where they differ, how many files are listed."""
    total = sum(len(row.bars) for row in shown.picker.rows)
    listed = sum(len(shown.bars(row)) for row in shown.picker.rows)
    files = f"{listed} of {count_text(total, 'file')} cover the failure" if shown.narrow else count_text(total, "file")
    shift = daemons.shift
    clocks = ""
    if daemons.offset_s is None:
        clocks = "clocks not aligned · "
    elif shift and shown.time is not None:
        clocks = f"AIS {time_text(shown.time - shift)} · workers {time_text(shown.time)} · "
    return f"{clocks}{files} · {count_text(len(shown.picker.rows), 'daemon')}"


def begins(bar: Bar) -> str:
    """Why the first line of a file is shown."""
    return f"{bar.name.rpartition('/')[2]} begins"
