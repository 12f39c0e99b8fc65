"""The raw lines with what the user asks of them: searches, filters, line numbers."""

from __future__ import annotations

import re
from typing import ClassVar

from textual.binding import Binding, BindingType

from logtui.tui import help_texts
from logtui.tui.line_rules import LineRules
from logtui.tui.matches import compile_search
from logtui.tui.messages import CommandTyped
from logtui.tui.typed_commands import COMMANDS_HINT
from logtui.tui.widgets.filter_bar import FilterBar
from logtui.tui.widgets.line_searcher import LineSearcher
from logtui.tui.widgets.prompt_bar import PromptBar
from logtui.tui.widgets.raw_lines import RawLines

_HINTS = {
    "/": "regular expression",
    "&": "show lines that match; !… hides them; the same again takes a rule away; empty: all lines",
}


class RawPane(RawLines):
    """Any line of any file; the proof itself."""

    HELP_TEXT = help_texts.RAW

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ampersand",
            "filter",
            "Filter lines",
            show=False,
            key_display="&",
            id="raw.filter",
            tooltip="Show lines that match; !… hides them",
        ),
        Binding(
            "R",
            "own_lines",
            "One rank's lines",
            show=False,
            id="raw.own-lines",
            tooltip="Fade, then hide lines of other ranks",
        ),
    ]

    def ask(self, sign: str) -> None:
        """Open the prompt: `/` for a search, `:` for a line number, `&` for a filter."""
        hint = _HINTS.get(sign, f"line, 1 to {self.viewer.line_count:,}; or {COMMANDS_HINT}")
        self.query_one(PromptBar).open(sign, hint)

    def action_filter(self) -> None:
        """Ask for lines to show or hide."""
        if self._file is not None:
            self.ask("&")

    def set_rules(self, rules: LineRules) -> None:
        """Show and hide by other rules."""
        self.filters.set_rules(rules, self._first_to_judge())

    def action_own_lines(self) -> None:
        """Fade the lines of other ranks, then hide them, then show them again."""
        rules = self.filters.rules
        turned = rules.turned(self.selection.rank if rules.rank is None else rules.rank)
        if turned == rules:
            self.notify("select a rank first: no rank is known of this line", severity="warning")
        else:
            self.set_rules(turned)

    def on_prompt_bar_changed(self, message: PromptBar.Changed) -> None:
        """Show at once what a filter or a search would do."""
        message.stop()
        if message.sign == "&":
            self.filters.preview(message.text, self._first_to_judge())
        elif message.sign == "/":
            self._pick_out(message.text)

    def _pick_out(self, pattern: str) -> None:
        try:
            self.viewer.search(compile_search(pattern) if pattern else None)
        except re.error:
            self.viewer.search(None)

    def on_prompt_bar_closed(self, message: PromptBar.Closed) -> None:
        """Back to the lines."""
        message.stop()
        self.filters.preview(None, self._first_to_judge())
        self.viewer.search(self.matches.regex if self.matches else None)
        self.viewer.focus()

    def on_prompt_bar_answered(self, message: PromptBar.Answered) -> None:
        """Search, filter, or go to the line."""
        message.stop()
        if message.sign == "/":
            self._begin_search(message.text)
        elif message.sign == "&":
            self.filters.toggle(message.text, self._first_to_judge())
        elif message.text.strip():
            self.post_message(CommandTyped(message.text.strip()))

    def go_to_line(self, line: int) -> None:
        """A line by its number, whatever the filters say."""
        self._pin(min(line, self.viewer.line_count))
        self.viewer.action_to(line)

    def on_filter_bar_changed(self, message: FilterBar.Changed) -> None:
        """Show the lines that are left."""
        message.stop()
        shown = self.filters.shown
        if shown is not None:
            shown.pin(self.viewer.cursor)
        self.viewer.decoration.faded = self.filters.faded
        self.viewer.show_lines(shown, centre=message.begun)

    def resume_search(self, pattern: str) -> None:
        """Look for something again; the cursor stays."""
        self._begin_search(pattern, awaited=False)

    def _begin_search(self, pattern: str, *, awaited: bool = True) -> None:
        self._end_search()
        shown = self._shown_file()
        if pattern and shown is not None:
            case, file = shown
            if self.searcher.begin(pattern, case, file.index, self.viewer.cursor, awaited=awaited) and self.matches:
                self.viewer.search(self.matches.regex)
        self._title()

    def on_line_searcher_progressed(self, message: LineSearcher.Progressed) -> None:
        """Say how many there are."""
        message.stop()
        self._title()

    def on_line_searcher_wanted(self, message: LineSearcher.Wanted) -> None:
        """To the first match."""
        message.stop()
        self._go_to_match(message.line)

    def _go_to_match(self, line: int) -> None:
        self._pin(line)
        self.viewer.move_to(line)
        spotter = self.viewer.decoration.search
        if spotter is not None and (spans := spotter.spans(self.viewer.text_of(line))):
            self.viewer.reveal(*spans[0])
        self._tell(line)

    def step_match(self, direction: int) -> None:
        """The next or previous match."""
        if self.matches is None:
            self.notify("search with / first")
        elif (target := self.matches.beyond(self.viewer.cursor, direction)) is None:
            self.notify("no match so far" if not self.matches.finished else "no match", severity="warning")
        else:
            self._go_to_match(target)
