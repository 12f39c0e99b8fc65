"""Find a rank, a file or a finding by a few letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from logtui.tui.panes.findings import finding_items
from logtui.tui.screens.overlay import Overlay
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.looks import look_of
from logtui.tui.shared.wording import printable
from logtui.tui.widgets.row_list import ChoiceList, RowList

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import Evidence

SHOWN = 50
"""Rows offered."""
LEAST_SCORE = 60.0
"""Of 100: below that a row has nothing to do with what was typed."""
LEAST_BEHIND = 12.0
"""Rows that fit worse than the best one by more than that are left out."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Somewhere to go: a rank, a file, or a cited line."""

    words: str
    rank: int | None = None
    file: str | None = None
    evidence: Evidence | None = None
    why: str = ""


def places_of(view: CaseView) -> Iterator[Destination]:
    """Findings, outliers, all other ranks, all files."""
    odd = frozenset(view.outliers)
    for item in finding_items(view.report):
        if item.evidence is not None and item.kind != "evidence":
            yield Destination(f"finding {printable(item.text)}", evidence=item.evidence, why=item.why)
    yield from (_rank_place(view, rank) for rank in (*view.outliers, *(r for r in view.ranks if r not in odd)))
    yield from (Destination(f"file {printable(f.name)}", file=f.name) for f in (view.case.files if view.case else ()))


def _rank_place(view: CaseView, rank: int) -> Destination:
    state = view.states.get(rank)
    host = f" {state.host}" if state and state.host else ""
    look = look_of(view.status(rank))
    return Destination(f"rank {rank}{host} {look.glyph} {look.words}", rank=rank)


def matching(places: Sequence[Destination], typed: str) -> list[Destination]:
    """The places that fit best, best first; a bare number means a rank before anything else."""
    from rapidfuzz import fuzz, process, utils  # only who searches waits for it

    typed = typed.strip()
    if not typed:
        return list(places[:SHOWN])
    exact = [p for p in places if p.rank is not None and typed.lower() in (f"{p.rank}", f"rank {p.rank}", f"r{p.rank}")]
    names = [place.words for place in places]
    ranked = process.extract(
        typed, names, scorer=fuzz.partial_ratio, processor=utils.default_process, limit=SHOWN, score_cutoff=LEAST_SCORE
    )
    least = ranked[0][1] - LEAST_BEHIND if ranked else 0.0
    best = [places[at] for _, score, at in ranked if score >= least]
    return [*exact, *(p for p in best if p not in exact)][:SHOWN]


class FinderScreen(Overlay[Destination | None]):
    """A field and what fits; Enter goes there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", show=False),
        Binding("down,ctrl+n", "walk(1)", "Down", show=False, priority=True),
        Binding("up,ctrl+p", "walk(-1)", "Up", show=False, priority=True),
    ]

    @dataclass
    class Gathered(Message):
        """All places are there."""

        places: list[Destination]

    def __init__(self, places: Iterator[Destination]) -> None:
        """The first of the places are taken at once, the others in a thread."""
        super().__init__()
        self._to_come = places
        self._places = list(islice(places, SHOWN))
        self._shown: list[Destination] = []

    def compose(self) -> ComposeResult:
        """Field above, places below; the outliers are offered before anything is typed."""
        with Vertical(id="finder") as box:
            box.border_title = "find"
            field = Input(placeholder="rank, node, file, finding", id="finder-field", compact=True)
            field.cursor_blink = False
            yield field
            self._shown = self._places
            listed = ChoiceList(_words(self._shown), id="finder-list")
            listed.can_focus = False
            yield listed

    def on_mount(self) -> None:
        """Gather the rest, once there is something to look at."""
        self.call_after_refresh(self.gather)

    @work(thread=True, exclusive=True, exit_on_error=False, group="finder", name="gather-places", description="-")
    def gather(self) -> None:
        """Put places into words: of sixteen thousand ranks that takes longer than a frame."""
        self.post_message(self.Gathered([*self._places, *self._to_come]))

    def on_finder_screen_gathered(self, message: Gathered) -> None:
        """Look again for what was typed meanwhile."""
        self._places = message.places
        if typed := self.query_one(Input).value:
            self._offer(typed)

    def on_input_changed(self, message: Input.Changed) -> None:
        """Offer what fits."""
        self._offer(message.value)

    @property
    def _listed(self) -> ChoiceList:
        return self.query_one(ChoiceList)

    def _offer(self, typed: str) -> None:
        self._shown = matching(self._places, typed)
        self._listed.show(_words(self._shown))

    def action_walk(self, direction: int) -> None:
        """Move the choice while the field keeps the focus."""
        self._listed.walk(direction)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Go to the chosen place."""
        at = self._listed.chosen
        self.dismiss(self._shown[at] if at is not None else None)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """A click goes there at once."""
        self.dismiss(self._shown[message.row])


def _words(places: Sequence[Destination]) -> list[str]:
    return [place.words.split("\n")[0] for place in places]
