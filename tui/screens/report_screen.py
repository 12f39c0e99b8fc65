"""The report as it will be written, and the menu of what to write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.markdown import Markdown
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from logtui.tui.export import KINDS, Kind
from logtui.tui.option_walk import walk


class ReportScreen(ModalScreen[Kind | None]):
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

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    @property
    def text(self) -> str:
        """The markdown that is shown."""
        return self._text

    def compose(self) -> ComposeResult:
        """The text above, the keys below."""
        with Vertical(id="report"):
            with VerticalScroll(id="report-page"):
                # One text: the framework's own widget makes a widget of every cell of a table, and takes seconds.
                yield Static(Markdown(self._text, hyperlinks=False, code_theme="ansi_dark"), id="report-text")
            yield Label(" · ".join(f"{kind.key} {kind.words}" for kind in KINDS), id="report-keys", markup=False)

    def on_mount(self) -> None:
        """Say how to leave."""
        box = self.query_one("#report")
        box.border_title = "report"
        box.border_subtitle = "esc closes"

    def action_write(self, key: str) -> None:
        """Leave with the wish to write."""
        self.dismiss(next(kind for kind in KINDS if kind.key == key))

    def _page(self) -> VerticalScroll:
        return self.query_one("#report-page", VerticalScroll)

    def action_scroll(self, lines: int) -> None:
        """A line up or down."""
        self._page().scroll_relative(y=lines, animate=False)

    def action_page(self, direction: int) -> None:
        """A page up or down."""
        self._page().scroll_relative(y=direction * max(self._page().size.height - 1, 1), animate=False)

    def action_edge(self, end: int) -> None:
        """To the top or the bottom."""
        if end:
            self._page().scroll_end(animate=False)
        else:
            self._page().scroll_home(animate=False)


class ExportMenu(ModalScreen[Kind | None]):
    """What can be written, by a list or by a letter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,E", "dismiss(None)", "Close", show=False),
        Binding("j", "walk(1)", "Down", show=False),
        Binding("k", "walk(-1)", "Up", show=False),
        *(Binding(kind.key, f"write('{kind.key}')", kind.words, show=False) for kind in KINDS),
    ]

    def __init__(self, kinds: Sequence[Kind] = KINDS) -> None:
        super().__init__()
        self._kinds = kinds

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(id="export"):
            yield OptionList(*(Option(f"{kind.key}  {kind.words}", id=kind.key) for kind in self._kinds), compact=True)

    def on_mount(self) -> None:
        """Say what it is."""
        self.query_one("#export").border_title = "write"
        self.query_one("#export").border_subtitle = "esc closes"

    def action_walk(self, direction: int) -> None:
        """Up or down the list."""
        walk(self.query_one(OptionList), direction)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Enter on one."""
        self.action_write(message.option_id or "")

    def action_write(self, key: str) -> None:
        """Leave with the wish to write."""
        self.dismiss(next((kind for kind in self._kinds if kind.key == key), None))
