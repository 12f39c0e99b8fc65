"""The keys that work in every pane."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from logtui.tui.pane_layout import PANES

CASE_KEYS: list[BindingType] = [
    Binding("c", "chain(-1)", "Cause", id="go.cause", tooltip="To the line that caused this one"),
    Binding("e", "chain(1)", "Effect", id="go.effect", tooltip="To the line that followed from this one"),
    Binding("left_square_bracket", "back", "Back", show=False, key_display="[", id="go.back"),
    Binding("right_square_bracket", "forward", "Forward", show=False, key_display="]", id="go.forward"),
    Binding("full_stop", "event(1)", "Next event", show=False, key_display=".", id="go.next-event"),
    Binding("comma", "event(-1)", "Previous event", show=False, key_display=",", id="go.previous-event"),
    Binding("t", "time", "Time", show=False, id="go.time", tooltip="To a time: 15:42, 15:42:03, -10m"),
    Binding("slash", "ask('/')", "Search", key_display="/", id="go.search", tooltip="Search the file shown"),
    Binding(
        "colon",
        "ask(':')",
        "Line number",
        show=False,
        key_display=":",
        id="go.line",
        tooltip="A line by its number; or q, rank 57, time 15:42, report, help",
    ),
    Binding("n", "match(1)", "Next match", show=False, id="raw.next-match"),
    Binding("N", "match(-1)", "Previous match", show=False, id="raw.previous-match"),
    Binding("z", "zoom", "Zoom", show=False, id="view.zoom", tooltip="The focused pane alone, and back"),
    *(
        Binding(str(n), f"pane('{name}')", f"Pane {name}", show=False, id=f"view.{name}")
        for n, name in enumerate(PANES, 1)
    ),
]
