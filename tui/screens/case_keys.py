"""The keys that work in every pane."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from logtui.tui.screens.pane_table import PANES

_WIDER_VIEWS: list[BindingType] = [
    Binding("asterisk", "search_all", "Search all files", show=False, key_display="*", id="go.search-all"),
    Binding(
        "vertical_line", "compare", "Compare ranks", show=False, key_display="|", id="go.compare",
        tooltip="This rank and another one side by side, aligned by time",
    ),
    Binding("d", "dumps", "Dumps", id="go.dumps", tooltip="Flight-recorder dumps, operation by operation"),
    Binding("d", "no_dumps", "Dumps", show=False, id="go.no-dumps", tooltip="There are no dumps among these files"),
    Binding("b", "odd_lines", "Odd lines", show=False, id="go.odd", tooltip="What single ranks said, or said last"),
    Binding("f", "find", "Find", id="go.find", tooltip="A rank, a file or a finding by a few letters"),
]  # fmt: skip

_CLOCKS: list[BindingType] = [
    Binding(
        "M", "same_event", "Same event", show=False, id="clocks.same-event",
        tooltip="Mark a worker's line and a daemon's as one event: sets the clock",
    ),
    Binding("alt+m", "derived_clock", "Clocks as derived", show=False, id="clocks.derived"),
]  # fmt: skip

_MARKS: list[BindingType] = [
    Binding("m", "mark", "Mark", show=False, id="mark.line", tooltip="Mark this line, with a note for the report"),
    Binding(
        "C", "declare", "Declare the cause", show=False, id="mark.cause",
        tooltip="This line is the cause: verdict, chain, report follow; again: no longer",
    ),
    Binding("u", "to_mark(1)", "Next mark", show=False, id="mark.next"),
    Binding("U", "to_mark(-1)", "Previous mark", show=False, id="mark.previous"),
    Binding("S", "restore", "Restore session", show=False, id="mark.restore", tooltip="What was kept last time"),
]  # fmt: skip

_WAYS: list[BindingType] = [
    Binding("c", "chain(-1)", "Cause", id="go.cause", tooltip="To the line that caused this one"),
    Binding("e", "chain(1)", "Effect", id="go.effect", tooltip="To the line that followed from this one"),
    Binding("left_square_bracket", "back", "Back", show=False, key_display="[", id="go.back"),
    Binding("right_square_bracket", "forward", "Forward", show=False, key_display="]", id="go.forward"),
    Binding("full_stop", "event(1)", "Next event", show=False, key_display=".", id="go.next-event"),
    Binding("comma", "event(-1)", "Previous event", show=False, key_display=",", id="go.previous-event"),
    Binding("x", "walk('error', 1)", "Next error", show=False, id="go.next-error", tooltip="In this file and the next"),
    Binding("X", "walk('error', -1)", "Previous error", show=False, id="go.previous-error"),
    Binding(
        "i", "walk('unexplained', 1)", "Next unexplained", show=False, id="go.next-unexplained",
        tooltip="The next line that looks fatal and that the verdict does not explain",
    ),
    Binding("I", "walk('unexplained', -1)", "Previous unexplained", show=False, id="go.previous-unexplained"),
    Binding("t", "time", "Time", show=False, id="go.time", tooltip="To a time: 15:42, 15:42:03, -10m"),
    Binding("slash", "ask('/')", "Search", key_display="/", id="go.search", tooltip="Search the file shown"),
    Binding(
        "colon", "ask(':')", "Line number", show=False, key_display=":", id="go.line",
        tooltip="A line by its number; or q, rank 57, time 15:42, report, help",
    ),
    Binding("n", "match(1)", "Next match", show=False, id="raw.next-match"),
    Binding("N", "match(-1)", "Previous match", show=False, id="raw.previous-match"),
]  # fmt: skip

_PANES: list[BindingType] = [
    Binding("z", "zoom", "Zoom", show=False, id="view.zoom", tooltip="The focused pane alone, and back"),
    *(
        Binding(str(row.key), f"pane('{name}')", f"Pane {name}", show=False, id=f"view.{name}")
        for name, row in PANES.items()
    ),
]

CASE_KEYS: list[BindingType] = [*_WIDER_VIEWS, *_CLOCKS, *_MARKS, *_WAYS, *_PANES]
