"""What the focused pane is, and every key that works there.

Laid out from the little markdown that our texts use: headings, paragraphs, lists, `code` and **strong**; nothing else.
The framework's own widget makes a widget of every paragraph and of every cell of a table, and takes a quarter of a
second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip

from logtui.tui.screens.overlay import Overlay, TextPage

Piece = tuple[str, str]
"""A text and the name of its style: `heading`, `code`, `strong`, `bullet`, or none."""

_INLINE = re.compile(r"\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`|(?P<plain>(?:(?!\*\*|`).)+|.)", re.DOTALL)
_WORD = re.compile(r"\s+|\S+")
LIST_MARK = "- "
GAP = 2
"""Columns between a key and what it does."""

PREFIX = "help-page--"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    pieces: tuple[Piece, ...]
    lead: Piece = ("", "")
    """What stands before its first line."""
    indent: int = 0
    """Columns left of its lines."""
    room_above: bool = True


def blocks_of(markdown: str) -> Iterator[Paragraph]:
    """The paragraphs of a text."""
    for paragraph in re.split(r"\n\s*\n", markdown.strip()):
        if paragraph.startswith("## "):
            yield Paragraph(((paragraph[3:], "heading"),))
            continue
        for n, item in enumerate(re.split(r"\n(?=- )", paragraph)):
            is_item = item.startswith(LIST_MARK)
            text = " ".join(item.removeprefix(LIST_MARK).split())
            lead, indent = (("•", "bullet"), len(LIST_MARK)) if is_item else (("", ""), 0)
            yield Paragraph(tuple(_inline(text)), lead, indent, room_above=not n)


def key_blocks(keys: Sequence[tuple[str, str]]) -> Iterator[Paragraph]:
    """A row per key."""
    width = max((cell_len(key) for key, _ in keys), default=0) + GAP
    for n, (key, words) in enumerate(keys):
        yield Paragraph(((words, ""),), (key, "code"), width, room_above=not n)


def _inline(text: str) -> Iterator[Piece]:
    for match in _INLINE.finditer(text):
        yield match[match.lastgroup or "plain"], "" if match.lastgroup == "plain" else match.lastgroup or ""


def laid_out(blocks: Iterable[Paragraph], width: int) -> Iterator[list[Piece]]:
    """The lines, each no wider than that unless one word is."""
    for n, block in enumerate(blocks):
        if n and block.room_above:
            yield []
        lead = block.lead
        for line in _wrapped(block.pieces, max(width - block.indent, 1)):
            yield [lead, (" " * (block.indent - cell_len(lead[0])), ""), *line]
            lead = ("", "")


def _wrapped(pieces: Iterable[Piece], width: int) -> Iterator[list[Piece]]:
    line: list[Piece] = []
    used = 0
    for word in _words(pieces):
        length = sum(cell_len(text) for text, _ in word)
        if line and used + 1 + length > width:
            yield line
            line, used = [], 0
        if line:
            line.append((" ", word[0][1] if word[0][1] == line[-1][1] else ""))
        used += length + bool(line)
        line += word
    yield line


def _words(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """What stands between blanks; a word may change its style."""
    word: list[Piece] = []
    for text, style in pieces:
        for part in _WORD.findall(text):
            if not part.isspace():
                word.append((part, style))
            elif word:
                yield word
                word = []
    if word:
        yield word


class HelpPage(TextPage):
    """Paragraphs and a table of keys."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"{PREFIX}{style}" for style in ("heading", "code", "strong", "bullet")}

    def __init__(self, blocks: Sequence[Paragraph], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._blocks = blocks

    def lay_out(self, width: int) -> list[Strip]:
        """All lines: it is a page or three."""
        looks = {name.removeprefix(PREFIX): self.get_component_rich_style(name) for name in self.COMPONENT_CLASSES}
        lines = laid_out(self._blocks, width)
        return [Strip([Segment(text, looks.get(style)) for text, style in line if text]) for line in lines]


class HelpScreen(Overlay[None]):
    """A page of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,f1", "dismiss(None)", "Close", show=False),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, text: str, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        heading = Paragraph((("Keys here", "heading"),))
        self._blocks = (*blocks_of(text), heading, *key_blocks(keys))

    def compose(self) -> ComposeResult:
        """The page, scrollable."""
        page = HelpPage(self._blocks, id="help")
        page.border_title, page.border_subtitle = "help", "esc closes"
        yield page

    def action_scroll(self, lines: int) -> None:
        """A line up or down."""
        self.query_one(HelpPage).action_scroll(lines)
