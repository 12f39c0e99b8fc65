"""Any line of any file, and what the user asks of them: searches, filters, line numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from logtui.tui.panes.raw.expressions import LineRules, Matches, compile_search
from logtui.tui.panes.raw.filters import FilterBar
from logtui.tui.panes.raw.searching import LineCounter, LineSearcher
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.destinations import both_clocks, line_facts
from logtui.tui.shared.messages import CommandTyped, LineChosen, WholeLineWanted
from logtui.tui.shared.selection import MarkBook
from logtui.tui.shared.wording import printable, shortened
from logtui.tui.widgets.pane import Pane, PaneRow, Place
from logtui.tui.widgets.prompt_bar import PromptBar

if TYPE_CHECKING:
    from logtui.parsers.files.case import Case
    from logtui.parsers.source import LogFile

COMMANDS_HINT = "q, rank 57, node007, time 15:42, report, help"
"""What else may be typed behind the colon; shown while nothing is."""
NO_LINE = "nothing cites a line here · f finds a file"
TITLE_EDGES, MIN_NAME = 6, 8
"""Columns of a title beside the file's name and the line; of the name, at least."""
JUDGED_ABOVE = 20_000
"""Lines; judged in a few milliseconds."""

_HINTS = {
    "/": "regular expression",
    "&": "show lines that match; !… hides them; the same again takes a rule away; empty: all lines",
}

HELP = """\
## Raw lines

The file as it is on disk. `▸` marks lines the diagnosis cites, `▶` is the cursor; the title says what for.

- **/** regular expression, **n** / **N** next and previous match; case counts once a capital letter is typed
- **:** a line number, or a word: `q`, `rank 57`, `node007`, `time 15:42`, `report` ·
  **g** / **G** first and last line · **left** / **right** to the side · **0** back
- Where room is short, what stands before the text is folded to `r57 15:42:03`; **left** or **0** shows it
- **w** wraps long lines · **&** shows only lines that match, **& !…** hides them; the same again takes the rule away
- **R** fades the lines of other ranks, then hides them; the foot of the pane says how many
- `*` the same search in all files · `|` this rank beside another one, aligned by time
- **x** / **X** next and previous error, **i** / **I** line that the verdict does not explain, **u** / **U** mark, from
  any pane
- **m** marks the line, with a note for the report · **C** declares it the cause, and the report follows; again takes it
  back
- **enter** the whole line · **y** copy `file:line` · **o** open in `$EDITOR` at this line

A cited line under the cursor is shown whole. Underlined: what the citation rests on.
Coloured: what the declared formats read.
"""


class RawPane(Pane):
    """Any line of any file; the proof itself. Follows the selection, and tells where its own cursor goes."""

    HELP_TEXT = HELP

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ampersand", "filter", "Filter lines", show=False, key_display="&", id="raw.filter",
            tooltip="Show lines that match; !… hides them",
        ),
        Binding(
            "R", "own_lines", "One rank's lines", show=False, id="raw.own-lines",
            tooltip="Fade, then hide lines of other ranks",
        ),
    ]  # fmt: skip

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._file: str | None = None
        self.book = MarkBook()
        """The user's marks."""

    def compose_pane(self) -> ComposeResult:
        """Lines above, filters and prompt below."""
        yield RawViewer(id="raw-viewer")
        yield FilterBar(id="filters")
        yield LineSearcher(id="searcher")
        yield LineCounter()
        yield PromptBar(id="prompt")

    @property
    def viewer(self) -> RawViewer:
        """The lines."""
        return self.query_one("#raw-viewer", RawViewer)

    @property
    def filters(self) -> FilterBar:
        """What is hidden."""
        return self.query_one("#filters", FilterBar)

    @property
    def searcher(self) -> LineSearcher:
        """What is looked for."""
        return self.query_one("#searcher", LineSearcher)

    @property
    def matches(self) -> Matches | None:
        """What was found."""
        return self.searcher.matches

    def watch_view(self, old: CaseView | None, new: CaseView | None) -> None:
        """Read on from the newer reading of the files, at the same place."""
        if new is not None and self._file is not None and (old is None or old.case is not new.case):
            self._open(new, self._file)
        self._follow()

    def watch_selection(self) -> None:
        """Go where the selection is."""
        self._follow()

    def _follow(self) -> None:
        name, line = self.selection.file, self.selection.line
        if self.view is None or name is None:
            self._title()
            return
        if name != self._file:
            self._open(self.view, name)
        if line is not None and line != self.viewer.cursor:
            self._pin(line)
            self.viewer.move_to(line)
        self._title()

    def _pin(self, line: int) -> None:
        """A line that was asked for is shown, whatever the filters say."""
        if self.filters.shown is not None:
            self.filters.shown.pin(line)
            self.viewer.redraw()

    def _shown_file(self) -> tuple[Case, LogFile] | None:
        case = self.view.case if self.view else None
        file = case.file_named(self._file) if case and self._file else None
        return (case, file) if case is not None and file is not None else None

    def _open(self, view: CaseView, name: str) -> None:
        case = view.case
        file = case.file_named(name) if case else None
        if case is None or file is None:
            return
        if name != self._file:
            self._file = name
            self._end_search()
            self.viewer.rewind()
        index = case.indexes.get(file.index)
        known = index.lines if index is not None and index.complete else 0
        self.viewer.open(case, file.index, known or self.selection.line or 1, view.cited_texts.get(name, {}))
        self.viewer.decoration.marks = self.book.of_file(name)
        self.filters.open(case, file.index, self._first_to_judge())
        if not known:
            self.query_one(LineCounter).count_lines(case, name, file.index)

    def _first_to_judge(self) -> int:
        """Filters begin well above the screen, so that it is filled at once."""
        return max(1, (self.selection.line or 1) - JUDGED_ABOVE)

    def on_line_counter_counted(self, message: LineCounter.Counted) -> None:
        """The file's length is known."""
        if message.file == self._file:
            self.viewer.set_line_count(message.lines)
            self.viewer.move_to(self.selection.line or 1, always=True)
            self._title()

    def on_resize(self) -> None:
        """The name of the file has the room that there is."""
        self._title()

    def _title(self) -> None:
        """Where we are, what the search found, and what the line is cited for."""
        if self._file is None:
            self.heading.name_shown = Content(f"{PANE.key} raw lines")
            self.heading.note = NO_LINE if self.view else ""
            return
        place = f":{self.viewer.cursor} of {self.viewer.line_count:,}"
        room = max(self.size.width - len(place) - TITLE_EDGES, MIN_NAME)
        self.heading.name_shown = Content(f"{PANE.key} {shortened(printable(self._file), room)}{place}")
        cited = self.view.citations.get(self._file, {}) if self.view else {}
        why = self.selection.why or cited.get(self.viewer.cursor, "")
        found = self.matches.words(self.viewer.cursor) if self.matches else ""
        self.heading.note = " · ".join(filter(None, (found, both_clocks(self.view, self.selection), printable(why))))

    def on_raw_viewer_moved(self, message: RawViewer.Moved) -> None:
        """Tell where the cursor went, or ask for the whole line."""
        message.stop()
        if message.opened:
            place = f"{self._file}:{message.line}"
            self.post_message(WholeLineWanted(place, self.viewer.text_of(message.line)))
        else:
            self._tell(message.line)

    def _tell(self, line: int) -> None:
        """Post where the cursor is, with what the line says about its rank and time."""
        if self._file is not None and self.view is not None:
            rank, time = line_facts(self.view, self._file, self.viewer.text_of(line), self.selection.time)
            self.post_message(LineChosen(self._file, line, rank, time, step=True))

    def _end_search(self) -> None:
        self.searcher.end()
        self.viewer.search(None)

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


PANE = PaneRow("raw", RawPane, key=5, place=Place.RAW)
