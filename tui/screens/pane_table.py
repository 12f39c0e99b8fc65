"""One table of all panes: class, key, place, when shown; and which of those that share a place is in front.

Each pane declares its row beside its class, as `PANE`; modules in `panes/` are found by themselves.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from textual.content import Content
from textual.geometry import Size

from logtui.tui import panes
from logtui.tui.widgets.pane import TAB, PaneRow, Place


def _declared() -> Iterator[PaneRow]:
    for found in pkgutil.iter_modules(panes.__path__):
        module = import_module(f"{panes.__name__}.{found.name}{'.pane' if found.ispkg else ''}")
        yield module.PANE


PANES: Mapping[str, PaneRow] = {row.name: row for row in sorted(_declared(), key=lambda row: row.key)}
"""By name, in the order of their number keys."""

TOO_SMALL, STACKED, THREE_ROWS, TWO_COLUMNS, THREE_COLUMNS = "-too-small", "-stacked", "-rows", "-two", "-three"
LAYOUTS = (TOO_SMALL, STACKED, THREE_ROWS, TWO_COLUMNS, THREE_COLUMNS)
MIN_WIDTH, MIN_HEIGHT = 60, 15
NARROW = 120
"""Columns of a terminal up to which lines have its whole width for themselves."""

_TOGETHER: Mapping[str, tuple[Place, ...]] = {
    TOO_SMALL: (),
    STACKED: (Place.RANKS, Place.TIMELINE, Place.FINDINGS, Place.FILES),
    THREE_ROWS: (Place.FINDINGS, Place.FILES),
    TWO_COLUMNS: (Place.FINDINGS, Place.FILES),
    THREE_COLUMNS: (Place.FILES,),
}
"""Places that are one in a layout."""


def by_place() -> list[PaneRow]:
    """In the order of reading; of one place, those that few cases have anything for come first: they say more there."""
    places = list(Place)
    return sorted(PANES.values(), key=lambda row: (places.index(row.place), row.needs is None, row.key))


def layout_for(size: Size) -> str:
    """The layout, as a class of the screen, for a terminal of this size."""
    if size.width < MIN_WIDTH or size.height < MIN_HEIGHT:
        return TOO_SMALL
    if size.width < 100 or size.height < 30:
        return STACKED
    if size.width <= NARROW:
        return THREE_ROWS if size.height >= 36 else STACKED
    return THREE_COLUMNS if size.width >= 170 and size.height >= 40 else TWO_COLUMNS


@dataclass
class PaneOrder:
    """Panes by how recently they were asked for: of those that share a place, the first is shown."""

    recent: list[str] = field(default_factory=lambda: [row.name for row in by_place()])
    absent: frozenset[str] = field(default_factory=lambda: frozenset(n for n, row in PANES.items() if row.needs))
    """Panes with nothing to show: before there is a case, those that only some cases have something for."""

    def bring(self, name: str) -> None:
        """Put a pane in front of those it shares a place with."""
        self.recent.remove(name)
        self.recent.insert(0, name)

    def hidden(self, layout: str) -> set[str]:
        """Panes that lie behind another one."""
        group = _together(layout)
        here = [name for name in self.recent if name in group and name not in self.absent]
        return set(self.absent) | set(group) - set(here[:1])

    def sharing(self, layout: str, name: str) -> tuple[str, ...]:
        """The panes at the place of one, itself included."""
        group = _together(layout)
        return tuple(n for n in (group if name in group else (name,)) if n not in self.absent)


def _together(layout: str) -> tuple[str, ...]:
    return tuple(name for name, row in PANES.items() if row.place in _TOGETHER[layout])


def pane_names(shared: tuple[str, ...], shown: str) -> Content:
    """`1 ranks │ 2 timeline`: the panes at one place with their keys, the shown one underlined."""
    style = "bold underline" if len(shared) > 1 else ""
    names = [Content.styled(f"{PANES[name].key} {name}", style if name == shown else "") for name in shared]
    return Content(TAB).join(names)
