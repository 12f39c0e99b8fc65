"""The report as it will be written, and the menu of what to write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.console import Console
from rich.markdown import Markdown
from rich.segment import Segment
from rich.style import Style
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Label

from logtui.tui.screens.export import KINDS, Kind
from logtui.tui.screens.overlay import Overlay, TextPage
from logtui.tui.widgets.row_list import ChoiceList, RowList


class ReportPage(TextPage):
    """The rendered report."""

    @dataclass
    class Rendered(Message):
        """The lines for a width are there."""

        width: int
        text: str
        lines: list[Strip]

    def __init__(self, make: Callable[[], str], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._make = make
        self.text = ""
        """The markdown that is shown; empty until it is there."""

    def lay_out(self, width: int) -> Sequence[Strip]:
        """Rendering takes a third of a second: the lines come later."""
        self.call_after_refresh(self.render_text, width)
        return [Strip([Segment("putting the report together …", Style(dim=True))])]

    @work(thread=True, exclusive=True, exit_on_error=False, group="report", name="render-report", description="-")
    def render_text(self, width: int) -> None:
        """Render the report."""
        text = self.text or self._make()
        self.post_message(self.Rendered(width, text, rendered(text, self.app.console, width)))

    def on_report_page_rendered(self, message: Rendered) -> None:
        """Show it."""
        message.stop()
        self.text = message.text
        self.show(message.lines)


def rendered(text: str, console: Console, width: int) -> list[Strip]:
    """Markdown as lines.

    Not by the framework's own widget: it makes a widget of every cell of a table, and takes seconds.
    """
    markdown = Markdown(text, hyperlinks=False, code_theme="ansi_dark")
    segments = console.render(markdown, console.options.update(highlight=False, width=width, height=None))
    return [Strip(line) for line in Segment.split_and_crop_lines(segments, width, include_new_lines=False, pad=False)]


class ReportScreen(Overlay[Kind | None]):
    """A preview, rendered; answers with what is to be written."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,r", "dismiss(None)", "Close", show=False),
        *(Binding(kind.key, f"write('{kind.key}')", kind.words, show=False) for kind in KINDS),
        Binding("down,j", "scroll(1)", "Down", show=False),
        Binding("up,k", "scroll(-1)", "Up", show=False),
        Binding("pagedown,ctrl+f,space", "page(1)", "Page down", show=False),
        Binding("pageup,ctrl+b", "page(-1)", "Page up", show=False),
        Binding("home,g", "edge(0)", "Top", show=False),
        Binding("end,G", "edge(1)", "Bottom", show=False),
    ]

    def __init__(self, make: Callable[[], str]) -> None:
        """`make` gives the markdown; it is called in a thread."""
        super().__init__()
        self._make = make

    @property
    def text(self) -> str:
        """The markdown that is shown; empty until it is there."""
        return self._page.text

    def compose(self) -> ComposeResult:
        """The text above, the keys below."""
        with Vertical(id="report") as box:
            box.border_title, box.border_subtitle = "report", "esc closes"
            yield ReportPage(self._make, id="report-page")
            yield Label(" · ".join(f"{kind.key} {kind.words}" for kind in KINDS), id="report-keys", markup=False)

    def action_write(self, key: str) -> None:
        """Leave with the wish to write."""
        self.dismiss(next(kind for kind in KINDS if kind.key == key))

    @property
    def _page(self) -> ReportPage:
        return self.query_one(ReportPage)

    def action_scroll(self, lines: int) -> None:
        """A line up or down."""
        self._page.action_scroll(lines)

    def action_page(self, direction: int) -> None:
        """A page up or down."""
        self._page.action_page(direction)

    def action_edge(self, end: int) -> None:
        """To the top or the bottom."""
        self._page.action_edge(end)


class ExportMenu(Overlay[Kind | None]):
    """What can be written, by a list or by a letter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,E", "dismiss(None)", "Close", show=False),
        *(Binding(kind.key, f"write('{kind.key}')", kind.words, show=False) for kind in KINDS),
    ]

    def __init__(self, kinds: Sequence[Kind] = KINDS) -> None:
        super().__init__()
        self._kinds = kinds

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(id="export") as box:
            box.border_title, box.border_subtitle = "write", "esc closes"
            yield ChoiceList([f"{kind.key}  {kind.words}" for kind in self._kinds])

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Enter or a second click on one."""
        if message.opened:
            self.dismiss(self._kinds[message.row])

    def action_write(self, key: str) -> None:
        """Leave with the wish to write."""
        self.dismiss(next((kind for kind in self._kinds if kind.key == key), None))
