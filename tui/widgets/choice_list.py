"""Texts to choose from, in the menus and finders above the panes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from logtui.tui.widgets.row_list import Cells, RowList


class ChoiceList(RowList):
    """A text per row; whoever has the focus may walk through them. `Moved` comes from clicks and keys of its own."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"row-list--chosen"}

    def __init__(self, texts: Sequence[str] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.texts = list(texts)
        self.row_count = len(self.texts)

    def show(self, texts: Sequence[str]) -> None:
        """Offer others, the first of them chosen."""
        self.texts, self.cursor = list(texts), 0
        self.show_rows(len(self.texts))
        self.scroll_to(y=0, animate=False, force=True, immediate=True)

    def add(self, text: str) -> None:
        """Offer one more."""
        self.texts.append(text)
        self.show_rows(len(self.texts))

    @property
    def chosen(self) -> int | None:
        """The row under the cursor."""
        return self.cursor if self.row_count else None

    def walk(self, direction: int) -> None:
        """A row down or up, round the ends."""
        if self.row_count:
            self.move_to((self.cursor + direction) % self.row_count)

    def cells(self, row: int, width: int) -> Cells:
        """The text."""
        return [(self.texts[row], "chosen" if row == self.cursor else "")]
