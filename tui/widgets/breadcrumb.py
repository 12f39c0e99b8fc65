"""Where the user is, and how far back and forward the way goes; until the first key, a hint."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from logtui.tui.printable import printable
from logtui.tui.selection import History, Selection
from logtui.tui.wording import shortened, time_text

FIRST_RUN = "enter proof · c cause · e effect · [ back · ? help · ctrl+p all there is"
"""What a user who has never been here needs."""
SEPARATOR = " › "
MIN_FILE = 16


@dataclass(frozen=True, slots=True)
class Trail:
    """A place among the places visited."""

    here: Selection
    back: int = 0
    """Places that `[` leads to."""
    forward: int = 0
    """Places that `]` leads to."""
    host: str = ""
    group: str = ""

    @classmethod
    def of(cls, history: History, host: str | None, group: str) -> Trail:
        """The current place of a history."""
        return cls(history.current, history.at, len(history.places) - history.at - 1, host or "", group)

    def words(self, room: int) -> str:
        """Host, rank, group, time, line and what it is for, as far as they are known and there is room.

        The reason gives way first, then the middle of the file's name, then the host.
        """
        here = self.here
        rank = "" if here.rank is None else f"rank {here.rank}"
        front = [part for part in (self.host, rank, self.group, time_text(here.time).strip()) if part]
        place, why = here.place or here.file or "", here.why
        if self._length([*front, place, why]) <= room:
            return SEPARATOR.join(filter(None, [*front, place, why]))
        while len(front) > 1 and self._length([*front, place[-MIN_FILE:]]) > room:
            front.pop(0)
        left = room - self._length([*front, ""]) - (len(SEPARATOR) if front else 0)
        known = SEPARATOR.join(filter(None, [*front, shortened(place, max(left, 1))]))
        left = room - len(known) - len(SEPARATOR)
        return known if left < MIN_FILE // 2 or not why else f"{known}{SEPARATOR}{cut(why, left)}"

    @staticmethod
    def _length(parts: list[str]) -> int:
        return len(SEPARATOR.join(filter(None, parts)))


def cut(words: str, room: int) -> str:
    """The first of the words, with a sign where there were more."""
    return words if len(words) <= room else words[: max(room - 1, 0)] + "…"


class Breadcrumb(Widget):
    """`[2  node007 › rank 57 › 15:09:37 › error-4821-7.out:153 › proves the verdict  0]`."""

    trail: reactive[Trail] = reactive(Trail(Selection()))
    """What is shown."""
    hint: reactive[str] = reactive("")
    """Shown instead, until it is taken away."""

    def watch_hint(self, hint: str) -> None:
        """Advice stands out from a place."""
        self.set_class(bool(hint), "-hint")

    def render(self) -> Content:
        """Parts that are not known are left out."""
        if self.hint:
            return Content(cut(printable(self.hint), max(self.size.width, 1)))
        trail = self.trail
        back, forward = f"[ {trail.back or ''}", f"{trail.forward or ''} ]"
        room = max(self.size.width - len(back) - len(forward) - 4, 1)
        ends = (back, "" if trail.back else "dim"), (forward, "" if trail.forward else "dim")
        return Content.assemble(ends[0], "  ", printable(trail.words(room)).ljust(room), "  ", ends[1])
