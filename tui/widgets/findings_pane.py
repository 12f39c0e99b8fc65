"""What the diagnosis says, each sentence with the line it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from logtui.tui import help_texts
from logtui.tui.case_view import CaseView
from logtui.tui.finding_items import FindingItem, finding_items
from logtui.tui.messages import LineChosen
from logtui.tui.selection import Selection
from logtui.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from logtui.diagnosis.report import Evidence

STYLES = {
    "heading": "bold $text-muted",
    "verdict": "bold",
    "step": "",
    "evidence": "$text-accent",
    "note": "$text-muted",
}
_INDENTS = {"evidence": "  "}


class FindingList(OptionList, inherit_bindings=False):
    """Wrapped rows; arrow keys and vi's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor_down", "Down", show=False, id="findings.down"),
        Binding("up,k", "cursor_up", "Up", show=False, id="findings.up"),
        Binding("pageup,ctrl+b", "page_up", "Page up", show=False, id="findings.page-up"),
        Binding("pagedown,ctrl+f,space", "page_down", "Page down", show=False, id="findings.page-down"),
        Binding("home,g", "first", "First", show=False, id="findings.first"),
        Binding("end,G", "last", "Last", show=False, id="findings.last"),
        Binding("enter", "select", "Line", id="findings.open"),
    ]


class FindingsPane(Pane):
    """Verdict, cause chain, runners-up, advice, symptoms."""

    HELP_TEXT = help_texts.FINDINGS

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._items: list[FindingItem] = []

    def compose_pane(self) -> ComposeResult:
        """One list."""
        yield FindingList(id="finding-list", compact=True)

    @property
    def listed(self) -> FindingList:
        """The rows."""
        return self.query_one(FindingList)

    def watch_view(self, view: CaseView | None) -> None:
        """Show a newer report."""
        if view is None:
            return
        self._items = finding_items(view.report)
        with self.prevent(OptionList.OptionHighlighted):
            self.listed.set_options([_option(item) for item in self._items])
        self._follow(self.selection)

    def watch_selection(self, selection: Selection) -> None:
        """Follow the selection."""
        self._follow(selection)

    def _follow(self, selection: Selection) -> None:
        """Put the cursor on a row that cites the selected line; stay where one does already."""
        here = self.listed.highlighted
        if here is not None and _cites(self._items[here], selection):
            return
        at = next((n for n, item in enumerate(self._items) if _cites(item, selection)), None)
        if at is not None:
            with self.prevent(OptionList.OptionHighlighted):
                self.listed.highlighted = at

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """The user passes a row: the panes follow."""
        message.stop()
        if self.listed.has_focus:
            self._choose(self._items[message.option_index], opened=False)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Enter: to the line."""
        message.stop()
        self._choose(self._items[message.option_index], opened=True)

    def _choose(self, item: FindingItem, *, opened: bool) -> None:
        if item.evidence is not None:
            self.post_message(line_of(item.evidence, item.why, step=not opened, opened=opened))


def line_of(evidence: Evidence, why: str, *, step: bool = False, opened: bool = False) -> LineChosen:
    """The message that shows a cited line."""
    return LineChosen(evidence.file, evidence.line, evidence.rank, evidence.time, why, step=step, opened=opened)


def _cites(item: FindingItem, selection: Selection) -> bool:
    cited = item.evidence
    return item.kind == "evidence" and cited is not None and cited.place == selection.place


def _option(item: FindingItem) -> Option:
    indent = _INDENTS.get(item.kind, "")
    return Option(Content.styled(indent + item.text, STYLES[item.kind]), disabled=item.evidence is None)
