"""What every pane is: a titled region that is handed the case and the selection, and a row in the table of panes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Self

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive, var
from textual.widget import Widget

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.selection import Selection

TAB = " │ "
"""Between the names of panes that share a place."""


class PaneTitle(Widget):
    """A rule with the pane's name on the left and a note on the right; heavy where the user is.

    Not the frame's title of the framework: setting that draws the whole pane again, and a title follows the cursor.
    """

    name_shown: reactive[Content] = reactive(Content(""))
    """Which pane, and which others share its place."""
    note: reactive[str] = reactive("")
    """Cut first where room is short."""
    active: reactive[bool] = reactive(False)
    """Whether the focus is in this pane."""

    @dataclass
    class Picked(Message):
        """The mouse chose one of the panes that share this place, by its key."""

        key: int

    def on_click(self, event: events.Click) -> None:
        """As if its number had been pressed."""
        start = 2
        for name in self.name_shown.plain.split(TAB):
            if start <= event.x < start + len(name) and name[:1].isdecimal():
                self.post_message(self.Picked(int(name[0])))
            start += len(name) + len(TAB)

    def watch_active(self, active: bool) -> None:
        """Coloured where the user is."""
        self.set_class(active, "-active")

    def render(self) -> Content:
        """`━ 1 ranks ━━━━━━━━━ all groups ━`."""
        rule = "━" if self.active else "─"
        room = self.size.width - len(self.name_shown.plain) - 6
        note = fitting_note(self.note, room)
        tail = f" {note} {rule}" if note and room > 1 else ""
        fill = rule * max(self.size.width - len(self.name_shown.plain) - len(tail) - 3, 0)
        return Content.assemble(f"{rule} ", self.name_shown, f" {fill}{tail}")


def fitting_note(note: str, room: int) -> str:
    """The first parts of a note for which there is room; of a single part its beginning."""
    parts = note.split(" · ")
    while len(parts) > 1 and len(" · ".join(parts)) > room:
        parts.pop()
    shown = " · ".join(parts)
    return shown if len(shown) <= room else shown[: max(room - 1, 0)] + "…"


class Pane(Vertical):
    """A region of the screen. The screen sets its attributes; it answers with messages and knows nobody else."""

    ALLOW_MAXIMIZE = True
    HELP_TEXT: ClassVar[str] = ""
    """What `?` says about it: markdown."""

    STYLES_BELOW: ClassVar[bool] = False
    """Whether widgets in it look otherwise while it has the screen for itself."""

    view: var[CaseView | None] = var(None)
    """The newest report."""
    selection: var[Selection] = var(Selection())
    """Where the user is."""

    def compose(self) -> ComposeResult:
        """Title above, what the pane holds below."""
        yield PaneTitle()
        yield from self.compose_pane()

    def compose_pane(self) -> ComposeResult:
        """What the pane holds."""
        yield from ()

    def add_class(self, *class_names: str, update: bool = True) -> Self:
        """As the framework; but having the screen for itself mostly changes nothing below, and need not be sought."""
        alone = self._is_alone(class_names)
        super().add_class(*class_names, update=update and not alone)
        return self._styled(alone)

    def remove_class(self, *class_names: str, update: bool = True) -> Self:
        """See `add_class`."""
        alone = self._is_alone(class_names)
        super().remove_class(*class_names, update=update and not alone)
        return self._styled(alone)

    def _is_alone(self, class_names: tuple[str, ...]) -> bool:
        return class_names == ("-maximized",) and not self.STYLES_BELOW

    def _styled(self, alone: bool) -> Self:
        if alone and self.is_attached:
            self.app.stylesheet.apply(self)
        return self

    @property
    def heading(self) -> PaneTitle:
        """The title line."""
        return self.query_one(PaneTitle)

    def on_descendant_focus(self) -> None:
        """Show where the user is."""
        self.heading.active = True

    def on_descendant_blur(self) -> None:
        """The user left, unless for another widget of this pane, whose word may come first."""
        self.heading.active = self.has_focus_within

    def formats_loaded(self) -> None:
        """What formats know of a line can be told: a pane that cuts lines shows other parts of them."""

    def focus_content(self) -> None:
        """Give the focus to what the user moves in."""
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus(scroll_visible=False)
                return


class Place(Enum):
    """Where on the screen a pane stands; the order is that of reading. On small screens several places become one."""

    RANKS = "ranks"
    TIMELINE = "timeline"
    FINDINGS = "findings"
    FILES = "files"
    """Panes of this place share it on every screen: one is in front, their keys bring the others."""
    RAW = "raw"


@dataclass(frozen=True, slots=True)
class PaneRow:
    """A pane in the table of all panes: a class, its key, its place, and when it is shown."""

    name: str
    """Its word on the screen, and the id of its widget."""
    kind: type[Pane]
    key: int
    """The number key that brings it, 1 to 9."""
    place: Place = Place.FILES
    needs: Callable[[CaseView], bool] | None = None
    """Whether a case holds what it shows; None for a pane that is always there."""
    absent: str = ""
    """What is said where its key is pressed and the case holds nothing for it."""

    def is_for(self, view: CaseView) -> bool:
        """Whether it has anything to show of a case."""
        return self.needs is None or self.needs(view)
