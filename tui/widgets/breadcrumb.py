"""Where the user is, and how far back and forward the way goes."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from logtui.tui.printable import printable
from logtui.tui.selection import History, Selection
from logtui.tui.wording import time_text


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


class Breadcrumb(Widget):
    """`[2  node007 › rank 57 › 15:09:37 › error-4821-7.out:153 › proves the verdict  0]`."""

    trail: reactive[Trail] = reactive(Trail(Selection()))
    """What is shown."""

    def render(self) -> Content:
        """Parts that are not known are left out."""
        trail, here = self.trail, self.trail.here
        parts = [
            trail.host,
            "" if here.rank is None else f"rank {here.rank}",
            trail.group,
            time_text(here.time).strip(),
            here.place or here.file or "",
            here.why,
        ]
        words = printable(" › ".join(part for part in parts if part))
        room = max(self.size.width - 10, 1)
        words = words if len(words) <= room else words[: room - 1] + "…"
        ends = (
            (f"[ {trail.back:<3}", "" if trail.back else "dim"),
            (f"{trail.forward:>3} ]", "" if trail.forward else "dim"),
        )
        return Content.assemble(ends[0], words.ljust(room), ends[1])
