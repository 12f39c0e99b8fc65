"""Which panes share a place at which size, and which of them is in front."""

from __future__ import annotations

from dataclasses import dataclass, field

from textual.content import Content
from textual.geometry import Size

PANES = ("ranks", "timeline", "findings", "files", "raw", "daemons")
"""In the order of their number keys."""

TOO_SMALL, STACKED, TWO_COLUMNS, THREE_COLUMNS = "-too-small", "-stacked", "-two", "-three"
LAYOUTS = (TOO_SMALL, STACKED, TWO_COLUMNS, THREE_COLUMNS)
MIN_WIDTH, MIN_HEIGHT = 60, 15

_SHARED: dict[str, tuple[tuple[str, ...], ...]] = {
    TOO_SMALL: (),
    STACKED: (("ranks", "timeline", "findings", "files", "daemons"),),
    TWO_COLUMNS: (("findings", "files", "daemons"),),
    THREE_COLUMNS: (("files", "daemons"),),
}


def layout_for(size: Size) -> str:
    """The layout, as a class of the screen, for a terminal of this size."""
    if size.width < MIN_WIDTH or size.height < MIN_HEIGHT:
        return TOO_SMALL
    if size.width < 110 or size.height < 30:
        return STACKED
    return THREE_COLUMNS if size.width >= 170 and size.height >= 40 else TWO_COLUMNS


@dataclass
class PaneOrder:
    """Panes by how recently they were asked for: of those that share a place, the first is shown."""

    recent: list[str] = field(default_factory=lambda: sorted(PANES, key=lambda name: name == "files"))
    """Files last: of a job with storage daemons, theirs are of more interest."""
    absent: frozenset[str] = frozenset({"daemons"})
    """Panes with nothing to show."""

    def bring(self, name: str) -> None:
        """Put a pane in front of those it shares a place with."""
        self.recent.remove(name)
        self.recent.insert(0, name)

    def hidden(self, layout: str) -> set[str]:
        """Panes that lie behind another one."""
        behind = set(self.absent)
        for group in _SHARED[layout]:
            here = [name for name in self.recent if name in group and name not in self.absent]
            behind |= set(group) - set(here[:1])
        return behind

    def sharing(self, layout: str, name: str) -> tuple[str, ...]:
        """The panes at the place of one, itself included."""
        group = next((group for group in _SHARED[layout] if name in group), (name,))
        return tuple(n for n in group if n not in self.absent)


def pane_names(shared: tuple[str, ...], shown: str) -> Content:
    """`1 ranks │ 2 timeline`: the panes at one place with their keys, the shown one underlined."""
    style = "bold underline" if len(shared) > 1 else ""
    names = [Content.styled(f"{PANES.index(name) + 1} {name}", style if name == shown else "") for name in shared]
    return Content(" │ ").join(names)
