"""Help texts as lines."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from logtui.tui.screens import dump_screen, odd_lines
from logtui.tui.screens.help import Paragraph, blocks_of, key_blocks, laid_out
from logtui.tui.screens.pane_table import PANES

HELP_TEXTS = [*(row.kind.HELP_TEXT for row in PANES.values()), dump_screen.HELP, odd_lines.HELP]


def lines(markdown: str, width: int) -> list[str]:
    return ["".join(text for text, _ in line) for line in laid_out(blocks_of(markdown), width)]


def test_paragraphs_headings_and_lists() -> None:
    text = "## Ranks\n\nA cell per rank,\na row per node.\n\n- one item that\n  goes on\n- another\n"
    assert lines(text, 20) == [
        "Ranks", "", "A cell per rank, a", "row per node.", "", "• one item that goes", "  on", "• another",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("markdown", "pieces"),
    [
        ("**n** next", [("n", "strong"), (" ", ""), ("next", "")]),
        ("`▼`, behind", [("▼", "code"), (",", ""), (" ", ""), ("behind", "")]),
        ("`a b`", [("a", "code"), (" ", "code"), ("b", "code")]),
        ("2 * 3 ` open", [("2", ""), (" ", ""), ("*", ""), (" ", ""), ("3", ""), (" ", ""), ("`", ""), (" ", ""), ("open", "")]),
        ("**open", [("**open", "")]),
    ],
)  # fmt: skip
def test_code_and_strong_words(markdown: str, pieces: list[tuple[str, str]]) -> None:
    line = next(laid_out(blocks_of(markdown), 40))
    merged = [piece for piece in line if piece[0]]
    assert "".join(text for text, _ in merged) == "".join(text for text, _ in pieces)
    assert [p for p in merged if p[1]] == [p for p in pieces if p[1]]


def test_keys_stand_in_a_column() -> None:
    found = laid_out(key_blocks([("q", "Leave"), ("↑ k", "Up a line of the file")]), 18)
    assert ["".join(text for text, _ in line) for line in found] == ["q    Leave", "↑ k  Up a line of", "     the file"]


@pytest.mark.parametrize("text", HELP_TEXTS)
@pytest.mark.parametrize("width", [20, 60, 104])
def test_no_line_of_a_help_text_is_wider_than_there_is_room(text: str, width: int) -> None:
    found = lines(text, width)
    assert [line for line in found if cell_len(line) > width and " " in line.strip("• ")] == []
    assert "**" not in "".join(found)


def test_a_block_keeps_a_word_that_is_too_long_whole() -> None:
    assert ["".join(t for t, _ in line) for line in laid_out([Paragraph((("abcdefgh", ""),))], 4)] == ["abcdefgh"]
